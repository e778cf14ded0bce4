"""Writes the class that holds a ruleset's settings, for `refengine conform registry`.

`lowered` in `refengine/lawbook/options.py` determines which settings there are and how
each is computed. The class that holds them, in `refengine/chapters/settings.py`, is
made from the source of `lowered` and not from what `lowered` returns: the class has to
be made before `lowered` can give it a new setting.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

OPTIONS: Final = "lawbook/options.py"
SETTINGS: Final = "chapters/settings.py"
_BEGIN: Final = "    def __init__(\n"
_END: Final = "\n\nseal(Rules)\n"


def with_all_settings(text: str, options: str) -> str:
    """The source of the settings' module, with every setting that `lowered` computes.

    `options` is the source of the options, and gives the order of the settings. If it
    does not call Rules, or if `text` lacks the class, `text` is returned as it is.
    """
    head, begin, rest = text.partition(_BEGIN)
    _, end, tail = rest.partition(_END)
    given = list(_settings(ast.parse(options)))
    if not end or not given:
        return text
    lines = [
        "        self,",
        *(f"        {name}: {kind}," for name, kind in given),
        "    ) -> None:",
        *(f"        self.{name}: Final = {name}" for name, _ in given),
        "",
        "    def __reduce__(self) -> tuple[object, ...]:",
        "        return Rules, (",
        *(f"            self.{name}," for name, _ in given),
        "        )",
        "",
    ]
    return "".join([head, begin, "\n".join(lines), end, tail])


def _settings(options: ast.Module) -> Iterator[tuple[str, str]]:
    """The name and type of each setting, in the order in which `lowered` gives them."""
    for node in ast.walk(options):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Rules":
            for setting in node.keywords:
                yield str(setting.arg), _type(setting.value)


def _type(made: ast.expr) -> str:
    """The type, as source, of a setting whose value is the expression `made`."""
    if isinstance(made, ast.UnaryOp) and isinstance(made.op, ast.Not):
        return "bool"
    called = ast.unparse(made.func) if isinstance(made, ast.Call) else ""
    return {"flag": "bool", "tuple": "tuple[int, ...]"}.get(called, "i64")
