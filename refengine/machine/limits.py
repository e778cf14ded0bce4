"""Numbers from outside, checked against limits before the rules calculate with them."""

from mypy_extensions import i64

from refengine.errors import Malformed, any_whole_number, shown, whole_number


def within(value: object, least: int, most: int, where: str) -> i64:
    """The value as a number from `least` to `most`.

    It may be a whole number of any type. Raises Malformed, naming `where`, if it is
    less than `least`, more than `most` or not a whole number.
    """
    number = whole_number(value)
    if number is not None and least <= number <= most:
        return number
    allowed = f"a whole number from {least} to {most}"
    raise Malformed(shown(value)[:40], allowed, where)


def at_most(value: object, most: int, where: str) -> int:
    """The value as a number, or `most` if it is larger than that.

    It may be a whole number of any type. Raises Malformed, naming `where`, if it is not
    a whole number.
    """
    return min(any_whole_number(value, where), most)
