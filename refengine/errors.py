"""The errors other than refusals: input that cannot be read, and bugs in refengine.

Messages quote text from strangers, so the functions that make such text harmless are
also here.
"""

from collections.abc import Iterable, Iterator, Mapping
from operator import index
from typing import Final

_SHOWN: Final = 120  # how many characters of `found` a message shows
_NEAR: Final = 0.75  # how similar a name must be to be suggested


class Malformed(ValueError):
    """Input that cannot be read: where it is, what was found and what is allowed.

    If `where` is empty, the message is about the whole input. If `allowed` is empty,
    the message has only the place and `found`. If `found` is long, the message shows
    only its beginning; the attribute holds all of it.
    """

    def __init__(self, found: str, allowed: str, where: str = "") -> None:
        super().__init__(found, allowed, where)
        self.found: Final = found
        self.allowed: Final = allowed
        self.where: Final = where

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        if not self.allowed:
            return harmless(f"{place}{self.found}")
        found = harmless(self.found, _SHOWN)
        return harmless(f"{place}found {found}; allowed: {self.allowed}")

    def within(self, where: str) -> "Malformed":
        """The same error, with its place nested in the outer place `where`."""
        inner = f".{self.where}" if self.where[:1] not in ("", "[") else self.where
        return Malformed(self.found, self.allowed, f"{where}{inner}")

    def in_file(self, name: str) -> "Malformed":
        """The same error, placed in this file: `line 3` becomes `name:3`."""
        line = self.where.removeprefix("line ")
        if line == self.where:
            return self.within(name)
        return Malformed(self.found, self.allowed, f"{name}:{line}")


def unusable_file(error: OSError, used: str, where: str = "") -> Malformed:
    """The error to raise if a file cannot be used; `used` is `read` or `written`."""
    why = error.strerror or str(error)
    return Malformed(f"cannot be {used}: {why[:1].lower()}{why[1:]}", "", where)


class EngineBug(AssertionError):
    """Something impossible has happened: a bug in refengine, so please report it."""


def shown(value: object) -> str:
    """The value as a message shows it, even if Python cannot print it.

    A NumPy integer is shown as a plain number. A number too long to print, or a value
    nested too deeply, is named as such.
    """
    try:
        number = whole_number(value)
        return repr(value if number is None else number)
    except ValueError:  # more digits than `sys.get_int_max_str_digits` allows
        return "a number too long to be shown"
    except RecursionError:
        return "a value nested too deeply to be shown"


