"""Writing a game as text in a fixed form, so that equal values give equal bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from refengine.errors import Malformed
from refengine.formats.written.cards_written import laid_text
from refengine.formats.written.rules_written import rules_text
from refengine.formats.written.written_match import (
    Hands,
    Happened,
    Laid,
    Numbers,
    PassAct,
    WrittenDeal,
    WrittenMatch,
    WrittenTrick,
)
from refengine.game.acts import (
    Claim,
    Cut,
    Draw,
    MoonChoice,
    Pass,
    QuitTrick,
    Retract,
    Scatter,
)

_NONE: Final = "-"


def write_written(match: WrittenMatch) -> str:
    """The text of a written match, from which `read_written` makes the same value.

    Raises Malformed if the match has no deal, no cut and no ruleset, or if it has parts
    that no line can express, such as the rest of a trick that was never begun.
    """
    if not (match.deals or match.cuts or match.ruleset):
        raise Malformed("no deal", "a match with a deal, a cut or rules")
    lines = [*_head(match)]
    for deal in match.deals:
        lines += ["", *_deal(match, deal)]
    return "\n".join(lines).lstrip("\n") + "\n"


def _head(match: WrittenMatch) -> Iterator[str]:
    """The lines before the first deal."""
    if match.name:
        yield f"match: {match.name}"
    if match.ruleset is not None:
        yield f"rules: {rules_text(match.ruleset)}"
    if match.names:
        yield f"players: {', '.join(match.names)}"
    elif match.ruleset is None and match.players is not None:
        yield f"players: {match.players}"
    if match.pack:
        yield f"pack: {match.pack}"
    if not match.begins and (match.cuts or match.dealer is not None):
        raise Malformed("a cut or a first dealer", "one of a match that begins here")
    if match.begins and (match.dealer is not None or not match.cuts):
        dealer = match.dealer
        by = "" if dealer is None else f", dealer: {match.seat_text(dealer)}"
        yield f"the match begins{by}"
    yield from [f"# {one}" for one in match.remarks]
    yield from _cut(match, match.cuts)


def _deal(match: WrittenMatch, deal: WrittenDeal) -> Iterator[str]:
    """The lines of a deal, in the order in which things happen."""
    yield f"deal {_NONE if deal.number is None else deal.number}"
    yield from _cut(match, deal.cuts)
    if deal.dealer is not None:
        yield f"dealer: {match.seat_text(deal.dealer)}"
    if deal.direction:
        yield f"pass: {deal.direction}"
    yield from _numbers("before", deal.before)
    if deal.reached:
        yield "the limit has been reached"
    if deal.position:
        yield f"position: {deal.position}"
    yield from _hands(match, "hand", deal.dealt)
    if deal.stock:
        yield f"stock: {' '.join(map(str, deal.stock))}"
    if deal.kitty is not None:
        yield f"kitty: {deal.kitty or _NONE}"
    for act in deal.passes:
        yield _passed(match, act)
    if deal.mixed:
        yield "the mix is given back"
    yield from _hands(match, "held", deal.held)
    number = 0
    for one in deal.course:
        if isinstance(one, WrittenTrick):
            if one.goes_on and not (number or deal.position):
                raise Malformed("a trick that goes on from none", "a trick before it")
            number = max(1, number + (not one.goes_on))
            yield f"{number}{'...' if one.goes_on else '.'} {_trick(match, one)}"
        else:
            yield _happened(match, one)
    yield from _numbers("score", deal.score)
    yield from _numbers("totals", deal.totals)
    if deal.winners:
        yield f"winners: {', '.join(map(match.seat_text, deal.winners))}"
    yield from [f"# {one}" for one in deal.remarks]


def _cut(match: WrittenMatch, cuts: Iterable[Cut]) -> Iterator[str]:
    for cut in cuts:
        yield f"cut {match.seat_text(cut.seat)}: {cut.card}"


def _hands(match: WrittenMatch, word: str, hands: Hands) -> Iterator[str]:
    for seat, hand in enumerate(hands):
        if hand is not None:
            yield f"{word} {match.seat_text(seat)}: {hand or _NONE}"


def _numbers(word: str, numbers: Numbers) -> Iterator[str]:
    if numbers:
        yield f"{word}: {' '.join(map(str, numbers))}"


def _passed(match: WrittenMatch, act: PassAct) -> str:
    """The line for a pass; raises Malformed for a scatter without cards."""
    seat = match.seat_text(act.seat)
    if isinstance(act, Pass):
        return f"passes {seat}: {act.cards or _NONE}"
    if isinstance(act, Scatter):
        if not act.cards:
            raise Malformed("a scatter without cards", "a card for a seat")
        given = [f"{match.seat_text(to)}={one}" for to, one in act.cards]
        return f"scatter {seat}: {', '.join(given)}"
    return f"forward {seat}"


def _trick(match: WrittenMatch, trick: WrittenTrick) -> str:
    """The text of a trick, without its number; raises Malformed if it has no cards."""
    if not trick.cards:
        raise Malformed("a trick without cards", "a card, or ?? for one not known")
    leader = "" if trick.leader is None else f"{match.seat_text(trick.leader)}: "
    winner = "" if trick.winner is None else f" -> {match.seat_text(trick.winner)}"
    points = "" if trick.points is None else f" ({trick.points})"
    cards = _cards(match, trick.cards, ", then " if trick.in_order else ", ")
    return f"{leader}{cards}{winner}{points}"


def _cards(match: WrittenMatch, cards: Sequence[Laid], between: str) -> str:
    """The text of the cards of a trick, each after its seat if seats are given.

    Raises Malformed if only some of the cards have a seat, or if two have the same.
    """
    texts = [laid_text(one) for one in cards]
    seats = [one.seat for one in cards if one.seat is not None]
    if not seats:
        return " ".join(texts)
    if len({*seats}) < len(texts):
        raise Malformed("a trick with a seat for some cards", "one for each, or none")
    pairs = zip(seats, texts, strict=True)
    return between.join(f"{match.seat_text(seat)}={text}" for seat, text in pairs)


def _happened(written: WrittenMatch, act: Happened) -> str:
    """The line for an act that is not a play."""
    seat = written.seat_text(act.seat)
    match act:
        case Claim(_, against, trick):
            return f"claim {seat}: {written.seat_text(against)} in trick {trick}"
        case Retract(_, card):
            return f"retract {seat}: {card}"
        case QuitTrick():
            return f"quit {seat}"
        case Draw():
            return f"draw {seat}"
        case MoonChoice(_, int(payer)):
            return f"moon {seat}: one {written.seat_text(payer)}"
        case _:
            return f"moon {seat}: {act.choice}"
