"""Theorems about the clause functions, proved by z3 from their real source.

`python -m conformance.proofs` prints a table: each theorem, its clauses, the number of
paths through the functions, the seconds, and `proved` or the smallest hand found that
breaks it. Exit status 1 if one is broken, 2 if nothing can be proved here.

A decision is one moment of one seat in symbols: any hand, any trick, each flag, every
value of every option. What the functions are not given (the hands of others, what was
taken, the scores) is `_Unread`, so each of these theorems also says that legality
depends on nothing else. Each formal line of the book is put into the same symbols.

A deal is a position of a number of seats with all its parts in symbols. The invariant
is that hands, stock and kitty make up the pack, and that what was played lies on the
table or is taken, once each. Every transition keeps it, so it holds in every position,
and the points in play, a sum over these parts, are kept with it. Where a transition
calls a function that would fork for every seat, it meets the contract of that function
instead (`_contracts`), and that the function keeps it is a theorem of its own.
"""

from __future__ import annotations

import argparse
import inspect
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Final, cast

import attrs

from conformance.book import LINES
from conformance.symbolic import (
    Bits,
    Flag,
    Number,
    Path,
    UndecidedError,
    a_flag,
    a_mask,
    a_number,
    apart,
    assume,
    card_of,
    clauses_merged,
    merged,
    numbers_in_symbols,
    one_card,
    paths,
    refuted,
    replaced,
    shrunk,
    together,
    truth,
    why_not,
    within,
    word,
    z3,
)
from refengine import draw, formal, judging, passing, play, position
from refengine.book import registry
from refengine.cards import (
    ACE_OR_KING_OF_SPADES,
    CLUBS,
    DIAMONDS,
    HEARTS,
    QUEEN,
    SPADES,
    Mask,
    cards_in,
)
from refengine.core import Core
from refengine.formal import Condition, Formal, Set
from refengine.notation import write_set
from refengine.options import OPTIONS, Option, Value, lowered
from refengine.passing import Packet
from refengine.play import Piles, Position, Talon
from refengine.rules import ACROSS, LEFT, RIGHT, Rules
from refengine.table import PLAYING, SEAT

SUITS: Final = (CLUBS, DIAMONDS, SPADES, HEARTS)
SEATS: Final = (2, 3, 4)
ALL_SEATS: Final = tuple(range(2, 14))
_MANY: Final = 1000  # numbers beyond need more bits than a number here has


class UnreadError(Exception):
    """A function read what it should not depend on."""


class _Unread:
    """A value that must not be read; whatever is asked of it fails."""

    def __init__(self, name: str) -> None:
        self._name = name

    def _fail(self, *_: object) -> Any:
        raise UnreadError(f"it reads {self._name}")

    __bool__ = __index__ = __len__ = __iter__ = __getitem__ = __call__ = _fail
    __and__ = __or__ = __add__ = __sub__ = __rand__ = __ror__ = __radd__ = _fail
    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = __hash__ = _fail
    __neg__ = __invert__ = __mul__ = __rmul__ = __mod__ = _fail


def implies(first: Any, second: Any) -> Flag:
    """That the second holds wherever the first does."""
    return Flag(z3.Implies(truth(first), truth(second)))


def both(*conditions: Any) -> Flag:
    """That all of these hold."""
    return Flag(z3.And(*[truth(condition) for condition in conditions]))


def either(*conditions: Any) -> Flag:
    """That one of these holds, or several."""
    return Flag(z3.Or(*[truth(condition) for condition in conditions]))


def same(first: Any, second: Any) -> Flag:
    """That two sets hold the same cards."""
    return Flag(word(first) == word(second))


def inside(inner: Any, outer: Any) -> Flag:
    """That every card of one set is in another."""
    return Flag(word(inner) & ~word(outer) == 0)


# The options in symbols


def _values(option: Option) -> tuple[Value, ...]:
    """The values of an option that are words or flags."""
    return (False, True) if isinstance(option.base, bool) else option.words


def _in_symbols(option: Option) -> bool:
    if isinstance(option.base, tuple):
        return False
    if option.least is None:
        return True
    return not option.words and abs(option.most) <= _MANY


class Options:
    """All values of all options at once, lowered by the engine itself.

    A word or a flag stands for its place among the values of the option, a number for
    itself. Lists and numbers without a bound that matters are left out: no decision
    reads them.
    """

    def __init__(self) -> None:
        self._terms: dict[str, Any] = {}
        self.assumptions: list[Any] = []
        for option in filter(_in_symbols, OPTIONS):
            number = a_number(option.name)
            most = option.most if option.least is not None else len(_values(option)) - 1
            self.assumptions.append(within(number, option.least or 0, most))
            self._terms[option.name] = number.term

    def having(self, name: str, value: Value) -> Any:
        """That the option has this value."""
        option = next(one for one in OPTIONS if one.name == name)
        if option.least is not None:
            return self._terms[name] == value
        return self._terms[name] == _values(option).index(value)

    def rules(self, players: int, **fixed: Value) -> Rules:
        """The rules of so many players with these values, the options fixed apart."""
        bases = {option.name: option.base for option in OPTIONS}
        plain = vars(lowered(players, bases))
        fields: dict[str, Any] = {name: _Unread(name) for name in plain}
        fields["players"] = players
        for option in filter(_in_symbols, OPTIONS):
            name = option.name
            if option.least is not None:
                fields[name] = Number(self._terms[name])
                continue
            lowerings = [
                vars(lowered(players, bases | {name: value}))
                for value in _values(option)
            ]
            for field in plain:
                entries = [lowering[field] for lowering in lowerings]
                if any(entry != plain[field] for entry in entries):
                    fields[field] = (
                        entries[_values(option).index(fixed[name])]
                        if name in fixed
                        else _chosen(self._terms[name], entries, field)
                    )
        return Rules(**fields)

    def shown(self, model: Any) -> list[str]:
        """The options that differ from their base values in a model."""
        found: list[str] = []
        for option in filter(_in_symbols, OPTIONS):
            place = _number_in(model, self._terms[option.name])
            value: Value = place if option.least is not None else _values(option)[place]
            if value != option.base:
                text = str(value).lower() if isinstance(value, bool) else value
                found.append(f"{option.name}={text}")
        return found

    def wishes(self) -> list[Any]:
        """That each option has its base value."""
        return [
            self.having(option.name, option.base)
            for option in filter(_in_symbols, OPTIONS)
        ]


def _chosen(term: Any, entries: Sequence[Any], field: str) -> Any:
    """The entry at a place that is a symbol: what an option lowers to."""
    if isinstance(entries[0], bool):
        chosen = z3.BoolVal(entries[-1])
        for place, entry in enumerate(entries[:-1]):
            chosen = z3.If(term == place, z3.BoolVal(entry), chosen)
        return Flag(chosen)
    kind = Bits if field == "bonus_card" else Number
    chosen = z3.BitVecVal(entries[-1], kind.wide)
    for place, entry in enumerate(entries[:-1]):
        chosen = z3.If(term == place, z3.BitVecVal(entry, kind.wide), chosen)
    return kind(chosen)


