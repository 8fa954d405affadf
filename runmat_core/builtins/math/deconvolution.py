"""deconv: division of polynomials, and signals from what they were convolved with."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError, too_many_inputs
from runmat_core.builtins.arguments import option, scalar
from runmat_core.builtins.lift import value_of
from runmat_core.builtins.math.polynomials import Coefficients, coefficients_of, nonempty
from runmat_core.builtins.named import choice, pairs
from runmat_core.values import size_of

_SHAPES = ("full", "same", "valid")


@builtin("deconv", family="math/polynomials", nargin=(2, None), nargout=2, needs=("nargout",),
         effects="pure")  # fmt: skip
def deconv(y: Any, h: Any, *args: Any, nargout: int) -> Any:
    """Polynomial division: the inverse of conv. Deconvolution by least squares.

    [X, R] = deconv(Y, H) gives Y = conv(X, H) + R by long division
    [X, R] = deconv(Y, H, SHAPE, Method="least-squares") makes norm(R) smallest, where
    Y = conv(X, H, SHAPE) + R with "full", "same" or "valid"; of several X, the shortest
    … = deconv(…, Method="least-squares", RegularizationFactor=ALPHA) makes
    norm(R)^2 + ALPHA^2*norm(X)^2 smallest

    Examples:
        >> deconv([1 5 6], [1 2])
        ans =
             1     3
        >> x = deconv([1.1 5 6.1], [1 2], Method="least-squares");
        >> round(x, 4)
        ans =
            1.0048    3.0381

    See also: conv, residue, polyval, lsqminnorm.
    """
    dividend = nonempty(coefficients_of(y, "deconv"), "deconv")
    divisor = nonempty(coefficients_of(h, "deconv"), "deconv")
    form, least_squares, factor = _options(args)
    if least_squares:
        quotient, rest = _least_squares(dividend, divisor, form, factor)
    else:
        if form != "full":
            raise MatlabError(
                "MATLAB:deconv:ShapeNotFull", "The shape must be 'full' for long division."
            )
        quotient, rest = _divided(dividend, divisor)
    shape = (-1, 1) if size_of(y)[1] == 1 and size_of(y)[0] > 1 else (1, -1)
    outputs = value_of(quotient.reshape(shape)), value_of(rest.reshape(shape))
    return outputs if nargout > 1 else outputs[0]


def _options(args: tuple[Any, ...]) -> tuple[str, bool, float]:
    """Return the shape, whether by least squares, and how much short results count."""
    rest = list(args)
    form = "full"
    if rest and (option(rest[0]) is None or len(rest) % 2):
        if option(rest[0]) is None:
            raise too_many_inputs()
        form = choice(rest.pop(0), _SHAPES, "deconv")
    named, _ = pairs(rest, ("Method", "RegularizationFactor"), "deconv")
    method = "long-division"
    if "Method" in named:
        method = choice(named["Method"], ("long-division", "least-squares"), "deconv")
    least_squares = method == "least-squares"
    factor = scalar(named.get("RegularizationFactor", 0.0), "RegularizationFactor")
    if "RegularizationFactor" in named and not least_squares:
        raise MatlabError(
            "MATLAB:deconv:RegularizationNotSupported",
            "RegularizationFactor is for the method 'least-squares'.",
        )
    return form, least_squares, factor


def _divided(dividend: Coefficients, divisor: Coefficients) -> tuple[Coefficients, Coefficients]:
    """Quotient and remainder."""
    if divisor[0] == 0:
        raise MatlabError("MATLAB:deconv:ZeroCoef1", "First coefficient of A must be non-zero.")
    if divisor.size > dividend.size:
        return np.zeros(1), dividend
    rest = dividend.astype(np.result_type(dividend, divisor))
    quotient = np.zeros(dividend.size - divisor.size + 1, rest.dtype)
    with np.errstate(all="ignore"):
        for k in range(quotient.size):
            quotient[k] = rest[k] / divisor[0]
            rest[k : k + divisor.size] -= quotient[k] * divisor
    rest[: quotient.size] = 0
    return quotient, rest


def _least_squares(
    y: Coefficients, h: Coefficients, form: str, factor: float
) -> tuple[Coefficients, Coefficients]:
    """Return what is nearest to `y` after convolution with `h`, and how far it is from it."""
    more = {"full": 1 - h.size, "same": 0, "valid": h.size - 1}[form]
    count = y.size + more
    if count < 1:
        return np.zeros(1), y
    dtype = np.result_type(y, h)
    whole = np.zeros((count + h.size - 1, count), dtype)
    for k in range(count):
        whole[k : k + h.size, k] = h
    first = {"full": 0, "same": h.size // 2, "valid": h.size - 1}[form]
    matrix = whole[first : first + y.size]
    known = y.astype(dtype)
    if factor:
        matrix = np.vstack([matrix, factor * np.eye(count, dtype=dtype)])
        known = np.concatenate([known, np.zeros(count, dtype)])
    found = np.asarray(np.linalg.lstsq(matrix, known)[0], dtype)
    return found, y - whole[first : first + y.size] @ found
