"""Which clauses an answer goes against, as far as the book alone can tell.

A card that an engine wrongly allows goes against the clauses that the book names for
it. For one that it wrongly forbids the book has no such list: the clause named here is
the one that permits it, or the one that would forbid it if read too strictly.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from refengine.errors import Malformed
from refengine.formats.normal_form import Json
from refengine.formats.trace import Trace, opened
from refengine.game.acts import Pass, Play, Retract
from refengine.game.setups import Match
from refengine.game.values.cardset import CARDS, Card, CardSet
from refengine.game.values.state import State
from refengine.game.verdicts import Irregular, Refused
from refengine.lawbook.book import clauses

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
    "points": ("1.5",),
    "revokes": ("7.1",),
    "score": ("8.1",),
    "totals": ("9.1",),
    "match": ("9.3",),
    "over": ("5.14",),
}
"""The clause that makes each field of an observation what it is, in the plain case."""


def state_at(trace: Trace, steps: int) -> State:
    """The state of the book after the given number of steps of a trace."""
    state = opened(trace.ruleset, trace.start)
    return state.after(*(step.act for step in trace.steps[:steps]))


def clauses_of_field(
    trace: Trace, step: int, field: str, got: object = None
) -> tuple[str, ...]:
    """The clauses that an observed field goes against.

    `step` is the number of the step after which it was observed, 0 for the end; `got`
    is the value observed.
    """
    taken = step or len(trace.steps)
    if field in ("turn", "table"):
        return clauses_of_turn(trace, taken + 1)
    if field == "phase":
        return clauses_of_phase(trace, taken + 1)
    after = state_at(trace, taken)
    act = trace.steps[taken - 1].act if taken else None
    if isinstance(act, Retract):
        found = _OF_RETRACTION.get(field, "")
        if found:
            return (found,)
    if field == "revokes" and (same := _of_fates(after, got)):
        return (same,)
    if field == "score" and (found := _of_difference(after, got)):
        return (found,)
    if field in _OF_STATE:
        return _OF_STATE[field](after, state_at(trace, max(taken - 1, 0)))
    return OF_FIELD.get(field, ())


_OF_RETRACTION: Final = {
    "hearts_broken": "7.5",
    "hands": "7.5a",
    "stock": "7.5a",
    "revokes": "7.5b",
    "points": "7.5",
    "tricks": "7.5",
    "taken": "7.5",
}


def _of_fates(after: State, got: object) -> str:
    """The clause on what became of revokes, if the revokes are the same."""
    ours = [(note.seat, note.trick, note.state) for note in after.revokes]
    try:
        theirs = [
            (one["seat"], one["trick"], one["state"])
            for one in (got if isinstance(got, list) else [])
        ]
    except (KeyError, TypeError):
        return ""
    if sorted(one[:2] for one in ours) != sorted(one[:2] for one in theirs):
        return ""
    states = {one[2] for one in set(ours) ^ set(theirs)}
    if states <= {"open", "standing"}:
        return "7.4" if after.phase == "play" else "7.4a"
    return "7.8" if "established" in states else "7.5b"


def clauses_wrongly_cited(
    trace: Trace, step: int, wanted: set[str], named: set[str]
) -> tuple[str, ...]:
    """The clauses wrongly named for an act, or else those not named.

    An engine that has another turn or phase went astray earlier.
    """
    wrong = {one for one in named - wanted if one in clauses()}
    if wrong == {"2.3"}:
        return clauses_of_turn(trace, step)
    if wrong == {"2.4"}:
        return clauses_of_phase(trace, step)
    return tuple(sorted(wrong or wanted - named or wanted))


def _of_difference(after: State, got: object) -> str:
    """The clause that accounts exactly for what a score has too much or too little."""
    if not isinstance(got, list) or len(got) != len(after.score or ()):
        return ""
    options = after.ruleset.options
    if _shoots(after) and got == _counted(after):
        return "8.3"
    wrong = {
        seat: one - other
        for seat, (one, other) in enumerate(zip(got, after.score or (), strict=True))
        if one != other
    }
    amounts = {abs(number) for number in wrong.values()}
    if not wrong or len(amounts) > 1:
        return ""
    amount = amounts.pop()
    if amount == abs(int(str(options["no_trick_points"]))) and all(
        after.tricks[seat] == 0 for seat in wrong
    ):
        return "8.8"
    bonus = str(options["bonus_card"])
    if bonus != "none" and amount == abs(int(str(options["bonus_points"]))):
        held = [
            seat
            for seat, (taken, hand) in enumerate(
                zip(after.taken, after.hands, strict=True)
            )
            if Card(bonus) in taken | hand
        ]
        return "8.7" if held == list(wrong) else ""
    return ""


def _shoots(state: State) -> bool:
    """Whether one seat took all points in a deal in which that can be a moon."""
    return state.ruleset.options["moon"] != "none" and (
        sum(points > 0 for points in state.points) == 1
    )


def _counted(state: State) -> list[int]:
    """The score of a deal in which nobody shoots, as an engine counts it plainly."""
    options = state.ruleset.options
    bonus, none = str(options["bonus_card"]), int(str(options["no_trick_points"]))
    found = list(state.points)
    for seat, (taken, tricks) in enumerate(zip(state.taken, state.tricks, strict=True)):
        if bonus != "none" and Card(bonus) in taken:
            found[seat] += int(str(options["bonus_points"]))
        if not tricks:
            found[seat] += none
    return found


def _of_score(after: State, before: State) -> tuple[str, ...]:
    """The clauses that shape this score besides the plain count of points."""
    options = after.ruleset.options
    if any(note.state == "established" for note in after.revokes):
        return ("7.9",) if options["revoke_ends_deal"] else ("7.10",)
    if "over" in (before.phase, after.phase) and before.phase == "moon":
        return ("8.5b",) if options["moon"] == "choice_all" else ("8.5c",)
    if _shoots(after):
        return _of_moon(after)
    found = ["6.8"] if any(after.hands) else []
    if tuple(after.score or ()) == tuple(after.points):
        return (*found, "8.1")
    if options["bonus_card"] != "none":
        found.append("8.7")
    if options["no_trick_points"] and 0 in after.tricks:
        found.append("8.8")
    return tuple(found) or ("8.1",)


def _of_moon(state: State) -> tuple[str, ...]:
    """The clauses on a deal in which one seat took all points."""
    options = state.ruleset.options
    taken = CardSet([card for one in state.taken for card in one])
    if not (taken & _QUEEN and taken & _HEARTS):
        return ("8.3a",)
    if state.revokes:
        return ("8.3b",)
    if any(state.hands) or tuple(state.score or ()) == tuple(state.points):
        return ("8.3",)
    found = ["9.7" if options["moon"] == "others_plus_unless_losing" else "8.5a"]
    if options["sun_points"]:
        found.append("8.4")
    if options["bonus_card"] != "none":
        found.append("8.7")
    if options["no_trick_points"]:
        found.append("8.8")
    return tuple(sorted(found))


def _of_totals(after: State, before: State) -> tuple[str, ...]:
    """The clauses that make totals of a score."""
    totals = zip(before.totals, after.score or (), after.totals, strict=False)
    if any(old + score != new for old, score, new in totals):
        return ("9.2",)
    return ("9.1",)


def _of_match(after: State, before: State) -> tuple[str, ...]:
    """The clauses that end a match and say who won it."""
    options = after.ruleset.options
    lowest = sum(total == min(after.totals) for total in after.totals)
    if options["ties"] == "play_on" and before.core.sheet.reached:
        return ("9.6",)
    if lowest > 1:
        return ("9.6",) if options["ties"] == "play_on" else ("9.5",)
    return ("9.4",) if options["limit"] == "none" else ("9.3",)


def _of_revokes(after: State, before: State) -> tuple[str, ...]:
    """The clauses that say what becomes of a revoke."""
    if len(after.revokes) != len(before.revokes):
        return ("7.1",)
    if any(note.state == "established" for note in after.revokes):
        return ("7.8",)
    return ("7.4",) if after.phase == "play" else ("7.4a",)


def _of_hands(after: State, before: State) -> tuple[str, ...]:
    """The clauses by which hands change."""
    if before.phase == "pass":
        return ("4.8",) if after.phase == "pass" else ("4.2",)
    if before.phase == "mix":
        return ("4.10a",)
    return ("5.7",) if not _stock_is_taken(after, before) else ("6.8a",)


def _of_stock(after: State, before: State) -> tuple[str, ...]:
    if not _stock_is_taken(after, before):
        return ("6.4",)
    return ("6.8a",) if any(after.hands) else ("6.8b",)


def _stock_is_taken(after: State, before: State) -> bool:
    """Whether the play is over, so that somebody may take the stock."""
    return before.phase == "play" and after.phase != "play" and bool(before.stock)


def _of_taken(after: State, before: State) -> tuple[str, ...]:
    return ("6.8b",) if _stock_is_taken(after, before) else ("5.11",)


def _of_dealer(after: State, before: State) -> tuple[str, ...]:
    return ("3.1b",) if before.phase == "cut" else ("3.2",)


def _of_hearts(after: State, before: State) -> tuple[str, ...]:
    trick = after.history[-1].cards if after.completed else ()
    table = after.table.cards if after.table and not trick else trick
    return ("5.9a",) if table and table[-1].value == "QS" else ("5.9",)


_OF_STATE: Final[dict[str, Callable[[State, State], tuple[str, ...]]]] = {
    "score": _of_score,
    "totals": _of_totals,
    "match": _of_match,
    "revokes": _of_revokes,
    "hands": _of_hands,
    "stock": _of_stock,
    "taken": _of_taken,
    "dealer": _of_dealer,
    "hearts_broken": _of_hearts,
}


def clauses_of_turn(trace: Trace, step: int) -> tuple[str, ...]:
    """The clauses that say whose turn it is before this step."""
    state = state_at(trace, step - 1)
    if state.completed is not None:
        return ("6.7",) if state.completed.winner in state.out else ("5.11",)
    if state.phase != "play":
        by_phase = {"cut": "3.1c", "deal": "3.2", "moon": "8.3"}
        return (by_phase.get(state.phase, "2.3"),)
    if state.history or (state.table is not None and state.table.cards):
        return ("5.12",)
    clubs = any(hand & _CLUBS for hand in state.hands)
    by_club = state.ruleset.options["opening_leader"] == "lowest_club"
    return ("5.1a",) if by_club and not clubs else ("5.1",)


def _of_cycle(state: State) -> str:
    """The clause that says what is done about the pass of this deal."""
    cycle = state.ruleset.options["pass_cycle"]
    assert isinstance(cycle, tuple)
    if state.ruleset.players % 2 and "across" in cycle:
        return "4.1a"
    if cycle and state.phase == "play":
        return "4.3"
    return "4.1"


def clauses_of_phase(trace: Trace, step: int) -> tuple[str, ...]:
    """The clauses that say which phase it is before this step."""
    state = state_at(trace, step - 1)
    if state.phase == "play":
        played = state.history or (state.table is not None and state.table.cards)
        return ("5.14",) if played else (_of_cycle(state),)
    by_phase = {
        "cut": "3.1c",
        "deal": "3.1b",
        "pass": _of_cycle(state),
        "mix": "4.10",
        "moon": "8.3",
        "over": "5.14",
    }
    if isinstance(trace.start, Match) and any(state.totals):
        by_phase["deal"] = by_phase["over"] = _of_match(state, state)[0]
    choice = str(state.ruleset.options["moon"]).startswith("choice")
    shot = sum(points > 0 for points in state.points) == 1
    if state.phase in ("over", "deal") and choice and shot:
        return _of_moon(state)
    return (by_phase[state.phase],)


def clauses_of_due_answer(
    trace: Trace, step: int, given: Json | str
) -> tuple[str, ...]:
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
        found = {
            c
            for card in missing
            for c in clauses_wrongly_forbidding(state, card, cards)
        }
    return tuple(sorted(found))


def _broken(state: State, card: Card) -> tuple[str, ...]:
    verdict = state.verdict(Play(state.turn[0], card))
    return verdict.clauses if isinstance(verdict, Refused | Irregular) else ()


def _of_due(state: State, given: Json | str) -> tuple[str, ...]:
    """The clauses if another kind of act is due, or the number of ways differs."""
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


def clauses_wrongly_forbidding(
    state: State, card: Card, given: CardSet | None = None
) -> tuple[str, ...]:
    """The clause under which an engine may wrongly forbid this legal card.

    `given` are the cards that it does allow.
    """
    if state.table is None or not state.turn:
        return ("0.12",)
    hand, one = state.hands[state.turn[0]], CardSet([card])
    first = not state.history and not any(state.tricks)
    if not state.table.cards:
        return _lead_too_strict(state, hand, one, first)
    led = state.table.cards[0].value[1]
    barred = first and state.ruleset.rules.first_trick_barred
    if card.value[1] == led:
        if hand & _QUEEN and not one & _QUEEN:
            return ("5.6",)
        others = given is not None and any(held.value[1] == led for held in given)
        return ("5.5",) if barred and others else ("5.3",)
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


def clauses_of_wrong_refusal(
    trace: Trace, step: int, cited: tuple[str, ...]
) -> tuple[str, ...]:
    """The clauses that the refusal of a legal act goes against.

    Those that the engine names are those that it applies where it should not; if it has
    another turn, phase or hand, it went astray earlier.
    """
    if cited == ("2.3",):
        return clauses_of_turn(trace, step)
    if cited == ("2.4",):
        return clauses_of_phase(trace, step)
    if cited == ("5.7",) and not state_at(trace, step - 1).history:
        return ("4.2",) if any(isinstance(one.act, Pass) for one in trace.steps) else ()
    if cited == ("7.4",) and state_at(trace, step - 1).phase != "play":
        return ("7.4a",)
    if cited:
        return cited
    act = trace.steps[step - 1].act
    if isinstance(act, Play):
        return clauses_wrongly_forbidding(state_at(trace, step - 1), act.card)
    return ("0.12",)
