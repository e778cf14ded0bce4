"""What can go wrong besides a refusal: input that cannot be read, a fault of ours."""

from typing import Final

_SHOWN: Final = 120  # characters of what was found that a message has


class Malformed(ValueError):
    """Something that cannot be read; says where, what was found and what is allowed.

    If `where` is empty, the message is about the whole input. If `found` is long, the
    message shows only its beginning; the attribute has all of it.
    """

    def __init__(self, found: str, allowed: str, where: str = "") -> None:
        super().__init__(found, allowed, where)
        self.found: Final = found
        self.allowed: Final = allowed
        self.where: Final = where

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        found = self.found
        if len(found) > _SHOWN:
            found = f"{found[:_SHOWN]}..."
        return f"{place}found {found}; allowed: {self.allowed}"

    def within(self, where: str) -> "Malformed":
        """The same error, with its place put inside this outer one."""
        inner = f".{self.where}" if self.where else ""
        return Malformed(self.found, self.allowed, f"{where}{inner}")


class EngineBug(AssertionError):
    """Something that cannot happen did: a fault of refengine, so please report it."""


def shown(value: object) -> str:
    """The value as a message shows it, even if it is a number too long for Python."""
    try:
        return repr(value)
    except ValueError:  # more digits than `sys.get_int_max_str_digits` allows
        return "a number too long to be shown"
