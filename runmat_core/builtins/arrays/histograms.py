"""Counting elements in bins."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import (
    check_size,
    dimension,
    first_axis,
    integer,
    option,
    real,
    scalar,
)
from runmat_core.builtins.graphics import placeholders
from runmat_core.builtins.named import choice
from runmat_core.builtins.named import pairs as named_pairs
from runmat_core.values import char, class_of, from_numpy, is_text, size_of, to_numpy
from runmat_core.values.bins import binned, counted, edge_reached
from runmat_core.values.deferred import Deferred, all_settled, settled

Numbers = NDArray[Any]

#: Whole numbers that reach no further get a bin each.
WHOLE = 50


@builtin(
    "histc",
    family="arrays/histograms",
    nargout=2,
    needs=("nargout",),
    effects="pure",
    pending="keep",
    captures="composition",
)
def histc(x: Any, edges: Any, dim: Any = None, *, nargout: int) -> Any:
    """Counts of elements between edges; the last count is of elements equal to the last edge.

    N = histc(X, EDGES), N = histc(X, EDGES, DIM)
    [N, BIN] = histc(…) gives the bin of each element, zero outside

    Examples:
        >> histc([1 2 2 3 5], 1:5)
        ans =
             1     2     1     0     1

    See also: histcounts, accumarray.
    """
    if x.__class__ is Deferred and dim is None:
        found = _counted_there(x, edges, nargout)
        if found is not None:
            return found
    x, edges, dim = all_settled((x, edges, dim))
    a = real(x, "histc").astype(np.float64)
    limits = real(edges, "histc").astype(np.float64).ravel(order="F")
    axis = first_axis(a.shape) if dim is None else dimension(dim)
    bins = edge_reached(a, limits)
    if axis >= a.ndim:
        bins, axis = bins[..., None], a.ndim
    result = _counts_along(bins, axis, limits.size)
    if a.size == 1:
        result = result.reshape(size_of(edges))
    if nargout < 2:
        return from_numpy(result)
    return from_numpy(result), from_numpy(bins.astype(np.float64))


def _counts_along(bins: NDArray[np.intp], axis: int, count: int) -> Numbers:
    """How often each of the bins from one to `count` is there along an axis."""
    lines = np.moveaxis(bins, axis, 0)
    others = lines.shape[1:]
    flat = lines.reshape(lines.shape[0], math.prod(others))
    width = count + 1
    own = flat + np.arange(flat.shape[1]) * width
    found = np.bincount(own.ravel(), minlength=width * flat.shape[1])
    each = found.reshape(flat.shape[1], width)[:, 1:].T
    return np.moveaxis(each.reshape(count, *others).astype(np.float64), 0, axis)


def _counted_there(x: Any, edges: Any, nargout: int) -> Any:
    """``histc`` of a vector on a device; None for other arrays, which the host rule takes."""
    from runmat_core.accel.capture import grouped

    limits = to_numpy(edges) if class_of(edges) == "double" else np.zeros(0)
    vector = len(x.shape) == 2 and 1 in x.shape
    if not vector or limits.size < 2 or limits.dtype.kind == "c" or not _rises(limits):
        return None
    count = limits.size
    shape = (1, count) if x.shape[0] == 1 else (count, 1)
    found = grouped.histogram(x, limits.ravel(order="F"), shape, False, nargout > 1)
    return found if found is None or nargout > 1 else found[0]


def _rises(edges: Numbers) -> bool:
    """Whether edges are numbers that do not decrease."""
    flat = edges.ravel(order="F")
    return bool((flat[1:] >= flat[:-1]).all())


def _nice(width: float) -> float:
    """Return a width near `width` that is 1, 2, 3 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(width))
    size = width / power
    for limit, factor in ((1.5, 1), (2.5, 2), (4, 3), (7.5, 5)):
        if size < limit:
            return power * factor
    return power * 10


#: Bins that are chosen for whole numbers, at most.
_MOST_BINS = 65536

_NAMES = ("BinEdges", "BinLimits", "BinMethod", "BinWidth", "Normalization", "NumBins")


