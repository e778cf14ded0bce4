"""Which modules the API reference documents, and where to find a function in it."""

from __future__ import annotations

from functools import cache

from refengine import public
from refengine.lawbook.book import clauses
from refengine_conformance.mutants import source_edits


def page_of(module: str) -> str:
    """The page of the reference that documents a module, by its name with its room."""
    tools = any(module in names for names in public.MODULES.values())
    return "api-tools" if tools else "api-rules"


@cache
def dotted(module: str) -> str:
    """A module of refengine by its name alone, with its room before it."""
    return source_edits.import_name(module).partition(".")[2]


def function_link(name: str) -> str:
    """A link to the function, or the module, that claims a clause."""
    module, _, rest = name.partition(".")
    home = dotted(module)
    address = f"{page_of(home)}.html#refengine.{home}.{rest}"
    if not rest:
        address = f"{page_of(home)}.html#module-refengine.{home}"
    elif "_" in (rest[0], rest.rpartition(".")[2][0]):
        place = home.replace(".", "/")
        address = f"_modules/refengine/{place}.html"  # private: only in the source
    return f'<a href="{address}"><code>{name}</code></a>'


def claiming_modules() -> list[str]:
    """The modules whose functions claim clauses, in the order of the book."""
    found = [
        dotted(name.partition(".")[0])
        for clause in clauses().values()
        for name in clause.functions
    ]
    return list(dict.fromkeys(found))