def whole_number(value: object) -> int | None:
    """The value as an `int` if it is a whole number, NumPy's included; otherwise None.

    True and False do not count as numbers.
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return int(value)
    try:
        return index(value)  # type: ignore[arg-type]  # anything else raises TypeError
    except TypeError:
        return None


def values_in(value: object) -> Iterator[object] | None:
    """An iterator over the value, or None if it cannot be iterated over.

    So it is with an array of NumPy that has no dimensions, although it is an Iterable.
    """
    try:
        return iter(value)  # type: ignore[call-overload, no-any-return]  # or TypeError
    except TypeError:
        return None


def any_whole_number(value: object, where: str) -> int:
    """The value as a whole number; raises Malformed if it is not one."""
    number = whole_number(value)
    if number is None:
        raise Malformed(shown(value)[:40], "a whole number", where)
    return number


def how_many(value: object, where: str) -> int:
    """The value as a whole number, 0 or more; raises Malformed if it is not one."""
    number = whole_number(value)
    if number is None or number < 0:
        raise Malformed(shown(value)[:40], "a whole number, 0 or more", where)
    return number


def one_of(
    names: Iterable[str], found: object, said: Mapping[str, str] | None = None
) -> str:
    """The phrase `one of ...`, which lists these names.

    If `found` resembles a name, `; did you mean X?` follows. `said` maps synonyms of
    the names, in lower case, to the names.
    """
    known = list(names)
    return f"one of {', '.join(known)}{did_you_mean(known, found, said)}"


def did_you_mean(
    names: Iterable[str], found: object, said: Mapping[str, str] | None = None
) -> str:
    """The phrase `; did you mean X?` if `found` resembles a name or a synonym of one.

    It is empty if no name is close enough, or if `found` is too long or not a string.
    `said` maps synonyms of the names, in lower case, to the names.
    """
    if not isinstance(found, str) or len(found) > _SHOWN:
        return ""
    from difflib import get_close_matches  # late: only a message needs it

    words = {name.lower(): name for name in names} | dict(said or {})
    near = get_close_matches(found.lower().strip(), list(words), 1, _NEAR)
    return f"; did you mean {words[near[0]]}?" if near else ""


MOST_TOLD: Final = 20
"""How many lines that cannot be read are reported one by one; the rest are counted."""


def more_unreadable(number: int) -> str:
    """The phrase that reports `number` more lines that cannot be read."""
    return f"{counted(number, 'more line')} that cannot be read"


def counted(number: int, noun: str) -> str:
    """A number with its noun, as in `1 game` and `0 games`; -1 takes the singular."""
    return f"{number} {noun}" if abs(number) == 1 else f"{number} {noun}s"


def times(number: int) -> str:
    """How often something happened, in words: `once`, `2 times` and so on."""
    return "once" if number == 1 else f"{number} times"


# Text from strangers: from an adapter, from files, from a command line

_LONGEST: Final = 10_000  # how many characters are shown at most
_INVISIBLE: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
)
"""Letters and marks that show as nothing, though Python calls them printable."""


def harmless(text: str, most: int = _LONGEST) -> str:
    r"""The text in a form safe to print anywhere: on one line, with nothing hidden.

    A character that a terminal obeys or that shows as nothing (control, bidirectional,
    formatting, lone surrogate) is replaced by its escape, such as `\x1b` or `\u202e`,
    and a line break by `\n`. Whatever would begin a command in the log of a CI job
    is defused: `::` at the start of a word becomes `\x3a:`, and `##` becomes `#\x23`.
    At most `most` characters are kept, the last of them `…` if there were more.
    Harmless text stays as it is.
    """
    if not (text.isascii() and text.isprintable()):
        text = "".join(map(_visible, text[: most + 1]))
    if text.startswith("::"):
        text = f"\\x3a{text[1:]}"
    text = text.replace(" ::", " \\x3a:").replace("##", "#\\x23")
    return text if len(text) <= most else f"{text[: most - 1]}…"


def all_harmless(texts: Iterable[str]) -> tuple[str, ...]:
    """These texts, each made harmless."""
    return tuple(map(harmless, texts))


def harmless_lines(text: str, most: int = _LONGEST) -> list[str]:
    """The lines of this text, each made harmless."""
    return [harmless(line, most) for line in text.splitlines()]


def harmless_json(line: str) -> str:
    """The line of JSON in a form safe to print anywhere, with the same meaning.

    Tabs and line breaks become spaces; any other harmful character can only occur
    within a string, where JSON has an escape for it.
    """
    if not (line.isascii() and line.isprintable()):
        line = "".join(map(_escaped, line))
    return line.replace("##", "#\\u0023")


def _is_seen(sign: str) -> bool:
    """Whether a character shows as itself; variation selectors never do."""
    code = ord(sign)
    return sign.isprintable() and not (
        sign in _INVISIBLE or 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF
    )


def _visible(sign: str) -> str:
    """The character if it can be seen, and otherwise its escape as Python writes it."""
    if _is_seen(sign):
        return sign
    code = ord(sign)
    if sign in _SHORT:
        return _SHORT[sign]
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


_SHORT: Final = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}


def _escaped(sign: str) -> str:
    if _is_seen(sign):
        return sign
    if sign in "\t\r\n":  # white space, which JSON does not allow within strings
        return " "
    pair = sign.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{pair[at : at + 4]}" for at in range(0, len(pair), 4))
