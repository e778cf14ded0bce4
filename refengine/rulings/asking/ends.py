"""Whether the match is over, who has won it, and what happens after a tie."""

from __future__ import annotations

from refengine.chapters.match import lowest_totals
from refengine.errors import Malformed, counted
from refengine.game.values.cardset import NO_CARDS
from refengine.game.values.state import State
from refengine.machine.due import seats_of
from refengine.rulings.asking.answers import Answer, headline
from refengine.rulings.asking.played_deals import (
    PlayedDeal,
    scored_deal,
    scored_elsewhere,
)
from refengine.rulings.asking.questions import Question
from refengine.rulings.relevance import ends_that_mattered
from refengine.rulings.score_explained import (
    match_sentences,
    result_of,
    totals_sentences,
)
from refengine.rulings.sentences import ALLOWED, COLUMNS, WORDS, Said, answer_sentence
from refengine.rulings.words import option_meaning, seats_words


def end_answer(question: Question) -> Answer:
    """Whether the match is over at these totals, and who has won.

    The totals are judged as if a deal had just ended in which nobody scored anything.
    Raises Malformed if the limit was reached earlier but ties are not played on.
    """
    rules = question.rules
    options = rules.options
    played = deal_without_score(question)
    state = scored_deal(rules, played)
    granted: tuple[str, ...] = ()
    if options["limit"] == "none" and not question.has("deals"):
        granted = (WORDS["one deal played"],)
    others = scored_elsewhere(rules, played, ("9",))
    return Answer(
        rules=rules,
        headline=_headline(state),
        why=(*_rule(state), *totals_sentences(state), *match_sentences(state)),
        mattered=tuple(ends_that_mattered(state, others)),
        granted=granted,
        columns=(COLUMNS["seat"], COLUMNS["total"]),
        rows=tuple(enumerate(state.totals)),
    )


def deal_without_score(question: Question) -> PlayedDeal:
    """A deal in which nobody scores anything, played at the totals in the question.

    Raises Malformed if the limit was reached earlier but ties are not played on.
    """
    rules = question.rules
    return PlayedDeal(
        taken=(NO_CARDS,) * rules.players,
        tricks=(1,) * rules.players,
        totals=question.numbers("totals", ()),
        reached=reached_before(question),
        number=question.number("deals", 1),
    )


def reached_before(question: Question) -> bool:
    """Whether the limit was reached in an earlier deal and a tie is being played off.

    Raises Malformed if the limit was reached but ties are not played on.
    """
    reached = question.flag("reached")
    if reached and question.rules.options["ties"] != "play_on":
        raise Malformed("true", ALLOWED["no reached"], "reached")
    return reached


def _headline(state: State) -> str:
    options = state.ruleset.options
    least, result = min(state.totals), result_of(state)
    lowest = seats_of(lowest_totals(state.totals))
    who = seats_words(lowest)
    if result.over:
        name = "match won" if len(lowest) == 1 else "match shared"
        return headline(name, who=who, total=least)
    if result.reached:
        return headline("tie played on", who=who, total=least)
    if options["limit"] == "none":
        played = counted(int(state.core.sheet.number), "deal")
        return headline("more deals", played=played, deals=options["deals"])
    exceed = options["limit_rule"] == "exceed"
    name = "limit not exceeded" if exceed else "limit not reached"
    return headline(name, limit=options["limit"])


def _rule(state: State) -> list[Said]:
    """How a match ends at this table, and what happens after a tie."""
    options = state.ruleset.options
    if options["limit"] == "none":
        meant = option_meaning("deals", options["deals"])
        return [answer_sentence("ends by deals", meant=meant)]
    rule = option_meaning("limit_rule", options["limit_rule"])
    facts = {"limit": options["limit"], "rule": rule}
    said = [answer_sentence("ends by limit", **facts)]
    if options["exact_limit_becomes"] != "none":
        meant = option_meaning("exact_limit_becomes", options["exact_limit_becomes"])
        said.append(answer_sentence("exactly", meant=meant))
    ties = option_meaning("ties", options["ties"])
    clause = "9.6" if options["ties"] == "play_on" else "9.5"
    said.append(answer_sentence("ties", meant=ties, clause=clause))
    return said
