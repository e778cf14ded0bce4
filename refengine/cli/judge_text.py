"""A judgement for a terminal: the first illegal act, what is stated, and the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from refengine.formats.fields import act_fields, ruleset_fields
from refengine.formats.trace import Finding, Log, Trace
from refengine.game.acts import MoonChoice
from refengine.rulings.consequences import moon_due
from refengine.rulings.explain import explain, ruling_fields, said_fields
from refengine.rulings.judge import Judgement
from refengine.rulings.ruling_text import (
    ruleset_words,
    short_ruleset,
    why_lines,
    wrapped_lines,
)
from refengine.rulings.score_explained import score_sentences
from refengine.rulings.sentences import STATED, Said, game_sentence
from refengine.rulings.submitted_game import Game, Moment, game_as_trace
from refengine.rulings.words import list_words, option_meaning, seat_words
from refengine_conformance.diagnosis.rulesets_of_game import GameFit
from refengine_conformance.runner.named_clauses import (
    clauses_of_due_answer,
    clauses_of_field,
    state_at,
)


def judgement_lines(game: Game, judgement: Judgement) -> Iterator[str]:
    """What one ruleset says about a game."""
    yield f"Under {ruleset_words(judgement.ruleset)}"
    if judgement.cannot_begin:
        yield from wrapped_lines(str(_row(game, judgement)))
        return
    for moment in (*judgement.revokes, judgement.illegal):
        if moment is not None:
            ruling = explain(moment.state, moment.act)
            text = f"{place_words(game, moment)}: {ruling.headline}"
            yield from wrapped_lines(text, "  ", "    ")
            yield from why_lines(ruling)
    for one in wrong_sentences(game, judgement):
        yield from wrapped_lines(str(one))
    if judgement.fits and not judgement.revokes:
        yield from wrapped_lines(str(game_sentence("legal")))


def place_words(game: Game, moment: Moment) -> str:
    """Where in the game an act is."""
    if not moment.place:
        ended = isinstance(moment.act, MoonChoice)
        return "after the last card" if ended else "before the first card"
    return f"{'card' if isinstance(game, Log) else 'step'} {moment.place}"


def wrong_sentences(game: Game, judgement: Judgement) -> Iterator[Said]:
    """What the game states but is not so; for a wrong score, also how it adds up."""
    trace = game_as_trace(game, judgement.ruleset)
    for one in judgement.wrong:
        where = f"After step {one.step}" if one.step else "At the end"
        name = one.what.rpartition(".")[2]
        facts = {
            "place": f"Before step {one.step}" if name == one.what else where,
            "what": STATED.get(name, one.what),
            "stated": one.expected,
            "found": "not settled yet" if one.found == "nothing" else one.found,
        }
        yield game_sentence("states", *_against(trace, one, name), **facts)
    if any(one.what in ("end.score", "end.totals") for one in judgement.wrong):
        state = state_at(trace, len(trace.steps))
        if state.score is not None:
            yield from score_sentences(state)
        elif state.phase == "moon":
            yield moon_due(state)


def _against(trace: Trace, one: Finding, name: str) -> tuple[str, ...]:
    """The clauses that a wrong statement contradicts, as far as they are known."""
    if one.what == "legal":
        stated = trace.steps[one.step - 1].legal
        assert stated is not None
        return clauses_of_due_answer(trace, one.step, stated)
    if "." in one.what and ".view." not in one.what:
        return clauses_of_field(trace, one.step, name)
    return ()


def table_lines(game: Game, judgements: Sequence[Judgement]) -> Iterator[str]:
    """Under which rulesets the game is legal, and by which clauses it is not."""
    groups: dict[Said, list[str]] = {}
    for one in judgements:
        groups.setdefault(_row(game, one), []).append(short_ruleset(one.ruleset))
    for row, names in groups.items():
        text = f"{list_words(names)}: {row.text}"
        yield from wrapped_lines(str(Said(text, row.clauses)), "  ", "    ")


def _row(game: Game, one: Judgement) -> Said:
    """What a ruleset says about a game, in one sentence."""
    if one.cannot_begin:
        return game_sentence("cannot begin", reason=one.cannot_begin)
    if one.illegal is None:
        return game_sentence("states under" if one.wrong else "legal under")
    act = one.illegal.act
    place = place_words(game, one.illegal)
    facts = {"place": place, "act": act.phrase, "who": seat_words(act.seat)}
    return game_sentence("illegal under", *one.clauses, **facts)


def fit_lines(game: Game, found: Sequence[GameFit]) -> Iterator[str]:
    """The rulesets that fit the whole game, nearest first."""
    if not found:
        yield from wrapped_lines(str(game_sentence("no fit")))
    for one in found:
        yield from wrapped_lines(str(_fit(game, one)))


def _fit(game: Game, fit: GameFit) -> Said:
    ruleset = fit.ruleset
    if not fit.differs:
        return game_sentence("as named", ruleset=short_ruleset(ruleset))
    if ruleset.profile != game.ruleset.profile or not ruleset.changed:
        options = list_words(fit.differs)
        return game_sentence("other", ruleset=short_ruleset(ruleset), options=options)
    told = list_words(
        option_meaning(name, ruleset.options[name]) for name in fit.differs
    )
    return game_sentence("changed", ruleset=short_ruleset(ruleset), meant=told)


# As JSON


def judgement_fields(game: Game, judgement: Judgement) -> dict[str, Any]:
    """A judgement as plain values."""
    found: dict[str, Any] = {"ruleset": ruleset_fields(judgement.ruleset)}
    found["outcome"] = "pass" if judgement.fits else "fail"
    if judgement.cannot_begin:
        found["cannot_begin"] = judgement.cannot_begin
        return found
    if judgement.illegal is not None:
        ruling = explain(judgement.illegal.state, judgement.illegal.act)
        found["illegal"] = {"at": judgement.illegal.place, **ruling_fields(ruling)}
    found["revokes"] = [
        {"at": one.place, "seat": one.act.seat, "act": act_fields(one.act)}
        for one in judgement.revokes
    ]
    found["wrong"] = said_fields(tuple(wrong_sentences(game, judgement)))
    return found


def row_fields(judgement: Judgement) -> dict[str, Any]:
    """A row of the table as plain values."""
    found: dict[str, Any] = {"ruleset": ruleset_fields(judgement.ruleset)}
    found["legal"] = judgement.legal
    found["fits"] = judgement.fits
    if judgement.illegal is not None:
        found |= {"at": judgement.illegal.place, "clauses": list(judgement.clauses)}
    return found


def fit_fields(fit: GameFit) -> dict[str, Any]:
    """A fit as plain values."""
    return {"ruleset": ruleset_fields(fit.ruleset), "differs": list(fit.differs)}