def _even_edges(low: float, high: float, width: float) -> Numbers:
    """Edges at multiples of a nice width near `width`."""
    scale = max(abs(low), abs(high))
    if high - low <= max(math.sqrt(np.spacing(scale)), np.finfo(float).tiny):
        middle = max(1.0, math.ceil(16 * np.spacing(scale)))
        return np.array(
            [math.floor(2 * (low - middle / 4)) / 2, math.ceil(2 * (high + middle / 4)) / 2]
        )
    step = _nice(max(width, np.spacing(scale)))
    left = min(step * math.floor(low / step), low)
    count = max(1, math.ceil((high - left) / step))
    edges = left + np.arange(count + 1) * step
    edges[-1] = max(edges[-1], high)
    return edges


def _counted_edges(low: float, high: float, count: int) -> Numbers:
    """`count` bins of one nice width that hold all numbers from `low` to `high`."""
    if high == low:
        return np.linspace(low - 0.5, high + 0.5, count + 1)
    width = (high - low) / count
    power = 10.0 ** math.floor(math.log10(width))
    step = power * math.floor(width / power)
    left = min(step * math.floor(low / step), low)
    if count > 1:
        least, most = (high - left) / count, (high - left) / (count - 1)
        power = 10.0 ** math.floor(math.log10(most - least))
        step = power * math.ceil(least / power)
    edges = left + np.arange(count + 1) * step
    edges[-1] = max(edges[-1], high)
    return edges


def _whole_edges(low: float, high: float) -> Numbers:
    """Bins of width one about whole numbers, or wider ones where these would be too many."""
    if high - low >= _MOST_BINS or max(abs(low), abs(high)) > 1 / np.finfo(float).eps:
        return _even_edges(low, high, (high - low) / _MOST_BINS)
    return np.arange(math.floor(low) - 0.5, math.ceil(high) + 1)


def _scott(spread: float, count: int) -> float:
    """Return the width of bins by Scott's rule."""
    return float(3.5 * spread / count ** (1 / 3))


def _automatic_edges(x: Numbers, method: str) -> Numbers:
    low, high = float(x.min()), float(x.max())
    whole = bool((x == np.round(x)).all())
    if method == "integers" or (method == "auto" and whole and high - low <= WHOLE):
        return _whole_edges(low, high)
    if method == "fd":
        quartiles = np.percentile(x, [25, 75], method="hazen")
        width = 2 * float(quartiles[1] - quartiles[0]) / x.size ** (1 / 3)
    elif method == "sturges":
        return _counted_edges(low, high, max(math.ceil(math.log2(x.size) + 1), 1))
    elif method == "sqrt":
        return _counted_edges(low, high, max(math.ceil(math.sqrt(x.size)), 1))
    else:
        width = _scott(float(x.std(ddof=1) if x.size > 1 else 0), x.size)
    return _even_edges(low, high, width)


def _bin_count(value: Any) -> int:
    count = integer(value, "Number of bins")
    if count < 1:
        raise MatlabError("MATLAB:histcounts:expectedPositive", "Number of bins must be positive.")
    check_size((count,), 8)
    return count


def _bin_edges(data: Numbers, bins: Any, named: dict[str, Any]) -> Numbers:
    """Return the edges that the arguments of histcounts ask for."""
    if bins is not None and to_numpy(bins).size > 1:
        return real(bins, "histcounts").astype(np.float64).ravel(order="F")
    if "binedges" in named:
        return real(named["binedges"], "histcounts").astype(np.float64).ravel(order="F")
    x = data[np.isfinite(data)]
    limits = to_numpy(named["binlimits"]).ravel() if "binlimits" in named else None
    if limits is not None:
        x = x[(x >= limits[0]) & (x <= limits[1])]
    count = bins if bins is not None else named.get("numbins")
    if limits is not None and (count is not None or "binwidth" not in named):
        bins_wanted = 10 if count is None else _bin_count(count)
        return np.linspace(limits[0], limits[1], bins_wanted + 1)
    if x.size == 0:
        return np.linspace(0.0, 1.0, 2 if count is None else _bin_count(count) + 1)
    low, high = (x.min(), x.max()) if limits is None else limits
    if count is not None:
        return _counted_edges(float(low), float(high), _bin_count(count))
    if "binwidth" in named:
        step = scalar(named["binwidth"], "BinWidth")
        left = float(low) if limits is not None else step * math.floor(low / step)
        return left + np.arange(max(math.ceil((high - left) / step), 1) + 1) * step
    return _automatic_edges(x, option(named.get("binmethod", from_numpy(np.zeros(1)))) or "auto")


