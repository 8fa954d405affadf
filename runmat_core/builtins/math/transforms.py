"""What Fourier transforms are asked for, and their host rule: NumPy's or scipy's pocketfft."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import threads
from runmat_core.api.errors import MatlabError
from runmat_core.api.fusion import Operand, Requested
from runmat_core.api.libraries import extension, package
from runmat_core.api.tuples import NamedTuple
from runmat_core.builtins.arguments import (
    as_float,
    canonical_shape,
    check_size,
    dimension,
    first_axis,
    integer,
    numeric,
    shape_from,
    value_of_operand,
)
from runmat_core.builtins.lift import value_of
from runmat_core.builtins.named import choice, positional
from runmat_core.values import numel_of

Numbers = NDArray[Any]

#: Elements from which scipy's transforms, which use vector instructions, are worth their import.
LARGE = 1 << 14
#: Classes of results by those of operands, for libraries.
_RESULT = {
    "single": "complex single",
    "double": "complex double",
    "complex single": "complex single",
    "complex double": "complex double",
}


class Transform(NamedTuple):
    """A transform of an array.

    Attributes:
        given: extents of the array, with ones for further dimensions that are asked for.
        made: extents of the result: the array is padded with zeros, or cut, to them.
        axes: those that it goes along.
        inverse: from a spectrum.
        symmetric: whether the spectrum is taken for that of real numbers, unseen.
    """

    given: tuple[int, ...]
    made: tuple[int, ...]
    axes: tuple[int, ...]
    inverse: bool = False
    symmetric: bool = False


def along(name: str, shape: Sequence[int], args: Sequence[Any], inverse: bool = False) -> Transform:
    """``fft(x, n, dim)``.

    Raises:
        MatlabError: the arguments are not such.
    """
    (n, dim), symmetric = _read(name, args, inverse)
    axis = first_axis(shape) if dim is None else dimension(dim)
    given = (*shape, *[1] * (axis + 1 - len(shape)))
    length = given[axis] if n is None else integer(n, "N")
    if length < 0:
        raise MatlabError(f"MATLAB:{name}:lengthNotNonNegInt", "N must be nonnegative.")
    made = (*given[:axis], length, *given[axis + 1 :])
    return Transform(given, made, (axis,), inverse, symmetric)


def of_pages(
    name: str, shape: Sequence[int], args: Sequence[Any], inverse: bool = False
) -> Transform:
    """``fft2(x, m, n)``.

    Raises:
        MatlabError: the arguments are not such.
    """
    (m, n), symmetric = _read(name, args, inverse)
    rows, columns = shape[:2]
    if m is not None:
        rows, columns = max(integer(m, "M"), 0), max(integer(n, "N"), 0)
    return Transform(tuple(shape), (rows, columns, *shape[2:]), (0, 1), inverse, symmetric)


def along_all(
    name: str, shape: Sequence[int], args: Sequence[Any], inverse: bool = False
) -> Transform:
    """``fftn(x, sz)``.

    Raises:
        MatlabError: the arguments are not such.
    """
    (size, _), symmetric = _read(name, args, inverse)
    made = tuple(shape)
    if size is not None:
        made = shape_from([size]) if numel_of(size) > 1 else (integer(size, "SZ"),)
        if len(made) < len(shape) or min(made) < 0:
            raise MatlabError(
                f"MATLAB:{name}:invalidSize", "The size must have an extent for each dimension."
            )
    given = (*shape, *[1] * (len(made) - len(shape)))
    return Transform(given, made, tuple(range(len(made))), inverse, symmetric)


def _read(name: str, args: Sequence[Any], inverse: bool) -> tuple[list[Any], bool]:
    """Return the first two arguments, None for those not given or empty, and whether symmetric."""
    plain, words = positional([arg for arg in args if arg is not None])
    known = ("symmetric", "nonsymmetric") if inverse else ()
    if len(plain) > 2 or len(words) > len(known[:1]):
        raise MatlabError("MATLAB:TooManyInputs", "Too many input arguments.")
    symmetric = bool(words) and choice(words[0], known, name) == "symmetric"
    filled = [v if numel_of(v) else None for v in plain]
    return [*filled, None, None][:2], symmetric


def request(read: Any, name: str, inverse: bool = False) -> Any:
    """Return what a call asks of the library ``fft``, where its arguments are read by `read`."""

    def asked(x: Operand, *args: Any, nargout: int) -> Requested | None:
        if nargout > 1 or not isinstance(x, Operand) or x.cls not in _RESULT:
            return None
        if any(isinstance(arg, Operand) and arg.elements is None for arg in args):
            return None
        known = [value_of_operand(arg) if isinstance(arg, Operand) else arg for arg in args]
        what = read(name, x.shape, known, inverse)
        if 0 in what.given or 0 in what.made:
            return None
        cls = _RESULT[x.cls]
        if what.symmetric:
            cls = cls.removeprefix("complex ")
        attributes = (
            ("axes", what.axes),
            ("inverse", inverse),
            ("symmetric", inverse and not what.symmetric),
        )
        outputs = ((canonical_shape(what.made), cls),)
        return Requested(attributes, outputs, extents=(*what.given, *what.made), inputs=(0,))

    return asked


# -- host rule -------------------------------------------------------------------------------------


def transformed(name: str, x: Any, read: Any, args: Sequence[Any], inverse: bool = False) -> Any:
    """Return the host rule of all transforms.

    Raises:
        MatlabError: `x` is no array of numbers, or the other arguments are not what `read` takes.
    """
    a = as_float(numeric(x, name))
    what: Transform = read(name, a.shape, args, inverse)
    check_size(what.made, 16)
    if 0 in what.made:
        return value_of(np.zeros(what.made, a.real.dtype))
    return value_of(compute(a.reshape(what.given, order="F"), what))


def compute(a: Numbers, what: Transform) -> Numbers:
    """Return the transform of an array; real where that is asked for or known."""
    if max(a.size, math.prod(what.made)) >= LARGE:
        found = _on_threads(a, what)
    else:
        sizes = [what.made[axis] for axis in what.axes]
        found = (np.fft.ifftn if what.inverse else np.fft.fftn)(a, sizes, what.axes)
    found = found.astype(np.result_type(a.dtype, np.complex64), copy=False)
    if what.symmetric or (what.inverse and _is_symmetric(_resized(a, what), what.axes)):
        return found.real
    if a.dtype.kind != "c":
        _symmetrise(found, what.axes)
    return found


def _on_threads(a: Numbers, what: Transform) -> Numbers:
    """Return the transform, its slices shared out among threads without other bits."""
    rule = getattr(extension("scipy.fft._pocketfft.pypocketfft", "scipy.fft"), "c2c", None)
    if rule is None:
        rules = package("scipy.fft")
        sizes = [what.made[axis] for axis in what.axes]
        named = rules.ifftn if what.inverse else rules.fftn
        return np.asarray(named(a, sizes, what.axes, workers=threads.limit()))
    # only the inverse is divided by the number of elements
    scaling = 2 if what.inverse else 0
    return np.asarray(
        rule(_resized(a, what), what.axes, not what.inverse, scaling, None, threads.limit())
    )


def _resized(a: Numbers, what: Transform) -> Numbers:
    if what.given == what.made:
        return a
    found = np.zeros(what.made, a.dtype)
    part = tuple([slice(0, min(m, n)) for m, n in zip(what.given, what.made, strict=True)])
    found[part] = a[part]
    return found


def _is_symmetric(a: Numbers, axes: Sequence[int]) -> bool:
    """Whether partners, a point and that at minus its coordinates, are conjugates."""
    # a few elements tell nearly always
    first = tuple([slice(1, 2) if k in axes else slice(0, 1) for k in range(a.ndim)])
    last = tuple([slice(-1, None) if k in axes else slice(0, 1) for k in range(a.ndim)])
    if min(a.shape[k] for k in axes) > 1 and not np.array_equal(a[first], a[last].conj()):
        return False
    mirrored = a
    for axis in axes:
        mirrored = np.roll(np.flip(mirrored, axis), 1, axis)
    return bool(np.array_equal(a, mirrored.conj()))


def _symmetrise(a: Numbers, axes: Sequence[int]) -> None:
    """Make partners conjugates to the last bit, as transforms of real arrays are."""
    axis, *rest = axes
    a = np.moveaxis(a, axis, 0)
    n = len(a)
    others = [k + (k < axis) for k in rest]
    half = (n + 1) // 2
    upper = a[1:half][::-1].conj()
    for k in others:
        upper = np.roll(np.flip(upper, k), 1, k)
    a[n - half + 1 :] = upper
    for plane in {0, n // 2} if n % 2 == 0 else {0}:
        if others:
            _symmetrise(a[plane], [k - 1 for k in others])
        else:
            a.imag[plane] = 0
