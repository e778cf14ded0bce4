"""The numbers that clauses had in an earlier edition, and changes of effect since then.

Edition 1.1.0 split some clauses: where 1.0.0 names 3.8, 1.1.0 names those of 3.8a to
3.8d that are broken. Traces written for 1.0.x are judged by the old numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Final

from refengine.lawbook.book import clauses

_UNSPLIT: Final = "1.0."
_OF_CLAIMS: Final = frozenset({"7.7", "7.7a"})


@cache
def _wholes() -> dict[str, str]:
    """The clause to which each part belongs, by the number of the part."""
    return {one.number: one.part_of for one in clauses().values() if one.part_of}


@cache
def _places() -> dict[str, int]:
    return {number: place for place, number in enumerate(clauses())}


def gone_back(named: Iterable[str]) -> tuple[str, ...]:
    """Replace each part by the clause it belongs to, and sort in the order of the book.

    Numbers that are not in the book come last.
    """
    wholes, places = _wholes(), _places()
    found = {wholes.get(number, number) for number in named}
    return tuple(sorted(found, key=lambda one: (places.get(one, len(places)), one)))


def names_parts(spec: str) -> bool:
    """Whether refusals name the parts of clauses in this edition; not so in 1.0.x."""
    return not spec.startswith(_UNSPLIT)


@lru_cache(1000)
def named_at(spec: str, named: tuple[str, ...]) -> tuple[str, ...]:
    """Replace the numbers of clauses by those that the edition `spec` would name."""
    return named if not named or names_parts(spec) else gone_back(named)


def changed_clause(
    spec: str, kind: str, expected: tuple[str, ...], found: tuple[str, ...]
) -> str:
    """The clause whose change explains why a refusal now names different clauses.

    `kind` is the kind of act, `expected` holds the clauses that were named when the
    trace was written, under the edition `spec`, and `found` those named today. The
    result is empty if no change explains the difference. Since 1.1.0 an early claim is
    refused under 7.7, and nobody is told whether the claim is also false (7.7a).
    """
    if names_parts(spec) or kind != "claim" or not expected or "7.7" not in found:
        return ""
    otherwise = {*expected} ^ {*found}
    return "7.7" if otherwise and otherwise <= _OF_CLAIMS else ""
