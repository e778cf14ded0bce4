"""Which clauses a wrong score violates, and those on the cards left when play ended.

A wrong score is put down to the clause that exactly accounts for the difference. If no
clause does, it is put down to those that affect such a score besides the plain count of
points.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, Final

from refengine.chapters.cards import Mask, penalty_cards, points_of
from refengine.chapters.draw import rest_of_stock
from refengine.chapters.match import limit_is_reached
from refengine.chapters.revoke import revoke_penalties, revokers
from refengine.chapters.score import (
    UNSETTLED,
    Haul,
    card_score,
    deal_score,
    moon_is_in_play,
)
from refengine.errors import Malformed
from refengine.formats.fields import match_fields
from refengine.formats.trace import Trace, state_at
from refengine.game.nearby_rulesets import changed
from refengine.game.values.cardset import CARDS, Card, CardSet
from refengine.game.values.state import State
from refengine.lawbook.book import clauses
from refengine.lawbook.options import option_named
from refengine.lawbook.reading import place_in_book
from refengine.machine.ending import ending, hauls
from refengine.machine.judging import ended_by_claim
from refengine.rulings.broken_clauses.applied import HEARTS, QUEEN
from refengine.rulings.broken_clauses.revoke_clauses import claim_ended_play
from refengine.rulings.match_end import clause_of_the_end
from refengine.rulings.score_explained import SETTLED_BY

_WORTH: Final = 13  # of the queen of spades, as most engines have it
_USUAL_V: Final = 26  # V in most games (1.6), which engines may use in all
_OTHER_QUEENS: Final = CardSet("QC QD QH")


def excesses(ours: Sequence[int], got: object) -> dict[int, int]:
    """The amount by which `got` exceeds `ours` at each seat where they differ.

    It is negative where `got` is too low. The result is empty unless `got` is a list
    with a number for each seat.
    """
    if not isinstance(got, list) or len(got) != len(ours):
        return {}
    if not all(isinstance(one, int) for one in got):
        return {}
    pairs = enumerate(zip(got, ours, strict=True))
    return {seat: one - other for seat, (one, other) in pairs if one != other}


def clause_of_one_card(wrong: Mapping[int, int], held: Sequence[CardSet]) -> str:
    """The clause on queens that explains 13 points too many for a single seat.

    `wrong` maps seats to their excess, and `held` lists the cards that each seat has.
    The result is empty if no queen explains the error.
    """
    if [*wrong.values()] != [_WORTH]:
        return ""
    [seat] = wrong
    if held[seat] & _OTHER_QUEENS:
        return "1.4"
    return "1.5" if held[seat] & QUEEN else ""


def clause_of_end(trace: Trace, step: int, after: State, got: object) -> str:
    """The clause violated by a wrong report of the end or the winners of a match.

    Empty if `got`, the report, is wrong in some other way or cannot be judged.
    """
    ours = match_fields(after)
    if not isinstance(got, dict):
        return ""
    if got.get("over") == ours.get("over"):
        won = "winners" in got and got["winners"] != ours.get("winners")
        return "9.5" if ours.get("over") and won else ""
    options = after.ruleset.options
    if options["limit"] == "none":
        return "9.4"
    if was_played_on(trace, step):
        return "9.6"
    reached = after.core.result is not None and bool(after.core.result.reached)
    early = reaches_limit_by_cards(after)
    if shoots(after) and reached != early == bool(got.get("over")):
        return "8.9"
    if got.get("over") and not reached and clauses_of_totals(after, after) == ("9.2",):
        return "9.2"
    return "9.6" if reached and options["ties"] == "play_on" else "9.3"


def clause_of_difference(after: State, got: object) -> str:
    """The clause that exactly accounts for the error in a score; empty if none does."""
    if after.score is None or not isinstance(got, list):
        return ""
    if len(got) != len(after.score):
        return ""
    if ended_by_claim(after.core):
        return "7.9"
    options = after.ruleset.options
    result = after.core.result
    moon, shot = _is_a_moon(after, got), result is not None and result.shooter >= 0
    less = _less_revokes(after, got)
    # A penalty left out that is as large as a moon is no moon of the revoker.
    moon = moon or (got != counted(after) and _is_a_moon(after, less))
    if shot and counted(after) in (got, less):
        return "8.3"
    if left_out := _option_left_out(after, got):
        return left_out
    if _is_by_the_stock(after, got):
        return clause_of_stock_left(after)
    if moon and not shot:
        return clauses_of_moon(after)[0] if shoots(after) else "8.3"
    looks_ahead = options["moon"] == "others_plus_unless_losing"
    if looks_ahead and moon and _is_a_moon(after, [*after.score]):
        return "9.7"  # both see a moon, but settle it differently
    return _clause_of_one_amount(after, excesses(after.score, got))


def _clause_of_one_amount(after: State, wrong: Mapping[int, int]) -> str:
    """The clause that explains a score wrong by the same amount at one or more seats.

    `wrong` maps these seats to their excess. Empty if the amounts differ, or if no
    clause explains them.
    """
    options = after.ruleset.options
    amounts = {abs(number) for number in wrong.values()}
    if len(amounts) != 1:
        return ""
    [amount] = amounts
    if amount == abs(int(str(options["no_trick_points"]))) and all(
        after.tricks[seat] == 0 for seat in wrong
    ):
        return "8.8"
    owned = [one | hand for one, hand in zip(after.taken, after.hands, strict=True)]
    if found := clause_of_kitty(after, wrong):
        return found
    if card := clause_of_one_card(wrong, owned):
        return card
    bonus = str(options["bonus_card"])
    if bonus != "none" and amount == abs(int(str(options["bonus_points"]))):
        held = [seat for seat, cards in enumerate(owned) if Card(bonus) in cards]
        return "8.7" if held == list(wrong) else ""
    return ""


def _option_left_out(after: State, got: list[object]) -> str:
    """The clause on an option that an engine ignores, if this explains its score.

    Empty if no such option explains it.
    """
    core = after.core
    if core.position is None or core.result is None:
        return ""
    for name, number in _effects_on_a_score().items():
        base = option_named(name).base
        without = changed(after.ruleset, {name: base})
        if without is None or after.ruleset.options[name] == base:
            continue
        end = ending(
            *(without.rules, core.pack, core.position, core.record.revokes, core.sheet),
            core.result.settled,
        )
        if [*end.score] == got:
            return number
    return ""


@cache
def _effects_on_a_score() -> Mapping[str, str]:
    """The clause of chapter 8 that alone gives an option its effect, by option."""
    readers: dict[str, list[str]] = {}
    for number, clause in clauses().items():
        for name in clause.options if clause.kind in ("effect", "define") else ():
            readers.setdefault(name, []).append(number)
    return {
        name: numbers[0]
        for name, numbers in readers.items()
        if len(numbers) == 1 and numbers[0].startswith("8.")
    }


def _is_a_moon(state: State, got: list[object]) -> bool:
    """Whether the score in `got` looks as if some seat had shot the moon.

    It need not be a moon by the book. What it is worth may be 26, the points in the
    pack or the points taken. Either all the others pay for it, and the shooter pays
    nothing for its own points, or has the amount taken off them; or it is taken off the
    shooter, whose own points then do not count. Points that the others took may count
    as well or not.
    """
    plain, in_play = counted(state), Mask(state.core.pack)
    cards = [int(card_score(state.core.rules, one.cards)) for one in _hauls(state)]
    beside = [one - points for one, points in zip(plain, cards, strict=True)]
    moon = points_of(state.core.rules, in_play)
    for shooter in range(len(plain)):
        others = [seat for seat in range(len(plain)) if seat != shooter]
        # If the amount is 0, nothing is paid or taken off: that is no sign of a moon.
        for amount in {_USUAL_V, moon, sum(cards)} - {0}:
            others_pay = all(
                got[seat] in (plain[seat] + amount, beside[seat] + amount)
                for seat in others
            )
            others_spared = all(
                got[seat] in (plain[seat], beside[seat]) for seat in others
            )
            own = got[shooter]
            if others_pay and own in (beside[shooter], plain[shooter] - amount):
                return True
            if others_spared and own == beside[shooter] - amount:
                return True
    return False


def shoots(state: State) -> bool:
    """Whether a single seat took all the points, under rules that allow a moon."""
    return state.ruleset.options["moon"] != "none" and (
        sum(points > 0 for points in state.points) == 1
    )


def _hauls(state: State) -> tuple[Haul, ...]:
    """The cards and tricks that count for each seat at the end of a deal."""
    core = state.core
    if core.position is None:
        return ()
    stock_to = -1 if core.result is None else core.result.stock_to
    return hauls(core.rules, core.position, stock_to)


def counted(state: State) -> list[int]:
    """The plain score of a deal, as if nobody had shot the moon.

    The cost of revokes is not included.
    """
    rules, held = state.core.rules, _hauls(state)
    if not held:
        return []
    nothing = (0,) * rules.players
    return [*deal_score(rules, state.core.pack, held, -1, UNSETTLED, nothing)]


def _less_revokes(after: State, got: list[Any]) -> list[object]:
    """A score without the cost of the established revokes (7.10)."""
    core = after.core
    costs = revoke_penalties(core.rules, core.pack, core.record.revokes)
    return [one - cost for one, cost in zip(got, costs, strict=True)] if costs else got


def reaches_limit_by_cards(state: State) -> bool:
    """Whether the limit would be reached if no moon and no revoke counted (9.3)."""
    scored = state.score or (0,) * state.ruleset.players
    totals = zip(state.totals, scored, counted(state), strict=False)
    plain = tuple(total - score + points for total, score, points in totals)
    return bool(plain and limit_is_reached(state.core.rules, plain, False))


def clause_of_kitty(after: State, wrong: Mapping[int, int]) -> str:
    """The clause on the kitty that exactly explains wrong points; empty if none does.

    `wrong` maps each seat whose points are wrong to its excess, negative if it has too
    few. The kitty may have been counted for another seat, for nobody, or as it was
    dealt.
    """
    core, kitty = after.core, _kitty(after)
    if core.position is None or not kitty:
        return ""
    worth = points_of(core.rules, kitty)
    as_dealt = points_of(core.rules, Mask(core.dealt.kitty))
    taken_as_dealt = {core.position.talon.kitty_to: as_dealt - worth}
    if as_dealt != worth and wrong == taken_as_dealt:
        return "4.10b"
    taker, amounts = core.position.talon.kitty_to, sorted(wrong.values())
    lost = [seat for seat, amount in wrong.items() if amount < 0]
    moved = amounts in ([-worth, worth], [-worth], [worth])
    if worth and moved and lost in ([], [taker]) and wrong.get(taker, 0) <= 0:
        return clause_of_who_takes_kitty(after)
    return ""


def clause_of_who_takes_kitty(state: State) -> str:
    """The clause that says which trick wins the kitty."""
    by_points = state.ruleset.options["kitty_to"] == "first_points"
    return "5.13" if by_points else "5.13a"


def is_by_the_kitty(after: State, got: object) -> bool:
    """Whether `got`, the cards taken by each seat, is wrong by exactly the kitty."""
    kitty = _kitty(after)
    if not kitty or not isinstance(got, list) or len(got) != len(after.taken):
        return False
    with suppress(Malformed):
        pairs = zip(got, after.taken, strict=True)
        wrong = [int((CardSet(one) ^ ours).mask) for one, ours in pairs]
        return {one for one in wrong if one} == {int(kitty)}
    return False


def clauses_of_points_left(after: State, wrong: Mapping[int, int]) -> tuple[str, ...]:
    """The clauses on cards left when play ended, if they are counted in the points.

    `wrong` maps each seat whose points are wrong to its excess. Empty while play goes
    on, and if the cards left do not exactly account for what is wrong.
    """
    if after.core.result is None or not wrong:
        return ()
    rules, stock = after.core.rules, stock_left(after)
    hands = [points_of(rules, Mask((one - stock).mask)) for one in after.hands]
    worth = points_of(rules, Mask(stock.mask))
    of_stock = [*wrong.values()] == [worth]
    more = [one - hands[seat] for seat, one in wrong.items() if one != hands[seat]]
    if not of_stock and more not in ([], [worth]):
        return ()
    if claim_ended_play(after):
        return ("7.9",)
    of_hand = () if of_stock else ("5.14a" if may_end_early(after) else "6.8",)
    return (*of_hand, *((clause_of_stock_left(after),) if of_stock or more else ()))


_CARDS: Final[dict[str, Callable[[State], Sequence[CardSet]]]] = {
    "hands": lambda state: state.hands,
    "taken": lambda state: state.taken,
    "stock": lambda state: [CardSet(state.stock)],
    "kitty": lambda state: [state.kitty],
}
"""For each field that says where cards lie, the sets of cards that it shows."""


def clauses_of_cards_left(after: State, field: str, got: object) -> tuple[str, ...]:
    """The clauses on cards left when play ended, if a field is wrong by these alone.

    The cards left are those in the hands and in the stock; if a claim ended play, also
    those on the table, but not the kitty. If `got` is None, what the field shows is not
    known, and the clause is that on a stock left over, if there is one. Empty while
    play goes on, if another card is wrong, and if the stock is said to hold a card of a
    hand.
    """
    if after.core.result is None or field not in _CARDS:
        return ()
    stock = stock_left(after)
    if got is None:
        if not stock or field != "hands":
            return ()
        return ("7.9",) if claim_ended_play(after) else (clause_of_stock_left(after),)
    ours, given = _CARDS[field](after), got if isinstance(got, list) else [got]
    wrong = CardSet()
    try:
        for right, one in zip(ours, given, strict=True):
            wrong |= CardSet(one) ^ right
    except ValueError:  # not a set of cards, or not as many sets
        return ()
    if not wrong or any(wrong & pile for pile in after.taken):
        return ()
    held = CardSet([card for hand in after.hands for card in hand]) - stock
    if field == "stock" and wrong & held:
        return ()
    if claim_ended_play(after):
        return () if wrong <= CardSet.of_mask(_kitty(after)) else ("7.9",)
    if wrong - held - stock:
        return ()
    of_hand = "5.14a" if may_end_early(after) else "6.8"
    of_stock = clause_of_stock_left(after)
    return (of_hand,) * bool(wrong & held) + (of_stock,) * bool(wrong & stock)


def clause_of_stock_left(after: State) -> str:
    """The clause on what is left of the stock: 6.8a if a seat survives, else 6.8b."""
    stock = stock_left(after)
    return "6.8a" if any(hand - stock for hand in after.hands) else "6.8b"


def _is_by_the_stock(after: State, got: list[object]) -> bool:
    """Whether a wrong score is right except for what is left of the stock.

    That is, the rest of the stock was counted for the wrong seat, for nobody, or for a
    seat when it should count for nobody. If counting it makes or prevents a moon, the
    result is False.
    """
    core, result = after.core, after.core.result
    if core.position is None or result is None or not stock_left(after):
        return False
    penalties = revoke_penalties(core.rules, core.pack, core.record.revokes)
    for seat in range(-1, core.rules.players):
        held = hauls(core.rules, core.position, seat)
        score = deal_score(
            *(core.rules, core.pack, held, result.shooter, result.settled, penalties)
        )
        if seat != result.stock_to and [*score] == got:
            return True
    return False


def stock_left(state: State) -> CardSet:
    """The cards that nobody has drawn, whoever takes them at the end of the deal."""
    position = state.core.position
    numbers = rest_of_stock(position.talon) if position is not None else ()
    return CardSet([CARDS[number] for number in numbers])


def _kitty(state: State) -> Mask:
    """The kitty of a deal, whether or not anybody has taken it."""
    position = state.core.position
    return Mask(0 if position is None else position.talon.kitty)


def was_played_on(trace: Trace, step: int) -> bool:
    """Whether the limit had been reached before the deal that ends with this step.

    Step 0 stands for the last step.
    """
    before = state_at(trace, (step or len(trace.steps)) - 1)
    return bool(before.core.sheet.reached)


def clauses_of_score(after: State, before: State) -> tuple[str, ...]:
    """The clauses that affect this score.

    A revoke that was established comes before all else, then a choice about a moon,
    then the moon. Otherwise 6.8 is given if a seat has cards left that count, and with
    it the first of these that there are: the clauses on the cost of cards, 8.1 if the
    score is the points, those on the bonus card and on tricks not won. If nothing is
    found, it is 8.1.
    """
    if after.score is None:  # a deal is scored when its play ends, not before
        return ("8.1",)
    options = after.ruleset.options
    if any(note.state == "established" for note in after.revokes):
        return ("7.9",) if options["revoke_ends_deal"] else ("7.10",)
    if before.phase == "moon" and after.phase != "moon":
        return (SETTLED_BY[str(options["moon"])],)
    result = after.core.result
    shot = result is not None and result.shooter >= 0
    if shot or (shoots(after) and not _survives(after)):
        return clauses_of_moon(after)
    found = ["6.8"] if _survives(after) else []
    if cards := _of_cards(after):
        return (*found, *cards)
    if tuple(after.score or ()) == tuple(after.points):
        return (*found, "8.1")
    if options["bonus_card"] != "none":
        found.append("8.7")
    if options["no_trick_points"] and 0 in after.tricks:
        found.append("8.8")
    return tuple(found) or ("8.1",)


def may_end_early(state: State) -> bool:
    """Whether play may end while seats hold cards, which then count for no seat."""
    return bool(state.ruleset.rules.ends_without_points)


def _survives(state: State) -> bool:
    """Whether any seat has cards left in its hand that count in its score."""
    return any(state.hands) and not may_end_early(state)


def _of_cards(state: State) -> tuple[str, ...]:
    """The clauses on the cost of cards taken, other than 1.5; empty if none apply."""
    options = state.ruleset.options
    taken = CardSet([card for one in state.taken for card in one])
    found: list[str] = []
    if options["heart_points"] == "face" and taken & HEARTS:
        found.append("1.5a")
    king, ace = options["king_points"], options["ace_points"]
    if (king and taken & CardSet("KS")) or (ace and taken & CardSet("AS")):
        found.append("1.5b")
    return tuple(found)


def clauses_of_points(after: State, before: State) -> tuple[str, ...]:
    """The clauses on what the cards taken so far are worth."""
    return _of_cards(after) or ("1.5",)


def clauses_of_moon(state: State) -> tuple[str, ...]:
    """The clauses on a deal in which one seat took all the points.

    If that is no moon, they are those that bar it. If it is one, they are those on how
    it is settled.
    """
    options, rules = state.ruleset.options, state.core.rules
    if options["moon"] != "none" and not moon_is_in_play(rules, Mask(state.core.pack)):
        return ("8.3a",)
    if state.core.result is None or state.core.result.shooter < 0:
        return _bars_of_moon(state)
    if _survives(state) or tuple(state.score or ()) == tuple(state.points):
        return ("8.3",)
    found = [SETTLED_BY.get(str(options["moon"]), "8.5a")]
    if options["sun_points"]:
        found.append("8.4")
    if options["bonus_card"] != "none":
        found.append("8.7")
    if options["no_trick_points"]:
        found.append("8.8")
    return tuple(sorted(found, key=place_in_book))


def _bars_of_moon(state: State) -> tuple[str, ...]:
    """The clauses by which nobody shot the moon in a deal with cards enough for one."""
    rules, core = state.core.rules, state.core
    wanted = core.pack & penalty_cards(rules)
    for seat, haul in enumerate(_hauls(state)):
        if wanted & ~haul.cards:
            continue
        found = ["8.3b"] if seat in revokers(core.record.revokes) else []
        if rules.moon_needs_bonus and rules.bonus_card & ~haul.cards:
            found.append("8.3c")
        return tuple(found) or ("8.3",)
    return ("8.3",)


def clauses_of_totals(after: State, before: State) -> tuple[str, ...]:
    """The clauses that say how scores become totals."""
    earlier = after.core.sheet.totals  # before the deal, whatever came after its score
    totals = zip(earlier, after.score or (), after.totals, strict=False)
    if any(old + score != new for old, score, new in totals):
        return ("9.2",)
    return ("9.1",)


def clauses_of_match(after: State, before: State) -> tuple[str, ...]:
    """The clause that ends a match, or by which it goes on.

    If a match with a limit ends with a tie, it is the clause that lets the tie stand.
    """
    winners, result = after.winners, after.core.result
    limited = after.ruleset.options["limit"] != "none"
    if limited and winners is not None and len(winners) > 1:
        return ("9.5",)
    tied = winners is None and result is not None and result.reached
    reached = before.core.sheet.reached or tied
    return (clause_of_the_end(after.ruleset, reached),)
