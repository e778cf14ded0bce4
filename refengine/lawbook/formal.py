"""Formal lines: parsing them, and evaluating them over plain sets of card numbers.

The conditions and sets of a line are Python expressions, except for cards in braces, so
Python's own parser reads them. Nothing is shared with the clause functions, so that
lines and functions can be checked against each other.
Clause 0.8.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import reduce
from types import MappingProxyType
from typing import Final

import attrs

from refengine.errors import Malformed
from refengine.lawbook.options import BY_NAME, Value, option_named, value_typed
from refengine.machine.notation import read_sequence

Cards = frozenset[int]

FLAGS: Final = ("first_trick", "hearts_broken", "stock", "drew")
_OF_SUIT: Final = {
    name: frozenset(range(13 * place, 13 * place + 13))
    for place, name in enumerate(("clubs", "diamonds", "spades", "hearts"))
}
_QUEEN: Final = frozenset(read_sequence("QS"))
_COSTS: Final = {
    "heart_points": _OF_SUIT["hearts"],
    "queen_points": _QUEEN,
    "king_points": frozenset(read_sequence("KS")),
    "ace_points": frozenset(read_sequence("AS")),
}


@contextmanager
def _read_at(where: str) -> Iterator[None]:
    """Return a context that gives this place to any Malformed raised in it."""
    try:
        yield
    except Malformed as fault:
        raise Malformed(fault.found, fault.allowed, where) from None


def _option_value(name: str, text: str) -> Value:
    """The value that the text gives to the option with this name."""
    option = option_named(name)
    return option.read(value_typed(option, text))


def _all_values(values: Mapping[str, Value]) -> Mapping[str, Value]:
    """The value of every option: as in `values`, or otherwise its base value."""
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
    """The situation in which a formal line is evaluated.

    `hand`, `allowed` and `trick` hold the numbers of cards; those in `trick` are on the
    table, in the order played. `flags` are the named conditions that hold. An option
    that is not in `options` has its base value. Raises Malformed for an unknown flag,
    option or value.
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
        """The number of the card led to the trick; None if no card has been led."""
        return self.trick[0] if self.trick else None

    @property
    def penalty(self) -> Cards:
        """The cards that cost points."""
        costly = [cards for name, cards in _COSTS.items() if self.options[name]]
        return frozenset().union(*costly)

    @classmethod
    def of_example(cls, hand: str, trick: str, given: str) -> Context:
        """The context that these three cells of a table of examples describe.

        The whole hand is allowed. Raises Malformed if a cell cannot be read.
        """
        flags: list[str] = []
        options: dict[str, Value] = {}
        with _read_at("hand"):
            held = read_sequence(hand)
        with _read_at("trick"):
            table = read_sequence(trick)
        with _read_at("given"):
            for word in filter(None, given.split(", ")):
                name, equals, value = word.partition("=")
                if equals:
                    options[name] = _option_value(name, value)
                else:
                    flags.append(name.replace(" ", "_"))
        return cls(held, held, table, flags, options)


