"""Which mutants could matter in a run: those whose functions answer otherwise in it.

The functions of the rules are pure. A mutant whose function answers every call of a run
as the unchanged one does comes to the same end, and need not be tried. This is not sure
of a mutant that changes several functions, or one that calls itself by its name, since
each variant is tried beside the unchanged functions: any call of one of these counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import Any, Final

from refengine_conformance.mutants import loading

_HOOK: Final = "_answers_hook"
_PATIENCE: Final = 5.0  # seconds of processor time
# A mutant, and its variant of a function; None if that alone says nothing.
_Variant = tuple[str, Callable[..., Any] | None]


def answering_otherwise(run: Callable[[], object], names: Iterable[str]) -> list[str]:
    """Those of these mutants whose functions answer otherwise in some call of the run.

    If a mutant hangs, all are returned, so that none that matters is left out. Only in
    a worker, since functions are exchanged for the time being.
    """
    listed = list(names)
    found: set[str] = set()
    try:
        with _watched(listed, found), loading.time_limit(_PATIENCE):
            run()
    except loading.HangsError:
        return listed
    return [name for name in listed if name in found]


def _answers_alone(name: str) -> bool:
    """Whether a mutant changes one function, which does not name itself.

    That it does not call itself by way of another function is not looked at.
    """
    codes = loading.codes_of(name)
    return len(codes) == 1 and all(
        function.__name__ not in {*loading.globals_read(code), *code.co_names}
        for function, code in codes
    )


@contextmanager
def _watched(names: Iterable[str], found: set[str]) -> Iterator[None]:
    """Watch the functions that these mutants change, within the block.

    A mutant that answers a call otherwise joins `found`.
    """
    variants: dict[FunctionType, list[_Variant]] = {}
    for name in names:
        for function, code in loading.codes_of(name):
            variant = None
            if _answers_alone(name):
                variant = loading.function_with_code(function, code)
            variants.setdefault(function, []).append((name, variant))
    kept = [(function, function.__code__) for function in variants]
    functions: dict[int, tuple[Callable[..., Any], list[_Variant]]] = {
        id(one): (loading.function_with_code(one, one.__code__), some)
        for one, some in variants.items()
    }
    watch = _Watch(functions, found)
    try:
        for function, _ in kept:
            function.__globals__[_HOOK] = watch.called
            function.__code__ = loading.calling_code(_HOOK, id(function))
        yield
    finally:
        for function, code in kept:
            function.__code__ = code


class _Watch:
    """Compares what variants answer to each call; calls by the variants do not count.

    `functions` maps a key to the unchanged function and its variants; a mutant whose
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
                if name not in self.found and (
                    variant is None
                    or self._differs(variant, values, named, result, raised)
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
            return raised is None or (type(error), error.args) != (
                type(raised),
                raised.args,
            )
        return raised is not None or bool(answer != result)
