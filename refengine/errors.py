"""What can go wrong besides a refusal: input that cannot be read, a fault of ours.

Messages quote what strangers wrote, so the functions that make such text harmless
stand here too.
"""

from collections.abc import Iterable, Mapping
from operator import index
from typing import Final

_SHOWN: Final = 120  # characters of what was found that a message has
_NEAR: Final = 0.75  # how alike a name is that was probably meant


class Malformed(ValueError):
    """Something that cannot be read; says where, what was found and what is allowed.

    If `where` is empty, the message is about the whole input. If `allowed` is empty,
    `found` says all there is to say. If `found` is long, the message shows only its
    beginning; the attribute has all of it.
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
        """The same error, with its place put inside this outer one."""
        inner = f".{self.where}" if self.where[:1] not in ("", "[") else self.where
        return Malformed(self.found, self.allowed, f"{where}{inner}")

    def in_file(self, name: str) -> "Malformed":
        """The same error in this file, where `line 3` is `name:3`."""
        line = self.where.removeprefix("line ")
        if line == self.where:
            return self.within(name)
        return Malformed(self.found, self.allowed, f"{name}:{line}")


def unusable_file(error: OSError, used: str, where: str = "") -> Malformed:
    """What to raise where a file cannot be `used`: read, or written."""
    why = error.strerror or str(error)
    return Malformed(f"cannot be {used}: {why[:1].lower()}{why[1:]}", "", where)


class EngineBug(AssertionError):
    """Something that cannot happen did: a fault of refengine, so please report it."""


def shown(value: object) -> str:
    """The value as a message shows it, even if it is a number too long for Python.

    A whole number of numpy is shown as a plain number.
    """
    try:
        number = whole_number(value)
        return repr(value if number is None else number)
    except ValueError:  # more digits than `sys.get_int_max_str_digits` allows
        return "a number too long to be shown"


def whole_number(value: object) -> int | None:
    """The value as an `int` if it is a whole number, numpy's too; None otherwise.

    True and False do not count as numbers.
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return int(value)
    try:
        return index(value)  # type: ignore[arg-type]  # what is none raises TypeError
    except TypeError:
        return None


def how_many(value: object, where: str) -> int:
    """The value as a whole number, 0 or more; raises Malformed if it is not one."""
    number = whole_number(value)
    if number is None or number < 0:
        raise Malformed(shown(value)[:40], "a whole number, 0 or more", where)
    return number


def one_of(
    names: Iterable[str], found: object, said: Mapping[str, str] | None = None
) -> str:
    """What is allowed where one of these names belongs, and which was probably meant.

    `said` maps other words for some of the names, in small letters, to these names.
    """
    known = list(names)
    return f"one of {', '.join(known)}{did_you_mean(known, found, said)}"


def did_you_mean(
    names: Iterable[str], found: object, said: Mapping[str, str] | None = None
) -> str:
    """`; did you mean X?` where what was found is like a name or its other words.

    It is empty where nothing is like it.
    """
    if not isinstance(found, str) or len(found) > _SHOWN:
        return ""
    from difflib import get_close_matches  # late: only a message needs it

    words = {name.lower(): name for name in names} | dict(said or {})
    near = get_close_matches(found.lower().strip(), list(words), 1, _NEAR)
    return f"; did you mean {words[near[0]]}?" if near else ""


MOST_TOLD: Final = 20
"""Lines that cannot be read of which each is told; the rest is counted."""


def more_unreadable(number: int) -> str:
    """What is said instead of this many more lines that cannot be read."""
    return f"{counted(number, 'more line')} that cannot be read"


def counted(number: int, noun: str) -> str:
    """A number with its noun, as in `1 game` and `0 games`; -1 is one, too."""
    return f"{number} {noun}" if abs(number) == 1 else f"{number} {noun}s"


# Text by strangers: of an adapter, of files, of a command line

_LONGEST: Final = 10_000  # characters of one text that are shown at all
_INVISIBLE: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
)
"""Letters and marks that show as nothing, though Unicode calls them printable."""


def harmless(text: str, most: int = _LONGEST) -> str:
    r"""The text as it can be printed anywhere: on one line, and all of it to be seen.

    A character that a terminal obeys or that shows as nothing (control, bidirectional,
    formatting, half of a pair) stands there as its escape, `\x1b` or `\u202e`, a line
    break as `\n`. What begins a command in the log of a CI job is defused: `::` at the
    start of a word becomes `\x3a:`, and `##` becomes `#\x23`. At most `most` characters
    are kept, the last of them `…` if there were more. What is harmless stays as it is.
    """
    if not (text.isascii() and text.isprintable()):
        text = "".join(map(_visible, text[: most + 1]))
    if text.startswith("::"):
        text = f"\\x3a{text[1:]}"
    text = text.replace(" ::", " \\x3a:").replace("##", "#\\x23")
    return text if len(text) <= most else f"{text[: most - 1]}…"


def all_harmless(texts: Iterable[str]) -> tuple[str, ...]:
    """These texts, each of them harmless."""
    return tuple(map(harmless, texts))


def harmless_lines(text: str, most: int = _LONGEST) -> list[str]:
    """The lines of a longer text, each of them harmless."""
    return [harmless(line, most) for line in text.splitlines()]


def harmless_json(line: str) -> str:
    """A line of JSON with the same meaning, in which no character does harm.

    Tabs and line breaks become spaces; whatever else does harm stands within strings,
    where JSON has an escape for it.
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
    """A character, or its escape as Python writes it."""
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
    if sign in "\t\r\n":  # white space, of which JSON has none within strings
        return " "
    pair = sign.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{pair[at : at + 4]}" for at in range(0, len(pair), 4))
