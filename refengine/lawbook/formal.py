"""The notation of formal lines: parsed, and evaluated over plain sets of card numbers.

It shares nothing with the clause functions, so that each can be checked by the other.
Clause 0.8.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

import attrs

from refengine.errors import Malformed
from refengine.lawbook.options import BY_NAME, Option, Value, option_named

Cards = frozenset[int]

_RANKS: Final = "23456789TJQKA"
_SUITS: Final = "CDSH"
_PLACES: Final = {
    rank + suit: 13 * place + height
    for place, suit in enumerate(_SUITS)
    for height, rank in enumerate(_RANKS)
}
_OF_SUIT: Final = {
    name: frozenset(range(13 * place, 13 * place + 13))
    for place, name in enumerate(("clubs", "diamonds", "spades", "hearts"))
}
_QUEEN: Final = frozenset({_PLACES["QS"]})
_KING: Final = frozenset({_PLACES["KS"]})
_ACE: Final = frozenset({_PLACES["AS"]})
FLAGS: Final = ("first_trick", "hearts_broken", "stock", "drew")
_A_CARD: Final = "a rank of 23456789TJQKA and a suit of CDSH"


def _cards(words: Iterable[str], where: str) -> tuple[int, ...]:
    """The numbers of the cards that these words name, in the order written."""
    numbers: list[int] = []
    for word in words:
        number = _PLACES.get(word)
        if number is None or number in numbers:
            raise Malformed(repr(word), f"{_A_CARD}, each card once", where)
        numbers.append(number)
    return tuple(numbers)


def _of_one_suit(cards: Cards, where: str) -> Cards:
    if len({card // 13 for card in cards}) > 1:
        raise Malformed("cards of several suits", "cards of one suit", where)
    return cards


def _value(option: Option, text: str, where: str) -> Value:
    """The value of the option that this text stands for."""
    value: Value = text
    if isinstance(option.base, bool):
        value = {"true": True, "false": False}.get(text, text)
    elif re.fullmatch("-?[0-9]{1,9}", text):
        value = int(text)
    try:
        return option.read(value)
    except Malformed as fault:
        raise Malformed(f"{text!r:.40}", fault.allowed, where) from None


def _all_values(values: Mapping[str, Value]) -> Mapping[str, Value]:
    """Every option with its value: the one given, or else the base value."""
    given = {name: option_named(name).read(value) for name, value in values.items()}
    bases = {name: option.base for name, option in BY_NAME.items()}
    return MappingProxyType(bases | given)


def _set_of(cards: Iterable[int]) -> Cards:
    return frozenset(cards)


def _all_flags(flags: Iterable[str]) -> frozenset[str]:
    for flag in flags:
        if flag not in FLAGS:
            raise Malformed(f"{flag!r:.40}", ", ".join(FLAGS), "flags")
    return frozenset(flags)


@attrs.frozen
class Context:
    """What a formal line is about: cards by number, the flags that hold, the options.

    `trick` holds the cards on the table in the order played. An option that is not in
    `options` has its base value. Raises Malformed for an unknown flag, option or value.
    """

    hand: Cards = attrs.field(converter=_set_of)
    allowed: Cards = attrs.field(converter=_set_of)
    trick: tuple[int, ...] = ()
    flags: frozenset[str] = attrs.field(default=frozenset(), converter=_all_flags)
    options: Mapping[str, Value] = attrs.field(
        factory=dict, converter=_all_values, hash=False
    )

    @property
    def led(self) -> int | None:
        """The card led to the trick, None when leading."""
        return self.trick[0] if self.trick else None

    @property
    def penalty(self) -> Cards:
        """The cards that cost points."""
        costs = self.options
        hearts = _OF_SUIT["hearts"] if costs["heart_points"] != 0 else frozenset()
        queen = _QUEEN if costs["queen_points"] else frozenset()
        king = _KING if costs["king_points"] else frozenset()
        ace = _ACE if costs["ace_points"] else frozenset()
        return hearts | queen | king | ace

    @classmethod
    def of_example(cls, hand: str, trick: str, given: str) -> Context:
        """The context that these three cells of a table of examples describe.

        The whole hand is allowed. Raises Malformed if a cell does not have this form.
        """
        held = frozenset(_cards(hand.split(), "hand"))
        flags: list[str] = []
        options: dict[str, Value] = {}
        for word in filter(None, given.split(", ")):
            name, equals, value = word.partition("=")
            if equals:
                options[name] = _value(option_named(name), value, "given")
            else:
                flags.append(name.replace(" ", "_"))
        return cls(held, held, _cards(trick.split(), "trick"), flags, options)


SetIn = Callable[[Context], Cards]
HoldsIn = Callable[[Context], bool]

_SETS: Final[Mapping[str, SetIn]] = {
    "hand": lambda context: context.hand,
    "allowed": lambda context: context.allowed,
    "led": lambda context: frozenset(context.trick[:1]),
    "trick": lambda context: frozenset(context.trick),
    "clubs": lambda context: _OF_SUIT["clubs"],
    "diamonds": lambda context: _OF_SUIT["diamonds"],
    "spades": lambda context: _OF_SUIT["spades"],
    "hearts": lambda context: _OF_SUIT["hearts"],
    "queen": lambda context: _QUEEN,
    "penalty": lambda context: context.penalty,
}


@attrs.frozen
class Named:
    """A set with a name of its own."""

    name: str

    def cards(self, context: Context) -> Cards:
        """The cards of the set."""
        return _SETS[self.name](context)


@attrs.frozen
class Written:
    """A set written out between braces."""

    numbers: Cards

    def cards(self, context: Context) -> Cards:
        """The cards of the set."""
        return self.numbers


@attrs.frozen
class SuitTerm:
    """All cards of the suit of the card in a set."""

    of: Set

    def cards(self, context: Context) -> Cards:
        """The cards of the set."""
        suits = {card // 13 for card in _of_one_suit(self.of.cards(context), "suit")}
        return frozenset(card for card in range(52) if card // 13 in suits)


@attrs.frozen
class Lowest:
    """The card of lowest rank in a set of one suit."""

    of: Set

    def cards(self, context: Context) -> Cards:
        """The cards of the set."""
        cards = sorted(_of_one_suit(self.of.cards(context), "lowest"))
        return frozenset(cards[:1])


@attrs.frozen
class Nonempty:
    """The first of two sets if it holds a card, else the second."""

    first: Set
    second: Set

    def cards(self, context: Context) -> Cards:
        """The cards of the set."""
        return self.first.cards(context) or self.second.cards(context)


@attrs.frozen
class Joined:
    """Two sets joined by one of the signs `&`, `|` and `-`."""

    sign: str
    left: Set
    right: Set

    def cards(self, context: Context) -> Cards:
        """The cards of the set."""
        left, right = self.left.cards(context), self.right.cards(context)
        if self.sign == "&":
            return left & right
        return left | right if self.sign == "|" else left - right


Set = Named | Written | SuitTerm | Lowest | Nonempty | Joined


@attrs.frozen
class Flag:
    """A condition with a name of its own."""

    name: str

    def holds(self, context: Context) -> bool:
        """Whether the condition holds."""
        if self.name == "leading":
            return not context.trick
        return self.name in context.flags


@attrs.frozen
class Is:
    """The condition that an option has a value."""

    option: str
    value: Value

    def holds(self, context: Context) -> bool:
        """Whether the condition holds."""
        return context.options[self.option] == self.value


@attrs.frozen
class Within:
    """The condition that every card of one set is in another."""

    inner: Set
    outer: Set

    def holds(self, context: Context) -> bool:
        """Whether the condition holds."""
        return self.inner.cards(context) <= self.outer.cards(context)


@attrs.frozen
class Holds:
    """The condition that a set holds a card."""

    of: Set

    def holds(self, context: Context) -> bool:
        """Whether the condition holds."""
        return bool(self.of.cards(context))


@attrs.frozen
class Not:
    """The condition that another does not hold."""

    of: Condition

    def holds(self, context: Context) -> bool:
        """Whether the condition holds."""
        return not self.of.holds(context)


@attrs.frozen
class And:
    """The condition that two others hold."""

    left: Condition
    right: Condition

    def holds(self, context: Context) -> bool:
        """Whether the condition holds."""
        return self.left.holds(context) and self.right.holds(context)


@attrs.frozen
class Or:
    """The condition that at least one of two others holds."""

    left: Condition
    right: Condition

    def holds(self, context: Context) -> bool:
        """Whether the condition holds."""
        return self.left.holds(context) or self.right.holds(context)


Condition = Flag | Is | Within | Holds | Not | And | Or
Tree = Set | Condition
_SET_TREES: Final = (Named, Written, SuitTerm, Lowest, Nonempty, Joined)


@attrs.frozen(repr=False)
class Formal:
    """One formal line: the condition under which it applies, and what it then leaves.

    A condition of None means always. The `leaves` of a line that says when a draw is
    due is None. `options` holds the options that the line names.
    """

    line: str
    when: Condition | None
    leaves: Set | None
    options: tuple[str, ...]

    @property
    def must_draw(self) -> bool:
        """Whether the line says when a draw is due."""
        return self.leaves is None

    def applies(self, context: Context) -> bool:
        """Whether the condition of the line holds."""
        return self.when is None or self.when.holds(context)

    def __repr__(self) -> str:
        return self.line


_TOKEN: Final = re.compile(r"\s*(?:(allowed'|[A-Za-z0-9_]+|<=|[-&|(){},:=])|(\S)|$)")
_LONGEST: Final = 100
_SET_WORDS: Final = (*_SETS, "suit", "lowest", "nonempty", "{", "(")


@attrs.frozen
class _Token:
    text: str
    column: int

    @property
    def place(self) -> str:
        return f"column {self.column}"

    @property
    def shown(self) -> str:
        return repr(self.text) if self.text else "the end of the line"


def _tokens(line: str) -> list[_Token]:
    """The words and signs of the line, followed by an empty one that marks its end."""
    tokens: list[_Token] = []
    for found in _TOKEN.finditer(line):
        text, odd = found.groups()
        if odd:
            place = f"column {found.start(2) + 1}"
            raise Malformed(repr(odd), "a word or one of & | - <= ( ) { } , : =", place)
        if text:
            tokens.append(_Token(text, found.start(1) + 1))
    if len(tokens) > _LONGEST:
        allowed = f"at most {_LONGEST} words and signs"
        raise Malformed(f"{len(tokens)} words and signs", allowed)
    return [*tokens, _Token("", len(line) + 1)]


def parse_formal_line(line: str) -> Formal:
    """The formal line that this text is.

    Raises Malformed, with the column, if it is not one.
    """
    return _Parser(line).formal()


class _Parser:
    """Reads one line from left to right, with a method for each level of precedence."""

    def __init__(self, line: str) -> None:
        self._line = line
        self._tokens = _tokens(line)
        self._at = 0
        self._options: list[str] = []

    def formal(self) -> Formal:
        """The whole line."""
        when: Condition | None = None
        leaves: Set | None = None
        draws = self._took("must_draw")
        if draws:
            self._expect("when")
            when = self._condition()
        else:
            if self._took("when"):
                when = self._condition()
                self._expect(":")
            self._expect("allowed'")
            self._expect("=")
            leaves = self._set_at(self._next, self._either())
        self._expect("")
        return Formal(self._line, when, leaves, tuple(dict.fromkeys(self._options)))

    @property
    def _next(self) -> _Token:
        return self._tokens[self._at]

    def _took(self, text: str) -> bool:
        """Whether this token comes next; if it does, it is consumed."""
        if self._next.text != text:
            return False
        self._at += 1
        return True

    def _expect(self, text: str) -> None:
        if self._next.text != text:
            raise self._unexpected(repr(text) if text else "the end of the line")
        self._at += 1

    def _unexpected(self, allowed: str) -> Malformed:
        return Malformed(self._next.shown, allowed, self._next.place)

    def _word(self) -> _Token:
        token = self._next
        self._at += 1
        return token

    def _condition(self) -> Condition:
        return _as_condition(self._either())

    def _either(self) -> Tree:
        tree = self._both()
        while self._took("or"):
            tree = Or(_as_condition(tree), _as_condition(self._both()))
        return tree

    def _both(self) -> Tree:
        tree = self._denied()
        while self._took("and"):
            tree = And(_as_condition(tree), _as_condition(self._denied()))
        return tree

    def _denied(self) -> Tree:
        if self._took("not"):
            return Not(_as_condition(self._denied()))
        return self._compared()

    def _compared(self) -> Tree:
        start = self._next
        tree = self._united()
        if not self._took("<="):
            return tree
        inner = self._set_at(start, tree)
        return Within(inner, self._set_at(self._next, self._united()))

    def _united(self) -> Tree:
        start = self._next
        tree = self._met()
        while self._next.text in ("|", "-"):
            sign = self._word().text
            right = self._set_at(self._next, self._met())
            tree = Joined(sign, self._set_at(start, tree), right)
        return tree

    def _met(self) -> Tree:
        start = self._next
        tree = self._primary()
        while self._took("&"):
            right = self._set_at(self._next, self._primary())
            tree = Joined("&", self._set_at(start, tree), right)
        return tree

    def _primary(self) -> Tree:
        if self._took("("):
            tree = self._either()
            self._expect(")")
            return tree
        if self._took("{"):
            return self._written()
        name = self._next.text
        if name and self._tokens[self._at + 1].text == "is":
            return self._option()
        if name in _SETS:
            return Named(self._word().text)
        if name in (*FLAGS, "leading"):
            return Flag(self._word().text)
        return self._called()

    def _written(self) -> Set:
        words: list[str] = []
        place = self._next.place
        while self._next.text not in ("}", ""):
            words.append(self._word().text)
        self._expect("}")
        return Written(frozenset(_cards(words, place)))

    def _option(self) -> Condition:
        token = self._word()
        if token.text not in BY_NAME:
            names = ", ".join(BY_NAME)
            raise Malformed(token.shown, f"one of the options {names}", token.place)
        self._expect("is")
        place = self._next.place
        sign = "-" if self._took("-") else ""
        value = _value(BY_NAME[token.text], sign + self._word().text, place)
        self._options.append(token.text)
        return Is(token.text, value)

    def _called(self) -> Set:
        name = self._next.text
        if name not in ("suit", "lowest", "nonempty"):
            names = ", ".join([*_SET_WORDS, "leading", *FLAGS, "OPTION is VALUE"])
            raise self._unexpected(names)
        self._at += 1
        self._expect("(")
        first = self._set_at(self._next, self._either())
        if name == "nonempty":
            self._expect(",")
            tree: Set = Nonempty(first, self._set_at(self._next, self._either()))
        else:
            tree = SuitTerm(first) if name == "suit" else Lowest(first)
        self._expect(")")
        return tree

    def _set_at(self, start: _Token, tree: Tree) -> Set:
        """The tree that begins at this token, which must be a set."""
        if isinstance(tree, _SET_TREES):
            return tree
        raise Malformed("a condition", "a set", start.place)


def _as_condition(tree: Tree) -> Condition:
    """The tree as a condition; a set becomes the condition that it holds a card."""
    return Holds(tree) if isinstance(tree, _SET_TREES) else tree


def cards_left_by(formals: Sequence[Formal], context: Context) -> Cards:
    """The cards allowed that the lines of one clause leave.

    Raises Malformed if one of the lines says when a draw is due.
    """
    for formal in formals:
        if formal.leaves is None:
            raise Malformed(str(formal), "lines that leave cards")
        if formal.applies(context):
            return formal.leaves.cards(context)
    return context.allowed


def must_draw(formal: Formal, context: Context) -> bool:
    """Whether the line makes a draw due.

    Raises Malformed if the line is one that leaves cards.
    """
    if not formal.must_draw:
        raise Malformed(str(formal), "a line that says when a draw is due")
    return formal.applies(context)
