"""Immutability of the values whose class runs interpreted.

In a compiled module, a `Final` field of a native class cannot be set twice by anything.
Interpreted, `Final` is only a promise to the type checker, so `seal` makes ordinary
assignment and deletion raise there as well.
"""

from typing import Any, Final

COMPILED: Final = not __file__.endswith(".py")


def seal(kind: Any) -> None:
    """Let each field of `kind`, a parameter of its `__init__`, be set only once."""
    code = getattr(kind.__init__, "__code__", None)
    if code is None:  # compiled
        return
    fields = frozenset(code.co_varnames[1 : code.co_argcount])

    def set_once(self: Any, name: str, value: object) -> None:
        values = self.__dict__
        if name in values or name not in fields:
            raise AttributeError(f"{kind.__name__}.{name} cannot be set")
        values[name] = value

    def never_delete(self: Any, name: str) -> None:
        raise AttributeError(f"{kind.__name__}.{name} cannot be deleted")

    kind.__setattr__ = set_once
    kind.__delattr__ = never_delete
