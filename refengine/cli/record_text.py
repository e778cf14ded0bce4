"""The judged record of a match, for a terminal and as plain values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from refengine.cli.colours import right, wrong
from refengine.cli.judge_text import judged_lines, judgement_fields
from refengine.cli.part_text import part_fields, part_lines
from refengine.cli.screen import head
from refengine.formats.written.completing_written import PartKnown
from refengine.game.rulesets import Ruleset
from refengine.rulings.explain import said_fields
from refengine.rulings.judge import Judgement
from refengine.rulings.match_end import clause_of_the_end
from refengine.rulings.partly_known import JudgedPart
from refengine.rulings.records import JudgedDeal, JudgedRecord
from refengine.rulings.ruling_text import under_lines, wrapped_lines
from refengine.rulings.sentences import Said
from refengine.rulings.words import list_words, seat_words, seats_words


def record_lines(places: Sequence[str], record: JudgedRecord) -> Iterator[str]:
    """What is wrong in each deal of a match, and how the match stands by the rules."""
    yield from under_lines(record.ruleset)
    for place, deal in zip(places, record.deals, strict=True):
        yield right(place) if deal.fits else wrong(place)
        yield from _judged_lines(deal)
    yield head("The match")
    yield from (line for one in _end(record) for line in wrapped_lines(str(one)))


def _judged_lines(deal: JudgedDeal) -> Iterator[str]:
    begins = (*deal.begins, *deal.beside)
    if isinstance(deal.game, PartKnown):
        assert isinstance(deal.judgement, JudgedPart)
        return part_lines(deal.game.match, deal.judgement, begins)
    assert isinstance(deal.judgement, Judgement)
    return judged_lines(deal.game, deal.judgement, begins)


def _end(record: JudgedRecord) -> Iterator[Said]:
    wrong_deals = sum(not one.fits for one in record.deals)
    if wrong_deals:
        verb = "is" if wrong_deals == 1 else "are"
        text = f"{wrong_deals} of {len(record.deals)} deals {verb} wrong."
        yield Said(text, ())
    names, totals = record.names, record.totals
    if totals is None:
        yield Said("After the last deal the totals are not known.", ("9.1",))
    else:
        stands = ", ".join(
            f"{name}: {total}" for name, total in zip(names, totals, strict=True)
        )
        by_cards = all(one.score is not None for one in record.deals)
        told = "The right totals are" if by_cards else "By the record the totals are"
        yield Said(f"{told} {stands}.", ("9.1",))
    if not record.over:
        if totals is not None:
            ends = clause_of_the_end(record.ruleset, record.reached)
            yield Said("The match goes on.", (ends,))
        return
    several = len(record.winners) > 1
    who = list_words(names[seat] for seat in record.winners)
    if names[0] == seat_words(0):
        who = seats_words(record.winners)
    verb = "share the win" if several else "wins"
    yield Said(f"The match is over, and {who} {verb}.", ("9.5",))


def deal_fields(place: str, ruleset: Ruleset, deal: JudgedDeal) -> dict[str, Any]:
    """A judged deal of a match as plain values."""
    found: dict[str, Any] = {"line": place, **_judged_fields(ruleset, deal)}
    found["outcome"] = "pass" if deal.fits else "fail"
    found["begins"] = said_fields(deal.begins)
    if deal.beside:
        found["beside"] = said_fields(deal.beside)
    if deal.score is not None:
        found["score"] = list(deal.score)
    if deal.totals is not None:
        found["totals"] = list(deal.totals)
    return found


def _judged_fields(ruleset: Ruleset, deal: JudgedDeal) -> dict[str, Any]:
    if isinstance(deal.judgement, JudgedPart):
        return part_fields(ruleset, deal.judgement)
    assert not isinstance(deal.game, PartKnown)
    return judgement_fields(deal.game, deal.judgement)


def record_fields(record: JudgedRecord) -> dict[str, Any]:
    """How the match stands, as plain values."""
    found: dict[str, Any] = {"deals": len(record.deals), "over": record.over}
    found["outcome"] = "pass" if record.fits else "fail"
    if record.totals is not None:
        found["totals"] = list(record.totals)
    return {"match": {**found, "winners": list(record.winners)}}
