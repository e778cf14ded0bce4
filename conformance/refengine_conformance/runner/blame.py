"""Find the clause under which each failed game is reported, so that one bug has one.

A game goes astray at one moment, and anything wrong later follows from that; but a
wrong answer about what a seat may do changes nothing, and wrong counting after it has a
reason of its own. Only the most basic wrong answers at each of these moments count:
those about the phase or, if there are none, those about the turn or the table, then
those about what is due or has been taken, then all others. They point to a few clauses,
the suspects, the likeliest first. The suspect that accounts for the most games becomes
the heading of those games, and this is repeated for what is left. Among suspects that
account for equally many, a clause of `_SPECIAL` comes first if it accounts for at least
three, then a clause that no game needed in which everything was right. A clause of
`_SPECIAL` that nearly all games point to accounts for the others like them as well.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from typing import Final, TypeVar

import attrs
from msgspec import json

from refengine.errors import Malformed
from refengine.formats.trace import Probe, Trace, read_trace, state_at
from refengine.game.acts import (
    Act,
    Deal,
    Draw,
    Mix,
    MoonChoice,
    Pass,
    PassUnseen,
    Play,
    Scatter,
)
from refengine.game.values.cardset import NO_CARDS, Card, CardSet
from refengine.game.values.state import State
from refengine.game.verdicts import Refused
from refengine.lawbook.reading import place_in_book
from refengine.rulings.broken_clauses.applied import HEARTS, QUEEN, excluding
from refengine.rulings.broken_clauses.named_clauses import (
    clauses_of_phase,
    clauses_of_turn,
)
from refengine.rulings.broken_clauses.scored_clauses import reaches_limit_by_cards
from refengine_conformance.runner.results import LEFT_OUT, Case, Fault, moment_of

K = TypeVar("K", bound=Hashable)

_PASSES: Final = (Pass, PassUnseen, Scatter)
_NOTE: Final = "x-shows"
_CLAUSE: Final = re.compile(r"[0-9]+\.[0-9]+[a-z]?")
_NOTED: Final = re.compile(rf'"{_NOTE}"\s*:\s*"({_CLAUSE.pattern})"')
_CITED: Final = re.compile(r"refused by ([0-9.a-z, ]+)$")
_SUBJECT_OF_REFUSAL: Final = {"2.4": "phase", "2.3": "turn", "5.7": "turn"}
"""What a refusal by each clause is about, the most basic first."""
_BASIC: Final = {"phase": 0, "over": 0, "turn": 1, "table": 1, "legal": 2, "taken": 2}
_LATER: Final = 3
_CHOICE: Final = _BASIC["legal"]
_COUNTED: Final = frozenset({"points", "score", "totals", "match"})
_CHOICES: Final = frozenset({"legal", "refuse", "irregular"})
"""The questions about what a seat may do."""


def how_basic(fault: Fault) -> int:
    """How basic a wrong answer is: from 0 (the phase) to 3 (points and the like)."""
    return _BASIC.get(_subject(fault), _LATER)


def _subject(fault: Fault) -> str:
    """What a wrong answer is about: the phase, the turn, another field or a question.

    An answer that names another kind of act as due is wrong about the phase; an answer
    that is left out is not.
    """
    if fault.root == "legal":
        same = fault.got == LEFT_OUT or _kind(fault.got) == _kind(fault.expected)
        return "legal" if same else "phase"
    cited = _CITED.match(fault.got) if fault.root == "act" else None
    if cited is not None:
        named = cited[1].split(", ")
        for clause, subject in _SUBJECT_OF_REFUSAL.items():
            if clause in named:
                return subject
    field = fault.field or fault.root
    is_nobody = field == "turn" and fault.got in ("[]", "the seats []")
    return "phase" if is_nobody else field


def _kind(due: str) -> str:
    """The kind of act that the text of a fault says is due; a draw counts as a play."""
    for kind in ("over", "pass", "deal", "mix", "moon", "cut"):
        if f'"{kind}"' in due:
            return kind
    return "play"


def at_first_moment(faults: Iterable[Fault]) -> list[Fault]:
    """The wrong answers of one game at the moment when it goes astray.

    If they are all about points, any wrong answer at the end about the cards taken is
    added: it may be why the points are wrong, and a game may say only at the end what
    was taken.
    """
    listed = [*faults]
    earliest = min(map(_moment, listed), default=None)
    first = [one for one in listed if _moment(one) == earliest]
    if all(one.field in _COUNTED for one in first):
        first += [one for one in listed if one.question == "end.taken"]
    return first


def strands(faults: Iterable[Fault]) -> list[list[Fault]]:
    """The strands of one game: lists of wrong answers, from which all others follow.

    The first holds those at the moment when the game goes astray. There is a second, of
    wrong counting, if nothing is wrong but the counting and some answers about what a
    seat may do.
    """
    listed = [*faults]
    first = at_first_moment(listed)
    counted = [one for one in listed if _is_of_counting(one)]
    if not counted or any(one in counted for one in first):
        return [first]
    others = [one for one in listed if one not in counted]
    if any(one.root not in _CHOICES or how_basic(one) < _CHOICE for one in others):
        return [first]
    return [first, at_first_moment(counted)]


def _is_of_counting(fault: Fault) -> bool:
    """Whether a wrong answer is about points, or at the end about the cards taken."""
    return fault.field in _COUNTED or fault.question == "end.taken"


def suspects(
    line: str, faults: Iterable[Fault], says_due: bool = True
) -> tuple[str, ...]:
    """The clauses that may be at fault in a game, the likeliest first.

    `faults` are the wrong answers of one of its strands, at least one. `says_due` is
    false if the engine was not asked what is due. If the line is not a trace, the
    result is the clauses named for the answers.
    """
    listed = [*faults]
    basic = min(map(how_basic, listed))
    decisive = [one for one in listed if how_basic(one) == basic]
    named = [clause for one in decisive for clause in one.clauses]
    try:
        trace = read_trace(line.encode())
    except Malformed:
        return tuple(dict.fromkeys(named))
    if basic == 0:
        named = [clause for one in decisive for clause in _of_phase(trace, one)]
    more = [clause for one in decisive for clause in _more(trace, one, says_due)]
    return tuple(dict.fromkeys([*named, *more]))


def noted_line(line: str, clause: str) -> str:
    """The line of a smaller game, with a note of the clause that it is meant to show.

    Without the note, such a game would have several suspects, some of which only other
    games of the run can rule out. A line that is not a trace is returned unchanged; so
    is every line if `clause` is not a clause number.
    """
    fields = json.decode(line)
    is_trace = isinstance(fields, dict) and "trace" in fields
    if not is_trace or not _CLAUSE.fullmatch(clause):
        return line
    return json.encode({**fields, _NOTE: clause}).decode()


def _of_phase(trace: Trace, fault: Fault) -> tuple[str, ...]:
    """The clauses that decide the phase at the point where an answer is wrong.

    If the game cannot be replayed that far, they are the clauses named for the answer.
    If the engine says that the match is over while a choice about a moon is due, 9.7a
    comes first, provided that the cards alone would reach the limit.
    """
    step = fault.step_in(trace)
    if fault.is_after_act:
        step += 1
    try:
        found = clauses_of_phase(trace, step)
        state = state_at(trace, step - 1)
    except (Malformed, Refused):
        return fault.clauses
    says_over = state.phase == "moon" and "over" in fault.got
    return ("9.7a", *found) if says_over and reaches_limit_by_cards(state) else found


def _moment(fault: Fault) -> tuple[int, bool]:
    """A key that orders the wrong answers of a game by the moment of each.

    Within a step, answers before its act come before those that follow it.
    """
    step, stage, _ = moment_of(fault)
    return step, stage > 1


def _more(trace: Trace, fault: Fault, says_due: bool) -> Iterator[str]:
    """Yield clauses that may be at fault besides those that are named for an answer."""
    step = 1 if fault.question == "open" else fault.step or len(trace.steps) + 1
    try:
        state = state_at(trace, step - 1)
    except (Malformed, Refused):
        return
    astray = _Astray(trace, fault, step, state, says_due)
    yield from astray.by_passing_or_hearts()
    yield from astray.by_turns()
    yield from astray.by_counting()
    yield from astray.by_stock()


_WORTH: Final = ("1.4", "1.5", "8.1")
_OF_KITTY: Final = ("5.13", "5.13a", "8.1", "8.3", "9.7a")
_DRAWING: Final = ("6.1", "6.3", "5.7")
_DOMINO: Final = {"5.10", "5.11", "5.12", "6.7", "6.8", "6.8b", "5.14"}
_LEFT_OVER: Final = {"6.8", "6.8b"}
"""Clauses on cards left over: which seats are out has no bearing on what they cost."""


@attrs.frozen
class _Astray:
    """A wrong answer of a game, from which further clauses at fault can be found.

    `step` is the number of the answer's step, from 1; for an answer at the end, it is
    one more than the number of steps, and for one about the beginning, 1. `state` is
    the state before that step, and `says_due` whether the engine was asked what is due.
    """

    trace: Trace
    fault: Fault
    step: int
    state: State
    says_due: bool

    def names(self, *clauses: str) -> bool:
        """Whether one of these clauses is named for the answer."""
        return not {*clauses}.isdisjoint(self.fault.clauses)

    @property
    def act(self) -> Act | None:
        """The act of the step, or None at the end."""
        steps = self.trace.steps
        return steps[self.step - 1].act if self.step <= len(steps) else None

    @property
    def acts_before(self) -> list[Act]:
        """The acts before the step."""
        return [one.act for one in self.trace.steps[: self.step - 1]]

    @property
    def state_asked(self) -> State:
        """The state that the answer is about: before the step, or after it."""
        if self.fault.is_after_act and self.step <= len(self.trace.steps):
            return state_at(self.trace, self.step)
        return self.state

    def by_passing_or_hearts(self) -> Iterator[str]:
        """Yield clauses on passing, on breaking hearts, and on how play begins."""
        if self.names("4.1a", "4.2", "4.3"):
            yield "4.1"
        has_others = bool(held(self.state) - HEARTS - QUEEN)
        too_early = self.names("5.4") and not self.state.hearts_broken and has_others
        if too_early and (self._queen_was_played() or self._was_asked_about_hearts()):
            yield "5.9"
        if isinstance(self.act, _PASSES) and self.fault.root == "act":
            yield from clauses_of_phase(self.trace, self.step)
            yield "4.1"
        if self.names("5.4", "5.9", "5.9a") and self._were_hearts_broken_earlier():
            yield "3.11"
        if how_basic(self.fault) == 1 and not self.state.history:
            acts = self.acts_before
            if any(isinstance(act, Mix) for act in acts):
                yield "4.10"
            elif any(isinstance(act, Scatter) for act in acts):
                yield from ("4.8", "4.1")
            elif any(isinstance(act, _PASSES) for act in acts):
                yield from ("4.2", "4.1")

    def by_turns(self) -> Iterator[str]:
        """Yield clauses on what is due, from which seat, and when a deal ends."""
        basic = how_basic(self.fault)
        is_refusal = self.fault.root == "act" and self.fault.got == "refused"
        if is_refusal and self.state.phase == "play":
            yield from self._of_refusal()
        if self.names("5.11") and basic == 1:
            yield "5.10"
        has_drawn = any(isinstance(act, Draw) for act in self.acts_before)
        if self.names(*_DRAWING) and has_drawn:
            yield "6.4"
        if self.names("5.12") and _is_left_dry(self.state_asked):
            yield "6.5"
        has_chosen = any(isinstance(act, MoonChoice) for act in self.acts_before)
        if basic == 0 and has_chosen and self.state_asked.phase == "moon":
            yield "3.11"
        if basic == 0 and self.names("5.14") and self._had_one_to_finish():
            yield "6.6a"

    def by_counting(self) -> Iterator[str]:
        """Yield clauses on card values, the sun, a mixed kitty, and the limit."""
        if self.names("8.9"):
            yield "9.3"
        if self.names("8.5a") and sum(map(bool, self.state_asked.tricks)) == 1:
            yield "8.4"
        if self.names(*_WORTH):
            yield from ("8.1", "1.5", "1.4")
        if self.state.ruleset.options["mix_kitty"] and self.names(*_OF_KITTY):
            yield "4.10b"

    def by_stock(self) -> Iterator[str]:
        """Yield clauses on playing any card, on cards left over, and on empty hands."""
        state = self.state
        offers_all = self.fault.root == "legal" and self.fault.got == str(held(state))
        if self.names("5.3", "6.5") and offers_all:
            yield "5.12"
        is_counted = self.fault.field in _COUNTED
        if is_counted and self.names("6.8a", "6.8b"):
            yield "6.8"
        about = _DOMINO - _LEFT_OVER if is_counted else _DOMINO
        has_stock = state.ruleset.options["undealt"] == "stock"
        if has_stock and self.names(*about) and not all(state.hands):
            yield "6.6"

    def _of_refusal(self) -> Iterator[str]:
        """Yield clauses on which a wrong refusal may rest if it names none itself."""
        turn = clauses_of_turn(self.trace, self.step)
        yield from turn
        if self.state.history:
            yield from clauses_of_phase(self.trace, self.step)
        if "5.11" in turn:
            yield "5.10"
        if isinstance(self.act, Play):
            yield from excluding(self.state, self.act.card)

    def _queen_was_played(self) -> bool:
        """Whether the queen of spades is in a trick completed before the step."""
        return any(Card("QS") in trick.cards for trick in self.state.history)

    def _were_hearts_broken_earlier(self) -> bool:
        """Whether hearts are unbroken now, but were broken in an earlier deal."""
        acts = self.acts_before
        deals = [place for place, act in enumerate(acts) if isinstance(act, Deal)]
        if self.state.hearts_broken or not deals:
            return False
        by_queen = self.state.ruleset.options["queen_breaks_hearts"]
        breaking = HEARTS | QUEEN if by_queen else HEARTS
        earlier = acts[: deals[-1]]
        return any(isinstance(act, Play) and act.card in breaking for act in earlier)

    def _had_one_to_finish(self) -> bool:
        """Whether, at some point up to the step, only one seat held cards in mid-trick.

        Always False without a stock, since every deal then comes to that point at its
        last card.
        """
        state = state_at(self.trace, 0)
        if state.ruleset.options["undealt"] != "stock":
            return False
        for step in self.trace.steps[: self.step]:
            begun = state.table is not None and state.table.cards
            if begun and sum(map(bool, state.hands)) == 1:
                return True
            state = state.apply(step.act)
        return False

    def _was_asked_about_hearts(self) -> bool:
        """Whether an earlier step asks about hearts at a moment when none may be led.

        Such a step asks what is legal, or probes the play of a heart. The adapter's
        answer, if there is one, was right: the game had not yet gone astray.
        """
        state = state_at(self.trace, 0)
        for step in self.trace.steps[: self.step - 1]:
            is_due_asked = self.says_due and step.legal is not None
            asked = is_due_asked or any(map(_is_heart, step.refuse))
            if asked and _bars_hearts(state):
                return True
            state = state.apply(step.act)
        return False


def _is_left_dry(state: State) -> bool:
    """Whether neither the hand of the seat to play nor the stock has the suit led.

    It is False if there is no stock in these rules, or if no card lies on the table.
    """
    table = state.table
    if state.ruleset.options["undealt"] != "stock" or table is None or not table.cards:
        return False
    led = table.cards[0].suit
    return all(card.suit is not led for card in (*held(state), *state.stock))


def held(state: State) -> CardSet:
    """The hand of the seat whose turn it is.

    It is empty if it is no seat's turn, or if there is no deal yet.
    """
    return state.hands[state.turn[0]] if state.turn and state.hands else NO_CARDS


def _bars_hearts(state: State) -> bool:
    """Whether a seat must lead, and may not lead hearts because they are not broken.

    It is False for a seat with no hearts, and for one with nothing but hearts.
    """
    leads = state.table is not None and not state.table.cards
    hand = held(state)
    return leads and not state.hearts_broken and bool(hand & HEARTS and hand - HEARTS)


def _is_heart(probe: Probe) -> bool:
    """Whether a probe is about the play of a heart."""
    return isinstance(probe.act, Play) and probe.act.card in HEARTS


_SPECIAL: Final = ("3.11", "5.9a", "5.9", "6.5", "6.6a")
"""Clauses that may lie behind the one named, because of what happened earlier."""
_ENOUGH: Final = 3
_NEARLY_ALL: Final = 0.9


def headings(
    suspected: Mapping[K, tuple[str, ...]],
    alive: frozenset[str],
    certain: Collection[K] = (),
) -> dict[K, str]:
    """The heading of each strand: one of its suspects, or empty if it has none.

    `alive` are the clauses that were needed in games in which everything was right, and
    `certain` the strands whose clause is known.
    """
    found = dict.fromkeys(suspected, "")
    filled = _filled_up(suspected, certain)
    left = {name: some for name, some in filled.items() if some}
    while left:
        best = _likeliest(left, alive)
        for name in [name for name, some in left.items() if best in some]:
            found[name] = best
            del left[name]
    return found


def _filled_up(
    suspected: Mapping[K, tuple[str, ...]], certain: Collection[K]
) -> dict[K, tuple[str, ...]]:
    """The suspects, with the clauses of `_SPECIAL` that a few strands do not show.

    If such a clause is the next suspect in nearly all strands that another is named for
    first, what points to it only did not happen in the others. To the suspects of the
    strands that are `certain`, none is added.
    """
    filled = {**suspected}
    named = Counter(some[0] for some in suspected.values() if some)
    for special in _SPECIAL:
        behind = Counter(
            some[0] for some in suspected.values() if some[1:2] == (special,)
        )
        for clause, times in behind.items():
            if times < max(_ENOUGH, _NEARLY_ALL * named[clause]):
                continue
            for name, some in filled.items():
                is_open = name not in certain and special not in some
                if is_open and some[:1] == (clause,):
                    filled[name] = (*some, special)
    return filled


def _likeliest(suspected: Mapping[K, tuple[str, ...]], alive: frozenset[str]) -> str:
    """The suspect that accounts for the most strands.

    Ties are broken first as the docstring of this module says, then by the number of
    strands whose first suspect is the clause, then by its places in the lists.
    """
    covered = Counter(clause for some in suspected.values() for clause in some)
    first = Counter(some[0] for some in suspected.values())
    places: Counter[str] = Counter()
    for some in suspected.values():
        for place, clause in enumerate(some):
            places[clause] += place
    return max(
        covered,
        key=lambda clause: (
            covered[clause],
            clause in _SPECIAL and covered[clause] >= _ENOUGH,
            clause not in alive,
            first[clause],
            -places[clause],
        ),
    )


def order_of(number: str) -> tuple[int, int, str]:
    """The sort key of a clause: its place in the book; any other text comes last."""
    try:
        return place_in_book(number)
    except Malformed:
        return 100, 0, number


@attrs.frozen
class _Strand:
    """One of the `strands` of a game, and the clauses that may be at fault in it.

    `is_certain` says whether the only suspect is known to be at fault.
    """

    pairs: list[tuple[Case, Fault]]
    suspects: tuple[str, ...]
    is_certain: bool = False


def by_heading(
    pairs: Iterable[tuple[Case, Fault]],
    known: Mapping[str, str],
    lines: Mapping[str, str],
    alive: frozenset[str],
    unasked: frozenset[str] = frozenset(),
) -> Iterator[tuple[str, list[tuple[Case, Fault]]]]:
    """Yield each clause that heads a strand, with its answers, the commonest first.

    `known` gives the clause at fault for each game where that is known from elsewhere.
    All wrong answers in such a game are one strand; of any other game, only those of
    its `strands` are kept. `lines` are the games by their ids, and `alive` the clauses
    that were needed in games in which everything was right. `unasked` are the games in
    which the engine was not asked what is due.
    """
    by_game: dict[str, list[tuple[Case, Fault]]] = {}
    for case, fault in pairs:
        by_game.setdefault(case.trace, []).append((case, fault))
    found: list[_Strand] = []
    for name, game in by_game.items():
        if name in known:
            found.append(_Strand(game, (known[name],), is_certain=True))
        else:
            found += _suspected(game, lines.get(name, ""), name not in unasked)
    suspected = {place: one.suspects for place, one in enumerate(found)}
    certain = {place for place, one in enumerate(found) if one.is_certain}
    under: dict[str, list[_Strand]] = {}
    for place, clause in headings(suspected, alive, certain).items():
        under.setdefault(clause, []).append(found[place])
    for clause in sorted(under, key=lambda one: (-len(under[one]), order_of(one))):
        yield clause, [pair for strand in under[clause] for pair in strand.pairs]


def _suspected(
    game: list[tuple[Case, Fault]], line: str, says_due: bool
) -> Iterator[_Strand]:
    """Yield the strands of a game, each with its suspects, as `suspects` finds them.

    If an earlier run noted one of the suspects in the line of the game, that suspect is
    the only one.
    """
    noted = _NOTED.search(line)
    for strand in strands(fault for _, fault in game):
        pairs = [pair for pair in game if pair[1] in strand]
        found = suspects(line, strand, says_due=says_due)
        if noted is not None and noted[1] in found:
            yield _Strand(pairs, (noted[1],), is_certain=True)
        else:
            yield _Strand(pairs, found)
