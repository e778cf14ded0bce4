"""The table of rules in the skeleton of an adapter, as source text of each language."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from refengine.formats.fields import ruleset_fields
from refengine.formats.trace import spec_version
from refengine.game.rulesets import Ruleset
from refengine.lawbook.options import OPTIONS, PASSES
from refengine_conformance.runner.table import Table

_WIDTH: Final = 88
_ABOUT: Final = """\
The table: what your engine plays, filled in by `refengine adapter`. A game in which
another option has another value is declined with `unsupported`."""
_EDITION: Final = "The edition of the book by which it names clauses."
_SIZE: Final = "Cards dealt to each seat; 0 if your engine plays smaller deals as well."
_CHANGED: Final = "Which of these differ from the profile."
_NO_EFFECT: Final = "Without effect beside the others, so that any value will do."
_CAPABILITIES: Final = "What can be asked; docs/adapters.md lists them all."
_PLAIN_PASSES: Final = tuple(PASSES)[:3]


def table_text(language: str, ruleset: Ruleset) -> str:
    """The lines of source that tell a skeleton which rules it plays."""
    return "".join(f"{line}\n" for line in _WRITERS[language](ruleset))


def names_without_effect(ruleset: Ruleset) -> list[str]:
    """The options that make no difference, whatever value each of them has.

    Two options can silence one another, as a bonus card and its points do where there
    is neither; then one of them is not among these.
    """
    idle = ruleset.without_effect
    values = dict(ruleset.options)
    values |= {option.name: option.base for option in OPTIONS if option.name in idle}
    return [one.name for one in OPTIONS if one.name in idle and not one.bites(values)]


def capabilities_for(ruleset: Ruleset) -> list[str]:
    """What an adapter must be able to do for whole deals under this ruleset."""
    options = ruleset.options
    cycle = options["pass_cycle"]
    assert isinstance(cycle, tuple)
    passes_on = not {*_PLAIN_PASSES}.isdisjoint(cycle)
    needed = {
        "pass": passes_on or "mix" in cycle,
        "scatter": "scatter" in cycle,
        "mix": "mix" in cycle,
        "forward": passes_on and options["pass_unseen"] is True,
        "stock": options["undealt"] == "stock",
        "kitty": options["undealt"] == "kitty",
        "moon.choice": options["moon"] in ("choice_all", "choice_one"),
        "revokes": options["revokes"] == "penalised",
    }
    asked = [name for name, is_needed in needed.items() if is_needed]
    return ["step", "legal", "probe", "observe", *asked]


def _options(ruleset: Ruleset) -> list[tuple[str, str]]:
    """Every option with its value as JSON."""
    options = ruleset_fields(ruleset, every=True)["options"]
    return [(name, json.dumps(value)) for name, value in options.items()]


def _dense(value: str) -> str:
    return json.dumps(json.loads(value), separators=(",", ":"))


def _lists(ruleset: Ruleset) -> list[tuple[str, str, list[str]]]:
    """The lists of names: what each is called, what it is for, and its items."""
    return [
        (name, note, [json.dumps(one) for one in names])
        for name, note, names in (
            ("CHANGED", _CHANGED, ruleset.changed),
            ("NO_EFFECT", _NO_EFFECT, names_without_effect(ruleset)),
            ("CAPABILITIES", _CAPABILITIES, capabilities_for(ruleset)),
        )
    ]


def _noted(mark: str, note: str) -> list[str]:
    return [f"{mark} {line}" for line in note.splitlines()]


def _listed(head: str, items: Sequence[str], foot: str, indent: str) -> list[str]:
    """A list of items of source, on one line if they fit."""
    quoted = ", ".join(items)
    if len(whole := f"{head}{quoted}{foot}") <= _WIDTH:
        return [whole]
    inner = textwrap.wrap(
        f"{quoted},", _WIDTH, initial_indent=indent, subsequent_indent=indent
    )
    return [head, *inner, foot]


def _python(ruleset: Ruleset) -> Iterable[str]:
    words = {"true": "True", "false": "False"}
    yield from _noted("#", _EDITION)
    yield f"SPEC = {json.dumps(spec_version())}"
    yield from _noted("#", _ABOUT)
    yield f"PROFILE = {json.dumps(ruleset.profile)}"
    yield f"PLAYERS = {ruleset.players}"
    yield from _noted("#", _SIZE)
    yield f"HAND_SIZE = {Table(ruleset=ruleset).full_hand}"
    yield "OPTIONS = {"
    for name, value in _options(ruleset):
        yield f"    {json.dumps(name)}: {words.get(value, value)},"
    yield "}"
    for name, note, names in _lists(ruleset):
        yield from _noted("#", note)
        yield from _listed(f"{name} = [", names, "]", "    ")


def _javascript(ruleset: Ruleset) -> Iterable[str]:
    yield from _noted("//", _EDITION)
    yield f"const SPEC = {json.dumps(spec_version())};"
    yield from _noted("//", _ABOUT)
    yield f"const PROFILE = {json.dumps(ruleset.profile)};"
    yield f"const PLAYERS = {ruleset.players};"
    yield from _noted("//", _SIZE)
    yield f"const HAND_SIZE = {Table(ruleset=ruleset).full_hand};"
    yield "const OPTIONS = {"
    for name, value in _options(ruleset):
        yield f"  {name}: {value},"
    yield "};"
    for name, note, names in _lists(ruleset):
        yield from _noted("//", note)
        yield from _listed(f"const {name} = [", names, "];", "  ")


def _go(ruleset: Ruleset) -> Iterable[str]:
    yield from _noted("//", _EDITION)
    yield f"const spec = {json.dumps(spec_version())}"
    yield ""
    yield from _noted("//", _ABOUT)
    yield f"const profile = {json.dumps(ruleset.profile)}"
    yield f"const players = {ruleset.players}"
    yield ""
    yield from _noted("//", _SIZE)
    yield f"const handSize = {Table(ruleset=ruleset).full_hand}"
    yield ""
    yield from _noted("//", "The value of each option, as JSON.")
    yield "var options = map[string]string{"
    longest = max(len(name) for name, _ in _options(ruleset))
    for name, value in _options(ruleset):
        yield f"\t{json.dumps(name)}:{' ' * (longest - len(name))} `{value}`,"
    yield "}"
    names_in_go = ("changed", "noEffect", "capabilities")
    for name, (_, note, names) in zip(names_in_go, _lists(ruleset), strict=True):
        yield ""
        yield from _noted("//", note)
        yield from _listed(f"var {name} = []string{{", names, "}", "\t")


def _c(ruleset: Ruleset) -> Iterable[str]:
    yield from _noted("//", _EDITION)
    yield f"#define HFR_SPEC {json.dumps(spec_version())}"
    yield from _noted("//", _ABOUT)
    yield f"#define HFR_PROFILE {json.dumps(ruleset.profile)}"
    yield f"#define HFR_PLAYERS {ruleset.players}"
    yield from _noted("//", _SIZE)
    yield f"#define HFR_HAND_SIZE {Table(ruleset=ruleset).full_hand}"
    yield from _noted("//", "The value of each option, as JSON.")
    yield "static const char *const HFR_OPTIONS[][2] = {"
    for name, value in _options(ruleset):
        yield f"    {{{json.dumps(name)}, {json.dumps(_dense(value))}}},"
    yield "    {NULL, NULL},"
    yield "};"
    for name, note, names in _lists(ruleset):
        yield from _noted("//", note)
        head = f"static const char *const HFR_{name}[] = {{"
        yield from _listed(head, [*names, "NULL"], "};", "    ")


_WRITERS: Final[dict[str, Callable[[Ruleset], Iterable[str]]]] = {
    "c": _c,
    "go": _go,
    "js": _javascript,
    "python": _python,
}
