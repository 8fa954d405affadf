"""Objects whose methods are builtins: ``G.numnodes`` is ``numnodes(G)``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, cast

from runmat_core.api.interp import Interp
from runmat_core.values import ObjectValue


class BuiltinObject(ObjectValue):
    """An object with builtins for methods, which take it as their first argument.

    Attributes:
        functions: the names of these builtins; none of them needs the evaluator.
    """

    __slots__ = ()
    functions: ClassVar[frozenset[str]] = frozenset()

    def method(self, name: str) -> Callable[..., Any] | None:
        if name not in self.functions:
            return super().method(name)
        from runmat_core.builtins import registry

        spec = registry.find(name)
        if spec is None:
            return None
        call = registry.bind(spec, cast(Interp, None))
        return lambda nargout, *args: call(nargout, self, *args)

    def method_names(self) -> tuple[str, ...]:
        return tuple(sorted({*super().method_names(), *self.functions}))
