"""Which clauses a wrong answer violates, as far as the book alone can tell.

An engine that wrongly allows a card goes against the clauses by which the book forbids
it. For a card wrongly forbidden, the book has no such list: the clause named here is
the one that permits the card, or one that would forbid it if read too strictly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import comb, perm
from typing import Any, Final

from refengine.chapters.passing import cards_needed
from refengine.chapters.settings import HOLD, MIX, SCATTER
from refengine.errors import Malformed
from refengine.formats.fields import legal_fields
from refengine.formats.normal_form import Json
from refengine.formats.trace import Finding, Trace, state_at
from refengine.game.acts import (
    Claim,
    Deal,
    Draw,
    Mix,
    Pass,
    Play,
    Retract,
)
from refengine.game.setups import Match
from refengine.game.tricks import Trick
from refengine.game.values.cardset import Card, CardSet
from refengine.game.values.state import State
from refengine.game.verdicts import Irregular, Refused
from refengine.lawbook.book import clauses
from refengine.lawbook.reading import place_in_book
from refengine.rulings.broken_clauses.applied import (
    SUITS,
    applied_too_far,
    clauses_wrongly_forbidding,
    in_first_trick,
)
from refengine.rulings.broken_clauses.revoke_clauses import (
    claim_ended_play,
    clause_after_play,
    clause_of_claim,
    clause_of_correction,
    clause_of_fates,
    clauses_of_revokes,
)
from refengine.rulings.broken_clauses.scored_clauses import (
    clause_of_difference,
    clause_of_end,
    clause_of_kitty,
    clause_of_one_card,
    clause_of_who_takes_kitty,
    clauses_of_cards_left,
    clauses_of_match,
    clauses_of_moon,
    clauses_of_points,
    clauses_of_points_left,
    clauses_of_score,
    clauses_of_totals,
    excesses,
    is_by_the_kitty,
    may_end_early,
    shoots,
)
from refengine.rulings.score_explained import SETTLED_BY

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
"""The clause that determines each field of an observation in the ordinary case."""


def clauses_against(trace: Trace, finding: Finding) -> tuple[str, ...]:
    """The clauses that a wrong statement of a game contradicts.

    They are known for statements of what is due and of observed fields, but not of what
    a seat sees; after an act that is refused, only for the fields. Otherwise the result
    is empty.
    """
    what, step = finding.what, finding.step
    name = what.rpartition(".")[2]
    try:
        if what == "legal":
            stated = trace.steps[step - 1].legal
            assert stated is not None
            return clauses_of_due_answer(trace, step, stated)
        if "." in what and ".view." not in what:
            said = trace.steps[step - 1].then if step else trace.end
            return clauses_of_seen(trace, step, name, said)
    except Refused:
        return OF_FIELD.get(name, ())
    return ()


def clauses_of_seen(
    trace: Trace, step: int, field: str, seen: Mapping[str, Any]
) -> tuple[str, ...]:
    """The clauses violated by a field of an observation, of which all fields are given.

    They are those of `clauses_of_field`, but totals to which a wrong score was rightly
    added (9.1) violate the clauses of the score.
    """
    if field == "totals":
        after = state_at(trace, step or len(trace.steps))
        wrong = excesses(after.score or (), seen.get("score"))
        if wrong and wrong == excesses(after.totals, seen["totals"]):
            field = "score"
    return clauses_of_field(trace, step, field, seen.get(field))


def clauses_of_field(
    trace: Trace, step: int, field: str, got: object = None
) -> tuple[str, ...]:
    """The clauses violated by the value that an engine reported for this field.

    `step` is the number of the step after which the field was observed, or 0 for the
    end; `got` is the value observed.
    """
    taken = step or len(trace.steps)
    after = state_at(trace, taken)
    if field == "table" and got and claim_ended_play(after):
        return ("7.9",)
    act = trace.steps[taken - 1].act if taken else None
    before = state_at(trace, max(taken - 1, 0))
    if isinstance(act, Claim) and (found := clause_of_claim(before, after, field, got)):
        return (found,)
    if isinstance(act, Retract) and (found := clause_of_correction(after, field, got)):
        return (found,)
    if field in ("turn", "table"):
        return clauses_of_turn(trace, taken + 1)
    if field == "phase":
        return clauses_of_phase(trace, taken + 1)
    if isinstance(act, Deal) and field in _BEGUN_ANEW:
        return ("3.11",)
    if isinstance(act, Deal) and field in _DEALT:
        return (_DEALT[field],)
    if isinstance(act, Draw) and field == "hands":
        return ("6.4",)
    if isinstance(act, Mix) and field == "kitty":
        return ("4.10b",)
    if exact := _accounting_for(trace, step, after, field, got):
        return exact
    if field == "hands" and before.phase == "pass" != after.phase:
        if other := _OF_WAY.get(int(before.core.dealt.way)):
            return (other,)
        if any(one is not None and one.unseen for one in after.core.dealt.packets):
            return ("4.9a",)
        return ("4.1", "4.2") if _passed_otherwise(trace, taken, got) else ("4.2",)
    if field in _OF_STATE:
        return _OF_STATE[field](after, before)
    return OF_FIELD.get(field, ())


def _accounting_for(
    trace: Trace, step: int, after: State, field: str, got: object
) -> tuple[str, ...]:
    """The clauses that account for just what is wrong in a field; empty if none do.

    `after` is the state after the step.
    """
    match field:
        case "revokes":
            found = clause_of_fates(after, got)
        case "score":
            found = clause_of_difference(after, got)
        case "match":
            found = clause_of_end(trace, step, after, got)
        case "points":
            return _of_points(after, got)
        case _:
            if left := clauses_of_cards_left(after, field, got):
                return left
            by_kitty = field == "taken" and is_by_the_kitty(after, got)
            found = clause_of_who_takes_kitty(after) if by_kitty else ""
    return (found,) if found else ()


_OF_WAY: Final = {SCATTER: "4.8", MIX: "4.10"}
"""The clause on where passed cards go, in a scatter and in a mix; otherwise 4.2."""

_BEGUN_ANEW: Final = frozenset(
    ("drew", "hearts_broken", "out", "points", "revokes", "score", "taken", "tricks")
)
"""The fields that do not carry over from one deal to the next."""

_DEALT: Final = {"hands": "3.8", "stock": "3.6", "kitty": "3.7"}
"""For each field that shows where cards are dealt, the clause on it."""


def are_right(kind: str, wanted: set[str], named: set[str]) -> bool:
    """Whether an engine has named the right clauses for a refused or irregular act.

    At least one clause must be named, and each must be one of those wanted. Unless
    `kind` is `clause`, every clause wanted must be named.
    """
    return bool(named) and named <= wanted and (kind == "clause" or named == wanted)


def right_answer(kind: str, expected: Iterable[str], wanted: set[str]) -> str:
    """The right answer in words: the clauses, or `one of` them if any one will do."""
    shown = ", ".join(expected)
    return f"one of {shown}" if kind == "clause" and len(wanted) > 1 else shown


def cited_for(wanted: set[str], named: set[str]) -> tuple[str, ...]:
    """The clauses that an engine got wrong: those that it wrongly named, if any.

    If there are none, they are the wanted clauses that were not named or, if all were,
    all of those wanted. A clause wrongly named is left out if its number is not in the
    book. If 2.4 should have been named and was not, that is what is wrong: the phase is
    judged before everything else (0.7a).
    """
    first = (wanted - named) & {"2.4"}
    wrong = first or {one for one in named - wanted if one in clauses()}
    return tuple(sorted(wrong or wanted - named or wanted, key=place_in_book))


def those_of_the_book(cited: Iterable[str]) -> tuple[str, ...]:
    """Those of the cited clauses that exist in the book."""
    return tuple(one for one in cited if one in clauses())


def clauses_wrongly_cited(
    trace: Trace, step: int, wanted: set[str], named: set[str]
) -> tuple[str, ...]:
    """The clauses that an engine got wrong for an act that it rightly did not allow.

    The act is to be refused or to be called irregular. These are the clauses wrongly
    named or, if there are none, those it should have named. If they show that the
    engine has the wrong turn or phase, the result is the clauses on turn or phase
    instead, since the engine went astray earlier.
    """
    cited = cited_for(wanted, named)
    if cited == ("2.3",) and "2.3" not in wanted:
        return clauses_of_turn(trace, step)
    if cited == ("2.4",) and "2.4" not in wanted:
        return clauses_of_phase(trace, step)
    return cited


def _of_points(after: State, got: object) -> tuple[str, ...]:
    """The clauses that exactly account for wrong points; empty if none do."""
    wrong = excesses(after.points, got)
    found = clause_of_kitty(after, wrong) or clause_of_one_card(wrong, after.taken)
    return (found,) if found else clauses_of_points_left(after, wrong)


def _passed_otherwise(trace: Trace, step: int, got: object) -> bool:
    """Whether `got` is what the hands would be if the cards had gone to other seats.

    This includes the hands that result if no cards are passed at all.
    """
    acts = [one.act for one in trace.steps[:step]]
    first = step
    while first and isinstance(acts[first - 1], Pass):
        first -= 1
    made = {act.seat: act.cards for act in acts[first:] if isinstance(act, Pass)}
    packets = [cards for _, cards in sorted(made.items())]
    dealt = state_at(trace, first).hands
    if not isinstance(got, list) or not len(packets) == len(got) == len(dealt):
        return False
    seats = range(len(dealt))
    return any(
        got == [str(dealt[to] - packets[to] | packets[to - way]) for to in seats]
        for way in seats
    )


def _of_hands(after: State, before: State) -> tuple[str, ...]:
    """The clauses that say how the hands change in the phase of the state `before`."""
    if before.phase == "pass":
        return ("4.8",)
    if before.phase == "mix":
        return ("4.10e",)
    return ("5.7",)


def _of_dealer(after: State, before: State) -> tuple[str, ...]:
    return ("3.1b",) if before.phase == "cut" else ("3.2",)


def _of_hearts(after: State, before: State) -> tuple[str, ...]:
    trick = after.history[-1].cards if after.completed else ()
    table = after.table.cards if after.table and not trick else trick
    by_queen = table and table[-1].value == "QS"
    breaks = before.ruleset.options["queen_breaks_hearts"]
    return ("5.9a",) if by_queen and breaks else ("5.9",)


_OF_STATE: Final[dict[str, Callable[[State, State], tuple[str, ...]]]] = {
    "score": clauses_of_score,
    "totals": clauses_of_totals,
    "match": clauses_of_match,
    "revokes": clauses_of_revokes,
    "hands": _of_hands,
    "dealer": _of_dealer,
    "hearts_broken": _of_hearts,
    "kitty": lambda after, _: (clause_of_who_takes_kitty(after),),
    "points": clauses_of_points,
}


def clauses_of_turn(trace: Trace, step: int) -> tuple[str, ...]:
    """The clauses that say whose turn it is before this step."""
    state = state_at(trace, step - 1)
    by_phase = {"cut": "3.1c", "deal": "3.2", "mix": "4.10", "moon": "8.3"}
    if state.phase in by_phase:
        return (by_phase[state.phase],)
    if state.phase != "play":
        return ("2.3",)
    if state.completed is not None:
        return _of_next_lead(state.completed, state)
    if state.table is not None and state.table.cards:
        void = not state.hands[state.turn[0]] & SUITS[state.table.cards[0].value[1]]
        dry = state.ruleset.options["undealt"] == "stock" and not state.stock
        return ("6.5", "5.12") if void and dry else ("5.12",)
    if state.history:  # the lead is due, and the last act was a draw or a claim
        return _of_next_lead(state.history[-1], state)
    clubs = any(hand & SUITS["C"] for hand in state.hands)
    by_club = state.ruleset.options["opening_leader"] == "lowest_club"
    return ("5.1a",) if by_club and not clubs else ("5.1",)


def _of_next_lead(last: Trick, state: State) -> tuple[str, ...]:
    """The clause that decides which seat leads to the trick after `last`."""
    return ("6.7",) if last.winner in state.out else ("5.11",)


def _of_cycle(state: State) -> str:
    """The clause that decides whether and how cards are passed in this deal."""
    cycle = state.ruleset.options["pass_cycle"]
    assert isinstance(cycle, tuple)
    if state.ruleset.players % 2 and "across" in cycle:
        return "4.1a"
    if cycle and state.core.dealt.way == HOLD:
        return "4.3"
    if state.phase == "play" and state.core.dealt.way == MIX:
        return "4.10"
    return "4.1"


def clauses_of_phase(trace: Trace, step: int) -> tuple[str, ...]:
    """The clauses that say which phase the game is in before this step."""
    state = state_at(trace, step - 1)
    if by_dispute := clause_after_play(trace, step - 1):
        return (by_dispute,)
    is_match = isinstance(trace.start, Match)
    if claim_ended_play(state):
        return ("7.9", *(clauses_of_match(state, state) if is_match else ()))
    return _clauses_of_phase_of(state, is_match)


def _clauses_of_phase_of(state: State, is_match: bool) -> tuple[str, ...]:
    """The clauses that say which phase the game is in, if no claim has decided it."""
    if state.phase == "play":
        table = state.table.cards if state.table is not None else ()
        stocked = state.ruleset.options["undealt"] == "stock"
        if stocked and table and sum(map(bool, state.hands)) == 1:
            return ("6.6a", "5.14")
        ended = ("5.14a",) if may_end_early(state) else ("5.14",)
        return ended if table or not in_first_trick(state) else (_of_cycle(state),)
    by_phase = {
        "cut": "3.1c",
        "deal": "3.1b",
        "pass": _of_cycle(state),
        "mix": "4.10",
        "moon": "8.3",
        "over": "5.14a" if may_end_early(state) and any(state.hands) else "5.14",
    }
    if is_match and state.core.result is not None:
        by_phase["deal"] = by_phase["over"] = clauses_of_match(state, state)[0]
    moon = str(state.ruleset.options["moon"])
    if state.phase in ("over", "deal") and moon.startswith("choice") and shoots(state):
        result = state.core.result
        shot = result is not None and result.shooter >= 0
        return (SETTLED_BY[moon],) if shot else clauses_of_moon(state)
    return (by_phase[state.phase],)


def clauses_of_due_answer(
    trace: Trace, step: int, given: Json | str
) -> tuple[str, ...]:
    """The clauses violated by a wrong answer to what is due before this step.

    For cards to play, they are the first of these that there are: the clauses that
    forbid what the answer allows, the clauses that it applies too far, and the clauses
    by which it wrongly forbids a card.
    """
    state = state_at(trace, step - 1)
    due = state.legal.due
    kind = _kind_of(given)
    # Whether to draw or to play is a question of the cards held, not of the phase.
    if kind != due.kind and {kind, due.kind} != {"play", "draw"}:
        return clauses_of_phase(trace, step)
    if due.kind != "play" or not isinstance(given, str):
        return _of_due(state, given)
    try:
        cards = CardSet(given)
    except Malformed:
        return ()
    wrong = tuple(card for card in cards if card not in due.cards)
    missing = tuple(card for card in due.cards if card not in cards)
    broken = {clause for card in wrong for clause in _broken(state, card)}
    too_far = applied_too_far(state, cards)
    if broken:
        # Cards too many and cards too few have one cause if another suit was followed.
        cause = ("5.3",) if missing and "5.3" in too_far else ()
        return tuple(dict.fromkeys([*cause, *sorted(broken, key=place_in_book)]))
    if too_far:
        return too_far
    forbidding = {
        c for card in missing for c in clauses_wrongly_forbidding(state, card, cards)
    }
    return tuple(sorted(forbidding, key=place_in_book))


def _kind_of(given: Json | str) -> str:
    """The kind of act that, according to an answer, is due; empty if it names none."""
    if isinstance(given, str):
        return "play"
    known = ("cut", "deal", "pass", "mix", "draw", "play", "moon", "over")
    return next((kind for kind in known if kind in given), "")


def _broken(state: State, card: Card) -> tuple[str, ...]:
    verdict = state.verdict(Play(state.turn[0], card))
    return verdict.clauses if isinstance(verdict, Refused | Irregular) else ()


def _of_due(state: State, given: Json | str) -> tuple[str, ...]:
    """The clauses violated by a wrong answer about the act due or the ways to do it."""
    kind = state.legal.due.kind
    if kind == "draw":
        leads = state.table is not None and not state.table.cards
        return ("6.2",) if leads else ("6.1",)
    if isinstance(given, dict) and "draw" in given:
        return ("6.3",)
    if kind == "pass" and _moved_at_once(state, given):
        return ("4.8",)
    by_kind = {
        "cut": ("3.1f",),
        "deal": ("2.4",),
        "pass": ("4.6a",) if state.core.dealt.way == SCATTER else ("4.4",),
        "mix": ("4.10",),
        "moon": (_of_choices(state, given),),
        "play": ("2.4",),
        "over": ("5.14",),
    }
    return by_kind[kind]


def _of_choices(state: State, given: Json | str) -> str:
    """The clause violated by a wrong list of the choices for a moon."""
    said = given.get("moon") if isinstance(given, dict) else None
    if not isinstance(said, list):
        return "8.6a"
    if {"one": state.turn[0]} in said:
        return "8.6b"
    due = legal_fields(state)
    ours = due["moon"] if isinstance(due, dict) else []
    more = any(one not in ours for one in said)
    return "8.6a" if more else SETTLED_BY[str(state.ruleset.options["moon"])]


def _moved_at_once(state: State, given: Json | str) -> bool:
    """Whether an engine seems to move passed cards before every seat has passed.

    This is inferred from the number of ways to pass that it reports.
    """
    ways = given.get("pass") if isinstance(given, dict) else None
    waiting = {*range(state.ruleset.players)} - {*state.turn}
    if not waiting or not isinstance(ways, int):
        return False
    way = state.core.dealt.way
    size = int(cards_needed(state.ruleset.rules, way))
    held = len(state.hands[state.turn[0]])
    number_of_ways = perm if way == SCATTER else comb
    return ways in {number_of_ways(held + more, size) for more in (-size, size)}


def _of_exchange(trace: Trace, step: int) -> tuple[str, ...]:
    """The clause by which cards were passed in this deal; empty if none were."""
    way = int(state_at(trace, step - 1).core.dealt.way)
    return () if way == HOLD else (_OF_WAY.get(way, "4.2"),)


def clauses_of_wrong_refusal(
    trace: Trace, step: int, cited: tuple[str, ...]
) -> tuple[str, ...]:
    """The clauses violated by an engine that refuses a legal act.

    These are the clauses that the engine cites, since it applies them when it should
    not. If they show that it has the wrong turn, phase or hand, the clauses on that are
    named instead, since the engine went astray earlier; once play is over, 7.4a is
    named instead of 7.4. Numbers that are not in the book are ignored. If the engine
    cites no clause, the act decides which to name.
    """
    cited = those_of_the_book(cited)
    if cited == ("2.3",):
        return clauses_of_turn(trace, step)
    if cited == ("2.4",):
        return clauses_of_phase(trace, step)
    first_trick = not state_at(trace, step - 1).history
    if cited == ("5.7",) and first_trick and (found := _of_exchange(trace, step)):
        return found
    if cited == ("7.4",) and state_at(trace, step - 1).phase != "play":
        return ("7.4a",)
    if cited:
        return cited
    act = trace.steps[step - 1].act
    if isinstance(act, Play):
        return clauses_wrongly_forbidding(state_at(trace, step - 1), act.card)
    return ("0.12",)
