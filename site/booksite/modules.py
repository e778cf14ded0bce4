"""Which modules the API reference documents, and where a function is found in it."""

from __future__ import annotations

from typing import Final

from refengine.lawbook.book import clauses

TOOLS: Final = {
    "Reading and citing the book": ("book", "reading", "options", "rulesets"),
    "Traces and logs": ("trace", "annotate", "convert", "generate", "minideals"),
    "Hidden cards and many games": ("world", "bulk", "observe"),
    "For people": ("pictures", "showing", "notation", "shuffling"),
}
"""The public modules beside the top level, by what they are for."""

EVIDENCE: Final = (
    "selection",
    "runner",
    "driver",
    "results",
    "reports",
    "html_report",
    "differences",
    "fits",
    "inference",
    "shrinking",
    "evidence",
    "known",
)
"""The modules of `conformance` that others can build on."""


def page_of(module: str) -> str:
    """The page of the reference that documents a module of `refengine`."""
    tools = any(module in names for names in TOOLS.values())
    return "api-tools" if tools else "api-rules"


def function_link(name: str) -> str:
    """A link to the function, or the module, that claims a clause."""
    module, _, rest = name.partition(".")
    address = f"{page_of(module)}.html#refengine.{name}"
    if not rest:
        address = f"{page_of(module)}.html#module-refengine.{module}"
    elif "_" in (rest[0], rest.rpartition(".")[2][0]):
        address = f"_modules/refengine/{module}.html"  # private: only in the source
    return f'<a href="{address}"><code>{name}</code></a>'


def claiming_modules() -> list[str]:
    """The modules whose functions claim clauses, in the order of the book."""
    found = [
        name.partition(".")[0]
        for clause in clauses().values()
        for name in clause.functions
    ]
    return list(dict.fromkeys(found))