def _of_one_suit(cards: Cards) -> Cards:
    if len({card // 13 for card in cards}) > 1:
        raise Malformed("cards of several suits", "cards of one suit")
    return cards


# The tree of a line: each set has `_cards` in a context, and each condition `_holds`

_SETS: Final[Mapping[str, Callable[[Context], Cards]]] = {
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
_SIGNS: Final[Mapping[str, Callable[[Cards, Cards], Cards]]] = {
    "&": operator.and_,
    "|": operator.or_,
    "-": operator.sub,
}


@attrs.frozen
class Named:
    """A set that the notation has a name for, such as `hand` or `clubs`."""

    name: str

    def _cards(self, context: Context) -> Cards:
        return _SETS[self.name](context)


@attrs.frozen
class Written:
    """A set whose cards are listed in braces."""

    numbers: Cards

    def _cards(self, context: Context) -> Cards:
        return self.numbers


@attrs.frozen
class SuitTerm:
    """All cards of the suit to which the cards of a set belong."""

    of: Set

    def _cards(self, context: Context) -> Cards:
        suits = {card // 13 for card in _of_one_suit(self.of._cards(context))}
        return frozenset(card for card in range(52) if card // 13 in suits)


@attrs.frozen
class Lowest:
    """The card of lowest rank in a set of one suit."""

    of: Set

    def _cards(self, context: Context) -> Cards:
        return frozenset(sorted(_of_one_suit(self.of._cards(context)))[:1])


@attrs.frozen
class Nonempty:
    """The first of two sets if it holds a card, and otherwise the second."""

    first: Set
    second: Set

    def _cards(self, context: Context) -> Cards:
        return self.first._cards(context) or self.second._cards(context)


@attrs.frozen
class Joined:
    """Two sets joined by one of the signs `&`, `|` and `-`."""

    sign: str
    left: Set
    right: Set

    def _cards(self, context: Context) -> Cards:
        return _SIGNS[self.sign](self.left._cards(context), self.right._cards(context))


Set = Named | Written | SuitTerm | Lowest | Nonempty | Joined


@attrs.frozen
class Flag:
    """A condition that the notation has a name for, such as `leading`."""

    name: str

    def _holds(self, context: Context) -> bool:
        if self.name == "leading":
            return not context.trick
        return self.name in context.flags


@attrs.frozen
class Is:
    """The condition that an option has a value."""

    option: str
    value: Value

    def _holds(self, context: Context) -> bool:
        return context.options[self.option] == self.value


@attrs.frozen
class Within:
    """The condition that every card of one set is in another."""

    inner: Set
    outer: Set

    def _holds(self, context: Context) -> bool:
        return self.inner._cards(context) <= self.outer._cards(context)


@attrs.frozen
class Holds:
    """The condition that a set holds a card."""

    of: Set

    def _holds(self, context: Context) -> bool:
        return bool(self.of._cards(context))


@attrs.frozen
class Not:
    """The condition that another condition does not hold."""

    of: Condition

    def _holds(self, context: Context) -> bool:
        return not self.of._holds(context)


@attrs.frozen
class And:
    """The condition that two other conditions both hold."""

    left: Condition
    right: Condition

    def _holds(self, context: Context) -> bool:
        return self.left._holds(context) and self.right._holds(context)


@attrs.frozen
class Or:
    """The condition that at least one of two other conditions holds."""

    left: Condition
    right: Condition

    def _holds(self, context: Context) -> bool:
        return self.left._holds(context) or self.right._holds(context)


Condition = Flag | Is | Within | Holds | Not | And | Or


@attrs.frozen(repr=False)
class Formal:
    """A formal line: a condition, and the cards that may be played if it holds.

    `when` is the condition, or None if the line always applies, and `leaves` the set of
    cards. If the line says when a draw is due, `leaves` is None.
    """

    line: str
    when: Condition | None
    leaves: Set | None

    @property
    def options(self) -> tuple[str, ...]:
        """The options that the line names, in the order of their first mention."""
        return tuple(dict.fromkeys(re.findall(r"(\w+)[ )]*\bis\b", self.line)))

    @property
    def must_draw(self) -> bool:
        """Whether this is a line that says when a draw is due."""
        return self.leaves is None

    def applies(self, context: Context) -> bool:
        """Whether the condition of the line holds."""
        return self.when is None or self.when._holds(context)

    def __repr__(self) -> str:
        return self.line


def cards_left_by(formals: Sequence[Formal], context: Context) -> Cards:
    """The cards that may still be played after the lines of one clause are applied.

    The lines are tried in order, and the first that applies decides; if none does, all
    cards that were allowed before still are. Raises Malformed if one of the lines tried
    says when a draw is due.
    """
    for formal in formals:
        if formal.leaves is None:
            raise Malformed(str(formal), "lines that leave cards")
        if formal.applies(context):
            return formal.leaves._cards(context)
    return context.allowed


def must_draw(formal: Formal, context: Context) -> bool:
    """Whether, by a line that says when a draw is due, a draw is due now.

    Raises Malformed if the line is of the other kind, which says what may be played.
    """
    if not formal.must_draw:
        raise Malformed(str(formal), "a line that says when a draw is due")
    return formal.applies(context)


# Reading a line

_FORM: Final = re.compile(r"must_draw when (.+)|(?:when (.+?): )?allowed' = (.+)")
_FORMS: Final = (
    "must_draw when CONDITION, allowed' = SET, or when CONDITION: allowed' = SET"
)
_LONGEST: Final = 300  # characters, so that nothing nests too deeply for Python
_ODD: Final = re.compile(r"[^\w &|<=(),{}-]", re.ASCII)
_IN_BRACES: Final = re.compile(r"(?<!\w)\{(\w\w(?: \w\w)*)\}")
_SIGN_OF: Final = {ast.BitAnd: "&", ast.BitOr: "|", ast.Sub: "-"}
_ALLOWED: Final = (
    f"{', '.join(_SETS)}, {{KS AS}}, suit(x), lowest(x), nonempty(x, y), x & y, "
    f"x | y, x - y; as a condition also leading, {', '.join(FLAGS)}, "
    "OPTION is VALUE, x <= y, not, and, or"
)


def parse_formal_line(line: str) -> Formal:
    """The formal line in this text.

    Raises Malformed, with the column if it is known, if the text is not a formal line.
    `-` binds tighter in Python than in the book, so next to `&` or `|` it needs
    parentheses here.
    """
    if len(line) > _LONGEST:
        raise Malformed(f"{len(line)} characters", f"at most {_LONGEST}")
    form = _FORM.fullmatch(line)
    if form is None:
        raise Malformed(f"{line!r:.40}", _FORMS, "column 1")
    draws, when, leaves = (_python(form, group) for group in (1, 2, 3))
    given = draws or when
    return Formal(
        line,
        None if given is None else _condition(given),
        None if leaves is None else _set(leaves),
    )


def _python(form: re.Match[str], group: int) -> ast.expr | None:
    """Parse one part of a line as a Python expression, or return None if it is absent.

    The nodes have the column numbers of the whole line. Raises Malformed if the part
    cannot be parsed.
    """
    text, start = form[group], form.start(group)
    if text is None:
        return None
    odd = _ODD.search(text)
    if odd is not None:
        raise Malformed(repr(odd[0]), _ALLOWED, f"column {start + odd.start() + 1}")
    try:
        # Text in quotes takes up as many columns as the cards in braces.
        tree = ast.parse(_IN_BRACES.sub(r"'\1'", text), mode="eval").body
    except SyntaxError as fault:
        # Python counts from 1, and gives 0 at the end of the text.
        place = f"column {start + (fault.offset or len(text) + 1)}"
        raise Malformed(fault.msg, _ALLOWED, place) from None
    for node in ast.walk(tree):
        if isinstance(node, ast.expr):
            node.col_offset += start
    return tree


def _condition(node: ast.expr) -> Condition:
    """The condition that a node expresses; a set alone means that it is not empty."""
    match node:
        case ast.BoolOp(sign, nodes):
            joined = And if isinstance(sign, ast.And) else Or
            return reduce(joined, map(_condition, nodes))
        case ast.UnaryOp(ast.Not(), of):
            return Not(_condition(of))
        case ast.Compare(inner, [ast.LtE()], [outer]):
            return Within(_set(inner), _set(outer))
        case ast.Compare(ast.Name(option), [ast.Is()], [value]):
            with _read_at(_place(node)):
                return Is(option, _option_value(option, ast.unparse(value)))
        case ast.Name(name) if name in ("leading", *FLAGS):
            return Flag(name)
    return Holds(_set(node))


def _set(node: ast.expr) -> Set:
    """The set of cards that a node expresses; raises Malformed if it expresses none."""
    match node:
        case ast.Name(name) if name in _SETS:
            return Named(name)
        case ast.Constant(str(words)):
            with _read_at(_place(node)):
                return Written(frozenset(read_sequence(words)))
        case ast.Call(ast.Name("suit"), [of], []):
            return SuitTerm(_set(of))
        case ast.Call(ast.Name("lowest"), [of], []):
            return Lowest(_set(of))
        case ast.Call(ast.Name("nonempty"), [first, second], []):
            return Nonempty(_set(first), _set(second))
        case ast.BinOp(left, sign, right) if type(sign) in _SIGN_OF:
            if _is_unclear(node):
                allowed = "parentheses around a - next to & or |"
                raise Malformed(repr(ast.unparse(node)), allowed, _place(node))
            return Joined(_SIGN_OF[type(sign)], _set(left), _set(right))
    raise Malformed(repr(ast.unparse(node)), _ALLOWED, _place(node))


def _place(node: ast.expr) -> str:
    return f"column {node.col_offset + 1}"


def _is_unclear(node: ast.BinOp) -> bool:
    """Whether a `-` without parentheses is next to the `&` or `|` of this node."""
    bare = (
        node.left if node.left.col_offset == node.col_offset else None,
        node.right if node.right.end_col_offset == node.end_col_offset else None,
    )
    return not isinstance(node.op, ast.Sub) and any(
        isinstance(side, ast.BinOp) and isinstance(side.op, ast.Sub) for side in bare
    )
