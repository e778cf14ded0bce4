"""Which mutants could matter while something runs: their functions answer otherwise.

The functions of the rules are pure. A mutant whose functions answer every call as the
book's do, in all that the engine is asked, comes to the same end; it need not be tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import Any, Final

from refengine_conformance.mutants import loading

_HOOK: Final = "_answers_hook"
_PATIENCE: Final = 5.0  # seconds of processor time
_Variant = tuple[str, Callable[..., Any]]


def answering_otherwise(run: Callable[[], object], names: Iterable[str]) -> list[str]:
    """Those of these mutants whose functions answer otherwise in some call of the run.

    Where a mutant does not come back, all of them: nothing is left out that matters. In
    a worker alone, since the functions are exchanged for a while.
    """
    listed = list(names)
    found: set[str] = set()
    try:
        with _watched(listed, found), loading.time_limit(_PATIENCE):
            run()
    except loading.HangsError:
        return listed
    return [name for name in listed if name in found]


@contextmanager
def _watched(names: Iterable[str], found: set[str]) -> Iterator[None]:
    variants: dict[FunctionType, list[_Variant]] = {}
    for name in names:
        for function, code in loading.codes_of(name):
            variants.setdefault(function, []).append((name, _copy(function, code)))
    kept = [(function, function.__code__) for function in variants]
    watch = _Watch(
        {id(one): (_copy(one, one.__code__), some) for one, some in variants.items()},
        found,
    )
    try:
        for function, _ in kept:
            function.__globals__[_HOOK] = watch.called
            function.__code__ = _calling(id(function))
        yield
    finally:
        for function, code in kept:
            function.__code__ = code


def _copy(function: FunctionType, code: Any) -> Callable[..., Any]:
    made = FunctionType(
        code, function.__globals__, None, function.__defaults__, function.__closure__
    )
    made.__kwdefaults__ = function.__kwdefaults__
    return made


def _calling(key: int) -> Any:
    """The code of a function that calls the hook with this key and what it is given.

    It replaces the code of another function, which may have no free variables: the key
    has to stand in the source.
    """
    scope: dict[str, Any] = {}
    exec(
        f"def watched(*values, **named): return {_HOOK}({key}, *values, **named)", scope
    )
    return scope["watched"].__code__


class _Watch:
    """Compares what variants answer at each call; their own calls go unwatched."""

    def __init__(
        self,
        functions: dict[int, tuple[Callable[..., Any], list[_Variant]]],
        found: set[str],
    ) -> None:
        self.functions: Final = functions
        self.found: Final = found
        self.busy = False

    def called(self, key: int, *values: Any, **named: Any) -> Any:
        """The right answer to a call, or what it raises."""
        right, variants = self.functions[key]
        result, raised = None, None
        try:
            result = right(*values, **named)
        except Exception as error:  # as a reader does for what it cannot read
            raised = error
        if not self.busy:
            self.busy = True
            for name, variant in variants:
                if name not in self.found and self._differs(
                    variant, values, named, result, raised
                ):
                    self.found.add(name)
            self.busy = False
        if raised is not None:
            raise raised
        return result

    @staticmethod
    def _differs(
        variant: Callable[..., Any],
        values: Any,
        named: dict[str, Any],
        result: Any,
        raised: Exception | None,
    ) -> bool:
        try:
            answer = variant(*values, **named)
        except loading.HangsError:
            raise
        except Exception as error:  # a mutant may fail in any way
            return type(error) is not type(raised)
        return raised is not None or bool(answer != result)
