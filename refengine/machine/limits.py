"""Numbers from outside, held to their limits before the rules count with them."""

from mypy_extensions import i64

from refengine.errors import Malformed, shown


def within(value: int, least: int, most: int, where: str) -> i64:
    """The number itself; raises Malformed if it is less than `least` or over `most`.

    Numbers of any size may be asked about: compiled, the rules count in 64 bits.
    """
    if least <= value <= most:
        return value
    allowed = f"a whole number from {least} to {most}"
    raise Malformed(shown(value)[:40], allowed, where)
