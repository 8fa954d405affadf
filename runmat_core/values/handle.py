"""Function handles."""

from __future__ import annotations

from typing import Any

from runmat_core.api.interp import MatlabFunction
from runmat_core.values.base import COLON, Subscripts, Value


class FunctionHandle(Value):
    """A handle to a named function, or an anonymous function with what it captured.

    Attributes:
        fn: ``fn(nargout, *args)``.
        name: the function's name; empty for an anonymous function.
        source: what ``func2str`` gives: ``sin`` or ``@(x)x+w``.
        captures: the captured variables of an anonymous function, in order.
        file: the .m file that it comes from, empty for builtins and typed code.
    """

    __slots__ = ("captures", "file", "fn", "name", "source")
    class_name = "function_handle"

    def __init__(
        self,
        fn: MatlabFunction,
        name: str = "",
        source: str = "",
        captures: dict[str, Any] | None = None,
        file: str = "",
    ) -> None:
        self.fn = fn
        self.name = name
        self.source = source or name
        self.captures = {} if captures is None else captures
        self.file = file

    def share(self) -> FunctionHandle:
        # nothing can change a handle
        return self

    @property
    def shape(self) -> tuple[int, ...]:
        return (1, 1)

    @property
    def is_anonymous(self) -> bool:
        return self.source.startswith("@")

    def paren(self, subs: Subscripts) -> Any:
        """``f(args)`` with one output."""
        return self.fn(1, *(_colon(s) for s in subs))

    def called_with(self, nargout: int, subs: Subscripts) -> Any:
        """``f(args)`` with any number of outputs."""
        return self.fn(nargout, *(_colon(s) for s in subs))

    def same(self, other: FunctionHandle) -> bool:
        """Whether ``isequal`` holds: the same function, or copies of one anonymous function."""
        if self is other or self.fn is other.fn:
            return True
        if self.is_anonymous or other.is_anonymous:
            return False
        return self.name == other.name and self.file == other.file

    def __repr__(self) -> str:
        return f"FunctionHandle({self.source!r})"


def builtin_named(handle: FunctionHandle) -> str:
    """Return the name of the builtin that `handle` stands for; empty where it is no builtin."""
    return handle.name.lstrip("@") if hasattr(handle.fn, "__runmat_spec__") else ""


def _colon(sub: Any) -> Any:
    from runmat_core.values.char import CharArray

    return CharArray(":") if sub is COLON else sub
