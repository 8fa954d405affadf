"""What stands in for an array while code is run ahead of its elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runmat_core.values.base import Subscripts, Value


class Refused(BaseException):
    """Code cannot be run ahead.

    Args:
        reason: a phrase for people.
        line: the file and the line of what is in the way, where no frame tells.
        value: the `StandIn` whose elements were asked for, if that was it.
    """

    def __init__(
        self, reason: str, line: tuple[str, int] = ("", 0), value: StandIn | None = None
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line
        self.value = value


class StandIn(Value):
    """An array of which neither the elements nor the size are known.

    It takes the operators, and the elementwise functions that know it; everything else asks for
    what it denies.
    """

    __slots__ = ()
    denial = "it needs the value of something that is computed later"

    @property
    def data(self) -> Any:
        raise Refused(self.denial, value=self)

    @property
    def shape(self) -> tuple[int, ...]:
        raise Refused(self.denial, value=self)

    def share(self) -> StandIn:
        return self

    def operator(self, name: str, operands: Sequence[Any]) -> Any:
        """Return an operator with this among the operands."""
        raise Refused(self.denial)

    def lifted(self, function: Callable[..., Any], operands: Sequence[Any]) -> Any:
        """Return an elementwise function of numbers with this among the operands."""
        raise Refused(self.denial)

    def as_argument(self, name: str, args: Sequence[Any], call: Callable[..., Any]) -> Any:
        """Another builtin with this among the arguments, for one output.

        Args:
            call: captures a builtin, ``call(name, *args)``.
        """
        raise Refused(self.denial)

    def paren(self, subs: Subscripts) -> Any:
        raise Refused(self.denial)

    def set_paren(self, subs: Subscripts, rhs: Any) -> Any:
        raise Refused(self.denial)

    def del_paren(self, subs: Subscripts) -> Any:
        raise Refused(self.denial)