def _number_in(model: Any, term: Any) -> int:
    value: int = model.eval(term, model_completion=True).as_signed_long()
    return value


def _cards_in(model: Any, cards: Any) -> str:
    return write_set(Mask(model.eval(word(cards), model_completion=True).as_long()))


def _holds_in(model: Any, flag: Any) -> bool:
    return bool(z3.is_true(model.eval(truth(flag), model_completion=True)))


# One decision in symbols


def suit_of(cards: Any) -> Any:
    """All cards of the suits of these."""
    term = word(cards)
    suits = z3.BitVecVal(0, 52)
    for suit in SUITS:
        suits = suits | z3.If(term & suit != 0, z3.BitVecVal(suit, 52), 0)
    return suits


class Decision:
    """One moment of one seat: any hand, any trick, each flag, all options.

    `assumptions` say only that a trick begins with the card led to it; `usual` says
    besides that the hand holds a card and none of the trick, that some of it is
    allowed, and that `card` and `other` are single cards of it.
    """

    def __init__(self) -> None:
        self.options = Options()
        self.hand = a_mask("hand")
        self.allowed = a_mask("allowed")
        self.first_card = a_mask("first card of the trick")
        self.trick = a_mask("trick")
        self.card = a_mask("card")
        self.other = a_mask("other card")
        self.first = a_flag("first trick")
        self.broken = a_flag("hearts broken")
        self.drew = a_flag("drew")
        self.stock = a_flag("stock")
        self.led = Bits(suit_of(self.first_card))
        self.leading = ~Flag(self.trick.term != 0)
        self.rules = self.options.rules(4)
        self.position = self.at(self.hand, self.drew)
        self.assumptions = [
            *self.options.assumptions,
            z3.Implies(self.first_card.term != 0, one_card(self.first_card)),
            (self.first_card.term == 0) == (self.trick.term == 0),
            inside(self.first_card, self.trick).formula,
        ]
        self.usual = [
            *self.assumptions,
            self.hand.term != 0,
            self.hand.term & self.trick.term == 0,
            self.allowed.term != 0,
            inside(self.allowed, self.hand).formula,
            one_card(self.card),
            inside(self.card, self.hand).formula,
            one_card(self.other),
            inside(self.other, self.hand).formula,
        ]

    def at(self, hand: Any, drew: Any) -> Position:
        """The position in which the seat to act holds this hand; no more is known."""
        drawn = Number(z3.If(self.stock.formula, z3.BitVecVal(0, 16), 1), 0, 1)
        fields: dict[str, Any] = {
            name: _Unread(f"position.{name}")
            for name in inspect.signature(Position.__init__).parameters
            if name != "self"
        }
        kitty: Any = _Unread("talon.kitty")
        taken: Any = _Unread("piles.taken")
        fields |= {
            "talon": Talon((-1,), cast(Any, drawn), kitty, kitty),
            "piles": Piles(taken, taken, taken, cast(Any, self.first)),
            "led": self.led,
            "table": self.trick,
            "hand": hand,
            "drew": drew,
            "hearts_broken": self.broken,
        }
        return Position(**fields)

    def is_(self, option: str, value: Value) -> Flag:
        """That an option has this value."""
        return Flag(self.options.having(option, value))

    @property
    def penalty(self) -> Any:
        """The penalty cards as clause 1.4 has them."""
        none = z3.BitVecVal(0, 52)
        hearts = z3.If(self.options.having("heart_points", 0), none, HEARTS)
        queen = z3.If(self.options.having("queen_points", 0), none, QUEEN)
        return hearts | queen

    @property
    def legal(self) -> Any:
        """The cards that may be played, by the engine."""
        return position.playable(self.rules, self.position)

    @property
    def draws(self) -> Flag:
        """Whether a draw is due, by the engine."""
        return Flag(truth(merged(draw.draw_is_due)(self.rules, self.position)))

    def shown(self, model: Any) -> str:
        """The decision in notation."""
        first = _cards_in(model, self.first_card)
        rest = _cards_in(model, Bits(self.trick.term & ~self.first_card.term))
        given = [
            name.replace("_", " ")
            for name, flag in (
                ("first_trick", self.first),
                ("hearts_broken", self.broken),
                ("drew", self.drew),
                ("stock", self.stock),
            )
            if _holds_in(model, flag)
        ]
        parts = [f"hand {_cards_in(model, self.hand) or '-'}"]
        allowed = _cards_in(model, self.allowed)
        if allowed not in ("", _cards_in(model, self.hand)):
            parts.append(f"allowed {allowed}")
        parts.append(f"trick {' '.join(filter(None, [first, rest])) or '-'}")
        card = _cards_in(model, self.card)
        parts += [f"card {card}"] if card else []
        given += self.options.shown(model)
        return "; ".join([*parts, ", ".join(given) or "nothing given"])

    @property
    def masks(self) -> list[Any]:
        """The sets that a counterexample should keep small."""
        return [self.hand, self.trick]

    @property
    def wishes(self) -> list[Any]:
        """What a counterexample should have where it can: nothing out of the way."""
        flags = (self.first, self.broken, self.drew, self.stock)
        return [
            same(self.allowed, self.hand).formula,
            *[z3.Not(flag.formula) for flag in flags],
            *self.options.wishes(),
        ]


# Theorems and how they are proved


@attrs.frozen(eq=False)
class Case:
    """A part of a theorem: what is run, under which assumptions, how it is shown."""

    run: Callable[[], Any]
    assuming: Sequence[Any]
    shown: Callable[[Any], str]
    masks: Sequence[Any] = ()
    wishes: Sequence[Any] = ()


@attrs.frozen(eq=False)
class Theorem:
    """A sentence about the functions that claim these clauses, and its cases.

    `cases` takes the numbers of seats to be looked at.
    """

    title: str
    clauses: tuple[str, ...]
    cases: Callable[[Sequence[int]], Iterable[Case]]


@attrs.frozen
class Proved:
    """The outcome: proved where `counterexample` is empty."""

    title: str
    clauses: tuple[str, ...]
    paths: int
    seconds: float
    counterexample: str

    def __str__(self) -> str:
        head = (
            f"{self.title:<68} {' '.join(self.clauses):<24} {self.paths:6} paths "
            f"{self.seconds:6.2f} s"
        )
        return f"{head}  {self.counterexample or 'proved'}"


def prove(theorem: Theorem, seats: Sequence[int] = SEATS) -> Proved:
    """The theorem proved, or the first case broken with a small counterexample."""
    start = time.perf_counter()
    number = 0
    broken = ""
    for case in theorem.cases(seats):
        try:
            for path in paths(case.run, case.assuming):
                number += 1
                if refuted(path, path.value):
                    broken = _counterexample(case, path)
                    break
        except (UnreadError, UndecidedError) as fault:
            broken = f"not proved: {fault}"
        if broken:
            break
    seconds = time.perf_counter() - start
    return Proved(theorem.title, theorem.clauses, number, seconds, broken)