_NORMALIZATION: dict[str, Callable[[Numbers, int, Numbers], Numbers]] = {
    "count": lambda n, total, width: n,
    "probability": lambda n, total, width: n / total,
    "percentage": lambda n, total, width: 100 * n / total,
    "countdensity": lambda n, total, width: n / width,
    "pdf": lambda n, total, width: n / (total * width),
    "cumcount": lambda n, total, width: np.cumsum(n),
    "cdf": lambda n, total, width: np.cumsum(n) / total,
}


def _histogram_there(x: Any, args: tuple[Any, ...], nargout: int) -> Any:
    """``histcounts`` with given edges, or a number of bins or none, of an array on a device.

    None for other calls, which the host rule takes.
    """
    from runmat_core.accel.capture import grouped

    bins = settled(args[0]) if args else None
    if len(args) > 1 or (bins is not None and class_of(bins) != "double"):
        return None
    if bins is not None and to_numpy(bins).size > 1:
        edges = to_numpy(bins).ravel(order="F")
    else:
        found = grouped.measures(x)
        if found is None or not found.size:
            return None
        edges = _edges_for(found, bins)
    if edges.size < 2 or edges.dtype.kind == "c" or not _rises(edges):
        return None
    counted = grouped.histogram(x, edges, (1, edges.size - 1), True, nargout > 2)
    if counted is None:
        return None
    outputs = (counted[0], from_numpy(edges.reshape(1, -1)), *counted[1:])
    return outputs[:nargout] if nargout > 1 else outputs[0]


def _edges_for(found: Any, bins: Any) -> Numbers:
    """Return the edges for elements of which the measures are known."""
    if bins is not None:
        return _counted_edges(found.low, found.high, _bin_count(bins))
    if found.whole and found.high - found.low <= WHOLE:
        return _whole_edges(found.low, found.high)
    return _even_edges(found.low, found.high, _scott(found.spread, found.size))


@builtin(
    "histcounts",
    family="arrays/histograms",
    nargin=(1, None),
    nargout=3,
    needs=("nargout",),
    pending="keep",
    captures="composition",
)
def histcounts(x: Any, *args: Any, nargout: int) -> Any:
    """Counts of elements in bins; the last bin holds its right edge as well.

    N = histcounts(X) chooses the bins, N = histcounts(X, NBINS), N = histcounts(X, EDGES)
    [N, EDGES, BIN] = histcounts(…) gives the edges and the bin of each element, zero outside
    histcounts(…, NAME, VALUE) with "BinWidth", "BinLimits", "BinMethod", "NumBins", "BinEdges" or
    "Normalization": "count", "probability", "percentage", "countdensity", "pdf", "cumcount", "cdf"
    Bins of times have edges that are times; "BinMethod" may be a unit from "second" to "century"

    Examples:
        >> histcounts([1 2 2 3 5], [1 2 3 5])
        ans =
             1     2     2

    See also: histc, accumarray, unique.
    """
    if x.__class__ is Deferred:
        found = _histogram_there(x, args, nargout)
        if found is not None:
            return found
    x, *rest = all_settled((x, *args))
    args = tuple(rest)
    data = real(x, "histcounts").astype(np.float64, copy=False)
    bins = args[0] if args and not is_text(args[0]) else None
    pairs = args[1:] if bins is not None else args
    given, _ = named_pairs(pairs, _NAMES, "histcounts")
    named = {name.lower(): value for name, value in given.items()}
    edges = _bin_edges(data, bins, named)
    if edges.size < 2:
        raise MatlabError("MATLAB:histcounts:expectedEdges", "There must be two bin edges or more.")
    if not _rises(edges):
        raise MatlabError("MATLAB:histcounts:expectedNondecreasing", "Bin edges must not decrease.")
    counts = counted(data, edges)
    shown = normalized(counts, data.size, named.get("normalization"), np.diff(edges))
    outputs = [from_numpy(shown.reshape(1, -1)), from_numpy(edges.reshape(1, -1))]
    if nargout > 2:
        outputs.append(from_numpy(binned(data, edges).astype(np.float64)))
    return tuple(outputs[:nargout]) if nargout > 1 else outputs[0]


