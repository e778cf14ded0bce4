"""Finds the mutants that could change the course of a run.

The functions of the rules are pure. If a mutant's function answers every call of a run
as the unchanged one does, the run comes to the same end, so the mutant need not be
tried. That is not certain for a mutant that changes several functions, or one function
that calls itself by name, since each variant is called among unchanged functions. Such
a mutant counts as one that could matter as soon as one of its functions is called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import CodeType, FunctionType
from typing import Any, Final

from refengine_conformance.mutants import loading

_HOOK: Final = "_answers_hook"
_PATIENCE: Final = 5.0  # seconds of processor time
# The id of a mutant, and its variant of a function. The variant is None if comparing
# its answers would prove nothing.
_Variant = tuple[str, Callable[..., Any] | None]


def answering_otherwise(run: Callable[[], object], names: Iterable[str]) -> list[str]:
    """The mutants among these that could answer some call in the run differently.

    If the run takes too long, as when a mutant hangs, all are returned, so that none
    that matters is left out. For use in a worker: functions are changed during the run.
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
    """Whether a mutant changes only one function, which does not use its own name.

    Whether the function calls itself by way of another one is not checked.
    """
    codes = loading.codes_of(name)
    if len(codes) != 1:
        return False
    [(function, code)] = codes
    return function.__name__ not in _names_in(code)


def _names_in(code: CodeType) -> Iterator[str]:
    """The names of globals and attributes in this code and in functions inside it."""
    yield from code.co_names
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from _names_in(one)


@contextmanager
def _watched(names: Iterable[str], found: set[str]) -> Iterator[None]:
    """A context in which every call of a function that these mutants change is watched.

    Mutants that answer a call differently, or could do so, are added to `found`.
    """
    variants: dict[FunctionType, list[_Variant]] = {}
    for name in names:
        for function, code in loading.codes_of(name):
            variant = None
            if _answers_alone(name):
                variant = loading.function_with_code(function, code)
            variants.setdefault(function, []).append((name, variant))
    functions: dict[int, tuple[Callable[..., Any], list[_Variant]]] = {
        id(one): (loading.function_with_code(one, one.__code__), some)
        for one, some in variants.items()
    }
    keys = {one: id(one) for one in variants}
    with loading.calls_hooked(_HOOK, _Watch(functions, found).called, keys):
        yield


class _Watch:
    """Compares the answer to each call with the answers of the function's variants.

    Calls made by variants are not compared. `functions` maps a key to the unchanged
    function and its variants. A mutant is added to `found` when its variant answers
    differently, or at any call if it has no variant.
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
        """Answer a call as the unchanged function does, and compare its variants.

        If the unchanged function raises an error, so does this. Mutants that would
        answer differently are added to `found`.
        """
        right, variants = self.functions[key]
        result, raised = None, None
        try:
            result = right(*values, **named)
        except loading.HangsError:
            raise
        except Exception as error:  # a reader raises one for what it cannot read
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
        """Whether a variant answers a call differently, or raises a different error."""
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