def _counterexample(case: Case, path: Path) -> str:
    model = shrunk(path, path.value, case.masks, case.wishes)
    return f"BROKEN by {case.shown(model)}"


def _of_decision(
    title: str, clauses: str, claim: Callable[[Decision], Any], usual: bool = True
) -> Theorem:
    """A theorem about every decision."""

    def cases(seats: Sequence[int]) -> Iterator[Case]:
        decision = Decision()
        assuming = decision.usual if usual else decision.assumptions

        def run() -> Any:
            with clauses_merged():
                return claim(decision)

        yield Case(
            run,
            assuming,
            decision.shown,
            decision.masks,
            decision.wishes,
        )

    return Theorem(title, tuple(clauses.split()), cases)


# What one decision allows


def _something_legal(it: Decision) -> Any:
    return either(same(it.legal, 0) == Flag(z3.BoolVal(False)), it.draws)


def _draw_or_play(it: Decision) -> Any:
    return same(it.legal, 0) == it.draws


def _in_hand(it: Decision) -> Any:
    return inside(it.legal, it.hand)


def _queen_owed(it: Decision) -> Flag:
    """That the duty of the queen holds, by clause 5.6."""
    spades = both(
        same(it.led, SPADES), Flag((it.trick & ACE_OR_KING_OF_SPADES).term != 0)
    )
    return both(
        it.is_("queen_duty", "when_safe"),
        ~it.leading,
        it.hand & QUEEN,
        either(same(it.hand & it.led, 0), spades),
    )


def _barred(it: Decision) -> Flag:
    return both(it.first, it.is_("first_trick_points", "barred"))


def _follows(it: Decision) -> Any:
    followers = it.hand & it.led
    legal = it.legal
    return implies(
        followers,
        both(
            inside(legal, followers),
            either(same(legal, followers), _barred(it), _queen_owed(it)),
        ),
    )


def _cannot_follow(it: Decision) -> Any:
    free = both(~it.leading, same(it.hand & it.led, 0), ~it.stock)
    return implies(both(free, ~_barred(it), ~_queen_owed(it)), same(it.legal, it.hand))


def _held_back(it: Decision) -> Flag:
    return both(it.leading, it.is_("heart_leads", "when_broken"), ~it.broken)


def _heart_leads(it: Decision) -> Any:
    escape = both(
        it.is_("hearts_or_queen_leader", "any"),
        ~it.drew,
        inside(it.hand, HEARTS | QUEEN),
    )
    led = both(_held_back(it), Flag((Bits(word(it.legal)) & HEARTS).term != 0))
    return implies(led, either(inside(it.hand, HEARTS), escape))


def _only_hearts(it: Decision) -> Any:
    lead = either(it.is_("all_hearts_leader", "lead"), ~it.stock)
    hearts = both(_held_back(it), inside(it.hand, HEARTS), lead)
    return implies(hearts, same(it.legal, it.hand))


def _hearts_and_queen(it: Decision) -> Any:
    held = both(_held_back(it), inside(it.hand, HEARTS | QUEEN), it.hand & QUEEN)
    choice = both(it.is_("hearts_or_queen_leader", "any"), ~it.drew)
    legal = it.legal
    return both(
        implies(both(held, ~choice), same(legal, QUEEN)),
        implies(both(held, choice, ~_barred(it)), same(legal, it.hand)),
    )


def _free_leads(it: Decision) -> Any:
    free = both(it.leading, ~it.first, ~_held_back(it))
    return implies(free, same(it.legal, it.hand))


def _openings(it: Decision) -> Any:
    clubs = it.hand & CLUBS
    opening = both(it.leading, it.first, ~it.drew, clubs)
    legal = it.legal
    return both(
        implies(
            both(opening, it.is_("opening_card", "lowest_club")),
            same(legal, clubs & -clubs),
        ),
        implies(both(opening, it.is_("opening_card", "any_club")), same(legal, clubs)),
    )


def _no_points(it: Decision) -> Any:
    legal = Bits(word(it.legal))
    pays = Flag(legal.term & it.penalty != 0)
    return implies(both(_barred(it), pays), inside(legal, Bits(it.penalty)))


def _queen_duty(it: Decision) -> Any:
    bar = both(_barred(it), inside(QUEEN, Bits(it.penalty)))
    owed = both(_queen_owed(it), ~it.draws, ~bar)
    return implies(owed, same(it.legal, QUEEN))


def _draws_due(it: Decision) -> Any:
    follower = both(~it.leading, same(it.hand & it.led, 0))
    leader = both(
        _held_back(it), inside(it.hand, HEARTS), it.is_("all_hearts_leader", "draw")
    )
    return it.draws == both(it.stock, either(follower, leader))


def _card_that_comes(it: Decision) -> Any:
    """That the first card drawn which fits is the only card to play."""
    drawn = it.other
    came = it.at(it.hand | drawn, Flag(z3.BoolVal(True)))
    suits = both(~it.leading, same(it.hand & it.led, 0), drawn & it.led)
    leads = both(_held_back(it), inside(it.hand, HEARTS), same(drawn & HEARTS, 0))
    return implies(either(suits, leads), same(position.playable(it.rules, came), drawn))


def _verdict_is_legality(it: Decision) -> Any:
    named = position.narrowing_broken(it.rules, it.position, cast(Any, it.card))
    return either(it.draws, Flag(z3.BoolVal(not named)) == inside(it.card, it.legal))


def _yielding(name: str) -> Callable[[Decision], Any]:
    """That a narrowing clause leaves some of the cards allowed, and no other card."""

    def claim(it: Decision) -> Any:
        left = _by_function(name, it, it.allowed)
        return both(Flag(word(left) != 0), inside(left, it.allowed))

    return claim


def _judged(it: Decision) -> Any:
    """The judge of a play names exactly the conditions that fail, else the narrowing.

    Seat 0 is in turn; the card is any of the 52 and need not be in the hand.
    """
    number = a_number("number", 0, 51)
    core = _core_of(it)
    card = Bits(card_of(number))
    held = inside(card, it.hand)
    legal = it.legal
    follower = both(it.draws, ~it.leading)
    leader = both(it.draws, it.leading)
    in_turn = set(judging.play_breaks(core, 0, cast(Any, number)))
    conditions = [
        Flag(z3.BoolVal("5.7" in in_turn)) == ~held,
        Flag(z3.BoolVal("6.1" in in_turn)) == follower,
        Flag(z3.BoolVal("6.2" in in_turn)) == leader,
        Flag(z3.BoolVal(not in_turn)) == inside(card, legal),
    ]
    if in_turn & {"5.7", "6.1", "6.2"}:
        conditions.append(Flag(z3.BoolVal(in_turn <= {"5.7", "6.1", "6.2"})))
    if judging.play_breaks(core, 1, cast(Any, number)) != ("2.3",):
        return False
    return both(*conditions)


