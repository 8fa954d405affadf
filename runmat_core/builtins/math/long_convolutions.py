"""Long convolutions as transforms: the product of two spectra, where that takes less work.

Sums of products are exact for whole numbers, and infinities in them spread no further than their
own products; what has such elements is left to them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from runmat_core.accel.capture.boundary import compute
from runmat_core.accel.capture.calls import offered
from runmat_core.accel.placement.signals import transforms_take_less
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.composed import call
from runmat_core.builtins.math.convolution_sizes import (
    DIRECT,
    as_column,
    cut,
    part_of,
    smooth,
    vectors,
)
from runmat_core.values import FLOAT_CLASSES, Array, char, colon, eq, index, times
from runmat_core.values.deferred import Deferred, settled


def conv(u: Any, v: Any, shape: Any = None, *, nargout: int) -> Any:
    """``conv`` of two long vectors; NotImplemented where sums of products take less."""
    if not _are_long(u, v) or not vectors(u.shape, v.shape):
        return NotImplemented
    n, m = math.prod(u.shape), math.prod(v.shape)
    where = _where((n,), (m,), shape, "conv")
    if where is None or not transforms_take_less((n,), (m,)) or not _are_plain(u, v):
        return NotImplemented
    columns = [call("reshape", x, float(count), 1.0) for x, count in ((u, n), (v, m))]
    length = float(smooth(n + m - 1))
    product = times(*[call("fft", x, length) for x in columns])
    found = call("ifft", product, length, *_symmetric(u, v))
    found = index(found, (colon(where[0].start + 1.0, float(where[0].stop)),))
    count = float(where[0].stop - where[0].start)
    # the shape is that of the host rule
    tall = as_column(u.shape, v.shape, part_of(shape, "conv"))
    return call("reshape", found, *((count, 1.0) if tall else (1.0, count)))


def conv2(a: Any, b: Any, shape: Any = None, *more: Any, nargout: int) -> Any:
    """``conv2`` of two large matrices; NotImplemented where sums of products take less."""
    if more or not _are_long(a, b) or len(a.shape) > 2 or len(b.shape) > 2:
        return NotImplemented
    where = _where(a.shape, b.shape, shape, "conv2")
    if where is None or not transforms_take_less(a.shape, b.shape) or not _are_plain(a, b):
        return NotImplemented
    lengths = [float(smooth(n + m - 1)) for n, m in zip(a.shape, b.shape, strict=True)]
    product = times(*[call("fft2", x, *lengths) for x in (a, b)])
    found = call("ifft2", product, *lengths, *_symmetric(a, b))
    return index(found, tuple([colon(s.start + 1.0, float(s.stop)) for s in where]))


def _are_long(*values: Any) -> bool:
    """Whether all are floating arrays of one class with more taps than are always multiplied."""
    if not offered("fft"):
        return False
    for value in values:
        if value.__class__ is not Array and value.__class__ is not Deferred:
            return False
        if value.class_name not in FLOAT_CLASSES or math.prod(value.shape) <= DIRECT:
            return False
    return values[0].class_name == values[1].class_name  # type: ignore[no-any-return]


def _where(
    first: Sequence[int], second: Sequence[int], shape: Any, name: str
) -> list[slice] | None:
    """Return what is asked for of the full convolution; None where that is nothing, or no shape."""
    try:
        parts = cut(first, second, part_of(shape, name))
    except MatlabError:
        return None
    full = [n + m - 1 for n, m in zip(first, second, strict=True)]
    found = [slice(*part.indices(n)[:2]) for part, n in zip(parts, full, strict=True)]
    return None if any(part.stop <= part.start for part in found) else found


def _are_plain(*values: Any) -> bool:
    """Whether all elements are finite, and not all of them whole; reads that from devices."""
    tests = [
        test
        for value in values
        for test in (
            call("all", call("isfinite", value), char("all")),
            call("all", eq(value, call("round", value)), char("all")),
        )
    ]
    compute(tests)
    finite, whole = [[bool(settled(test)) for test in tests[k::2]] for k in range(2)]
    return all(finite) and not all(whole)


def _symmetric(*values: Any) -> tuple[Any, ...]:
    """Return what tells an inverse transform that the result is real, where it surely is."""
    real = all(
        value.data.dtype.kind == "f"
        if value.__class__ is Array
        else value.promise.node.dtype in ("f32", "f64") and not value.promise.node.holds_complex
        for value in values
    )
    return (char("symmetric"),) if real else ()
