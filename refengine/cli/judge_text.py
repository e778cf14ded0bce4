"""The judgement of a game under one ruleset and under others, as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

import attrs

from refengine.errors import counted
from refengine.formats.fields import act_fields, ruleset_fields
from refengine.formats.logs import Log
from refengine.formats.trace import Finding, Trace
from refengine.game.acts import Deal, MoonChoice, Play
from refengine.game.setups import Setup
from refengine.game.values.cardset import Suit
from refengine.game.verdicts import Refused
from refengine.lawbook.spoken import option_name, value_name
from refengine.rulings.broken_clauses.named_clauses import clauses_against
from refengine.rulings.called import is_written
from refengine.rulings.consequences import moon_due
from refengine.rulings.explain import explain, ruling_fields, said_fields
from refengine.rulings.judge import DIRECTION, Judgement
from refengine.rulings.rulesets_of_game import GameFit
from refengine.rulings.ruling_text import (
    short_ruleset,
    why_lines,
    wrapped_lines,
)
from refengine.rulings.score_explained import score_sentences
from refengine.rulings.sentences import (
    FACTS,
    STATED,
    Said,
    game_sentence,
    whole_sentence,
)
from refengine.rulings.standing import can_stand, is_late_revoke, stood
from refengine.rulings.submitted_game import (
    Game,
    Moment,
    end_of_game,
    game_as_trace,
    moments_of_game,
)
from refengine.rulings.words import (
    act_words,
    all_words,
    list_words,
    option_meaning,
    seat_words,
    sentence,
    value_words,
)

_SCORES: Final = ("end.score", "end.totals")
_SCORED: Final = "8.1"  # says when a deal is scored
_UNFINISHED: Final = (
    "The game stops before the deal is over{}, so nothing is scored yet."
)
_OTHER_WAY: Final = "{}: the cards go round the other way."
_HEART_LEAD: Final = {"5.4", "6.2"}  # the clauses that forbid leading a heart too early


def judged_lines(
    game: Game, judgement: Judgement, begins: Sequence[Said]
) -> Iterator[str]:
    """Lines that say what is wrong in a game under one ruleset, or that it is legal.

    `begins` holds what is wrong with the way in which deals begin.
    """
    yield from begins_lines(begins)
    if judgement.cannot_begin:
        yield from wrapped_lines(str(_row(game, judgement)))
        return
    if (cause := other_way_sentence(game, judgement)) is not None:
        yield from wrapped_lines(str(cause), "  ", "    ")
    for moment in told_moments(judgement):
        yield from moment_lines(place_words(game, moment), moment)
    wrong = tuple(wrong_sentences(game, judgement))
    for one in (*wrong, *score_as_it_stands(game, judgement, wrong)):
        yield from wrapped_lines(str(one))
    if judgement.fits and not judgement.revokes:
        told = "legal otherwise" if begins else "legal"
        yield from wrapped_lines(str(game_sentence(told)))


def moment_lines(place: str, moment: Moment) -> Iterator[str]:
    """The lines that say why an act, made at `place`, is wrong and what follows."""
    ruling = explain(moment.state, moment.act)
    yield from wrapped_lines(f"{place}: {ruling.headline}", "  ", "    ")
    yield from why_lines(ruling)
    for one in standing_sentences(moment):
        yield from wrapped_lines(str(one), "    ", "    ")


def begins_lines(begins: Sequence[Said]) -> Iterator[str]:
    """The lines that say what is wrong with the way in which deals begin."""
    for one in begins:
        text = sentence(one.text)
        yield from wrapped_lines(str(Said(text, one.clauses)))


def told_moments(judgement: Judgement) -> list[Moment]:
    """The acts that a judgement is about, in the order of the game."""
    refused = judgement.refused[judgement.other_way :]  # without what goes that way
    return sorted([*judgement.revokes, *refused], key=_order)


def _order(moment: Moment) -> tuple[bool, int]:
    """A sort key, by place; a moon choice, which has no place in a log, comes last."""
    at_end = not moment.place and isinstance(moment.act, MoonChoice)
    return at_end, moment.place


def other_way_sentence(game: Game, judgement: Judgement) -> Said | None:
    """The sentence that says play goes round the other way; None if it does not."""
    if judgement.illegal is None or not judgement.other_way:
        return None
    place = place_words(game, judgement.illegal)
    way = value_name("direction", judgement.ruleset.options["direction"])
    text = f"From {place} on the cards go round the other way; here play is {way}."
    return Said(text, (DIRECTION,))


def standing_sentences(moment: Moment) -> Iterator[Said]:
    """What happens to a wrong card that can stand, whether noticed in time or not.

    There are no sentences if the card cannot stand.
    """
    verdict = moment.state.verdict(moment.act)
    if not can_stand(verdict, moment.act):
        return
    who = seat_words(moment.act.seat)
    after = stood(moment.state, moment.act)
    assert after is not None
    last = after.phase != "play"  # the last card of the deal, which no card follows
    revoke = is_late_revoke(moment.state, verdict)
    due = moment.state.legal.due.kind
    yield whole_sentence(
        # Once the next deal has been dealt, nobody can claim a revoke (7.7c).
        "stands as revoke" if revoke and not last else "stands",
        "10.18b" if revoke else "10.18",
        next=FACTS["next deal" if last else "next card"],
        who=who,
        instead=FACTS["draws instead" if due == "draw" else "plays another"],
    )
    if after.hearts_broken and not moment.state.hearts_broken:
        yield whole_sentence("heart stands", _breaks_hearts(moment))


def _breaks_hearts(moment: Moment) -> str:
    """The clause by which a wrong card that stands has broken hearts.

    10.18a covers only a lead; 5.9 covers any other heart, and 5.9a the queen.
    """
    assert isinstance(moment.act, Play)
    verdict = moment.state.verdict(moment.act)
    if isinstance(verdict, Refused) and _HEART_LEAD & {*verdict.clauses}:
        return "10.18a"
    return "5.9" if moment.act.card.suit is Suit.HEARTS else "5.9a"


def score_as_it_stands(
    game: Game, judgement: Judgement, wrong: Sequence[Said]
) -> Iterator[Said]:
    """Sentences on the score of a deal in which a wrong card is left to stand.

    There are none if no card is left to stand, if the deal has no score, or if `wrong`
    is not empty.
    """
    cards = any(isinstance(one.act, Play) for one in judgement.refused)
    if not cards or wrong:
        return
    end = end_of_game(game, judgement.ruleset, stood)
    if end is not None and end.score is not None:
        yield whole_sentence("stands at the end", "10.18")
        yield from score_sentences(end)


def place_words(game: Game, moment: Moment) -> str:
    """A phrase for the place of an act in the game, with the deal if it has several."""
    if not moment.place:
        ended = isinstance(moment.act, MoonChoice)
        return "after the last card" if ended else "before the first card"
    if isinstance(game, Log):
        return f"card {moment.place}"
    if is_written() and isinstance(moment.act, Play):
        trick = f"trick {len(moment.state.history) + 1}"
        deals = sum(isinstance(step.act, Deal) for step in game.steps)
        return f"deal {moment.state.deal}, {trick}" if deals > 1 else trick
    return f"step {moment.place}"


def wrong_sentences(game: Game, judgement: Judgement) -> Iterator[Said]:
    """What the game states wrongly; for a wrong score, also how the right one adds up.

    If there is no right score yet, the reason is given instead.
    """
    trace = game_as_trace(game, judgement.ruleset, stood)
    end = end_of_game(game, judgement.ruleset, stood)
    unfinished = end is not None and end.score is None and end.phase != "moon"
    for one in judgement.wrong:
        name = one.what.rpartition(".")[2]
        facts = {
            "place": _place_of_statement(trace, one),
            "what": _thing_stated(one.what),
            "stated": _value_in_words(name, one.expected),
            "found": "not settled yet"
            if one.found == "nothing"
            else _value_in_words(name, one.found),
        }
        won = _won_otherwise(trace, one) if name == "trick" else None
        if won is not None:
            yield won
            continue
        early = unfinished and one.what in _SCORES
        against = (_SCORED,) if early else clauses_against(trace, one)
        yield game_sentence("states", *against, **facts)
    if end is not None and any(one.what in _SCORES for one in judgement.wrong):
        if unfinished:
            held = sum(map(len, end.hands))
            left = f", with {counted(held, 'card')} in the hands" if held else ""
            yield Said(_UNFINISHED.format(left), (_SCORED,))
        elif end.phase == "moon":
            yield moon_due(end)
        else:
            yield from score_sentences(end)


def _place_of_statement(trace: Trace, one: Finding) -> str:
    """A phrase that places what a game states among its steps, or its deals."""
    if not one.step:
        return "At the end"
    if one.what.startswith(("act ", "told ")):
        return f"At step {one.step}"
    if not one.what.startswith("then."):
        return f"Before step {one.step}"
    return (
        _after_which_deal(trace, one.step) if is_written() else f"After step {one.step}"
    )


def _thing_stated(what: str) -> str:
    """What a finding is about, in words; a field without words is called by its key."""
    kind, _, about = what.partition(" ")
    if kind in ("act", "refuse", "irregular"):
        return f"the verdict on {about}"
    if kind == "told":
        return f"what {about.removeprefix('to ')} is told"
    name = what.rpartition(".")[2]
    said = STATED.get(name, name)
    return f"{said} in the view of a seat" if ".view." in what else said


def _after_which_deal(trace: Trace, step: int) -> str:
    """A phrase that places a statement after a deal of a written game or at its end."""
    if step == len(trace.steps):
        return "At the end"
    dealt = sum(isinstance(one.act, Deal) for one in trace.steps[:step])
    first = trace.start.deal if isinstance(trace.start, Setup) else 0
    return f"After deal {first + dealt}"


def _value_in_words(name: str, said: str) -> str:
    """The numbers of the seats, or the end of a match, in words; others as stated."""
    try:
        value = json.loads(said)
    except json.JSONDecodeError:
        return said
    if name == "match" and isinstance(value, dict):
        won = value.get("winners")
        over = value.get("over") is True and _are_numbers(won)
        return value_words(name, value) if over or value == {"over": False} else said
    by_seat = name in ("score", "totals", "points") and _are_numbers(value)
    return all_words(value) if by_seat else said


def _are_numbers(value: object) -> bool:
    whole = isinstance(value, list) and all(isinstance(one, int) for one in value)
    return whole and bool(value)


def _won_otherwise(trace: Trace, one: Finding) -> Said | None:
    """The sentence that says who really won a trick; None if the error is elsewhere."""
    if one.found == "nothing":  # no trick has been completed there
        return None
    stated, found = json.loads(one.expected), json.loads(one.found)
    if {**stated, "winner": 0} != {**found, "winner": 0}:
        return None
    place = one.step or len(trace.steps)
    [last] = [at for at in moments_of_game(trace, None, stood) if at.place == place]
    number = len(last.state.history) + 1
    won, said = seat_words(found["winner"]), seat_words(stated["winner"])
    text = f"Trick {number}: {won} has won it, but the record says {said}."
    return Said(text, ("5.10",))


def table_lines(game: Game, judgements: Sequence[Judgement]) -> Iterator[str]:
    """The lines that say whether the game is legal under each ruleset, or why not.

    Rulesets with the same finding share a sentence.
    """
    groups: dict[Said, list[str]] = {}
    for one in judgements:
        groups.setdefault(_row(game, one), []).append(short_ruleset(one.ruleset))
    for row, names in groups.items():
        text = f"{list_words(names)}: {row.text}"
        yield from wrapped_lines(str(Said(text, row.clauses)), "  ", "    ")


def _row(game: Game, one: Judgement) -> Said:
    """The sentence that says what one ruleset finds in a game."""
    if one.cannot_begin:
        return game_sentence("cannot begin", reason=one.cannot_begin)
    if one.illegal is None:
        return game_sentence("states under" if one.wrong else "legal under")
    if (cause := other_way_sentence(game, one)) is not None:
        return attrs.evolve(
            cause, text=_OTHER_WAY.format(place_words(game, one.illegal))
        )
    act = one.illegal.act
    place = place_words(game, one.illegal)
    facts = {"place": place, "act": act_words(act), "who": seat_words(act.seat)}
    return game_sentence("illegal under", *one.clauses, **facts)


def fit_lines(game: Game, found: Sequence[GameFit]) -> Iterator[str]:
    """Lines that name the rulesets that fit the whole game, nearest first.

    If none fits, one line says so.
    """
    if not found:
        yield from wrapped_lines(str(game_sentence("no fit")))
    for one in found:
        yield from wrapped_lines(str(_fit(game, one)))


def _fit(game: Game, fit: GameFit) -> Said:
    ruleset = fit.ruleset
    if not fit.differs:
        name = "as named" if ruleset == game.ruleset else "same"
        return game_sentence(name, ruleset=short_ruleset(ruleset))
    if ruleset.profile != game.ruleset.profile or not ruleset.changed:
        options = list_words(f"{option_name(one)} ({one})" for one in fit.differs)
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
    if (cause := other_way_sentence(game, judgement)) is not None:
        found["cause"] = said_fields((cause,))
    if judgement.illegal is not None:
        found["illegal"] = refused_fields(judgement.illegal)
    found["further"] = [refused_fields(one) for one in judgement.further]
    if judgement.illegal is not None:
        end = end_of_game(game, judgement.ruleset, stood)
        if end is not None and end.score is not None:
            found["score_as_it_stands"] = list(end.score)
    found["revokes"] = [
        {"at": one.place, "seat": one.act.seat, "act": act_fields(one.act)}
        for one in judgement.revokes
    ]
    found["wrong"] = said_fields(wrong_sentences(game, judgement))
    return found


def refused_fields(one: Moment) -> dict[str, Any]:
    """A refused act as plain values, with its ruling and what follows if it stands."""
    ruling = ruling_fields(explain(one.state, one.act))
    standing = said_fields(standing_sentences(one))
    return {"at": one.place, **ruling, "standing": standing}


def row_fields(judgement: Judgement) -> dict[str, Any]:
    """The judgement under one ruleset, a row of the table, as plain values."""
    found: dict[str, Any] = {"ruleset": ruleset_fields(judgement.ruleset)}
    found["legal"] = judgement.legal
    found["fits"] = judgement.fits
    if judgement.illegal is not None:
        found |= {"at": judgement.illegal.place, "clauses": list(judgement.cause)}
    return found


def fit_fields(fit: GameFit) -> dict[str, Any]:
    """A ruleset that fits the game, as plain values."""
    return {"ruleset": ruleset_fields(fit.ruleset), "differs": list(fit.differs)}