def _core_of(it: Decision) -> Core:
    """A match in the play of a deal at this decision of seat 0; no more is known."""
    fields: dict[str, Any] = {
        name: _Unread(f"core.{name}")
        for name in inspect.signature(Core.__init__).parameters
        if name != "self"
    }
    moment = vars(it.position) | {"turn": 0}
    fields |= {"rules": it.rules, "phase": PLAYING, "position": Position(**moment)}
    return Core(**fields)


def _judged_cases(seats: Sequence[int]) -> Iterator[Case]:
    it = Decision()
    number = a_number("number", 0, 51)

    def run() -> Any:
        with numbers_in_symbols(), clauses_merged():
            return _judged(it)

    def shown(model: Any) -> str:
        return (
            f"{it.shown(model)}; asked about {_cards_in(model, card_of_term(number))}"
        )

    assuming = [*it.assumptions, it.hand.term != 0, within(number, 0, 51)]
    yield Case(run, assuming, shown, it.masks, it.wishes)


def card_of_term(number: Number) -> Bits:
    """The set of the card with this number."""
    return Bits(card_of(number))


NEVER_MEET: Final = (("5.2", "5.3"), ("5.2", "5.6"), ("5.3", "5.4"), ("5.4", "5.6"))


def _never_meet(it: Decision) -> Any:
    """That no decision has cards, or one card, that both clauses of a pair forbid."""
    named = position.narrowing_broken(it.rules, it.position, cast(Any, it.card))
    for first, second in NEVER_MEET:
        if first in named and second in named:
            return False
    if not named:
        return True
    others = position.narrowing_broken(it.rules, it.position, cast(Any, it.other))
    return not any(first in named and second in others for first, second in NEVER_MEET)


# Tightening an option only removes cards


@attrs.frozen
class Tighter:
    """Two values of an option, the first the tighter; `apart_from` where it is not."""

    option: str
    tight: str
    loose: str
    clause: str
    unless: Callable[[Decision], Any] | None = None
    why: str = ""


TIGHTER: Final = (
    Tighter("opening_card", "lowest_club", "any_club", "5.2"),
    Tighter("opening_card", "any_club", "any", "5.2"),
    Tighter("heart_leads", "when_broken", "free", "5.4", _barred, "no points at first"),
    Tighter(
        "hearts_or_queen_leader", "queen", "any", "5.4", _barred, "no points at first"
    ),
    Tighter(
        "first_trick_points",
        "barred",
        "allowed",
        "5.5",
        lambda it: it.is_("queen_duty", "when_safe"),
        "a duty of the queen",
    ),
    Tighter("queen_duty", "when_safe", "no", "5.6"),
    Tighter("all_hearts_leader", "draw", "lead", "6.2"),
)


def _tighter(pair: Tighter) -> Theorem:
    def claim(it: Decision) -> Any:
        tight = it.options.rules(4, **{pair.option: pair.tight})
        loose = it.options.rules(4, **{pair.option: pair.loose})
        kept = inside(
            position.playable(tight, it.position), position.playable(loose, it.position)
        )
        return kept if pair.unless is None else either(pair.unless(it), kept)

    unless = f", without {pair.why}" if pair.why else ""
    title = f"{pair.option} {pair.tight} leaves no card that {pair.loose} does not"
    return _of_decision(title + unless, pair.clause, claim)


def _tighter_clause(pair: Tighter) -> Theorem:
    def claim(it: Decision) -> Any:
        tight = it.options.rules(4, **{pair.option: pair.tight})
        loose = it.options.rules(4, **{pair.option: pair.loose})
        return inside(
            _by_function(pair.clause, it, it.allowed, tight),
            _by_function(pair.clause, it, it.allowed, loose),
        )

    title = (
        f"{pair.clause} alone leaves no more cards at {pair.tight} than {pair.loose}"
    )
    return _of_decision(title, pair.clause, claim)


# The book equals the code


def functions() -> dict[str, str]:
    """The function that claims each clause with a formal line, as module and name.

    Where several claim it, it is the first that a decision can be put to.
    """
    found: dict[str, str] = {}
    for entry in registry()["clauses"]:
        if entry["number"] in LINES:
            for function in entry["functions"]:
                if set(_parameters(function)) <= {"rules", "position", "allowed"}:
                    found.setdefault(entry["number"], function)
    return found


def _function(name: str) -> Callable[..., Any]:
    module, _, function = name.partition(".")
    found: Callable[..., Any] = getattr(
        {"play": play, "draw": draw, "position": position}[module], function
    )
    return found


def _parameters(name: str) -> tuple[str, ...]:
    try:
        return tuple(inspect.signature(_function(name)).parameters)
    except (AttributeError, KeyError, ValueError):
        return ("unknown",)


FUNCTIONS: Final = functions()
GIVEN: Final = {name: _parameters(name) for name in FUNCTIONS.values()}


def _by_function(
    clause: str, it: Decision, allowed: Any, rules: Rules | None = None
) -> Any:
    """What the function of the clause says in this decision."""
    name = FUNCTIONS[clause]
    given = {
        "rules": rules or it.rules,
        "position": it.position,
        "allowed": allowed,
    }
    return _function(name)(*[given[key] for key in GIVEN[name]])


class InSymbols:
    """Sets and conditions of formal lines as formulas over a decision.

    `sides` are what the signs ask of the sets they are put to: one suit, one card.
    """

    def __init__(self, it: Decision) -> None:
        self._it = it
        self.sides: list[Any] = []

    def cards(self, tree: Set) -> Any:
        """The term of a set."""
        match tree:
            case formal.Named(name):
                return self._named(name)
            case formal.Written(numbers):
                return z3.BitVecVal(cards_in(tuple(numbers)), 52)
            case formal.Suit(of):
                return suit_of(Bits(self._of_one_suit(of)))
            case formal.Lowest(of):
                term = self._of_one_suit(of)
                return term & -term
            case formal.Nonempty(first, second):
                term = self.cards(first)
                return z3.If(term != 0, term, self.cards(second))
            case formal.Joined(sign, left, right):
                one, other = self.cards(left), self.cards(right)
                if sign == "&":
                    return one & other
                return one | other if sign == "|" else one & ~other

    def _named(self, name: str) -> Any:
        it = self._it
        sets = {
            "hand": it.hand,
            "allowed": it.allowed,
            "led": it.first_card,
            "trick": it.trick,
            "clubs": CLUBS,
            "diamonds": DIAMONDS,
            "spades": SPADES,
            "hearts": HEARTS,
            "queen": QUEEN,
            "penalty": Bits(it.penalty),
        }
        return word(sets[name])

    def _of_one_suit(self, tree: Set) -> Any:
        term = self.cards(tree)
        self.sides.append(z3.Or(*[term & ~word(suit) == 0 for suit in SUITS]))
        return term

    def holds(self, tree: Condition) -> Any:
        """The formula of a condition."""
        it = self._it
        match tree:
            case formal.Flag(name):
                flags = {
                    "leading": it.leading,
                    "first_trick": it.first,
                    "hearts_broken": it.broken,
                    "stock": it.stock,
                    "drew": it.drew,
                }
                return truth(flags[name])
            case formal.Is(option, value):
                return it.options.having(option, value)
            case formal.Within(inner, outer):
                return self.cards(inner) & ~self.cards(outer) == 0
            case formal.Holds(of):
                return self.cards(of) != 0
            case formal.Not(of):
                return z3.Not(self.holds(of))
            case formal.And(left, right):
                return z3.And(self.holds(left), self.holds(right))
            case formal.Or(left, right):
                return z3.Or(self.holds(left), self.holds(right))

    def clause(self, lines: Sequence[Formal]) -> Any:
        """What the lines of one clause say: the first that applies decides."""
        conditions = [
            self.holds(line.when) if line.when is not None else z3.BoolVal(True)
            for line in lines
        ]
        if lines[0].must_draw:
            return z3.Or(*conditions)
        left = self._it.allowed.term
        for line, applies in reversed(list(zip(lines, conditions, strict=True))):
            left = z3.If(applies, self.cards(cast(Set, line.leaves)), left)
        return left


