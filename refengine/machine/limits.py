"""Numbers from outside, held to their limits before the rules count with them."""

from mypy_extensions import i64

from refengine.errors import Malformed, shown, whole_number


def within(value: object, least: int, most: int, where: str) -> i64:
    """The number itself, given as a whole number of any kind and size.

    Raises Malformed if it is less than `least` or over `most`, and for anything else.
    """
    number = whole_number(value)
    if number is not None and least <= number <= most:
        return number
    allowed = f"a whole number from {least} to {most}"
    raise Malformed(shown(value)[:40], allowed, where)


def at_most(value: object, most: int, where: str) -> int:
    """The number itself, given as a whole number of any kind, or `most` if it is more.

    Raises Malformed for anything that is no whole number.
    """
    number = whole_number(value)
    if number is None:
        raise Malformed(shown(value)[:40], "a whole number", where)
    return min(number, most)
