"""The sentences about irregularities: how a revoke is corrected, claimed and scored."""

from __future__ import annotations

from typing import Final

from refengine.rulings.sentences import Said
from refengine.rulings.templates import templates

IRREGULAR: Final[dict[str, list[str]]] = templates()["irregular"]
"""By name, the template of each sentence, followed by the clauses that it cites."""


def irregularity_sentence(name: str, **facts: object) -> Said:
    """The sentence about irregularities with this name, filled in from `facts`."""
    template, *clauses = IRREGULAR[name]
    return Said(template.format(**facts), tuple(clauses))
