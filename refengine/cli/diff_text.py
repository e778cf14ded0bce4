"""A comparison of two rulesets, for a terminal and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from refengine.comparison.differences import Comparison, Difference
from refengine.comparison.option_differences import OptionDifference
from refengine.errors import counted
from refengine.formats.fields import FIELDS, act_fields, ruleset_fields, start_fields
from refengine.game.rulesets import Ruleset
from refengine.game.setups import Setup
from refengine.game.values.state import State
from refengine.lawbook.options import Value, value_text
from refengine.lawbook.spoken import option_name, profile_said, value_name
from refengine.rulings.ruling_text import wrapped_lines
from refengine.rulings.sentences import DIFFERS, STATED
from refengine.rulings.words import (
    capital,
    hand_words,
    list_words,
    option_meaning,
    seat_words,
    sentence,
    value_words,
)


def difference_lines(
    first: Ruleset, second: Ruleset, one: OptionDifference
) -> Iterator[str]:
    """The lines about an option: what it means in both rulesets, and a game to show it.

    If there is no game to show, a sentence says why.
    """
    yield f"{option_name(one.option)} ({one.option}) [{', '.join(one.clauses)}]"
    names = [profile_said(first.profile), profile_said(second.profile)]
    if names[0] == names[1]:
        names = ["first", "second"]
    for name, value in zip(names, one.values, strict=True):
        said = value_name(one.option, value)
        meant = f"{option_meaning(one.option, value)} ({value_text(value)})"
        text = f"{name}: {said}. {sentence(meant)}"
        yield from wrapped_lines(text)
    if one.found is None or one.between is None:
        event = "only together" if one.has_effect else "no effect"
        yield from wrapped_lines(DIFFERS[event])
        return
    shown = one.found.difference
    if shown is None:
        yield from wrapped_lines(DIFFERS["none"].format(size=_size(one.found)))
        return
    yield from _game(shown, one.between, one.values)


def _size(found: Comparison) -> str:
    """The sizes of the deals in which no difference was found, in words."""
    most = counted(found.tried_to, "card")
    sample = f"a sample of deals of up to {most} a seat"
    if not found.complete_to:
        return sample
    whole = counted(found.complete_to, "card")
    all_of = f"all deals of up to {whole} a seat out of a pack of eight"
    return (
        all_of if found.complete_to == found.tried_to else f"{all_of}, nor in {sample}"
    )


def _game(
    shown: Difference, between: tuple[Ruleset, Ruleset], values: tuple[Value, Value]
) -> Iterator[str]:
    yield from wrapped_lines(_start_words(shown))
    acts = [f"{seat_words(act.seat)}: {act}" for act in shown.acts]
    if acts:
        yield from wrapped_lines(f"{'; '.join(acts)}.", "    ")
    asked = f"{STATED.get(shown.what, shown.what)}?"
    if shown.asked is not None:
        asked = f"may {seat_words(shown.asked.seat)} {shown.asked.phrase}?"
    elif shown.what == "open":
        asked = DIFFERS["begins"]
    yield from wrapped_lines(capital(asked), "    ")
    for place, value in enumerate(values):
        answer = _answer(shown, between[place], shown.answers[place])
        yield from wrapped_lines(f"{value_text(value)}: {answer}", "      ")


def _answer(shown: Difference, ruleset: Ruleset, answer: str) -> str:
    """A ruleset's answer in words; for an observed field, its value in the game."""
    if shown.what not in FIELDS:
        return answer
    state = State.open(ruleset, shown.start).after(*shown.acts)
    return value_words(shown.what, FIELDS[shown.what](state))


def _start_words(shown: Difference) -> str:
    start = shown.start
    if not isinstance(start, Setup):
        return DIFFERS["match"]
    hands = [
        f"{seat_words(seat)} {hand_words(hand)}"
        for seat, hand in enumerate(start.hands)
    ]
    more = [f"deal {start.deal}", f"{seat_words(start.dealer)} deals"]
    if start.stock:
        more.append(f"stock {' '.join(map(str, start.stock))}")
    if start.kitty:
        more.append(f"kitty {start.kitty}")
    if start.totals and any(start.totals):
        more.append(f"totals {list_words(map(str, start.totals))}")
    return DIFFERS["shown"].format(hands=", ".join(hands), more=", ".join(more))


def difference_fields(one: OptionDifference) -> dict[str, Any]:
    """A difference in an option as plain values; the game has the keys of a trace."""
    found: dict[str, Any] = {
        "option": one.option,
        "values": list(one.values),
        "clauses": list(one.clauses),
        "has_effect": one.has_effect,
    }
    if one.found is not None and one.between is not None:
        found["between"] = [ruleset_fields(ruleset) for ruleset in one.between]
        found["complete_to"] = one.found.complete_to
        found["tried_to"] = one.found.tried_to
        if one.found.difference is not None:
            found["shown"] = _shown_fields(one.found.difference)
    return found


def _shown_fields(shown: Difference) -> dict[str, Any]:
    acts = [{"seat": act.seat, "act": act_fields(act)} for act in shown.acts]
    found: dict[str, Any] = {**start_fields(shown.start), "steps": acts}
    found |= {"what": shown.what, "answers": list(shown.answers)}
    if shown.asked is not None:
        asked = {"seat": shown.asked.seat, "act": act_fields(shown.asked)}
        found["asked"] = asked
    return found
