"""Builds the rules as JavaScript: `python -m carrying.build FOLDER`.

The definitions asked for, and all that they need, become one text, in which each module
comes after those that it imports. The text begins with runtime.mjs, which does what
Python does and JavaScript does not. `rules.mjs` is this text as an ES module.
`rules.js` is the same as a classic script with one global, `refengine`, for pages
opened as files, where modules are refused. `search.js`, the search for clauses, is also
a script; its global is `refengineSearch`. The same source always gives the same bytes.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from carrying.data import data_text
from carrying.plain_forms import forms_text
from carrying.reached import Reached
from carrying.shortened import shortened
from carrying.translate import Translator, Unsupported
from carrying.types import Checked

ROOT: Final = Path(__file__).resolve().parents[2]
RUNTIME: Final = ROOT / "js" / "runtime.mjs"
LIBRARY: Final = (ROOT / "js" / "asking.mjs", ROOT / "js" / "games.mjs")
SEARCHING: Final = (ROOT / "js" / "searching.mjs",)
# Random play, counting all games, and text are not rules.
LEFT_OUT: Final = (
    "playouts",
    "moving",
    "perft",
    "transpositions",
    "random_numbers",
    "limits",
    "notation",
)
# What is asked for besides the rules.
ASKED: Final = (
    "refengine.errors.Malformed",
    "refengine.errors.EngineBug",
    "refengine.formats.fields.drawn_by",
    "refengine.formats.fields.due_fields",
    "refengine.formats.fields.state_fields",
    "refengine.formats.fields.view_fields",
    "refengine.formats.views.told_fields",
    "refengine.formats.minideals.followers",
    "refengine.formats.minideals.why_not_enumerated",
    "refengine.game.acts.Act",
    "refengine.game.rulesets.Ruleset",
    "refengine.game.setups.Match",
    "refengine.game.setups.Setup",
    "refengine.game.values.cardset.card",
    "refengine.game.values.cardset.cards",
    "refengine.game.values.state.State",
    "refengine.game.verdicts.Verdict",
    "refengine.lawbook.profiles.profile",
    "refengine.lawbook.profiles.profile_names",
    "refengine.lawbook.options.OPTIONS",
    "refengine.lawbook.options.option_named",
    "refengine.lawbook.options.value_text",
    "refengine.lawbook.options.value_typed",
    "refengine.rulings.explain.explain",
    "refengine.rulings.explain.ruling_fields",
    "refengine.rulings.asking.ask.answer",
    "refengine.rulings.asking.answers.answer_fields",
    "refengine.rulings.asking.questions.read_rules",
    "refengine.rulings.asking.what_is_played.described",
    "refengine.rulings.asking.what_is_played.described_profiles",
    "refengine.rulings.sentences.SECTIONS",
    "refengine.machine.cards_typed.cards_typed",
)
# What the search page needs, which does not load the rules.
SEARCHED: Final = tuple(
    f"refengine.lawbook.looking_up.{name}"
    for name in ("made_index", "search", "stem", "terms_of", "words_of")
)
_EXPORTED: Final = re.compile(r"^export (?:const|function|class) (\w+)", re.MULTILINE)


def rule_modules() -> list[str]:
    """The names of the modules of the rules; all of each module is carried over."""
    return [
        f"refengine.{room}.{path.stem}"
        for room in ("chapters", "machine")
        for path in sorted((ROOT / "refengine" / room).glob("*.py"))
        if path.stem not in ("__init__", *LEFT_OUT)
    ]


def carried_over(
    whole: Iterable[str], asked: Iterable[str] = (), root: Path = ROOT
) -> tuple[str, list[str]]:
    """Translate whole modules, and single names with all that they need.

    Returns the JavaScript text and the names that it defines. Raises Unsupported, which
    lists every place outside the subset, and Unknown for an expression whose type the
    type checker does not know.
    """
    reached = Reached(root, whole, asked)
    checked = Checked(root, reached.order)
    parts: list[str] = []
    told: list[str] = []
    outside: list[str] = []
    for name in reached.order:
        translator = Translator(reached.module(name), checked)
        try:
            text = translator.text(reached.wanted[name])
        except Unsupported as fault:
            outside.append(str(fault))
            continue
        if given := data_text(reached.data[name]):
            text = f"{given}\n{text}"
        parts.append(f"// {name}\n{text}")
        told += [*translator.told, *(one.called for one in reached.data[name])]
    if outside:
        raise Unsupported("\n".join(outside))
    return "\n".join(parts), sorted(told)


def runtime_text() -> str:
    """JavaScript that defines the constant `$`, with the functions of runtime.mjs."""
    return f"const $ = {_closed(RUNTIME)[0]};\n"


def with_library(text: str, names: list[str]) -> tuple[str, list[str]]:
    """The rules with the library that takes plain objects, and the names of both."""
    return _with_files(f"{text}\n{forms_text()}", names, LIBRARY)


def _with_files(
    text: str, names: list[str], files: Iterable[Path]
) -> tuple[str, list[str]]:
    parts = [text]
    for path in files:
        closed, more = _closed(path)
        parts.append(f"const {{ {', '.join(more)} }} = {closed};\n")
        names = [*names, *more]
    return "\n".join(parts), names


def _closed(path: Path) -> tuple[str, list[str]]:
    """A handwritten module as one expression, and the names that it exports."""
    text = path.read_text("utf-8")
    names = _EXPORTED.findall(text)
    inside = text.replace("\nexport ", "\n")
    return f"(() => {{\n{inside}\nreturn {{ {', '.join(names)} }};\n}})()", names


def as_module(text: str, names: list[str]) -> str:
    """The text as an ES module that exports these names, for Node and served pages."""
    return f"{runtime_text()}\n{text}\nexport {{ {', '.join(names)} }};\n"


def as_script(text: str, names: list[str], called: str = "refengine") -> str:
    """The text as a classic script with one global, for pages opened as files.

    The global is named `called` and holds the names without a `$`, those of the
    handwritten modules; the other names are shortened.
    """
    asked = ", ".join(name for name in names if "$" not in name)
    inside = f"{runtime_text()}\n{text}\nreturn {{ {asked} }};"
    return shortened(f"const {called} = (() => {{\n{inside}\n}})();\n")


def main(target: str) -> None:
    """Write `rules.mjs`, `rules.js` and `search.js` into this folder."""
    folder = Path(target)
    folder.mkdir(parents=True, exist_ok=True)
    text, names = with_library(*carried_over(rule_modules(), ASKED))
    (folder / "rules.mjs").write_text(as_module(text, names), "utf-8", newline="\n")
    (folder / "rules.js").write_text(as_script(text, names), "utf-8", newline="\n")
    found = _with_files(*carried_over((), SEARCHED), SEARCHING)
    script = as_script(*found, called="refengineSearch")
    (folder / "search.js").write_text(script, "utf-8", newline="\n")


if __name__ == "__main__":
    main(sys.argv[1])