def book_theorem(number: str, lines: Sequence[Formal]) -> Theorem:
    """That these formal lines say what the function of the clause does."""

    def claim(it: Decision) -> Any:
        signs = InSymbols(it)
        said = signs.clause(lines)
        done = _by_function(number, it, it.allowed)
        agree = truth(done) == said if lines[0].must_draw else word(done) == said
        return Flag(z3.And(agree, *signs.sides))

    name = FUNCTIONS.get(number, "no function")
    title = f"the formal line of {number} is {name}"
    return _of_decision(title, number, claim, usual=False)


# A deal in symbols


class Deal:
    """A position of so many seats with every part in symbols.

    The stock has two cards, of which none, one or both are drawn.
    """

    def __init__(self, seats: int, name: str = "") -> None:
        self.seats = seats
        self.options = Options()
        self.rules = self.options.rules(seats)
        last = seats - 1
        self.hands = [a_mask(f"{name}hand {seat}") for seat in range(seats)]
        self.taken = [a_mask(f"{name}taken {seat}") for seat in range(seats)]
        self.played = a_mask(f"{name}played")
        self.table = a_mask(f"{name}table")
        self.kitty = a_mask(f"{name}kitty")
        self.pack = a_mask("pack")
        self.card = a_mask("card")
        self.best = a_mask(f"{name}best")
        self.hand = a_mask(f"{name}hand")
        self.stock = (
            a_number(f"{name}stock 0", 0, 51),
            a_number(f"{name}stock 1", 0, 51),
        )
        self.drawn = a_number(f"{name}drawn", 0, 2)
        self.kitty_to = a_number(f"{name}kitty to", -1, last)
        self.winner = a_number(f"{name}winner", 0, last)
        self.leader = a_number(f"{name}leader", 0, last)
        self.turn = a_number(f"{name}turn", 0, last)
        self.out = a_mask(f"{name}out")
        self.empty = a_mask(f"{name}empty")
        self.suit = a_number(f"{name}suit led", 0, 4)
        self.broken = a_flag(f"{name}hearts broken")
        self.done = a_number(f"{name}done", 0, 52)
        self.first = a_flag(f"{name}first trick")
        led = z3.BitVecVal(0, 52)
        for place, suit in enumerate(SUITS, 1):
            led = z3.If(self.suit.term == place, z3.BitVecVal(suit, 52), led)
        self.led = Bits(led)
        tricks = [a_number(f"{name}tricks {seat}", 0, 52) for seat in range(seats)]
        fields: dict[str, Any] = {
            "hands": tuple(self.hands),
            "talon": Talon(
                *cast(Any, (self.stock, self.drawn, self.kitty, self.kitty_to))
            ),
            "piles": Piles(
                *cast(Any, (tuple(self.taken), tuple(tricks), self.done, self.first))
            ),
            "played": self.played,
            "led": self.led,
            "table": self.table,
            "best": self.best,
            "winner": self.winner,
            "leader": self.leader,
            "turn": self.turn,
            "hand": self.hand,
            "drew": (),
            "out": self.out,
            "hearts_broken": self.broken,
            "empty": self.empty,
        }
        self.position = Position(**fields)
        ranges = (
            *((one, 0, 51) for one in self.stock),
            *((one, 0, 52) for one in (*tricks, self.done)),
            (self.drawn, 0, 2),
            (self.kitty_to, -1, last),
            *((one, 0, last) for one in (self.winner, self.leader, self.turn)),
            (self.suit, 0, 4),
        )
        self.assumptions = [
            *self.options.assumptions,
            *[within(*one) for one in ranges],
            self.invariant(self.position),
            self.hand.term != 0,
            self.out.term & ~word(SEAT[last] * 2 - 1) == 0,
            *[
                z3.Implies(number.term == seat, self.out.term & SEAT[seat] == 0)
                for number in (self.leader, self.turn)
                for seat in range(seats)
            ],
            (self.led.term == 0) == (self.table.term == 0),
        ]

    def empty_hands(self, played: Any) -> Any:
        """The seats whose hands hold nothing but these cards."""
        empty = z3.BitVecVal(0, 52)
        for seat, hand in enumerate(self.hands):
            none = hand.term & ~played == 0
            empty = empty | z3.If(none, z3.BitVecVal(SEAT[seat], 52), 0)
        return empty

    def waiting(self, where: Position) -> list[Any]:
        """The stock of the position as sets of one card, none for those drawn."""
        drawn = word(where.talon.drawn, 16)
        return [
            Bits(z3.If(drawn <= place, card_of(number), z3.BitVecVal(0, 52)))
            for place, number in enumerate(where.talon.stock)
        ]

    def invariant(self, where: Position) -> Any:
        """That the parts of this position make up the pack, each card once.

        And that it knows the hand in turn, and which seats hold no card.
        """
        hands = [Bits(word(hand)) for hand in where.hands]
        piles = [*where.piles.taken, where.table]
        parts = [*hands, *self.waiting(where), where.talon.kitty]
        turn = word(where.turn, 16)
        held = word(where.hand)
        at_turn = [
            z3.Implies(turn == seat, held == hand.term & ~word(where.played))
            for seat, hand in enumerate(hands)
        ]
        empty = [
            (word(where.empty) & SEAT[seat] != 0)
            == (hand.term & ~word(where.played) == 0)
            for seat, hand in enumerate(hands)
        ]
        return z3.And(
            *empty,
            word(where.empty) & ~word(SEAT[self.seats - 1] * 2 - 1) == 0,
            *apart(parts),
            together(parts) == self.pack.term,
            *apart(piles),
            together(piles) == word(where.played),
            word(where.played) & ~together(hands) == 0,
            *at_turn,
            z3.Implies(turn < 0, z3.And(held == 0, word(where.table) == 0)),
        )

    def in_hand(self) -> list[Any]:
        """That `card` is a single card of the hand of the seat in turn."""
        return [one_card(self.card), inside(self.card, self.hand).formula]

    def shown(self, model: Any) -> str:
        """The deal in notation."""
        hands = " | ".join(
            _cards_in(model, Bits(hand.term & ~self.played.term)) or "-"
            for hand in self.hands
        )
        turn = _number_in(model, self.turn.term)
        leader = _number_in(model, self.leader.term)
        more = [
            f"hands {hands}",
            f"trick {_cards_in(model, self.table) or '-'}",
            f"leader {leader}",
            f"turn {turn}",
        ]
        for name, cards in (("kitty", self.kitty), ("card", self.card)):
            held = _cards_in(model, cards)
            more += [f"{name} {held}"] if held else []
        taken = [_cards_in(model, pile) or "-" for pile in self.taken]
        if set(taken) != {"-"}:
            more.append(f"taken {' | '.join(taken)}")
        if _holds_in(model, self.broken):
            more.append("hearts broken")
        return "; ".join([*more, *self.options.shown(model)])

    def case(self, run: Callable[[], Any], *assuming: Any) -> Case:
        """A case of a theorem about this deal."""
        masks = [*self.hands, self.kitty, *self.taken, self.table, self.pack]
        wishes = [z3.Not(self.broken.formula), *self.options.wishes()]
        return Case(run, [*self.assumptions, *assuming], self.shown, masks, wishes)


