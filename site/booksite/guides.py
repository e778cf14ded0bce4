"""The guides of `docs/`, the bulletin and the API pages, as pages of the site."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from booksite.games import ROOT
from booksite.marks import block, paragraphs
from booksite.modules import claiming_modules, page_of
from refengine import public
from refengine.lawbook.book import SPEC

GUIDES: Final = {
    "adapters": ROOT / "docs" / "adapters.md",
    "formats": ROOT / "docs" / "formats.md",
    "notation": ROOT / "docs" / "notation.md",
    "other-files": ROOT / "docs" / "other-files.md",
    "files": ROOT / "docs" / "files.md",
    "learning": ROOT / "docs" / "learning.md",
    "bots": ROOT / "docs" / "bots.md",
    "rows": ROOT / "docs" / "rows.md",
    "published-sets": ROOT / "docs" / "published-sets.md",
    "corpus": ROOT / "conformance" / "corpus" / "README.md",
    "server": ROOT / "docs" / "server.md",
    "cookbook": ROOT / "docs" / "cookbook.md",
    "releases": ROOT / "docs" / "releases.md",
}
"""The guides by the name of their page."""

AT_THE_TABLE: Final = ("notation", "other-files")
"""The guides for those who write games down."""

FOR_PYTHON: Final = ("cookbook", "server", "releases")
"""The guides for those who program with the library; the others are about engines."""

_NAMED: Final = {
    **{f"{name}.md": name for name in GUIDES},
    **{f"docs/{name}.md": name for name in GUIDES},
    "conformance/corpus/README.md": "corpus",
}


def guide_page(path: Path) -> str:
    """A guide, with a link to another guide wherever it names one."""
    text = path.read_text("utf-8")
    for name, page in _NAMED.items():
        text = text.replace(f"`{name}`", f"[{page}]({page}.md)")
    return text


def bulletin_page() -> str:
    """The rules bulletin, its clause numbers linked."""
    parts = []
    for line in (SPEC / "CHANGES.md").read_text("utf-8").splitlines():
        parts.append(line if line.startswith("#") else block(paragraphs(line)))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts))


# The API


def api_pages() -> dict[str, str]:
    """The pages of the API reference by name; Sphinx fills them from the source."""
    tools = "\n".join(
        f"## {heading}\n"
        + "".join(_module(f"refengine.{name}", "###") for name in names)
        for heading, names in public.MODULES.items()
    )
    rules = "".join(
        _module(f"refengine.{name}")
        for name in claiming_modules()
        if page_of(name) == "api-rules"
    )
    evidence = "".join(
        _module(f"refengine_conformance.{name}") for name in public.EVIDENCE
    )
    return {
        "api-game": (
            "# The game\n\nWhat `import refengine` gives: rulesets, states, acts, "
            "verdicts.\nEvery value is immutable.\n"
            + _directive(
                "refengine",
                ":members:\n:imported-members:\n",
            )
        ),
        "api-tools": "# Tools beside it\n\n" + tools,
        "api-rules": (
            "# The rules as code\n\nThe modules behind the game, which mirror the "
            "chapters of the book; a docstring ends with the clause it claims.\nThey "
            "are compiled in the compiled wheel, are not called directly, and may "
            "change in any version.\n\n" + rules
        ),
        "api-evidence": (
            "# Checking an engine\n\nThe parts of `refengine_conformance` that you can "
            "build on.\nMost users want the command `refengine conform run`: see "
            "[adapters](adapters.md).\n\n" + evidence
        ),
    }


def _module(name: str, level: str = "##") -> str:
    return f"\n{level} {name}\n" + _directive(name, ":members:\n:ignore-module-all:\n")


def _directive(name: str, options: str) -> str:
    inner = "".join(f"   {line}\n" for line in options.splitlines())
    return f"\n```{{eval-rst}}\n.. automodule:: {name}\n{inner}```\n"
