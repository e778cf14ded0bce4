"""The pages of the API reference, and links to functions in them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from booksite.elements import link
from refengine import public
from refengine.lawbook.book import clauses
from refengine_conformance.mutants import source_edits


def page_of(module: str) -> str:
    """The page of the API reference for a module such as `chapters.play`."""
    tools = any(module in names for names in public.MODULES.values())
    return "api-tools" if tools else "api-rules"


@cache
def dotted(module: str) -> str:
    """The name of a module within refengine, such as `chapters.play` for `play`."""
    return source_edits.import_name(module).partition(".")[2]


def function_link(name: str) -> str:
    """A link to a function or module whose docstring claims a clause."""
    module, _, rest = name.partition(".")
    home = dotted(module)
    address = f"{page_of(home)}.html#refengine.{home}.{rest}"
    if not rest:
        address = f"{page_of(home)}.html#module-refengine.{home}"
    elif "_" in (rest[0], rest.rpartition(".")[2][0]):
        # Private: only in the source.
        address = f"_modules/refengine/{home.replace('.', '/')}.html"
    return link(address, f"<code>{name}</code>")


def claiming_modules() -> list[str]:
    """The modules with functions that claim clauses, in the order of these clauses."""
    found = [
        dotted(name.partition(".")[0])
        for clause in clauses().values()
        for name in clause.functions
    ]
    return list(dict.fromkeys(found))


def api_pages() -> dict[str, str]:
    """The sources of the pages of the API reference, by name.

    Sphinx fills them in from the source code.
    """
    rules = [name for name in claiming_modules() if page_of(name) == "api-rules"]
    return {
        "api-game": (
            "# The game\n\nWhat `import refengine` gives: rulesets, states, acts, "
            "verdicts.\nEvery value is immutable.\n"
            + _directive("refengine", "members", "imported-members")
        ),
        "api-tools": "# Other tools\n\n"
        + "\n".join(
            f"## {heading}\n{_modules('refengine', names, '###')}"
            for heading, names in public.MODULES.items()
        ),
        "api-rules": (
            "# The rules as code\n\nThe modules behind the game, which mirror the "
            "chapters of the book; a docstring ends with the clause it claims.\nThey "
            "are compiled in the compiled wheel, are not called directly, and may "
            f"change in any version.\n\n{_modules('refengine', rules)}"
        ),
        "api-evidence": (
            "# Checking an engine\n\nThe parts of `refengine_conformance` that you can "
            "build on.\nMost users want the command `refengine conform run`: see "
            "[adapters](adapters.md).\n\n"
            + _modules("refengine_conformance", public.EVIDENCE)
        ),
    }


def _modules(package: str, names: Iterable[str], level: str = "##") -> str:
    return "".join(
        f"\n{level} {package}.{name}\n"
        + _directive(f"{package}.{name}", "members", "ignore-module-all")
        for name in names
    )


def _directive(module: str, *settings: str) -> str:
    inner = "".join(f"   :{one}:\n" for one in settings)
    return f"\n```{{eval-rst}}\n.. automodule:: {module}\n{inner}```\n"
