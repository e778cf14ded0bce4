"""Which mutants could matter in a run: those whose functions answer otherwise in it.

The functions of the rules are pure. A mutant whose functions answer every call of a run
as the unchanged ones do comes to the same end, and need not be tried.
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

    If a mutant does not come back, all of them, so that none that matters is left out.
    Only in a worker, since the functions are exchanged for a while.
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
    """Let the functions that these mutants change be watched for a while.

    A mutant that answers a call otherwise joins `found`.
    """
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
            function.__code__ = loading.calling_code(_HOOK, id(function))
        yield
    finally:
        for function, code in kept:
            function.__code__ = code


def _copy(function: FunctionType, code: Any) -> Callable[..., Any]:
    """A function like this one, but with the given code."""
    made = FunctionType(
        code, function.__globals__, None, function.__defaults__, function.__closure__
    )
    made.__kwdefaults__ = function.__kwdefaults__
    return made


class _Watch:
    """Compares what variants answer to each call; calls by the variants do not count.

    `functions` has the unchanged function and its variants by a key; a mutant whose
    variant answers otherwise joins `found`.
    """

    def __init__(
        self,
        functions: dict[int, tuple[Callable[..., Any], list[_Variant]]],
        found: set[str],
    ) -> None:
        self.functions: Final = functions
        self.found: Final = found
        self.busy = False

    def called(self, key: int, *values: Any, **named: Any) -> Any:
        """Answer a call as the unchanged function does, or raise what that raises."""
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
        """Whether a variant answers a call otherwise, or raises another error."""
        try:
            answer = variant(*values, **named)
        except loading.HangsError:
            raise
        except Exception as error:  # a mutant may fail in any way
            return type(error) is not type(raised)
        return raised is not None or bool(answer != result)
