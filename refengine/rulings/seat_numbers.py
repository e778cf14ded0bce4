"""Sums and differences of scores or totals, seat by seat."""

from __future__ import annotations


def plus(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    """The sums of these numbers, seat by seat."""
    return tuple([a + b for a, b in zip(one, other, strict=True)])


def minus(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    """The first numbers minus the second, seat by seat."""
    return tuple([a - b for a, b in zip(one, other, strict=True)])