_fresh = iter(range(10**9))


def some_seat(deal: Deal, out: Any) -> Any:
    """Any seat that is not out, as the contract of `next_to_play` has it."""
    seat = a_number(f"some seat {next(_fresh)}", 0, deal.seats - 1)
    allowed = [
        z3.And(seat.term == one, word(out) & SEAT[one] == 0)
        for one in range(deal.seats)
    ]
    assume(z3.Or(*allowed))
    return seat


def _contracts(deal: Deal) -> dict[str, Any]:
    """Stand-ins for the functions that fork over seats, each any value it may give.

    Those that fork over cards are merged instead.
    """
    kept = ("suit_led", "beats")

    return {
        **{name: merged(getattr(position, name)) for name in kept},
        "next_to_play": lambda rules, seat, out: some_seat(deal, out),
        "next_leader": lambda winner, out, players: some_seat(deal, out),
        "breaks_hearts": lambda rules, card: a_flag(f"breaks {next(_fresh)}"),
        "takes_kitty": lambda rules, talon, trick: Flag(
            z3.And(
                a_flag(f"takes {next(_fresh)}").formula,
                talon.kitty_to.term < 0,
                talon.kitty.term != 0,
            )
        ),
    }


def _deals(
    claim: Callable[[Deal], Any],
    assuming: Callable[[Deal], list[Any]] = lambda deal: [],
) -> Callable[[Sequence[int]], Iterator[Case]]:
    """A case for each number of seats, of a claim about any deal."""

    def cases(seats: Sequence[int]) -> Iterator[Case]:
        for number in seats:
            deal = Deal(number)
            yield deal.case(partial(claim, deal), *assuming(deal))

    return cases


def _parts_are_a_partition(deal: Deal) -> Any:
    hands = [Bits(hand.term & ~deal.played.term) for hand in deal.hands]
    lying = [*hands, *deal.waiting(deal.position), deal.kitty, *deal.taken, deal.table]
    return z3_flag(*apart(lying), together(lying) == deal.pack.term)


def z3_flag(*formulas: Any) -> Flag:
    """That all these formulas hold."""
    return Flag(z3.And(*formulas))


def _first_position_keeps(deal: Deal) -> Any:
    """Hands, stock and kitty that make up the pack are a position that does."""
    leader = a_number(f"some leader {next(_fresh)}", 0, deal.seats - 1)
    assume(within(leader, 0, deal.seats - 1))
    with replaced(position, opening_leader=lambda rules, hands, dealer: leader):
        begun = position.first_position(
            deal.rules,
            cast(Any, tuple(deal.hands)),
            cast(Any, deal.stock),
            cast(Any, deal.kitty),
            0,
        )
    parts = [*deal.hands, *[Bits(card_of(one)) for one in deal.stock], deal.kitty]
    dealt = [hand.term != 0 for hand in deal.hands]
    whole = z3_flag(*dealt, *apart(parts), together(parts) == deal.pack.term)
    return implies(whole, Flag(deal.invariant(begun)))


def _draw_keeps(deal: Deal) -> Any:
    with numbers_in_symbols():
        return Flag(deal.invariant(position.after_draw(deal.position)))


def _stock_left(deal: Deal) -> list[Any]:
    return [deal.drawn.term < 2]


def _play_keeps(deal: Deal) -> Any:
    """A play keeps the invariant, or hands a whole trick to the trick end."""
    handed: list[tuple[Any, ...]] = []

    def trick_end(rules: Any, before: Any, *trick: Any) -> Any:
        handed.append(trick)
        return before

    with replaced(position, _after_trick=trick_end, **_contracts(deal)):
        after = position.after_play(deal.rules, deal.position, cast(Any, deal.card))
    if not handed:
        return Flag(deal.invariant(after))
    played, trick, _, winner, _, empty = handed[0]
    return z3_flag(
        word(empty) == deal.empty_hands(deal.played.term | deal.card.term),
        word(played) == deal.played.term | deal.card.term,
        word(trick) == deal.table.term | deal.card.term,
        z3.Or(*[word(winner, 16) == seat for seat in range(deal.seats)]),
    )


def _trick_end(deal: Deal) -> Position:
    with replaced(position, **_contracts(deal)):
        return position._after_trick(
            deal.rules,
            deal.position,
            *cast(
                Any,
                (
                    deal.played | deal.card,
                    deal.table | deal.card,
                    deal.best,
                    deal.winner,
                    deal.broken,
                    Bits(deal.empty_hands(deal.played.term | deal.card.term)),
                ),
            ),
        )


def _trick_end_keeps(deal: Deal) -> Any:
    return Flag(deal.invariant(_trick_end(deal)))


def _trick_is_taken(deal: Deal) -> Any:
    after = _trick_end(deal)
    won = [deal.winner.term == seat for seat in range(deal.seats)]
    trick = deal.table.term | deal.card.term
    return z3_flag(
        *[
            word(pile)
            == z3.If(won[seat], deal.taken[seat].term | trick, deal.taken[seat].term)
            for seat, pile in enumerate(after.piles.taken)
        ],
        *[word(hand) == deal.hands[seat].term for seat, hand in enumerate(after.hands)],
        word(after.played) == deal.played.term | deal.card.term,
    )


