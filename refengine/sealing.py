"""Values that cannot be changed, and a base class for most of them.

In a compiled module, nothing can set a `Final` field of a native class a second time.
In an interpreted module, `Final` is only a promise to the type checker, so `seal`
makes ordinary assignment and deletion raise AttributeError there.

A native class must never be `acyclic`. Deeply nested values are freed through CPython's
trashcan, which mypyc uses for acyclic classes too. But the trashcan writes to a
header that only objects known to the garbage collector have: a value that dies more
than 50 levels deep inside others would overwrite its neighbour in memory.
"""

from typing import Any, Final

COMPILED: Final = not __file__.endswith(".py")


def seal(kind: Any, *names: str) -> None:
    """Let each field of the class `kind` be set only once, and never be deleted.

    If no `names` are given, the fields are the parameters of its `__init__`. A compiled
    class is left as it is.
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


def close(kind: Any) -> None:
    """Refuse every class derived from `kind`, compiled or not.

    Otherwise a compiled class could be named as a base, and a class derived from it
    would fail only when its first instance was made.
    """

    def refuse(derived: type, /, **_: object) -> None:
        raise TypeError(f"no class can be derived from {kind.__name__}")

    kind.__init_subclass__ = classmethod(refuse)


def unseal(kind: Any) -> None:
    """Let the fields of `kind` be set at any time, even if its base is sealed."""
    kind.__setattr__ = object.__setattr__


class Value:
    """A value compared, hashed and pickled by the key that its class defines.

    Every use of the key builds a new tuple, so the small values of which a position
    holds several do not use this class: they compare their two or three fields one by
    one, which is three times as fast.
    """

    def _key(self) -> tuple[object, ...]:
        raise NotImplementedError  # each class names its own fields

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Value) or type(self) is not type(other):
            return False
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), self._key()
