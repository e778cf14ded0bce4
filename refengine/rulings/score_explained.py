"""Sentences on how a deal was scored and what its score meant for the match."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from refengine.chapters.cards import points_of
from refengine.chapters.match import lowest_totals
from refengine.chapters.revoke import revoke_penalties
from refengine.chapters.score import (
    MINUS,
    PLUS,
    Haul,
    bonus,
    moon_score,
    moon_worth,
    shot_the_sun,
    trickless,
)
from refengine.game.rulesets import Ruleset
from refengine.game.values.state import State
from refengine.machine.core import Result
from refengine.machine.due import position_of, seats_of
from refengine.machine.ending import hauls
from refengine.rulings.sentences import FACTS, Said, consequence_sentence
from refengine.rulings.words import all_words, each_words, seat_words, seats_words

SETTLED_BY: Final = {
    "choice_all": "8.5b",
    "choice_one": "8.5c",
    "others_plus_unless_losing": "9.7",
}
"""The clause that settles a moon, by the value of `moon`; 8.5a for other values."""


def result_of(state: State) -> Result:
    """The result of the deal just ended."""
    result = state.core.result
    assert result is not None
    return result


def hauls_of(state: State) -> tuple[Haul, ...]:
    """The cards and tricks that count for each seat in the deal just ended."""
    core = state.core
    return hauls(core.rules, position_of(core), result_of(state).stock_to)


def is_sun(state: State) -> bool:
    """Whether the moon was a sun with points of its own (8.4)."""
    shooter = result_of(state).shooter
    return shot_the_sun(state.core.rules, hauls_of(state), shooter)


def worth_of_moon(state: State) -> int:
    """The number of points that the moon or sun just shot is worth."""
    core, shooter = state.core, result_of(state).shooter
    return int(moon_worth(core.rules, core.pack, hauls_of(state), shooter))


def moon_points(state: State) -> list[int]:
    """The points that each seat scores for the moon, given how it was settled."""
    result, worth = result_of(state), worth_of_moon(state)
    return [
        int(moon_score(seat, result.shooter, worth, result.settled))
        for seat in range(state.ruleset.players)
    ]


def parts_besides(state: State) -> list[tuple[str, list[int]]]:
    """The parts of each seat's score other than points taken or a moon.

    Each part has its points by seat, and is named as in the tables `follows` and
    `columns` of `sentences.toml`.
    """
    core, counted = state.core, hauls_of(state)
    rules, shooter = core.rules, result_of(state).shooter
    return [
        ("bonus", [int(bonus(rules, haul.cards)) for haul in counted]),
        ("no trick", [int(trickless(rules, haul.tricks, shooter)) for haul in counted]),
        (
            "revoke costs",
            list(revoke_penalties(rules, core.pack, core.record.revokes)),
        ),
    ]


def score_sentences(state: State) -> Iterator[Said]:
    """The sentences on how the score of the deal just ended is made up.

    They are followed by those on the totals and the match. For a deal that a claim
    ended, the score is given without its parts.
    """
    yield from deal_sentences(state)
    yield from totals_sentences(state)
    yield from match_sentences(state)


def deal_sentences(state: State) -> Iterator[Said]:
    """The sentences on how the score of the deal just ended is made up.

    They do not mention the totals or the match. For a deal that a claim ended, only the
    score is given.
    """
    result = result_of(state)
    if not result.by_claim:
        yield from _parts(state, result)
    yield consequence_sentence("score", score=all_words(result.score))


def _parts(state: State, result: Result) -> Iterator[Said]:
    rules = state.core.rules
    if result.shooter < 0:
        points = [int(points_of(rules, haul.cards)) for haul in hauls_of(state)]
        yield consequence_sentence("points", each=each_words(points))
    else:
        who = seat_words(int(result.shooter))
        yield consequence_sentence(moon_event(state.ruleset, "moon"), who=who)
        if is_sun(state):
            yield consequence_sentence("sun", who=who)
        way, moved = _way(result, who), each_words(moon_points(state))
        clause = SETTLED_BY.get(str(state.ruleset.options["moon"]), "8.5a")
        yield consequence_sentence(
            "moon settled", settled=way, each=moved, clause=clause
        )
    for event, numbers in parts_besides(state):
        if any(numbers):
            yield consequence_sentence(event, each=each_words(numbers))


def moon_event(ruleset: Ruleset, event: str) -> str:
    """The name of a sentence on a moon; another if it needs the bonus card (8.3c)."""
    options = ruleset.options
    needed = options["moon_needs_bonus"] is True and options["bonus_card"] != "none"
    return f"{event} with bonus" if needed else event


def _way(result: Result, who: str) -> str:
    if result.settled == MINUS:
        return FACTS["takes off"].format(who=who)
    if result.settled == PLUS:
        return FACTS["all get"]
    return FACTS["one gets"].format(who=seat_words(result.settled))


def totals_sentences(state: State) -> Iterator[Said]:
    """The sentences on the totals after the deal, and on any that were set back."""
    result = result_of(state)
    before = state.core.sheet.totals
    for seat, total in enumerate(result.totals):
        plain = before[seat] + result.score[seat]
        if total != plain:
            yield consequence_sentence(
                "exactly", who=seat_words(seat), limit=plain, total=total
            )
    yield consequence_sentence("totals", totals=all_words(result.totals))


def match_sentences(state: State) -> Iterator[Said]:
    """The sentences on what the totals after the deal mean for the match."""
    result = result_of(state)
    options = state.ruleset.options
    limited = options["limit"] != "none"
    lowest = seats_of(lowest_totals(result.totals))
    who = seats_words(lowest)
    if result.over:
        if not state.core.sheet.reached:
            yield consequence_sentence("limit reached" if limited else "deals over")
        played_on = options["ties"] == "play_on"
        event = "shared" if lowest[1:] else "played off" if played_on else "won match"
        yield consequence_sentence(event, who=who)
        return
    if result.reached:
        yield consequence_sentence("tie goes on", who=who)
    else:
        yield consequence_sentence("limit open" if limited else "more deals")
    if state.phase == "deal":
        assert state.dealer is not None
        yield consequence_sentence("next dealer", who=seat_words(state.dealer))
