"""Numbers sorted into bins: discretize, and counts over two variables."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import as_float, check_size, numeric, option, real
from runmat_core.builtins.arrays.histograms import (
    _automatic_edges,
    _bin_count,
    _counted_edges,
    _even_edges,
)
from runmat_core.builtins.composed import composed
from runmat_core.builtins.named import choice, match, pairs, positional
from runmat_core.values import (
    CellArray,
    StringArray,
    class_of,
    from_numpy,
    is_text,
    numel_of,
    texts,
)
from runmat_core.values.array_object import ArrayObject
from runmat_core.values.bins import binned
from runmat_core.values.categorical import Categorical, Meaning
from runmat_core.values.string import MISSING

Numbers = NDArray[Any]


def _edges(value: Any, function: str) -> Numbers:
    """Bin edges: two or more numbers that do not decrease."""
    a = real(value, function).astype(np.float64).ravel(order="F")
    if a.size < 2:
        raise MatlabError(
            f"MATLAB:{function}:expectedEdges", "There must be two bin edges or more."
        )
    if np.isnan(a).any() or (np.diff(a) < 0).any():
        raise MatlabError(
            f"MATLAB:{function}:expectedNondecreasing", "Bin edges must be nondecreasing."
        )
    return a


# -- discretize ----------------------------------------------------------------------------------


@builtin(
    "discretize",
    family="arrays/histograms",
    nargin=(2, 6),
    nargout=2,
    needs=("nargout",),
    effects="pure",
    pending="keep",
)
@composed("composed_search.discretize", looks=True)
def discretize(x: Any, edges: Any, *args: Any, nargout: int) -> Any:
    """Bins that numbers fall into, NaN for numbers outside.

    Y = discretize(X, EDGES): bin k holds EDGES(k) <= X < EDGES(k+1), the last its right edge
    [Y, E] = discretize(X, N) makes N bins of one width
    Y = discretize(X, EDGES, VALUES) gives VALUES(k) instead of k; a cell array, too
    Y = discretize(…, "categorical") gives an ordinal categorical array, with categories such as
    "[0, 2)"; discretize(…, "categorical", NAMES) gives them names
    Y = discretize(…, "IncludedEdge", SIDE) with "left" or "right"

    Examples:
        >> discretize([1 2.5 5 7], [0 2 4 6])
        ans =
             1     2     3   NaN
        >> discretize([1 5], [0 2 6], "categorical")
        ans =
          1×2 categorical array
             [0, 2)      [2, 6]

    See also: histcounts, histc, interp1.
    """
    data = as_float(real(x, "discretize"))
    rest = list(args)
    values = rest.pop(0) if rest and not is_text(rest[0]) else None
    kinds, rest = _category_names(rest)
    named, _ = pairs(rest, ("IncludedEdge",), "discretize")
    side = "left"
    if named:
        side = choice(named["IncludedEdge"], ("left", "right"), "discretize")
    given = real(edges, "discretize")
    if given.size == 1:
        finite = data[np.isfinite(data)].astype(np.float64)
        count = _bin_count(edges)
        limits = (
            _counted_edges(float(finite.min()), float(finite.max()), count)
            if finite.size
            else np.linspace(0.0, 1.0, count + 1)
        )
    else:
        limits = _edges(edges, "discretize")
    bins = binned(data, limits, side == "right")
    if kinds is not None:
        result = _categories(kinds, bins, limits, side)
    elif values is not None:
        result = _labelled(values, bins, limits.size - 1)
    else:
        result = from_numpy(np.where(bins == 0, np.nan, bins).astype(np.float64))
    return (result, from_numpy(limits.reshape(1, -1))) if nargout > 1 else result


def _category_names(args: list[Any]) -> tuple[list[str] | None, list[Any]]:
    """Return the names after ``"categorical"``, none where it has none, and the other arguments.

    None instead of names: the word is not there.
    """
    if not args or option(args[0]) != "categorical":
        return None, args
    if len(args) > 1 and isinstance(args[1], CellArray | StringArray) and len(args) != 3:
        return texts(args[1]), args[2:]
    return [], args[1:]


def _categories(names: list[str], bins: Numbers, limits: Numbers, side: str) -> Categorical:
    count = limits.size - 1
    if not names:
        opening = ["["] * count if side == "left" else ["[", *"(" * (count - 1)]
        closing = [*")" * (count - 1), "]"] if side == "left" else ["]"] * count
        digits = 5
        written = [f"{edge:.{digits}g}" for edge in limits]
        while len(set(written)) < len(written) and digits < 17:
            digits += 1
            written = [f"{edge:.{digits}g}" for edge in limits]
        pairs_of_edges = zip(opening, written, written[1:], closing, strict=False)
        names = [f"{left}{low}, {high}{right}" for left, low, high, right in pairs_of_edges]
    if len(names) != count:
        raise MatlabError(
            "MATLAB:discretize:CategoryNamesInvalidSize",
            "The number of category names must be the number of bins.",
        )
    return Categorical(np.asfortranarray(bins, np.int64), Meaning(tuple(names), True))


def _labelled(values: Any, bins: Numbers, count: int) -> Any:
    """Return the value of each bin at the places of `bins`, a missing one where that is zero."""
    if numel_of(values) != count:
        raise MatlabError(
            "MATLAB:discretize:InvalidValues",
            "The number of values must be the number of bins: one less than the number of edges.",
        )
    if isinstance(values, ArrayObject):
        table = np.concatenate([values.missing().codes.ravel(), values.codes.ravel(order="F")])
        return values.with_codes(table[bins])
    if isinstance(values, CellArray | StringArray):
        outside = MISSING if isinstance(values, StringArray) else from_numpy(np.zeros((0, 0)))
        table = np.empty(count + 1, object)
        table[0] = outside
        table[1:] = values.data.ravel(order="F")
        return type(values)(np.asfortranarray(table[bins]))
    numbers = numeric(values, "discretize").ravel(order="F")
    outside = np.nan if numbers.dtype.kind in "fc" else 0
    if class_of(values) in {"logical", "char"}:
        numbers, outside = numbers.astype(np.float64), np.nan
    return from_numpy(np.concatenate([[np.asarray(outside, numbers.dtype)], numbers])[bins])


# -- two variables -------------------------------------------------------------------------------

_NAMES = (
    "NumBins", "XBinEdges", "YBinEdges", "XBinLimits", "YBinLimits", "BinWidth", "BinMethod",
    "Normalization",
)  # fmt: skip
_RULES = ("count", "probability", "percentage", "countdensity", "pdf", "cumcount", "cdf")


def _axis_edges(data: Numbers, named: dict[str, Any], which: int, count: Any) -> Numbers:
    """Return the bin edges of one of the variables."""
    letter = "XY"[which]
    if f"{letter}BinEdges" in named:
        return _edges(named[f"{letter}BinEdges"], "histcounts2")
    finite = data[np.isfinite(data)]
    limits = named.get(f"{letter}BinLimits")
    if limits is not None:
        ends = _edges(limits, "histcounts2")[[0, -1]]
        finite = finite[(finite >= ends[0]) & (finite <= ends[1])]
    if "BinWidth" in named:
        widths = real(named["BinWidth"], "histcounts2").astype(np.float64).ravel()
        step = float(widths[min(which, widths.size - 1)]) if widths.size else 0.0
        if not 0 < step < np.inf:
            raise MatlabError("MATLAB:histcounts2:expectedPositive", "BinWidth must be positive.")
        low, high = (finite.min(), finite.max()) if finite.size else (0.0, 1.0)
        if limits is not None:
            low, high = ends
        left = low if limits is not None else step * np.floor(low / step)
        steps = max(np.ceil((high - left) / step), 1)
        check_size((int(min(steps, 2**52)),), 8)
        return np.asarray(left + np.arange(steps + 1) * step)
    if count is not None and limits is not None:
        return np.linspace(ends[0], ends[1], count + 1)
    if not finite.size:
        return np.linspace(0.0, 1.0, 2 if count is None else count + 1)
    if count is not None:
        return _counted_edges(float(finite.min()), float(finite.max()), count)
    return _automatic(finite, option(named.get("BinMethod", from_numpy(np.zeros(1)))) or "auto")


def _automatic(x: Numbers, method: str) -> Numbers:
    """Edges chosen from the data; the rules of one variable with the exponent of two."""
    method = match(method, ("auto", "scott", "fd", "integers"), "histcounts2")
    if method == "fd":
        quartiles = np.percentile(x, [25, 75], method="hazen")
        width = 2 * float(quartiles[1] - quartiles[0]) * x.size ** (-1 / 4)
    elif method in {"integers"} or (
        method == "auto" and (x == np.round(x)).all() and np.ptp(x) <= 50
    ):
        return _automatic_edges(x, "integers")
    else:
        width = 3.5 * float(x.std(ddof=1) if x.size > 1 else 0) * x.size ** (-1 / 4)
    return _even_edges(float(x.min()), float(x.max()), width)


def _normalized(counts: Numbers, total: np.float64, areas: Numbers, rule: str) -> Numbers:
    cumulative = np.cumsum(np.cumsum(counts, axis=0), axis=1)
    with np.errstate(all="ignore"):
        table = {
            "count": counts,
            "probability": counts / total,
            "percentage": 100 * counts / total,
            "countdensity": counts / areas,
            "pdf": counts / (total * areas),
            "cumcount": cumulative,
            "cdf": cumulative / total,
        }
    return table[rule]


def _bin_counts(value: Any) -> tuple[int, int]:
    a = real(value, "histcounts2").ravel()
    if a.size not in (1, 2):
        raise MatlabError(
            "MATLAB:histcounts2:InvalidNumBins", "The numbers of bins must be one number or two."
        )
    return _bin_count(from_numpy(a[:1])), _bin_count(from_numpy(a[-1:]))


@builtin("histcounts2", family="arrays/histograms", nargin=(2, None), nargout=5, needs=("nargout",))
def histcounts2(x: Any, y: Any, *args: Any, nargout: int) -> Any:
    """Counts of pairs of numbers in rectangular bins.

    N = histcounts2(X, Y) chooses the bins, N = histcounts2(X, Y, NBINS) takes one number or two
    N = histcounts2(X, Y, XEDGES, YEDGES); N(i, j) counts X in bin i and Y in bin j
    [N, XEDGES, YEDGES, BINX, BINY] = histcounts2(…) gives edges and bins, zero outside
    histcounts2(…, NAME, VALUE) with "NumBins", "XBinEdges", "YBinEdges", "XBinLimits",
    "YBinLimits", "BinWidth", "BinMethod" and "Normalization" (see histcounts)

    Examples:
        >> histcounts2([1 1 3], [1 3 3], [0 2 4], [0 2 4])
        ans =
             1     1
             0     1

    See also: histcounts, discretize, accumarray.
    """
    first, second = (real(v, "histcounts2").astype(np.float64) for v in (x, y))
    if first.shape != second.shape:
        raise MatlabError("MATLAB:histcounts2:XYSizeMismatch", "X and Y must have the same size.")
    plain, words = positional(args)
    named, _ = pairs(words, _NAMES, "histcounts2")
    if len(plain) > 2:
        raise MatlabError("MATLAB:TooManyInputs", "Too many input arguments.")
    if len(plain) == 2:
        named["XBinEdges"], named["YBinEdges"] = plain
    elif plain:
        named["NumBins"] = plain[0]
    counts = _bin_counts(named["NumBins"]) if "NumBins" in named else (None, None)
    check_size([(count or 0) + 1 for count in counts], 8)
    edges = [_axis_edges(d, named, k, counts[k]) for k, d in enumerate((first, second))]
    shape = (edges[0].size - 1, edges[1].size - 1)
    check_size(shape, 8)
    bins = [binned(d, e) for e, d in zip(edges, (first, second), strict=True)]
    hit = (bins[0] > 0) & (bins[1] > 0)
    bins = [np.where(hit, b, 0) for b in bins]
    table = np.zeros(shape)
    np.add.at(table, (bins[0][hit] - 1, bins[1][hit] - 1), 1)
    rule = "count"
    if "Normalization" in named:
        rule = choice(named["Normalization"], _RULES, "histcounts2")
    areas = np.outer(np.diff(edges[0]), np.diff(edges[1]))
    shown = _normalized(table, np.float64(first.size), areas, rule)
    outputs = (shown, *(e.reshape(1, -1) for e in edges), *(b.astype(np.float64) for b in bins))
    values = tuple(from_numpy(np.asarray(v)) for v in outputs[: max(nargout, 1)])
    return values if nargout > 1 else values[0]
