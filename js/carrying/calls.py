"""Records how the game layer calls the rules, so that JavaScript can repeat the calls.

While a `Recorder` listens, each call of a function of the rules becomes a line: the
name of the function, its arguments and what it returned. A match state (`Core`) that
was returned earlier is named by its number, so that a line stays short and a fault
shows in all lines that follow. `js/lockstep.mjs` repeats the calls.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import wraps
from types import FunctionType
from typing import Any, Final
from unittest import mock

from carrying.build import rule_modules
from refengine.game import observe, setups, tricks
from refengine.game.values import legal, state
from refengine.machine import core, judging, stepping

# The modules that call the rules, and those through which some of them do.
ASKING: Final = (observe, setups, tricks, legal, state)
THROUGH: Final = (judging, stepping)


class Recorder:
    """Records calls as lines, and numbers the `Core` objects that they return."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._numbers: dict[int, int] = {}
        self._kept: list[core.Core] = []
        self._depth = 0

    @contextmanager
    def listening(self) -> Iterator[None]:
        """A context in which every call of the rules by the game layer is recorded."""
        with ExitStack() as stack:
            for module in (*ASKING, *THROUGH):
                for name, value in list(vars(module).items()):
                    if _is_carried(value):
                        home = value.__module__.rpartition(".")[2]
                        called = self.wrapped(f"{home}${value.__name__}", value)
                        stack.enter_context(mock.patch.object(module, name, called))
            yield

    def wrapped(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, wrapped so that its calls are recorded.

        A call that another function of the rules makes is not recorded.
        """
        signature = inspect.signature(function)

        @wraps(function)
        def call(*given: object, **named: object) -> object:
            if self._depth:  # one function of the rules calls another
                return function(*given, **named)
            bound = signature.bind(*given, **named)
            bound.apply_defaults()
            told = [self.written(one) for one in bound.arguments.values()]
            self._depth += 1
            try:
                found = function(*given, **named)
            finally:
                self._depth -= 1
            line: dict[str, Any] = {"call": name, "given": told}
            if isinstance(found, core.Core) and id(found) not in self._numbers:
                line["found"] = self._whole(found)
                line["core"] = self._number(found)
            else:
                line["found"] = self.written(found)
            self.lines.append(json.dumps(line))
            return found

        return call

    def _number(self, one: core.Core) -> int:
        self._kept.append(one)
        self._numbers[id(one)] = len(self._kept) - 1
        return len(self._kept) - 1

    def written(self, value: object) -> object:
        """A value for JSON: a known `Core` by number, other objects by their fields."""
        if value is None or isinstance(value, bool | int | str):
            return value
        if isinstance(value, list | tuple):
            return [self.written(one) for one in value]
        if isinstance(value, core.Core) and id(value) in self._numbers:
            return {"core": self._numbers[id(value)]}
        return self._whole(value)

    def _whole(self, value: object) -> object:
        kind = type(value)
        short = kind.__module__.rpartition(".")[2]
        names = list(inspect.signature(kind).parameters)
        fields = [self.written(getattr(value, name)) for name in names]
        return {"class": f"{short}${kind.__name__}", "fields": fields}


def _is_carried(value: object) -> bool:
    """Whether this is a function of the rules that JavaScript has too."""
    return isinstance(value, FunctionType) and value.__module__ in CARRIED


CARRIED: Final = frozenset(rule_modules())
