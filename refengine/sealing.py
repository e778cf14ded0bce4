"""Immutability of the values whose class runs interpreted.

In a compiled module, a `Final` field of a native class cannot be set twice by anything.
Interpreted, `Final` is only a promise to the type checker, so `seal` makes ordinary
assignment and deletion raise there as well.

A native class must never be `acyclic`: mypyc lets the trashcan of CPython keep it,
which writes into a header that only objects known to the garbage collector have, and
so into the neighbour of the value, as soon as it dies more than 50 deep in others.
"""

from typing import Any, Final

COMPILED: Final = not __file__.endswith(".py")


def seal(kind: Any, *names: str) -> None:
    """Let each field of `kind` be set only once.

    Without `names` the fields are the parameters of its `__init__`.
    """
    code = getattr(kind.__init__, "__code__", None)
    if code is None:  # compiled
        return
    fields = frozenset(names or code.co_varnames[1 : code.co_argcount])

    def set_once(self: Any, name: str, value: object) -> None:
        values = self.__dict__
        if name in values or name not in fields:
            raise AttributeError(f"{kind.__name__}.{name} cannot be set")
        values[name] = value

    def never_delete(self: Any, name: str) -> None:
        raise AttributeError(f"{kind.__name__}.{name} cannot be deleted")

    kind.__setattr__ = set_once
    kind.__delattr__ = never_delete


class Value:
    """What is equal to another of its class with the same key, and is pickled by it.

    A key is a tuple made anew at each call. The values of two or three fields that
    positions hold by the handful compare them one by one instead, three times as fast.
    """

    def _key(self) -> tuple[object, ...]:
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Value) or type(self) is not type(other):
            return False
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), self._key()
