"""Arrays of other lengths: elements added or taken off at the ends of dimensions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError, too_many_inputs, undefined_for
from runmat_core.builtins.arguments import dimension, real
from runmat_core.builtins.arrays.generic import array_of, rebuilt
from runmat_core.builtins.named import choice, pairs, positional
from runmat_core.values import (
    DTYPE,
    MISSING,
    NUMERIC_CLASSES,
    class_of,
    from_numpy,
    size_of,
    to_numpy,
)
from runmat_core.values.classes import saturate

_SIDES = ("trailing", "leading", "both")
_PATTERNS = ("constant", "edge", "circular", "flip", "reflect")
#: What NumPy calls the patterns.
_PADS = {"edge": "edge", "circular": "wrap", "flip": "symmetric", "reflect": "reflect"}


def _lengths(name: str, x: Any, wanted: Any, named: dict[str, Any]) -> dict[int, int]:
    """Return the length that each of the axes is to have."""
    a = real(wanted, name).astype(np.float64).ravel()
    if not a.size or not np.isfinite(a).all() or (a % 1).any() or (a < 0).any():
        raise MatlabError(
            f"MATLAB:{name}:InvalidTargetLength", "Lengths must be nonnegative integers."
        )
    if "Dimension" in named:
        given = named["Dimension"]
        numbers = to_numpy(given).ravel() if class_of(given) in NUMERIC_CLASSES else [given]
        axes = [dimension(float(n) if n is not given else n) for n in numbers]
    elif a.size == 1:
        shape = size_of(x)
        axes = [next((k for k, n in enumerate(shape) if n != 1), 0)]
    else:
        axes = list(range(a.size))
    if len(axes) != a.size or len(set(axes)) != len(axes):
        raise MatlabError(
            f"MATLAB:{name}:LengthDimensionMismatch",
            "There must be one length for each dimension, and each dimension once.",
        )
    return {axis: int(n) for axis, n in zip(axes, a, strict=True)}


def _sides(more: int, side: str) -> tuple[int, int]:
    """How much of a change of length is at the beginning and at the end."""
    if side == "trailing":
        return 0, more
    if side == "leading":
        return more, 0
    return more // 2, more - more // 2


def _filler(name: str, x: Any, named: dict[str, Any]) -> Any:
    """Return what new elements of arrays of the class of `x` are."""
    cls = class_of(x)
    if "FillValue" in named:
        value = array_of(named["FillValue"])
        if value.size != 1:
            raise MatlabError(f"MATLAB:{name}:InvalidFillValue", "The fill value must be a scalar.")
        return value.flat[0]
    return {"cell": from_numpy(np.zeros((0, 0))), "string": MISSING}.get(cls, 0)


def _padded(a: NDArray[Any], axis: int, ends: tuple[int, int], pattern: str, fill: Any) -> Any:
    if pattern != "constant" and a.shape[axis]:
        width = [ends if k == axis else (0, 0) for k in range(a.ndim)]
        return np.pad(a, width, mode=_PADS[pattern])  # type: ignore[call-overload]
    if a.dtype.kind in "iu":
        fill = saturate(np.asarray(fill, np.float64), a.dtype)[()]
    parts = [
        np.empty([n if k == axis else m for k, m in enumerate(a.shape)], a.dtype) for n in ends
    ]
    for part in parts:
        part.fill(fill)
    return np.concatenate([parts[0], a, parts[1]], axis=axis)


def _changed(name: str, x: Any, args: tuple[Any, ...], may: tuple[bool, bool]) -> Any:
    """`x` with the lengths that the arguments ask for; `may` grow and shrink."""
    if class_of(x) not in {*DTYPE, "char", "cell", "string"}:
        raise undefined_for(name, class_of(x))
    plain, words = positional(args)
    known = ["Dimension", "Side", *(["Pattern", "FillValue"] if may[0] else [])]
    named, _ = pairs(words, known, name)
    if len(plain) != 1:
        raise too_many_inputs()
    if "Pattern" in named and "FillValue" in named:
        raise MatlabError(
            f"MATLAB:{name}:FillValuePattern", "'FillValue' and 'Pattern' cannot be given together."
        )
    side = choice(named["Side"], _SIDES, name) if "Side" in named else "trailing"
    pattern = choice(named["Pattern"], _PATTERNS, name) if "Pattern" in named else "constant"
    a, fill = array_of(x), _filler(name, x, named)
    for axis, wanted in _lengths(name, x, plain[0], named).items():
        if axis >= a.ndim:
            a = a.reshape(a.shape + (1,) * (axis + 1 - a.ndim))
        more = wanted - a.shape[axis]
        if more > 0 and may[0]:
            a = _padded(a, axis, _sides(more, side), pattern, fill)
        elif more < 0 and may[1]:
            first, last = _sides(-more, side)
            a = np.take(a, np.arange(first, a.shape[axis] - last), axis)
    return rebuilt(x, a)


@builtin("resize", family="arrays/shape", nargin=(2, None), effects="pure")
def resize(x: Any, *args: Any) -> Any:
    """Array of another size: elements are added or taken off at the end.

    B = resize(A, M) gives the first dimension that is not one the length M
    B = resize(A, [M1 M2 …]) has these lengths; resize(…, "Dimension", DIM) those of DIM
    resize(…, "Side", S) works at the "trailing" or "leading" end or "both"
    resize(…, "FillValue", V), resize(…, "Pattern", P) with what paddata takes

    Examples:
        >> resize([1 2 3], 5)
        ans =
             1     2     3     0     0
        >> resize(magic(3), [2 2])
        ans =
             8     1
             3     5

    See also: paddata, trimdata, reshape, repmat.
    """
    return _changed("resize", x, args, (True, True))


@builtin("paddata", family="arrays/shape", nargin=(2, None), effects="pure")
def paddata(x: Any, *args: Any) -> Any:
    """Array with elements added where it is shorter than asked for.

    B = paddata(A, M), B = paddata(A, [M1 M2 …]), B = paddata(…, "Dimension", DIM)
    paddata(…, "Side", S) works at the "trailing" or "leading" end or "both"
    paddata(…, "FillValue", V) fills with V, which is 0 by default
    paddata(…, "Pattern", P) goes on with "edge" elements, with "circular" ones from the start, or
    backwards: "flip" with the last element once more, "reflect" without

    Examples:
        >> paddata([1 2 3], 5, "Pattern", "edge")
        ans =
             1     2     3     3     3

    See also: resize, trimdata, repmat.
    """
    return _changed("paddata", x, args, (True, False))


@builtin("trimdata", family="arrays/shape", nargin=(2, None), effects="pure")
def trimdata(x: Any, *args: Any) -> Any:
    """Array with elements taken off where it is longer than asked for.

    B = trimdata(A, M), B = trimdata(A, [M1 M2 …]), B = trimdata(…, "Dimension", DIM)
    trimdata(…, "Side", S) works at the "trailing" or "leading" end or "both"

    Examples:
        >> trimdata(1:5, 3, "Side", "both")
        ans =
             2     3     4

    See also: resize, paddata.
    """
    return _changed("trimdata", x, args, (False, True))