def _one_card_moves(deal: Deal) -> Any:
    marked = deal.position
    with replaced(position, _after_trick=lambda *_: marked, **_contracts(deal)):
        after = position.after_play(deal.rules, deal.position, cast(Any, deal.card))
    if after is marked:
        return True
    return z3_flag(
        *[word(a) == b.term for a, b in zip(after.hands, deal.hands, strict=True)],
        *[
            word(a) == b.term
            for a, b in zip(after.piles.taken, deal.taken, strict=True)
        ],
        word(after.played) == deal.played.term | deal.card.term,
        word(after.table) == deal.table.term | deal.card.term,
        word(after.talon.kitty) == deal.kitty.term,
        word(after.talon.drawn, 16) == deal.drawn.term,
    )


def _highest(cards: Any, best: Any) -> Any:
    """That `best` is the highest single card of these."""
    return z3.And(best & cards == best, best != 0, z3.ULT(cards & ~best, best))


def _wins(deal: Deal) -> Any:
    """That best and winner are the highest card of the suit led and who played it."""
    ended: list[tuple[Any, Any]] = []

    def trick_end(*given: Any) -> Any:
        ended.append((given[4], given[5]))
        return deal.position

    with replaced(position, _after_trick=trick_end, **_contracts(deal)):
        after = position.after_play(deal.rules, deal.position, cast(Any, deal.card))
    best, winner = ended[0] if ended else (after.best, after.winner)
    leads = deal.led.term == 0
    led = z3.If(leads, suit_of(deal.card), deal.led.term)
    takes = z3.Or(leads, word(best) == deal.card.term)
    claims = [
        _highest((deal.table.term | deal.card.term) & led, word(best)),
        word(winner, 16) == z3.If(takes, deal.turn.term, deal.winner.term),
    ]
    if not ended:
        claims.append(word(after.led) == led)
    return z3_flag(*claims)


def _best_so_far(deal: Deal) -> list[Any]:
    highest = _highest(deal.table.term & deal.led.term, deal.best.term)
    return [*deal.in_hand(), z3.Implies(deal.led.term != 0, highest)]


def _breaks(deal: Deal) -> Any:
    """That hearts are broken after a play where they were, or are by that card."""
    contracts = _contracts(deal)
    contracts["breaks_hearts"] = merged(vars(position)["breaks_hearts"])
    ended: list[Any] = []

    def trick_end(*given: Any) -> Any:
        ended.append(given[6])
        return deal.position

    with replaced(position, _after_trick=trick_end, **contracts):
        after = position.after_play(deal.rules, deal.position, cast(Any, deal.card))
    queen = both(
        Flag(deal.options.having("queen_breaks_hearts", True)),
        same(deal.card, QUEEN),
    )
    now = ended[0] if ended else after.hearts_broken
    return Flag(truth(now)) == either(deal.broken, inside(deal.card, HEARTS), queen)


def _taken_back(deal: Deal) -> Any:
    """Taking a card back keeps the invariant: the piles of then, the hands of now."""
    now = Deal(deal.seats, "now ")
    back = position.taken_back(deal.position, now.position)
    grown = [
        z3.And(
            inside(a, b).formula,
            (b.term & ~a.term) & ~came == 0,
            z3.Implies(a.term & ~deal.played.term == 0, a.term == b.term),
        )
        for a, b in zip(deal.hands, now.hands, strict=True)
        for came in [_drawn_since(deal, now)]
    ]
    since = z3_flag(
        now.invariant(now.position),
        *grown,
        *[a.term == b.term for a, b in zip(deal.stock, now.stock, strict=True)],
        now.kitty.term == deal.kitty.term,
        now.drawn.term >= deal.drawn.term,
        within(now.drawn, 0, 2),
    )
    return implies(since, Flag(deal.invariant(back)))


def _drawn_since(deal: Deal, now: Deal) -> Any:
    came = z3.BitVecVal(0, 52)
    for place, number in enumerate(deal.stock):
        drawn = z3.And(deal.drawn.term <= place, now.drawn.term > place)
        came = came | z3.If(drawn, card_of(number), z3.BitVecVal(0, 52))
    return came


def _opens(deal: Deal) -> Any:
    """That the opening leader is the one who holds the lowest club of all hands."""
    leader = play.opening_leader(deal.rules, cast(Any, tuple(deal.hands)), 0)
    clubs = together(deal.hands) & CLUBS
    lowest = clubs & -clubs
    left = Flag(deal.options.having("opening_leader", "left_of_dealer"))
    neighbour = 1 % deal.seats
    held = deal.hands[int(leader)].term & lowest != 0
    return z3_flag(
        z3.If(
            z3.Or(truth(left), clubs == 0), z3.BoolVal(int(leader) == neighbour), held
        )
    )


def _plays_next(deal: Deal) -> Any:
    """`next_to_play` meets its contract, and passes over nobody who still plays."""
    rules = deal.rules
    seat = deal.turn.__index__()
    after = play.next_to_play(rules, seat, cast(Any, deal.out)).__index__()
    step = -1 if rules.counterclockwise else 1
    over = (after - seat) * step % deal.seats or deal.seats
    between = [(seat + step * one) % deal.seats for one in range(1, over)]
    return z3_flag(
        deal.out.term & SEAT[after] == 0,
        *[deal.out.term & SEAT[one] != 0 for one in between],
    )


def _leads_next(deal: Deal) -> Any:
    """`next_leader` meets its contract: the winner, or the nearest on the left."""
    winner = deal.winner.__index__()
    leader = draw.next_leader(winner, cast(Any, deal.out), deal.seats).__index__()
    between = [
        (winner + one) % deal.seats for one in range((leader - winner) % deal.seats)
    ]
    return z3_flag(
        deal.out.term & SEAT[leader] == 0,
        *[deal.out.term & SEAT[one] != 0 for one in between],
    )


def _kitty_goes(deal: Deal) -> Any:
    """`takes_kitty` meets its contract: a kitty that lies, a trick with penalties."""
    penalty = z3.If(deal.options.having("heart_points", 0), word(0), word(HEARTS))
    penalty = penalty | z3.If(
        deal.options.having("queen_points", 0), word(0), word(QUEEN)
    )
    took = play.takes_kitty(deal.rules, deal.position.talon, cast(Any, deal.table))
    lies = z3.And(deal.kitty.term != 0, deal.kitty_to.term < 0)
    return Flag(truth(took) == z3.And(lies, deal.table.term & penalty != 0))


def _pass_keeps(way: int) -> Callable[[Deal], Any]:
    """That what the seats receive are the cards they handed in, each card once."""

    def claim(deal: Deal) -> Any:
        packets = [
            Packet(cast(Any, pile), (), cast(Any, a_flag(f"unseen {seat}")))
            for seat, pile in enumerate(deal.taken)
        ]
        unseen = [truth(packet.unseen) for packet in packets]
        nothing = [
            z3.Implies(unseen[seat], pile.term == 0)
            for seat, pile in enumerate(deal.taken)
        ]
        received = passing.exchange(way, tuple(packets))
        return implies(
            z3_flag(*nothing, *apart(deal.taken)),
            z3_flag(*apart(received), together(received) == together(deal.taken)),
        )

    return claim


