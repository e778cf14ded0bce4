"""Judging a game that somebody else recorded: illegal acts, revokes, false statements.

`judge_game(game, ruleset)` judges a game under one ruleset. `judge_under_all_profiles`
judges it under the ruleset that it names, and then under every profile for its number
of players.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

import attrs

from refengine.errors import Malformed
from refengine.formats.trace import Finding, opened, replay_all
from refengine.formats.written.completing_written import PartKnown
from refengine.game.acts import Act, Play, Retract
from refengine.game.rulesets import Ruleset
from refengine.game.verdicts import Irregular, Refused
from refengine.lawbook.profiles import profile_names
from refengine.rulings.partly_known import JudgedPart, judge_part
from refengine.rulings.standing import stood
from refengine.rulings.submitted_game import (
    Game,
    Moment,
    game_as_trace,
    moments_of_game,
    read_game,
    start_of_game,
)
from refengine.rulings.whatif import clauses_of

DIRECTION: Final = "2.2"
WAYS: Final = ("clockwise", "counterclockwise")
_OF_TURN: Final = {"2.3", "5.7"}  # out of turn, or not in the hand of its player


@attrs.frozen
class Judgement:
    """The findings about a game under one ruleset.

    `illegal` is the first act that the ruleset refuses. At a table, an illegal card may
    stand because it was noticed too late; judging then goes on as if it stood, and
    after a refused quit, claim or retraction as if it had not been made. `further`
    holds the acts refused after that, up to the first after which no game can go on.
    `revokes` holds the acts that the ruleset accepts as irregular. `wrong` holds the
    game's statements that are not true, scores included. `cannot_begin` says why the
    game cannot begin; it is empty if it can. `other_way` says whether the first illegal
    act is illegal only because the turns go round in the direction opposite to this
    ruleset's.
    """

    ruleset: Ruleset
    illegal: Moment | None = None
    revokes: tuple[Moment, ...] = ()
    wrong: tuple[Finding, ...] = ()
    cannot_begin: str = ""
    further: tuple[Moment, ...] = ()
    other_way: bool = False

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses that the first illegal act breaks; empty if no act is illegal."""
        if self.illegal is None:
            return ()
        return clauses_of(self.illegal.state.verdict(self.illegal.act))

    @property
    def refused(self) -> tuple[Moment, ...]:
        """Every act that the ruleset refuses, in the order of the game."""
        return () if self.illegal is None else (self.illegal, *self.further)

    @property
    def cause(self) -> tuple[str, ...]:
        """The clauses to cite for the first illegal act, normally those that it breaks.

        If play goes round the table in the wrong direction, the clause on direction is
        cited instead.
        """
        return (DIRECTION,) if self.other_way else self.clauses

    @property
    def legal(self) -> bool:
        """Whether the game can begin and no act in it is refused."""
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
        opened(ruleset, start_of_game(game))
    except Malformed as error:
        return Judgement(ruleset, cannot_begin=str(error))
    played = list(moments_of_game(game, ruleset, stood))
    verdicts = [(one, one.state.verdict(one.act)) for one in played]
    refused = [one for one, verdict in verdicts if isinstance(verdict, Refused)]
    revokes = [one for one, verdict in verdicts if isinstance(verdict, Irregular)]
    # A finding about a refused act itself is not a wrong statement.
    refused_steps = {
        number
        for number, (_, verdict) in enumerate(verdicts, 1)
        if isinstance(verdict, Refused)
    }
    wrong = [
        one
        for one in replay_all(game_as_trace(game, ruleset, stood), stood)
        if not one.changed
        and not (one.step in refused_steps and one.what.startswith("act "))
    ]
    return Judgement(
        ruleset,
        refused[0] if refused else None,
        tuple(revokes),
        tuple(wrong),
        further=tuple(refused[1:]),
        other_way=bool(refused) and _goes_the_other_way(game, ruleset, refused[0]),
    )


def judge_part_known(part: PartKnown, ruleset: Ruleset) -> JudgedPart:
    """What is certain about a deal known in part, under a ruleset.

    Where every card is known, acts other than plays are judged too, up to the act that
    stops the play. Raises Malformed as `judge_part` does.
    """
    [deal] = part.match.deals
    if part.is_first and not deal.before:
        deal = attrs.evolve(deal, before=(0,) * ruleset.players)
    if not part.is_first and deal.number == 1:  # it was only assumed
        deal = attrs.evolve(deal, number=None)
    found = judge_part(ruleset, deal, part.match.pack, part.leader)
    if not part.line:
        return found
    refused = judge_game(read_game(part.line), ruleset).refused
    plays = {(one.place, one.act) for one in refused if isinstance(one.act, Play)}
    acts = [one for one in refused if not isinstance(one.act, Play)]
    return attrs.evolve(
        found, acts=tuple(one for one in acts if not _takes_back(one, plays))
    )


def _takes_back(one: Moment, plays: Collection[tuple[int, Act]]) -> bool:
    """Whether an act takes back one of these plays, made at these places, at once."""
    if not isinstance(one.act, Retract):
        return False
    return (one.place - 1, Play(one.act.seat, one.act.card)) in plays


def _goes_the_other_way(game: Game, ruleset: Ruleset, first: Moment) -> bool:
    """Whether the turns are right if play goes round the table in the other direction.

    False unless `_is_of_turn` is true of `first`, the first act refused.
    """
    if not _is_of_turn(first):
        return False
    now = ruleset.options["direction"]
    turned = ruleset.having(direction=next(one for one in WAYS if one != now))
    try:
        read = list(moments_of_game(game, turned, stood))
    except Malformed:  # it cannot begin that way
        return False
    reached = max(one.place for one in read)
    return reached >= first.place and not any(map(_is_of_turn, read))


def _is_of_turn(one: Moment) -> bool:
    """Whether an act is refused only as out of turn or as a card not in the hand."""
    verdict = one.state.verdict(one.act)
    return isinstance(verdict, Refused) and {*verdict.clauses} <= _OF_TURN


def judge_under_all_profiles(game: Game) -> tuple[Judgement, ...]:
    """What the ruleset that a game names says about it, then what each profile says."""
    named = game.ruleset
    others = [one for one in profiles_for(named.players) if one != named]
    return tuple(judge_game(game, one) for one in [named, *others])


def profiles_for(players: int) -> Iterator[Ruleset]:
    """Every profile that this number of players can play, with no options changed."""
    for name in profile_names():
        try:
            yield Ruleset(name, players)
        except Refused:
            continue  # the profile is not for this number of players
