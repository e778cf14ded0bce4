"""The rulesets that fit a whole game, found by replaying it, the most similar first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import attrs

from refengine.errors import Malformed
from refengine.formats.trace import Finding, replay
from refengine.game.nearby_rulesets import changed, options_that_differ, values_to_try
from refengine.game.rulesets import Ruleset
from refengine.lawbook.options import OPTIONS
from refengine.rulings.judge import judge_game, profiles_for
from refengine.rulings.submitted_game import Game, game_as_trace

_DEPTH: Final = 3
_KEPT: Final = 4


@attrs.frozen
class GameFit:
    """A ruleset under which nothing in a game is wrong.

    `differs` holds the options in which this ruleset differs from the one that the game
    names, apart from those that have no effect in either.
    """

    ruleset: Ruleset
    differs: tuple[str, ...]


def rulesets_that_fit(game: Game) -> tuple[GameFit, ...]:
    """The rulesets that fit the game, beginning with those most like the one it names.

    The first is the ruleset that the game names; if that does not fit, there are
    variants of it instead, with one option changed or, if one is not enough, up to
    three. Then come the profiles that fit with no option changed.
    """
    named = game.ruleset
    found = (
        [named] if fits_whole_game(game, named) else list(_changed_until_it_fits(game))
    )
    profiles = [one for one in profiles_for(named.players) if one not in found]
    found += [one for one in profiles if fits_whole_game(game, one)]
    told = [GameFit(one, options_that_differ(one, named)) for one in found]
    return tuple(sorted(told, key=lambda fit: len(fit.differs)))


def fits_whole_game(game: Game, ruleset: Ruleset) -> bool:
    """Whether the ruleset agrees with every act and every statement in the game.

    The clauses that the game names for its verdicts are not compared.
    """
    try:
        return all(map(_of_clauses_alone, replay(game_as_trace(game, ruleset))))
    except Malformed:
        return False


def _of_clauses_alone(one: Finding) -> bool:
    """Whether a finding is only about the clauses named for a verdict that is right."""
    stated, by, _ = one.expected.partition(" by ")
    return bool(by) and one.found.startswith(f"{stated} by ")


def _changed_until_it_fits(game: Game) -> Iterator[Ruleset]:
    """The rulesets that fit after changing as few options as possible.

    Further changes are made to the rulesets under which the game gets furthest.
    """
    layer = [game.ruleset]
    reached_before = _reached(game, game.ruleset)
    tried: set[Ruleset] = set(layer)
    for _ in range(_DEPTH):
        after: list[tuple[int, Ruleset]] = []
        found = False
        for base in layer:
            for one in _singles(base):
                if one in tried:
                    continue
                tried.add(one)
                if fits_whole_game(game, one):
                    found = True
                    yield one
                elif not found:
                    after.append((_reached(game, one), one))
        if found:
            return
        best = max((reached for reached, _ in after), default=0)
        if best <= reached_before:
            return  # changing one more option gets no further
        reached_before = best
        layer = [one for reached, one in after if reached == best][:_KEPT]


def _singles(base: Ruleset) -> Iterator[Ruleset]:
    for option in OPTIONS:
        if option.name in base.without_effect:
            continue
        now = base.options[option.name]
        for value in values_to_try(option, now):
            if value == now and type(value) is type(now):
                continue
            one = changed(base, {option.name: value})
            if one is not None:
                yield one


def _reached(game: Game, ruleset: Ruleset) -> int:
    """A measure of how far a game gets under a ruleset; -1 if it cannot begin."""
    judgement = judge_game(game, ruleset)
    if judgement.cannot_begin:
        return -1
    steps = len(game_as_trace(game, ruleset).steps)
    return 1000 * steps - len(judgement.wrong) - 500 * (judgement.illegal is not None)
