"""Finds out which rules an engine plays by, whatever it declares.

Every game is begun with the same ruleset. An engine that always plays its own rules
shows them; one that plays by any ruleset it is given is found to play this one. First,
the engine's answers lead through some deals; then, as long as several rulesets explain
everything, it is given games in which they differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, Final

import attrs

from refengine import OPTIONS
from refengine.comparison.differences import opened_as
from refengine.errors import Malformed
from refengine.exit_codes import ALL_WELL, NOT_TO_THE_END, TOO_FEW, WRONG
from refengine.formats.fields import ruleset_fields
from refengine.formats.trace import Trace
from refengine.game.acts import Play
from refengine.game.rulesets import Ruleset
from refengine.game.values.cardset import CardSet
from refengine.game.values.state import State
from refengine.game.verdicts import Refused
from refengine.lawbook.options import Value
from refengine.lawbook.profiles import profile_names
from refengine_conformance.diagnosis.effects import (
    Key,
    Neighbour,
    effects_of,
    key_of,
    one_option_away,
    two_options_away,
)
from refengine_conformance.diagnosis.fitting_rulesets import (
    Heard,
    heard,
    judged,
    record_of,
)
from refengine_conformance.generators.strategies import recorded
from refengine_conformance.identify.deals_to_lead import (
    Shape,
    deal_to_lead,
    shapes_of_deal,
    table_of_shape,
)
from refengine_conformance.identify.led_games import lead
from refengine_conformance.identify.nearest_rules import (
    Nearest,
    RulesetFit,
    nearest_rules,
)
from refengine_conformance.identify.restated_rules import as_changes_to
from refengine_conformance.identify.sent_ruleset import ruleset_to_send
from refengine_conformance.runner.declared import why_later, why_unknown
from refengine_conformance.runner.driver import Adapter, transport_of
from refengine_conformance.runner.results import VARIES, Limits, Outcome
from refengine_conformance.runner.run_time import ENDLESS, RunTime
from refengine_conformance.runner.table import (
    COMMON_PROFILE,
    USUAL_PROFILE,
    USUAL_STARTS,
    Table,
    tables_of,
)
from refengine_conformance.runner.transcripts import Unanswered
from refengine_conformance.tables.candidates import candidate
from refengine_conformance.tables.flags import SEED

_LED: Final = 20
_LED_MORE: Final = 8
_SHAPES: Final = 3
_DECLINED: Final = 3
_CANDIDATES: Final = 60
_ROUNDS: Final = 6
_MOST_POOLS: Final = 4
_FEWEST: Final = 3
_KNOWN: Final = (COMMON_PROFILE, USUAL_PROFILE)  # any other counts as one more change


@attrs.frozen(kw_only=True)
class RatedRuleset:
    """A ruleset, with the number of games that it explains and of those it does not.

    For the ruleset that was sent, games that cannot begin under it count as neither.
    """

    ruleset: Ruleset
    explains: int
    unexplained: int


@attrs.frozen(kw_only=True)
class Loss:
    """A way in which the adapter failed, and the number of games that it affected.

    `outcome` is `crash`, `timeout` or `protocol`, or `error` for the adapter's own
    error; `first` is the number of the first such game, from 1.
    """

    outcome: str
    message: str
    games: int
    first: int


@attrs.frozen(kw_only=True)
class Identified:
    """The rules that an engine plays by, as far as its answers show them.

    `rulesets` are those that explain everything in the games, the nearest to a profile
    first, or else the one that leaves the fewest games unexplained. `undecided` pairs
    each option that is still open with those of its values that no game could tell
    apart. `asked` and `answered` count games. `losses` are the ways in which the
    adapter failed, and `declined` counts the games that it did not begin, by what it
    said; in both, the most frequent come first. `hands`, `starts`, `pack` and `cards`
    serve for testing the engine: they go with the ruleset with which its games began,
    unless other hands were requested. If `pack` is None, the pack is the usual one for
    the hands.
    """

    rulesets: tuple[RatedRuleset, ...]
    undecided: tuple[tuple[str, tuple[Value, ...]], ...]
    asked: int
    answered: int
    losses: tuple[Loss, ...] = ()
    declined: tuple[tuple[str, int], ...] = ()
    hands: int | str = "any"
    starts: tuple[str, ...] = USUAL_STARTS
    pack: str | None = None
    cards: CardSet = attrs.field(factory=CardSet)

    @property
    def is_guess(self) -> bool:
        """Whether even the nearest rules leave something unexplained in most games."""
        if not self.rulesets:
            return False
        first = self.rulesets[0]
        return first.unexplained > first.explains

    @property
    def exit_code(self) -> int:
        """The exit code: for a failure, for too few answers, or for what was found."""
        if self.losses:
            return NOT_TO_THE_END
        if self.has_too_little:
            return TOO_FEW
        return WRONG if self.rulesets[0].unexplained > 0 else ALL_WELL

    @property
    def has_too_little(self) -> bool:
        """Whether too few games were answered for any conclusion about the rules."""
        return not self.rulesets or self.answered < _FEWEST

    @property
    def nearest_table(self) -> Table:
        """A table at which `conform run` can test the engine, under the first ruleset.

        Raises IndexError if there is no ruleset.
        """
        first = self.rulesets[0].ruleset
        table = Table(ruleset=first, hands=self.hands, starts=self.starts)
        with suppress(Malformed):  # these rules may leave another pack
            return attrs.evolve(table, pack=self.pack or table.pack, cards=self.cards)
        return table

    def contains(self, ruleset: Ruleset) -> bool:
        """Whether it is possible that the engine plays by this ruleset.

        It is if the ruleset agrees with one of those found: each option that makes a
        difference must have the same value in both, or a value that no game ruled out.
        The number of players is not compared.
        """
        undecided = dict(self.undecided)
        own = effects_of(ruleset)
        return any(
            all(
                value in (None, effects[name])
                or ruleset.options[name] in undecided.get(name, ())
                for name, value in own.items()
            )
            for effects in (effects_of(one.ruleset) for one in self.rulesets)
        )

    def fields(self) -> dict[str, Any]:
        """What was found, as plain JSON values, with every option of each ruleset."""
        return {
            "rulesets": [
                {
                    **ruleset_fields(one.ruleset, every=True),
                    "explains": one.explains,
                    "unexplained": one.unexplained,
                }
                for one in self.rulesets
            ],
            "undecided": [
                {"option": name, "values": list(values)}
                for name, values in self.undecided
            ],
            "asked": self.asked,
            "answered": self.answered,
            "losses": [attrs.asdict(one) for one in self.losses],
            "declined": [
                {"message": message, "games": games} for message, games in self.declined
            ],
        }


def identify(
    command: tuple[str, ...],
    *,
    sent: Ruleset | None = None,
    players: int | None = None,
    hands: int | str | None = None,
    limits: Limits | None = None,
    time: RunTime = ENDLESS,
) -> Identified:
    """Find out which rules an adapter plays by, from its answers in games.

    Every game is begun with the ruleset `sent`, or with the one that `ruleset_to_send`
    chooses. `hands` is the number of cards dealt to each seat, or `full` or `any`, as
    for a `Table`. Its default is `any` if `sent` is given; if not, it is chosen with
    the ruleset.

    Raises CannotRunError if the adapter cannot be started, Malformed if the adapter
    declares a table that does not exist, if `hands` cannot be dealt or if there is no
    ruleset to send, and RunOverError if the time is up.
    """
    identifying = _Identifying(command, limits or Limits(), time)
    return identifying.identified(sent, players, hands)


class _Identifying:
    """The questioning of one adapter, and what its games have shown so far.

    `sent` is the ruleset with which every game is begun. It is chosen from what the
    adapter declares, and is set before the first game.
    """

    def __init__(self, command: tuple[str, ...], limits: Limits, time: RunTime) -> None:
        self.command = command
        self.limits = limits
        self.time = time
        self.asked = 0
        self.losses: dict[tuple[str, str], Loss] = {}
        self.declined: Counter[str] = Counter()
        self.shapes: list[Shape] = []
        self.records: list[Heard] = []
        self.fit = RulesetFit(self.records, time)
        self.pools: dict[Key, list[Trace]] = {}
        self.sent: Ruleset
        self.adapter = self._started()

    def _started(self) -> Adapter:
        """A new process of the adapter, which has answered `hello`."""
        return Adapter(transport_of(self.command), self.limits, self.time)

    def identified(
        self, sent: Ruleset | None, players: int | None, hands: int | str | None
    ) -> Identified:
        """Find out by which rules the adapter plays, and then end the adapter."""
        try:
            tables = tables_of(self.adapter.tables)
            usual: int | str = "any"
            if sent is None:
                sent, usual = ruleset_to_send(self.adapter.card, tables, players)
            self.sent = sent
            dealt = usual if hands is None else hands
            Table(ruleset=sent, hands=dealt)  # Malformed if they cannot be dealt
            self._lead(dealt)
            like = self._table_like(tables)
            return attrs.evolve(
                self._concluded(),
                hands=dealt,
                starts=like.starts,
                pack=like.pack if dealt == like.hands else None,
                cards=like.cards,
                losses=self._losses(),
                declined=tuple(self.declined.most_common()),
            )
        finally:
            self.adapter.kill()

    def _table_like(self, tables: Sequence[Table]) -> Table:
        """The adapter's table for the sent ruleset, or its first, or a usual one."""
        own = [table for table in tables if table.ruleset == self.sent]
        return [*own, *tables, Table(ruleset=self.sent)][0]

    # Games put to the adapter

    def _keep(self, record: Heard) -> bool:
        """Count a game and what went wrong in it; return whether it tells anything.

        If it tells something about the rules, its record is kept. A lost adapter is
        restarted.
        """
        self.asked += 1
        said = record.transcript
        if said.thrown is not None:
            thrown = said.thrown
            self._note_loss(Outcome.ERROR, thrown.message, thrown.without_numbers)
        if said.broke is not None:
            sentence = said.broke.sentence
            self._note_loss(said.broke.outcome, sentence, VARIES.sub("0", sentence))
            if said.broke.restart:
                self.adapter = self._started()
        if isinstance(said.opened, Unanswered):
            self.declined[said.opened.text or "nothing more"] += 1
        elif said.opened is not None:
            self.declined[str(said.opened)] += 1
        if record.tells:
            self.records.append(record)
        return record.tells

    def _note_loss(self, outcome: str, message: str, without_numbers: str) -> None:
        """Record that the adapter failed in the current game, and with which message.

        Messages that differ only in their numbers count as the same; the first of them
        is kept.
        """
        way = str(outcome), without_numbers
        new = Loss(outcome=way[0], message=message, games=0, first=self.asked)
        known = self.losses.get(way, new)
        self.losses[way] = attrs.evolve(known, games=known.games + 1)

    def _losses(self) -> tuple[Loss, ...]:
        """The ways in which the adapter failed, the most frequent first."""
        found = self.losses.values()
        return tuple(sorted(found, key=lambda one: (-one.games, one.first)))

    def _lead(self, hands: int | str) -> None:
        """Play deals with the adapter, in the first few shapes that it accepts.

        An engine that does not declare a stock or a kitty may ignore one, and what it
        then does says nothing about its rules. It is offered one only if it accepts no
        other deal.
        """
        card = self.adapter.card
        if not (card.can("legal") and card.can("step")):
            return
        shapes = shapes_of_deal(self.sent, hands)
        sure = [one for one in shapes if one.talon == "none" or card.can(one.talon)]
        for shape in sure:
            if len(self.shapes) < _SHAPES and self._takes(shape):
                self.shapes.append(shape)
        for shape in shapes:
            if not self.shapes and shape not in sure and self._takes(shape):
                self.shapes.append(shape)

    def _takes(self, shape: Shape) -> bool:
        """Play deals of one shape with the adapter; return whether any was of use.

        If the first few tell nothing about the rules, no more are offered.
        """
        takes = False
        for number in range(_LED_MORE if self.shapes else _LED):
            if number == _DECLINED and not takes:
                break
            deal = deal_to_lead(self.sent, shape, number)
            if self._keep(lead(self.adapter, self.sent, deal)):
                takes = True
        return takes

    def _ask(self, trace: Trace) -> bool:
        """Play a game begun with the sent ruleset; return whether it was of use."""
        begun = attrs.evolve(trace, ruleset=self.sent)
        return self._keep(heard(self.adapter, begun))

    # What explains the games

    def _profiles(self) -> Iterator[Ruleset]:
        """The profiles in the adapter's edition, for the sent number of players."""
        for name in profile_names():
            with suppress(Refused):
                found = Ruleset(name, self.sent.players)
                if not why_later(found, self.adapter.card.spec):
                    yield found

    def _as_profile(self, ruleset: Ruleset) -> Ruleset:
        """The same rules, written as changes to the profile that needs the fewest.

        A profile other than the usual two counts as one more change. If several need
        equally few, the profile of the sent ruleset is preferred.
        """
        found = [ruleset]
        for name in profile_names():
            if why_unknown(name, {}, self.adapter.card.spec):
                continue
            if own := as_changes_to(name, ruleset):
                found.append(own)
        sent = self.sent.profile
        return min(
            found,
            key=lambda one: (
                len(one.changed) + (one.profile not in _KNOWN),
                one.profile != sent,
            ),
        )

    def _concluded(self) -> Identified:
        """What follows from the games led, and from others that tell rulesets apart."""
        if not self.records:
            return Identified(rulesets=(), undecided=(), asked=self.asked, answered=0)
        nearest, others = self._nearest()
        if nearest.unexplained:
            others = self._as_good(nearest)
        total = len(self.records)
        shown = [*dict.fromkeys(map(self._as_profile, (nearest.ruleset, *others)))]
        alike = sorted(shown, key=lambda one: len(one.changed))
        rulesets = shown[:1] if nearest.unexplained else alike
        return Identified(
            rulesets=tuple(
                RatedRuleset(
                    ruleset=one,
                    explains=total - len(self.fit.unexplained(one)),
                    unexplained=len(nearest.unexplained),
                )
                for one in rulesets
            ),
            undecided=_undecided(alike),
            asked=self.asked,
            answered=total,
        )

    def _as_good(self, nearest: Nearest) -> list[Ruleset]:
        """Rulesets one option away that leave exactly the same games unexplained.

        Options that cannot matter in any deal that the adapter accepts are left out.
        """
        return [
            one.ruleset
            for one in one_option_away(nearest.ruleset)
            if self.fit.unexplained(one.ruleset) == nearest.unexplained
            and self._can_matter(nearest.ruleset, one.ruleset)
        ]

    def _nearest(self) -> tuple[Nearest, list[Ruleset]]:
        """The ruleset that explains the most and, if it explains all, others that do.

        While there are others, the adapter is given games in which they differ, for a
        few rounds at most.
        """
        begin = [self.sent, *self._profiles()]
        for rounds_left in range(_ROUNDS, -1, -1):
            nearest = nearest_rules(self.fit, begin)
            if nearest.unexplained:
                return nearest, []
            ruleset = nearest.ruleset
            others = self._others(ruleset)
            left = [one for one in others if self._can_matter(ruleset, one)]
            if not rounds_left or not self._tell_apart(ruleset, left):
                break
            begin = [ruleset, *others]
        return nearest, others

    def _others(self, ruleset: Ruleset) -> list[Ruleset]:
        """Other rulesets by which the adapter may play: the sent one and similar ones.

        Of several with the same effect, only the first is kept.
        """
        near = [*one_option_away(ruleset)]
        tried = (
            self.sent,
            *(one.ruleset for one in near),
            *self._beyond(near),
            *two_options_away(ruleset),
        )
        others: dict[Key, Ruleset] = {}
        for one in tried:
            others.setdefault(key_of(one), one)
        others.pop(key_of(ruleset), None)
        return [one for one in others.values() if self._may_be_played(one)]

    def _beyond(self, near: Sequence[Neighbour]) -> Iterator[Ruleset]:
        """Rulesets in which an option that is still open is changed by one more step.

        A cycle of passes may be wrong in two ways: it may contain a pass that no game
        has told from the right one, or it may start again too early.
        """
        for one in near:
            if self._may_be_played(one.ruleset):
                for next_one in one_option_away(one.ruleset):
                    if next_one.option == one.option:
                        yield next_one.ruleset

    def _may_be_played(self, ruleset: Ruleset) -> bool:
        """Whether the adapter may play by this ruleset, judging by the games so far.

        An engine that plays by the ruleset it is given may also accept deals that this
        does not allow, such as one with a stock, and play on somehow. Such games do not
        count against the sent ruleset, as long as it explains a few others.
        """
        if ruleset != self.sent:
            return self.fit.explains(ruleset)
        wrong = self.fit.unexplained(ruleset)
        few = len(self.records) - len(wrong) < _FEWEST
        return not few and not any(_can_begin(ruleset, one.trace) for one in wrong)

    def _can_matter(self, ruleset: Ruleset, other: Ruleset) -> bool:
        """Whether two rulesets can differ at all in deals that the adapter accepts.

        If no cards are left over, the option for undealt cards cannot matter.
        """
        left_over = any(shape.talon != "none" for shape in self.shapes)
        return left_over or ruleset.options["undealt"] == other.options["undealt"]

    def _tell_apart(self, ruleset: Ruleset, others: Sequence[Ruleset]) -> bool:
        """Play games in which these rulesets differ; return whether any was answered.

        The games are made under the first ruleset, and then under some of the others
        that have not been told apart from it yet.
        """
        left = list(others)
        answered = False
        for own in (ruleset, *others):
            if not left:
                break
            if own != ruleset and own not in left[:_MOST_POOLS]:
                continue
            for trace in self._pool(own):
                told = [
                    one
                    for one in _told_apart(trace, own, ruleset, left)
                    if one != self.sent or _can_begin(one, trace)
                ]
                if told and self._ask(trace):
                    answered = True
                    left = [one for one in left if one not in told]
        return answered

    def _pool(self, ruleset: Ruleset) -> list[Trace]:
        """Games made under a ruleset, which may tell it apart from other rulesets."""
        key = key_of(ruleset)
        if key not in self.pools:
            self.pools[key] = [
                trace
                for shape in self.shapes
                for trace in self._games_at(table_of_shape(ruleset, shape))
            ]
        return self.pools[key]

    def _games_at(self, table: Table) -> Iterator[Trace]:
        """Games made for a table, with the book's answers under the table's ruleset."""
        for number in range(_CANDIDATES // len(self.shapes)):
            self.time.check()
            made = candidate(table, SEED, number)
            if made is not None:
                yield _slim(recorded(made.script))


def _can_begin(ruleset: Ruleset, trace: Trace) -> bool:
    """Whether the game of a trace can begin under a ruleset."""
    return isinstance(opened_as(ruleset, trace.start), State)


def _told_apart(
    trace: Trace, own: Ruleset, ruleset: Ruleset, others: Sequence[Ruleset]
) -> list[Ruleset]:
    """The `others` that a game would rule out if the adapter plays by `ruleset`.

    `own` is the ruleset under which the trace was made, so the answers in it are those
    of `own`. Unless that is `ruleset`, they show only whether these two answer
    differently, and only `own` itself can be ruled out.
    """
    record = record_of(trace)

    def rules_out(other: Ruleset) -> bool:
        return any(judged(record, other, brief=True))

    if own != ruleset:
        return [own] if own in others and rules_out(ruleset) else []
    return [one for one in others if rules_out(one)]


def _slim(trace: Trace) -> Trace:
    """The trace without its refused plays; the answer on what is due covers them."""
    steps = [
        attrs.evolve(
            step,
            refuse=tuple(one for one in step.refuse if not isinstance(one.act, Play)),
        )
        for step in trace.steps
    ]
    return attrs.evolve(trace, steps=tuple(steps))


def _undecided(
    rulesets: Sequence[Ruleset],
) -> tuple[tuple[str, tuple[Value, ...]], ...]:
    """The options that differ in effect among these rulesets, each with its values."""
    effects = [effects_of(one) for one in rulesets]
    found = []
    for option in OPTIONS:
        values: dict[object, Value] = {}
        for one, effect in zip(rulesets, effects, strict=True):
            if effect[option.name] is not None:
                values.setdefault(effect[option.name], one.options[option.name])
        if len(values) > 1:
            found.append((option.name, tuple(values.values())))
    return tuple(found)
