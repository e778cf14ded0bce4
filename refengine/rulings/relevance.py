"""The option values that mattered to a ruling, each in a sentence.

The engine says what another value would have led to (module `whatif`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from refengine.game.acts import Act, QuitTrick
from refengine.game.values.state import State
from refengine.game.verdicts import Irregular, Legal, Refused, Verdict
from refengine.lawbook.book import headings
from refengine.lawbook.options import BY_NAME, Value, value_text
from refengine.rulings.sentences import MATTERED, OUTCOMES, Said, sentence_of
from refengine.rulings.whatif import (
    Elsewhere,
    WhatIf,
    clauses_of,
    moment_otherwise,
    other_deal_ends,
    what_ifs,
)
from refengine.rulings.words import all_words, option_meaning, other_values, seats_words


@attrs.frozen
class Mattered:
    """An option that mattered, its value, and a sentence on why it mattered."""

    option: str
    value: Value
    sentence: Said


def options_that_mattered(
    state: State,
    act: Act,
    verdict: Verdict,
    after: State | None,
    plain: Act | None = None,
) -> Iterator[Mattered]:
    """The options that mattered, beginning with those that would alter the verdict.

    If the act ends the deal, next come the options that would change the end of the
    deal or of the match. Last come options on which clauses in the verdict depend but
    for which no other value is tried. Values under which another seat would be due to
    act, or the game would be in another phase, are left out, since they say nothing
    about the act. `plain`, if given, is the act that is judged in its place under rules
    by which no cards are scattered.
    """
    options = state.ruleset.options
    told = set()
    others = [
        one
        for one in what_ifs(state, act, moment_otherwise(state, replayed=True), plain)
        if bears_on(verdict, one.verdict)
    ]
    for one in sorted(others, key=lambda one: not isinstance(one.verdict, Legal)):
        if one.option not in told:
            told.add(one.option)
            sentence = _if_otherwise(state, verdict, one)
            yield Mattered(one.option, options[one.option], sentence)
    ends = after is not None and (after.score is not None or after.phase == "moon")
    if after is not None and ends and not isinstance(act, QuitTrick):
        yield from ends_that_mattered(after, other_deal_ends(state, act, after))
    for mattered in _without_other_values(state, verdict):
        if mattered.option not in told:
            told.add(mattered.option)
            yield mattered


def _without_other_values(state: State, verdict: Verdict) -> Iterator[Mattered]:
    """The options on which clauses in a verdict depend, if no other value is tried."""
    options = state.ruleset.options
    for number in clauses_of(verdict):
        for option in headings()[number].options:
            if not other_values(BY_NAME[option], options[option]):
                facts = _value_facts(state, option)
                sentence = sentence_of(MATTERED["now"], number, **facts)
                yield Mattered(option, options[option], sentence)


def bears_on(verdict: Verdict, other: Verdict) -> bool:
    """Whether another verdict says anything new about the act itself.

    It does not if it is of the same kind and names all the clauses that the first one
    names (at least one), or if it alone finds the turn or the phase wrong.
    """
    now, then = set(clauses_of(verdict)), set(clauses_of(other))
    if now <= then and now and type(verdict) is type(other):
        return False
    due = {"2.3", "2.4"}
    return bool(due & now) or not due & then


def ends_that_mattered(after: State, others: Iterable[Elsewhere]) -> Iterator[Mattered]:
    """The options in `others`, each with a sentence on how the deal would have ended.

    `others` holds the state at the end of the deal under each other value.
    """
    outcomes: dict[str, list[str]] = {}
    for one in others:
        facts: dict[str, object] = {
            "option": one.option,
            "value": value_text(one.value),
        }
        outcomes.setdefault(one.option, []).append(_outcome(after, one.state, facts))
    for option, told in outcomes.items():
        facts = {**_value_facts(after, option), "outcomes": "; ".join(told)}
        numbers = [
            number
            for number, one in headings().items()
            if option in one.options and one.kind in ("effect", "permit")
        ]
        sentence = sentence_of(MATTERED["would_end"], *numbers, **facts)
        yield Mattered(option, after.ruleset.options[option], sentence)


def _outcome(after: State, end: State, facts: dict[str, object]) -> str:
    """The end of the deal under another value of an option, in words.

    Only one difference from the actual end is mentioned: the first of a moon yet to be
    settled, the score, the totals, and whether the match is over.
    """
    if end.phase == "moon" and after.phase != "moon":
        who = seats_words(end.turn)
        return OUTCOMES["choice"].format(who=who, **facts)
    if end.score is not None and end.score != after.score:
        numbers = all_words(end.score)
        return OUTCOMES["score"].format(numbers=numbers, **facts)
    if end.totals != after.totals:
        numbers = all_words(end.totals)
        return OUTCOMES["totals"].format(numbers=numbers, **facts)
    if end.winners is not None:
        who = seats_words(end.winners)
        return OUTCOMES["over"].format(who=who, **facts)
    return OUTCOMES["open"].format(**facts)


def _value_facts(state: State, option: str) -> dict[str, object]:
    value = state.ruleset.options[option]
    return {
        "now": option_meaning(option, value),
        "option": option,
        "value": value_text(value),
    }


def _if_otherwise(state: State, verdict: Verdict, one: WhatIf) -> Said:
    facts = _value_facts(state, one.option)
    facts["other"] = option_meaning(one.option, one.value)
    facts["other_value"] = value_text(one.value)
    gone = [
        number
        for number in clauses_of(verdict)
        if number not in clauses_of(one.verdict)
    ]
    if isinstance(one.verdict, Legal):
        return sentence_of(MATTERED["would_pass"], *gone, **facts)
    if gone and isinstance(one.verdict, Refused):
        then = "would_still_fail"
    else:
        then = "would_stand" if isinstance(one.verdict, Irregular) else "would_fail"
    return sentence_of(MATTERED[then], *clauses_of(one.verdict), **facts)