def _even(
    cases: Callable[[Sequence[int]], Iterator[Case]],
) -> Callable[[Sequence[int]], Iterator[Case]]:
    return lambda seats: cases([number for number in seats if number % 2 == 0])


def _at_most(
    most: int, cases: Callable[[Sequence[int]], Iterator[Case]]
) -> Callable[[Sequence[int]], Iterator[Case]]:
    """The cases of tables where the seats are few enough to fork over all sets."""
    return lambda seats: cases([number for number in seats if number <= most])


def theorems() -> list[Theorem]:
    """All theorems, in the order of the table."""
    narrowing = ("5.2", "5.3", "5.4", "5.5", "5.6")
    in_hand = Deal.in_hand
    return [
        _of_decision(
            "something legal remains, or a draw is due",
            "0.12 5.2 5.3 5.4 5.5 5.6 6.1 6.2",
            _something_legal,
        ),
        _of_decision(
            "nothing may be played exactly while a draw is due",
            "6.1 6.2",
            _draw_or_play,
        ),
        _of_decision("legal cards lie in the hand", "5.7 5.8", _in_hand),
        *[
            _of_decision(
                f"{number} leaves some of the cards allowed", number, _yielding(number)
            )
            for number in narrowing
        ],
        _of_decision(
            "who can follow plays the suit led, all of it but for 5.5 and 5.6",
            "5.3 5.5 5.6",
            _follows,
        ),
        _of_decision(
            "who cannot follow plays anything but for 5.5, 5.6, 6.1",
            "5.8 6.5",
            _cannot_follow,
        ),
        _of_decision(
            "unbroken hearts are led from hearts alone, or with the queen (5.4b)",
            "5.4 5.4b",
            _heart_leads,
        ),
        _of_decision(
            "a leader of hearts alone leads any where none is to be drawn",
            "5.4a 6.5",
            _only_hearts,
        ),
        _of_decision(
            "a leader of hearts and the queen: the queen, or any of them",
            "5.4b",
            _hearts_and_queen,
        ),
        _of_decision(
            "after the first trick free or broken hearts leave every lead",
            "5.4 5.8",
            _free_leads,
        ),
        _of_decision("a club opens, the lowest or any", "5.2", _openings),
        _of_decision(
            "points at a barred first trick only from nothing but points",
            "5.5 5.5a",
            _no_points,
        ),
        _of_decision("the queen goes where she is owed", "5.6", _queen_duty),
        _of_decision("a draw is due by 6.1 and 6.2 alone", "6.1 6.2 6.3", _draws_due),
        _of_decision(
            "the card that comes is the only card to play", "6.4a", _card_that_comes
        ),
        _of_decision(
            "no narrowing clause is named exactly when the card is legal",
            "0.7a",
            _verdict_is_legality,
        ),
        Theorem(
            "the judge of a play: turn, conditions, then legality",
            ("0.7a", "2.3", "5.7", "6.1", "6.2"),
            _judged_cases,
        ),
        _of_decision(
            "5.2 meets no 5.3 or 5.6, 5.4 no 5.3 or 5.6, at one decision",
            "5.2 5.3 5.4 5.6",
            _never_meet,
        ),
        *[_tighter(pair) for pair in TIGHTER],
        *[_tighter_clause(pair) for pair in TIGHTER if pair.clause in narrowing],
        *[book_theorem(number, lines) for number, lines in LINES.items()],
        Theorem(
            "hands, stock, kitty, table and taken share out the pack",
            ("0.9", "5.11", "5.13"),
            _deals(_parts_are_a_partition),
        ),
        Theorem(
            "the first position has all the pack",
            ("3.11",),
            _deals(_first_position_keeps),
        ),
        Theorem(
            "a draw keeps all the pack", ("6.4",), _deals(_draw_keeps, _stock_left)
        ),
        Theorem("a play keeps all the pack", ("5.12",), _deals(_play_keeps, in_hand)),
        Theorem(
            "the end of a trick keeps all the pack",
            ("5.11", "5.13", "5.14"),
            _deals(_trick_end_keeps, in_hand),
        ),
        Theorem(
            "taking a card back keeps all the pack",
            ("7.5", "7.5a"),
            _deals(_taken_back),
        ),
        Theorem(
            "a play moves exactly one card", ("5.12",), _deals(_one_card_moves, in_hand)
        ),
        Theorem(
            "the winner takes the trick and nobody anything else",
            ("5.11",),
            _deals(_trick_is_taken, in_hand),
        ),
        Theorem(
            "the highest card of the suit led wins",
            ("5.10", "5.3"),
            _deals(_wins, _best_so_far),
        ),
        Theorem(
            "hearts are broken by a heart, and by the queen where she does",
            ("5.9", "5.9a"),
            _deals(_breaks, in_hand),
        ),
        Theorem(
            "the lowest club opens, without one the left of the dealer",
            ("5.1", "5.1a"),
            _at_most(4, _deals(_opens)),
        ),
        Theorem(
            "the turn goes to the next seat that is not out",
            ("2.2", "5.12"),
            _deals(_plays_next),
        ),
        Theorem(
            "the winner leads, or the nearest on the left",
            ("5.11", "6.7"),
            _deals(_leads_next),
        ),
        Theorem(
            "the kitty goes with the first trick that has a penalty card",
            ("5.13", "1.4"),
            _deals(_kitty_goes),
        ),
        *[
            Theorem(
                f"a pass {name} moves each card once, forwards too",
                ("4.2", "4.8", "4.9b"),
                _at_most(6, cases),
            )
            for name, cases in (
                ("left", _deals(_pass_keeps(LEFT))),
                ("right", _deals(_pass_keeps(RIGHT))),
                ("across", _even(_deals(_pass_keeps(ACROSS)))),
            )
        ],
    ]


def main(arguments: list[str] | None = None) -> int:
    """Print the table; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m conformance.proofs")
    parser.add_argument("--deep", action="store_true", help="tables of 2 to 13 seats")
    parser.add_argument("--only", default="", help="theorems whose title has this")
    given = parser.parse_args(arguments)
    if why_not():
        print(why_not(), file=sys.stderr)
        return 2
    seats = ALL_SEATS if given.deep else SEATS
    start = time.perf_counter()
    outcomes: list[Proved] = []
    for theorem in theorems():
        if given.only in theorem.title:
            outcomes.append(prove(theorem, seats))
            print(outcomes[-1], flush=True)
    broken = sum(1 for outcome in outcomes if outcome.counterexample)
    seconds = time.perf_counter() - start
    number = sum(outcome.paths for outcome in outcomes)
    print(
        f"{len(outcomes)} theorems, {number} paths, {seats[0]} to {seats[-1]} seats, "
        f"{seconds:.0f} s: {len(outcomes) - broken} proved, {broken} broken"
    )
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
