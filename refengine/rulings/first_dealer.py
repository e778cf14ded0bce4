"""Who is to deal in a written match, and what is wrong with its cut or its dealer."""

from __future__ import annotations

from collections.abc import Iterator

from refengine.chapters.deal import next_dealer
from refengine.formats.written.first_dealer_written import FirstDealer
from refengine.formats.written.written_match import WrittenMatch
from refengine.game.acts import Cut
from refengine.game.rulesets import Ruleset
from refengine.game.values.state import State
from refengine.rulings.explain import explain
from refengine.rulings.sentences import Said
from refengine.rulings.words import PHASES


def dealer_of(
    ruleset: Ruleset, begun: WrittenMatch | None, number: int | None
) -> int | None:
    """The dealer of the deal with this number in a written match; None if unknown.

    A deal without a number is the first.
    """
    first = None if begun is None else FirstDealer.of(ruleset, begun)
    dealer = None if first is None else first.seat
    return dealer_after(dealer, (number or 1) - 1, ruleset.players)


def dealer_after(dealer: int | None, deals: int, players: int) -> int | None:
    """The dealer after this many more deals (3.2); None if `dealer` is unknown."""
    if dealer is None:
        return None
    for _ in range(deals % players):
        dealer = int(next_dealer(dealer, players))
    return dealer


def other_dealer(
    ruleset: Ruleset,
    begun: WrittenMatch,
    number: int | None,
    dealer: int | None,
    whole: bool,
) -> Iterator[Said]:
    """What is wrong with the cut before a deal, and with the dealer of that deal.

    `dealer` is the seat that deals it according to the record. If `whole` is set, the
    record is to be complete: then nobody may deal while the cut goes on.
    """
    first = FirstDealer.of(ruleset, begun)
    if first is None:
        return
    for state, act in first.refused:
        yield _refused(state, act)
    if dealer is None:
        return
    found, due = begun.seat_text(dealer), dealer_of(ruleset, begun, number)
    if due is not None and dealer not in (due, first.seat):
        name = begun.seat_text(due)
        if number not in (None, 1):
            yield Said(f"{found} deals, but the deal passes to {name}", ("3.2",))
        elif begun.cuts and begun.dealer is None:
            yield Said(f"{found} deals, but {name} drew the lowest card", ("3.1b",))
        else:
            yield Said(f"{found} deals, but {name} is named as first dealer", ("3.1",))
    if due is None and number in (None, 1):
        if not first.may_be(dealer):
            text = f"{found} deals, but cannot have drawn the lowest card"
            yield Said(text, ("3.1b",))
        elif whole and begun.cuts and not first.refused:
            yield Said(f"{found} deals, but {PHASES['cut']}", ("2.4",))


def _refused(state: State, act: Cut) -> Said:
    """The sentence on a card of the cut that the rules refuse."""
    ruling = explain(state, act)
    why = "; ".join(one.text[:1].lower() + one.text[1:-1] for one in ruling.why)
    return Said(f"seat {act.seat} may not cut {act.card}: {why}", ruling.clauses)