def normalized(counts: Numbers, size: int, kind: Any, widths: Numbers | None = None) -> Numbers:
    """Count as "Normalization" asks for them; the bins of categories are one wide."""
    word = char("count") if kind is None else kind
    rule = _NORMALIZATION[choice(word, tuple(_NORMALIZATION), "histcounts")]
    with np.errstate(all="ignore"):
        found: Numbers = rule(counts, size, np.ones(counts.size) if widths is None else widths)
    return found


@builtin(
    "hist", family="arrays/histograms", nargin=(1, None), nargout=2, needs=("nargout", "interp")
)
def hist(y: Any, bins: Any = None, *further: Any, nargout: int, interp: Interp) -> Any:
    """Counts of elements in bins of one width, or about given centres.

    hist(…) without an output draws bars, which needs a package that draws

    N = hist(Y) counts in ten bins, N = hist(Y, NBINS), N = hist(Y, CENTERS); for a matrix, in each
    column
    [N, X] = hist(…) gives the centres, too

    An element between two bins belongs to the lower one; the outer bins hold all beyond them.

    Examples:
        >> [n, x] = hist([1 2 2 3 5], 4)
        n =
             3     1     0     1
        x =
            1.5000    2.5000    3.5000    4.5000

    See also: histcounts, histc, accumarray.
    """
    if nargout == 0:
        given = (y,) if bins is None else (y, bins, *further)
        return placeholders.drawn("hist", *given, nargout=0, interp=interp)
    if further:
        raise MatlabError("MATLAB:maxrhs", "Too many input arguments.")
    a = real(y, "hist").astype(np.float64)
    wanted = np.array([10.0]) if bins is None else real(bins, "hist").astype(np.float64).ravel("F")
    columns = a.reshape(-1, 1, order="F") if 1 in a.shape or not a.size else a
    if columns.ndim != 2 or not wanted.size:
        raise MatlabError("MATLAB:hist:InvalidInput", "Y and the bins must be vectors or matrices.")
    finite = columns[np.isfinite(columns)]
    low, high = (finite.min(), finite.max()) if finite.size else (0.0, 1.0)
    if wanted.size == 1:
        count = max(int(wanted[0]), 0) if np.isfinite(wanted[0]) else 0
        check_size((count, columns.shape[1]), 8)
        if low == high:
            low, high = low - count // 2 - 0.5, high + -(-count // 2) - 0.5
        width = (high - low) / max(count, 1)
        centres = low + width * np.arange(count) + width / 2
        inner = low + width * np.arange(1, count)
    else:
        centres = wanted
        inner = centres[:-1] + np.diff(centres) / 2
    if (np.diff(inner) < 0).any():
        raise MatlabError("MATLAB:hist:InvalidCenters", "The centres of bins must increase.")
    counts = np.zeros((centres.size, columns.shape[1]))
    for k, column in enumerate(columns.T):
        # what is equal to an edge belongs to the bin below, as far as rounding tells
        at = np.searchsorted(inner + np.spacing(np.abs(inner)), column[~np.isnan(column)], "right")
        counts[:, k] = np.bincount(at, minlength=centres.size)[: centres.size]
    of_vector = columns is not a
    shown = from_numpy(counts.T if of_vector else counts)
    middle = from_numpy(centres.reshape((1, -1) if of_vector else (-1, 1)))
    return (shown, middle) if nargout > 1 else shown
