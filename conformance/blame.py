"""Which clauses an answer goes against, as far as the book alone can tell.

A card that an engine allows wrongly goes against the clauses that the book names for
it. Of one that it forbids wrongly the book has no such list: here stands the clause
that permits it, or the one that would forbid it if it were read too strictly.
"""

from __future__ import annotations

from typing import Final

from refengine.acts import Play
from refengine.cardset import CARDS, Card, CardSet
from refengine.errors import Malformed
from refengine.fields import Json
from refengine.state import State
from refengine.trace import Trace, opened
from refengine.verdicts import Irregular, Refused

_QUEEN: Final = CardSet("QS")
_HEARTS: Final = CardSet([card for card in CARDS if card.value[1] == "H"])
_CLUBS: Final = CardSet([card for card in CARDS if card.value[1] == "C"])

OF_FIELD: Final[dict[str, tuple[str, ...]]] = {
    "cut": ("3.1",),
    "phase": ("2.4",),
    "turn": ("5.12",),
    "dealer": ("3.2",),
    "deal": ("3.11",),
    "trick": ("5.10",),
    "table": ("5.12",),
    "hearts_broken": ("5.9",),
    "drew": ("6.4",),
    "out": ("6.6",),
    "hands": ("4.2",),
    "taken": ("5.11",),
    "tricks": ("5.11",),
    "stock": ("6.4",),
    "kitty": ("5.13",),
    "points": ("2.7b",),
    "revokes": ("7.1",),
    "score": ("8.1",),
    "totals": ("9.1",),
    "match": ("9.3",),
    "over": ("5.14",),
}
"""The clause that makes each field of an observation what it is, in the plain case."""


def state_at(trace: Trace, steps: int) -> State:
    """The state of the book after so many steps of a trace."""
    state = opened(trace.ruleset, trace.start)
    return state.after(*(step.act for step in trace.steps[:steps]))


def of_field(trace: Trace, step: int, field: str) -> tuple[str, ...]:
    """The clauses that an observed field goes against.

    `step` is the number of the step after which it was observed, 0 for the end.
    """
    taken = step or len(trace.steps)
    if field == "score":
        return _of_score(state_at(trace, taken))
    if field in ("turn", "table") and taken:
        before, after = state_at(trace, taken - 1), state_at(trace, taken)
        if after.completed is not None:
            return ("6.7",) if after.completed.winner in after.out else ("5.11",)
        if not before.history and before.phase != "play":
            return ("5.1",)
    if field == "hands" and taken:
        phase = state_at(trace, taken - 1).phase
        return {"play": ("5.7",), "mix": ("4.10a",)}.get(phase, ("4.2",))
    return OF_FIELD.get(field, ())


def _of_score(state: State) -> tuple[str, ...]:
    """The clause that shapes this score beside the plain count of points."""
    if any(note.state == "established" for note in state.revokes):
        return ("7.9",) if state.ruleset.rules.revoke_ends_deal else ("7.10",)
    if tuple(state.score or ()) == tuple(state.points):
        return ("8.1",)
    if sum(points > 0 for points in state.points) == 1:
        return ("8.3",)
    held = any(state.hands)
    bonus = state.ruleset.options["bonus_card"] != "none"
    plain = {"6.8": held, "8.7": bonus, "8.8": 0 in state.tricks}
    return tuple(number for number, bears in plain.items() if bears) or ("8.1",)


def of_legal(trace: Trace, step: int, given: Json | str) -> tuple[str, ...]:
    """The clauses that an answer on what is due goes against, before this step."""
    state = state_at(trace, step - 1)
    due = state.legal.due
    if due.kind != "play" or not isinstance(given, str):
        return _of_due(state, given)
    try:
        cards = CardSet(given)
    except Malformed:
        return ()
    wrong = tuple(card for card in cards if card not in due.cards)
    missing = tuple(card for card in due.cards if card not in cards)
    found = {clause for card in wrong for clause in _broken(state, card)}
    if not found:
        found = {clause for card in missing for clause in too_strict(state, card)}
    return tuple(sorted(found))


def _broken(state: State, card: Card) -> tuple[str, ...]:
    verdict = state.verdict(Play(state.turn[0], card))
    return verdict.clauses if isinstance(verdict, Refused | Irregular) else ()


def _of_due(state: State, given: Json | str) -> tuple[str, ...]:
    """What is due is of another kind, or the number of ways differs."""
    kind = state.legal.due.kind
    if kind == "draw":
        leads = state.table is not None and not state.table.cards
        return ("6.2",) if leads else ("6.1",)
    if isinstance(given, dict) and "draw" in given:
        return ("6.3",)
    by_kind = {
        "cut": ("3.1a",),
        "deal": ("2.4",),
        "pass": ("4.4",),
        "mix": ("4.10",),
        "moon": ("8.6",),
        "play": ("2.4",),
        "over": ("5.14",),
    }
    return by_kind[kind]


def too_strict(state: State, card: Card) -> tuple[str, ...]:
    """The clause under which an engine may wrongly forbid this legal card."""
    if state.table is None or not state.turn:
        return ("0.12",)
    hand, one = state.hands[state.turn[0]], CardSet([card])
    first = not state.history and not any(state.tricks)
    if not state.table.cards:
        return _lead_too_strict(state, hand, one, first)
    led = state.table.cards[0].value[1]
    if card.value[1] == led:
        return ("5.6",) if hand & _QUEEN and not one & _QUEEN else ("5.3",)
    if first and one & (_HEARTS | _QUEEN):
        return ("5.5a",) if state.ruleset.rules.first_trick_barred else ("5.5",)
    if hand & _QUEEN and not one & _QUEEN:
        return ("5.6",)
    return ("6.5",) if state.ruleset.options["undealt"] == "stock" else ("5.8",)


def _lead_too_strict(
    state: State, hand: CardSet, one: CardSet, first: bool
) -> tuple[str, ...]:
    if one & _HEARTS:
        if state.hearts_broken:
            return ("5.9",)
        if not hand - _HEARTS:
            return ("5.4a",)
        if not hand - _HEARTS - _QUEEN:
            return ("5.4b",)
        return ("5.5",) if first else ("5.4",)
    if first and state.ruleset.options["opening_card"] != "lowest_club":
        return ("5.2",)
    if one & _QUEEN and not hand - _HEARTS - _QUEEN:
        return ("5.4b",)
    return ("5.2",) if first and one & _CLUBS else ("0.12",)


def of_refused(trace: Trace, step: int, cited: tuple[str, ...]) -> tuple[str, ...]:
    """The clauses that the refusal of a legal act goes against.

    Those that the engine names are those that it applies where it should not.
    """
    if cited:
        return cited
    act = trace.steps[step - 1].act
    if isinstance(act, Play):
        return too_strict(state_at(trace, step - 1), act.card)
    return ("0.12",)
