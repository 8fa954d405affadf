"""How the functions read their arguments: vectors, constraints, user functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from runmat_core.api import Interp, MatlabError

Vector = NDArray[Any]
Matrix = NDArray[Any]


def is_function(value: Any) -> bool:
    """Whether a value can be called: a function handle, or a text."""
    return isinstance(value, str) or getattr(value, "class_name", "") == "function_handle"


def is_options(value: Any) -> bool:
    return getattr(value, "class_name", "") == "struct"


def array(value: Any, name: str, what: str) -> Matrix:
    """A real numeric argument as double."""
    if getattr(value, "is_sparse", False):
        value = value.full()
    if not isinstance(value, np.ndarray) or value.dtype.kind not in "biuf":
        raise MatlabError(f"optim:{name}:NonDoubleInput", f"{what} must be real and numeric.")
    return np.asarray(value, dtype=float)


def optional(args: Sequence[Any], k: int) -> Any:
    """Argument `k`, or None where it is not given or empty."""
    value = args[k] if k < len(args) else None
    return None if isinstance(value, np.ndarray) and value.size == 0 else value


def bounds(args: Sequence[Any], k: int, count: int, name: str) -> tuple[Vector, Vector]:
    """Lower and upper bounds, infinite where they are not given."""
    found = []
    for at, default in ((k, -np.inf), (k + 1, np.inf)):
        given = optional(args, at)
        limits = np.full(count, default)
        if given is not None:
            values = array(given, name, "Bounds").ravel(order="F")
            if values.size > count:
                raise MatlabError(
                    f"optim:{name}:InvalidBounds", f"Bounds must have {count} elements."
                )
            limits[: values.size] = values
        found.append(limits)
    return found[0], found[1]


@attrs.frozen
class Linear:
    """Linear constraints: ``a @ x <= b`` and ``a_eq @ x == b_eq``."""

    a: Matrix
    b: Vector
    a_eq: Matrix
    b_eq: Vector


def linear(args: Sequence[Any], k: int, count: int, name: str) -> Linear:
    """The constraints A, b, Aeq, beq that stand from argument `k` on."""
    parts: list[Any] = []
    for at, what in ((k, "A"), (k + 2, "Aeq")):
        rows, right = optional(args, at), optional(args, at + 1)
        matrix = np.zeros((0, count)) if rows is None else array(rows, name, what)
        vector = np.zeros(0) if right is None else array(right, name, "b").ravel(order="F")
        if matrix.shape[1] != count:
            raise MatlabError(
                f"optim:{name}:ColumnsOf{what}",
                f"The number of columns in {what} must be the same as the number of elements "
                "of the unknown.",
            )
        if matrix.shape[0] != vector.size:
            raise MatlabError(
                f"optim:{name}:RowsOf{what}",
                f"The number of rows in {what} must be the same as the number of elements of b.",
            )
        # a row without an upper bound holds everywhere
        known = ~np.isnan(vector) if what == "A" else np.isfinite(vector)
        if not (np.isfinite(matrix).all() and known.all()):
            raise MatlabError(
                f"optim:{name}:NonFiniteInput", f"{what} and its right side must be finite."
            )
        parts += [matrix, vector]
    return Linear(*parts)


class Function:
    """A user's function of the unknown, as one of a vector.

    Attributes:
        calls: how often it was called.
    """

    def __init__(
        self, function: Any, start: Matrix, interp: Interp, extra: Sequence[Any] = ()
    ) -> None:
        self.function, self.shape, self.interp = function, start.shape, interp
        #: what the function gets after the unknown
        self.extra = [interp.to_matlab(value) for value in extra]
        self.calls = 0
        self.known: dict[tuple[bytes, int], tuple[Any, ...]] = {}

    def outputs(self, x: Vector, count: int) -> tuple[Any, ...]:
        """The first `count` outputs at `x`, as arrays; those of the last point are kept."""
        key = (np.asarray(x, float).tobytes(), count)
        if key not in self.known:
            point = np.asarray(x, float).reshape(self.shape, order="F")
            self.calls += 1
            given = [self.interp.to_matlab(point), *self.extra]
            made = self.interp.call(self.function, given, count)
            values = made if isinstance(made, tuple) else (made,)
            found = []
            for value in values:
                found.append(plain(value, self.interp))
            self.known = {key: tuple(found)}
        return self.known[key]

    def scalar(self, count: int = 1) -> Callable[[Vector], float]:
        """The function's value; `count` outputs are asked for at once."""

        def value(x: Vector) -> float:
            found = self.outputs(x, count)[0]
            if found.size != 1 or found.dtype.kind == "c":
                raise MatlabError(
                    "optim:checkfun:NonScalarObj",
                    "Supplied objective function must return a real scalar value.",
                )
            return float(found.flat[0])

        return value

    def vector(self, count: int = 1) -> Callable[[Vector], Vector]:
        return lambda x: self.outputs(x, count)[0].astype(float).ravel(order="F")

    def second(self) -> Callable[[Vector], Matrix]:
        """The derivative, the second output."""
        return lambda x: np.asarray(self.outputs(x, 2)[1], float)


def plain(value: Any, interp: Interp) -> Matrix:
    """A MATLAB value that a user's function returned, as an array."""
    found = interp.to_python(value)
    if hasattr(found, "toarray"):
        found = found.toarray()
    made = np.atleast_2d(np.asarray(found))
    if made.dtype.kind not in "biufc":
        raise MatlabError(
            "optim:checkfun:NonNumeric", "A user-supplied function must return numbers."
        )
    return made


def slopes(f: Callable[[Vector], Any], x: Vector, central: bool = True) -> Matrix:
    """The Jacobian of `f` by differences, m-by-n."""
    columns = []
    step = np.cbrt(np.finfo(float).eps) if central else np.sqrt(np.finfo(float).eps)
    for k in range(x.size):
        h = step * max(1.0, abs(x[k]))
        up, down = x.copy(), x.copy()
        up[k] += h
        if central:
            down[k] -= h
        difference = np.atleast_1d(f(up)) - np.atleast_1d(f(down))
        columns.append(difference / (up[k] - down[k]))
    return np.column_stack(columns) if columns else np.zeros((0, 0))


def column(x: Vector) -> Matrix:
    return np.asarray(x, float).reshape(-1, 1)


def multipliers(
    gradient: Vector, rows: Matrix, slack: Vector, equalities: Matrix, limit: float
) -> tuple[Vector, Vector]:
    """Multipliers of ``rows @ x <= …`` (not negative) and of equalities, by least squares.

    Args:
        slack: how far each inequality is from holding as an equality.
        limit: the slack up to which it counts as active.
    """
    from scipy.optimize import lsq_linear

    active = np.flatnonzero(slack <= limit)
    system = np.vstack([rows[active], equalities]).T
    below = np.zeros(rows.shape[0])
    if not system.shape[1]:
        return below, np.zeros(0)
    least = np.concatenate([np.zeros(active.size), np.full(equalities.shape[0], -np.inf)])
    found = lsq_linear(system, -gradient, (least, np.full(least.size, np.inf))).x
    below[active] = found[: active.size]
    return below, found[active.size :]
