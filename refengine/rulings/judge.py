"""Judging somebody else's game: its first illegal act, revokes and wrong statements.

`judge_game(game, ruleset)` judges it under one ruleset, `judge_under_all_profiles`
under the ruleset that the game names and under every profile for that number of
players.
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from refengine.errors import Malformed
from refengine.formats.trace import Finding, Log, opened, replay
from refengine.game.rulesets import Ruleset
from refengine.game.verdicts import Irregular, Refused
from refengine.lawbook.profiles import profile_names
from refengine.rulings.submitted_game import (
    Game,
    Moment,
    game_as_trace,
    moments_of_game,
)


@attrs.frozen
class Judgement:
    """What one ruleset says about a game.

    `illegal` is the first act that it refuses, with which the judgement ends. `revokes`
    are the acts that it accepts as irregular. `wrong` holds what the game states but
    is not so, scores included. `cannot_begin` says why the game cannot begin; it is
    empty if it can.
    """

    ruleset: Ruleset
    illegal: Moment | None = None
    revokes: tuple[Moment, ...] = ()
    wrong: tuple[Finding, ...] = ()
    cannot_begin: str = ""

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses that the first illegal act breaks; empty if no act is illegal."""
        if self.illegal is None:
            return ()
        verdict = self.illegal.state.verdict(self.illegal.act)
        return verdict.clauses if isinstance(verdict, Refused) else ()

    @property
    def legal(self) -> bool:
        """Whether the game can begin and no act of it is refused."""
        return self.illegal is None and not self.cannot_begin

    @property
    def fits(self) -> bool:
        """Whether nothing in the game contradicts this ruleset."""
        return self.legal and not self.wrong


def judge_game(game: Game, ruleset: Ruleset | None = None) -> Judgement:
    """What a ruleset, by default the one that the game names, says about the game.

    Raises Malformed if an act names a seat that is not at the table.
    """
    ruleset = ruleset or game.ruleset
    try:
        opened(ruleset, game.setup if isinstance(game, Log) else game.start)
    except Malformed as error:
        return Judgement(ruleset, cannot_begin=str(error))
    played = list(moments_of_game(game, ruleset))
    verdicts = [(one, one.state.verdict(one.act)) for one in played]
    refused = [one for one, verdict in verdicts if isinstance(verdict, Refused)]
    revokes = [one for one, verdict in verdicts if isinstance(verdict, Irregular)]
    last = len(played), "act "
    findings = replay(game_as_trace(game, ruleset))
    if refused:  # a finding about the refused act itself is not a wrong statement
        findings = [one for one in findings if (one.step, one.what[:4]) != last]
    illegal = refused[0] if refused else None
    return Judgement(ruleset, illegal, tuple(revokes), tuple(findings))


def judge_under_all_profiles(game: Game) -> tuple[Judgement, ...]:
    """What the ruleset that a game names says about it, and then every profile."""
    named = game.ruleset
    others = [one for one in profiles_for(named.players) if one != named]
    return tuple(judge_game(game, one) for one in [named, *others])


def profiles_for(players: int) -> Iterable[Ruleset]:
    """Every profile that this number of players can play, its options unchanged."""
    for name in profile_names():
        try:
            yield Ruleset(name, players)
        except Refused:
            continue  # the profile is not for this number of players
