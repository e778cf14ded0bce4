"""Which clauses an answer goes against, as far as the book alone can tell.

A card that an engine wrongly allows goes against the clauses that the book names for
it. For one that it wrongly forbids the book has no such list: the clause named here is
the one that permits it, or the one that would forbid it if read too strictly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb
from typing import Final

from refengine.errors import Malformed
from refengine.formats.normal_form import Json
from refengine.formats.trace import Trace, opened
from refengine.game.acts import Pass, Play, Retract
from refengine.game.setups import Match
from refengine.game.values.cardset import Card, CardSet
from refengine.game.values.state import State
from refengine.game.verdicts import Irregular, Refused
from refengine.lawbook.book import clauses
from refengine_conformance.runner.applied import (
    HEARTS,
    QUEEN,
    SUITS,
    applied_too_far,
    is_silent,
    permitting,
)

_QUEEN: Final = QUEEN
_HEARTS: Final = HEARTS
_CLUBS: Final = SUITS["C"]
_SPADES: Final = SUITS["S"]

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
    before = state_at(trace, max(taken - 1, 0))
    if field == "score" and (found := _of_difference(after, got, before)):
        return (found,)
    if field == "points" and (found := _of_card(after.points, got, after.taken)):
        return (found,)
    if field == "match" and (found := _of_end(trace, step, after, got)):
        return (found,)
    if field in _OF_STATE:
        return _OF_STATE[field](after, before)
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


def _of_card(ours: Sequence[int] | None, got: object, held: Sequence[CardSet]) -> str:
    """The clause on a single card whose worth accounts for what is too much."""
    if not isinstance(got, list) or ours is None or len(got) != len(ours):
        return ""
    wrong = {
        seat: one - other
        for seat, (one, other) in enumerate(zip(got, ours, strict=True))
        if one != other
    }
    if len(wrong) != 1 or max(wrong.values()) <= 0:
        return ""
    seat = next(iter(wrong))
    if wrong[seat] != _WORTH:
        return ""
    if held[seat] & _OTHER_QUEENS:
        return "1.4"
    return "1.5" if held[seat] & _QUEEN else ""


_WORTH: Final = 13
_OTHER_QUEENS: Final = CardSet("QC QD QH")


def _of_end(trace: Trace, step: int, after: State, got: object) -> str:
    """The clause by which a match is over, or is not, if that is what differs."""
    fields = trace.steps[step - 1].then if step else trace.end
    ours = fields.get("match")
    if not (isinstance(got, dict) and isinstance(ours, dict)):
        return ""
    if got.get("over") == ours.get("over"):
        return ""
    options = after.ruleset.options
    if options["limit"] == "none":
        return "9.4"
    plain = [
        total - score + counted
        for total, score, counted in zip(
            after.totals, after.score or (), _counted(after), strict=False
        )
    ]
    early = max([0, *plain]) >= int(str(options["limit"]))
    if _shoots(after) and early == bool(got.get("over")):
        return "8.9"
    return "9.6" if options["ties"] == "play_on" else "9.3"


def _of_difference(after: State, got: object, before: State) -> str:
    """The clause that accounts exactly for what a score has too much or too little."""
    if not isinstance(got, list) or len(got) != len(after.score or ()):
        return ""
    options = after.ruleset.options
    if _shoots(after) and got == _counted(after):
        return "8.3"
    if not _shoots(after) and _is_a_moon(after, got):
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
    if amount == len(CardSet(before.stock) & _HEARTS):
        return _of_undrawn(before)
    owned = [one | hand for one, hand in zip(after.taken, after.hands, strict=True)]
    if card := _of_card(after.score, got, owned):
        return card
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


def _is_a_moon(state: State, got: list[object]) -> bool:
    """Whether a score is settled as if some seat had shot the moon."""
    plain = _counted(state)
    beside = [
        one - points for one, points in zip(plain, state.points, strict=True)
    ]  # bonus card and tricks
    moon = sum(state.points)
    for shooter in range(len(plain)):
        others = [seat for seat in range(len(plain)) if seat != shooter]
        for amount in {26, moon}:
            charged = all(
                got[seat] in (plain[seat] + amount, beside[seat] + amount)
                for seat in others
            )
            spared = all(got[seat] in (plain[seat], beside[seat]) for seat in others)
            own = got[shooter]
            if charged and own in (beside[shooter], plain[shooter] - amount):
                return True
            if spared and amount and own == beside[shooter] - amount:
                return True
    return False


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
    return ("5.7",) if not _stock_is_taken(after, before) else (_of_undrawn(before),)


def _of_stock(after: State, before: State) -> tuple[str, ...]:
    if not _stock_is_taken(after, before):
        return ("6.4",)
    return (_of_undrawn(before),)


def _of_undrawn(before: State) -> str:
    """The clause on the stock after the last card, by whether anybody survives."""
    others = [hand for seat, hand in enumerate(before.hands) if seat not in before.turn]
    survives = any(others) or any(len(before.hands[seat]) > 1 for seat in before.turn)
    return "6.8a" if survives else "6.8b"


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
    if state.table is not None and state.table.cards:
        void = not state.hands[state.turn[0]] & SUITS[state.table.cards[0].value[1]]
        dry = state.ruleset.options["undealt"] == "stock" and not state.stock
        return ("6.5", "5.12") if void and dry else ("5.12",)
    if state.history:
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
        table = state.table.cards if state.table is not None else ()
        stocked = state.ruleset.options["undealt"] == "stock"
        if stocked and table and sum(map(bool, state.hands)) == 1:
            return ("6.6a", "5.14")
        return ("5.14",) if table or state.history else (_of_cycle(state),)
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
    if _kind_of(given) != due.kind and {_kind_of(given), due.kind} != {"play", "draw"}:
        return clauses_of_phase(trace, step)
    if due.kind != "play" or not isinstance(given, str):
        return _of_due(state, given)
    try:
        cards = CardSet(given)
    except Malformed:
        return ()
    wrong = tuple(card for card in cards if card not in due.cards)
    missing = tuple(card for card in due.cards if card not in cards)
    found = {clause for card in wrong for clause in _broken(state, card)}
    applied = applied_too_far(state, cards)
    if found:
        other = [one for one in applied if wrong and missing and one == "5.3"]
        return tuple(dict.fromkeys([*other, *sorted(found)]))
    if applied:
        return applied
    found = {
        c for card in missing for c in clauses_wrongly_forbidding(state, card, cards)
    }
    return tuple(sorted(found))


def _kind_of(given: Json | str) -> str:
    """The kind of act that an answer says is due."""
    if isinstance(given, str):
        return "play"
    known = ("cut", "deal", "pass", "mix", "draw", "play", "moon", "over")
    return next((kind for kind in known if kind in given), "")


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
    if kind == "pass" and _moved_at_once(state, given):
        return ("4.8",)
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


def _moved_at_once(state: State, given: Json | str) -> bool:
    """Whether a seat is said to pass from its hand and what has been passed to it."""
    ways = given.get("pass") if isinstance(given, dict) else None
    waiting = {*range(state.ruleset.players)} - {*state.turn}
    if not waiting or not isinstance(ways, int):
        return False
    size = state.ruleset.rules.pass_count
    held = len(state.hands[state.turn[0]])
    return ways in {comb(held + more, size) for more in (-size, size)}


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
        if hand & _QUEEN and not one & _QUEEN and not is_silent("5.6", state):
            return ("5.6",)
        others = given is not None and any(held.value[1] == led for held in given)
        return ("5.5",) if barred and others else ("5.3",)
    if first and one & (_HEARTS | _QUEEN):
        return ("5.5a",) if state.ruleset.rules.first_trick_barred else ("5.8",)
    if hand & _QUEEN and not one & _QUEEN and not is_silent("5.6", state):
        return ("5.6",)
    return permitting(state)[:1]


def _lead_too_strict(
    state: State, hand: CardSet, one: CardSet, first: bool
) -> tuple[str, ...]:
    if one & _HEARTS:
        if state.hearts_broken:
            return ("5.9",)
        if not hand - _HEARTS:
            return ("5.4a",)
        if is_silent("5.4", state):
            return ("0.12",)
        if not hand - _HEARTS - _QUEEN:
            return ("5.4b",)
        return ("5.5",) if first and not is_silent("5.5", state) else ("5.4",)
    if first and not is_silent("5.2", state) and one & _CLUBS:
        return ("5.2",)
    if one & _QUEEN and not hand - _HEARTS - _QUEEN:
        return ("5.4b",)
    if one & _SPADES:
        return ("5.8",)
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
