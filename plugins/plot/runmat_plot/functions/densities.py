"""Densities of data: histograms of two variables, estimates by kernels, empirical distributions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.arguments import number_in, numbers_in, python, read_options, vector_in
from runmat_plot.functions.series import draw_lines
from runmat_plot.functions.support import (
    Numbers,
    current_axes,
    given,
    make,
    prepare,
    scene_of,
    take_axes,
)
from runmat_plot.functions.surfaces import three_dimensional


@builtin("hist3", family="plot/bars", nargin=(1, None), nargout=2, needs=("nargout", "interp"))
def hist3(*args: Any, nargout: int, interp: Interp) -> Any:
    """Counts of pairs in bins of the plane, as blocks.

    hist3(X) with ten bins each way for the two columns of X, hist3(X, [NX NY])
    hist3(X, "Ctrs", {CX CY}), hist3(X, "Edges", {EX EY}), hist3(…, NAME, VALUE), hist3(AX, …)
    N = hist3(…) gives the counts, [N, C] = hist3(…) the centres of the bins, too

    Examples:
        >> n = hist3([1 1; 1 1; 2 2], [2 2])
        n =
             2     0
             0     1

    See also: histogram2, histcounts2, bar3.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    data = numbers_in(rest.pop(0), "hist3").astype(float)
    if data.ndim != 2 or data.shape[1] != 2:
        raise MatlabError("stats:hist3:WrongNumCols", "X must be a matrix with two columns.")
    bins: Any = None
    if rest and not isinstance(rest[0], str):
        bins = rest.pop(0)
    options, looks = read_options(rest, "nbins", "ctrs", "edges", "cdatamode")
    edges = _edges_of(data, bins, options)
    data = data[np.isfinite(data).all(axis=1)]
    places = [np.searchsorted(edge, data[:, k], "right") - 1 for k, edge in enumerate(edges)]
    counts = np.zeros([edge.size - 1 for edge in edges])
    inside = np.logical_and.reduce(
        [(p >= 0) & (p < n) for p, n in zip(places, counts.shape, strict=True)]
    )
    np.add.at(counts, tuple(p[inside] for p in places), 1.0)
    if nargout:
        centres = [(edge[1:] + edge[:-1]) / 2 for edge in _finite(edges)]
        return counts if nargout < 2 else (counts, [c.reshape(1, -1) for c in centres])
    axes = target or current_axes(scene)
    prepare(axes)
    three_dimensional(axes)
    node = make("histogram2", axes, (), FaceColor=np.full((1, 3), 1.0) * [0.7, 0.85, 0.95])
    if "cdatamode" in options:
        node.values["FaceColor"] = "flat"
    shown = _finite(edges)
    node.values.update(XBinEdges=shown[0].reshape(1, -1), YBinEdges=shown[1].reshape(1, -1))
    node.info["values"] = counts
    for name, value in zip(looks[::2], looks[1::2], strict=False):
        if str(value).lower() == "interp":
            value = "flat"
        node.assign(node.find_property(name).name, value)
    scene.revision += 1
    return None


def _edges_of(data: Numbers, bins: Any, options: dict[str, Any]) -> list[Numbers]:
    """The edges of bins along both variables; the outer ones are open where centres are given."""
    bins = options.get("nbins", bins)
    pair = options.get("edges", options.get("ctrs"))
    if (
        pair is None
        and isinstance(bins, list | np.ndarray)
        and (isinstance(bins, list) or bins.dtype == object)
    ):
        pair = bins
        options.setdefault("ctrs", pair)
    if pair is not None:
        parts = [
            numbers_in(p, "hist3").ravel().astype(float)
            for p in (pair if isinstance(pair, list) else np.ravel(pair).tolist())
        ]
        if len(parts) != 2 or any(part.size < 2 or (np.diff(part) <= 0).any() for part in parts):
            raise MatlabError("stats:hist3:BadBins", "There must be two increasing vectors.")
        if "edges" in options:
            return [np.r_[part, np.inf] for part in parts]
        return [np.r_[-np.inf, part[:-1] + np.diff(part) / 2, np.inf] for part in parts]
    counts = np.resize(vector_in(10.0 if bins is None else bins, "hist3", 1, 2), 2)
    if (counts < 1).any() or (counts > 2**14).any():
        raise MatlabError("stats:hist3:BadNbins", "The numbers of bins must be positive.")
    made = []
    for k, count in enumerate(counts.astype(int).tolist()):
        column = data[np.isfinite(data[:, k]), k]
        low, high = (float(column.min()), float(column.max())) if column.size else (0.0, 1.0)
        if low == high:
            low, high = low - 0.5, high + 0.5
        edge = np.linspace(low, high, count + 1)
        edge[-1] = np.nextafter(high, np.inf)
        made.append(edge)
    return made


def _finite(edges: Sequence[Numbers]) -> list[Numbers]:
    """Edges with open ends as far away as the bins beside them are wide."""
    made = []
    for edge in edges:
        own = edge.copy()
        if np.isinf(own[0]):
            own[0] = own[1] - (own[2] - own[1] if own.size > 3 else 1.0)
        if np.isinf(own[-1]):
            own[-1] = own[-2] + (own[-2] - own[-3] if own.size > 2 else 1.0)
        made.append(own)
    return made


def _erf(x: Numbers) -> Numbers:
    from scipy.special import erf

    return np.asarray(erf(x))


#: Densities of kernels, and their integrals.
_KERNELS: dict[str, tuple[Callable[[Numbers], Numbers], Callable[[Numbers], Numbers]]] = {
    "normal": (
        lambda z: np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi),
        lambda z: (1 + _erf(z / np.sqrt(2))) / 2,
    ),
    "box": (
        lambda z: (np.abs(z) <= np.sqrt(3)) / (2 * np.sqrt(3)),
        lambda z: np.clip(z / (2 * np.sqrt(3)) + 0.5, 0, 1),
    ),
    "triangle": (
        lambda z: np.maximum(1 - np.abs(z) / np.sqrt(6), 0) / np.sqrt(6),
        lambda z: _triangle(np.clip(z / np.sqrt(6), -1, 1)),
    ),
    "epanechnikov": (
        lambda z: 0.75 * np.maximum(1 - z**2 / 5, 0) / np.sqrt(5),
        lambda z: _parabola(np.clip(z / np.sqrt(5), -1, 1)),
    ),
}


def _triangle(t: Numbers) -> Numbers:
    return np.where(t < 0, (1 + t) ** 2 / 2, 1 - (1 - t) ** 2 / 2)


def _parabola(t: Numbers) -> Numbers:
    return 0.5 + 0.75 * (t - t**3 / 3)


@builtin("ksdensity", family="plot/bars", nargin=(1, None), nargout=3, needs=("nargout", "interp"))
def ksdensity(*args: Any, nargout: int, interp: Interp) -> Any:
    """Density of data, estimated by kernels.

    [F, XI, BW] = ksdensity(X): the density at 100 points, these, and the width of the kernels
    F = ksdensity(X, PTS) at points; X with two columns gives a density of the plane
    ksdensity(…, "Bandwidth", BW, "Kernel", K, "Function", FN, "NumPoints", N, "Support", S,
    "Weights", W) with "normal", "box", "triangle", "epanechnikov" for K, "pdf", "cdf", "icdf",
    "survivor", "cumhazard" for FN, "unbounded", "positive" or limits for S
    ksdensity(…) without outputs draws it, ksdensity(AX, …)

    Examples:
        >> f = ksdensity([1 2 3], 2, 'Bandwidth', 1); fprintf('%.4f\\n', f)
        0.2943

    See also: histogram, histfit, ecdf, violinplot.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    x = numbers_in(rest.pop(0), "ksdensity").astype(float)
    points = rest.pop(0) if rest and not isinstance(rest[0], str) else None
    options, others = read_options(
        rest, "bandwidth", "width", "kernel", "function", "numpoints", "npoints", "support",
        "weights", "boundarycorrection",
    )  # fmt: skip
    if others:
        raise MatlabError(
            "stats:ksdensity:BadParamName", f"'{others[0]}' is not a recognized parameter."
        )
    if x.ndim == 2 and x.shape[1] == 2 and x.shape[0] > 1:
        f, at, widths = _density_of_plane(x, points, options)
        if not nargout:
            shown = interp.builtin("surf")
            side = round(f.size**0.5)
            assert shown is not None
            grids = [p.reshape(side, side) for p in (at[:, 0], at[:, 1], f)]
            shown(0, *map(interp.to_matlab, grids))
            return None
        return (f.reshape(-1, 1), at, widths)[:nargout] if nargout > 1 else f.reshape(-1, 1)
    f, at, width = _density_of_line(x.ravel(), points, options)
    if not nargout:
        lead = [] if target is None else [interp.to_matlab(target)]
        draw_lines("line", "ksdensity", [*lead, *map(interp.to_matlab, (at, f))], interp)
        return None
    shape = (1, -1) if points is None else np.shape(points) if np.ndim(points) else (1, 1)
    f, at = f.reshape(shape), at.reshape(shape)
    return (f, at, width)[:nargout] if nargout > 1 else f


def _width_of(x: Numbers, dims: int = 1) -> float:
    """The width of normal kernels that is best for normal data, by the median deviation."""
    spread = float(np.median(np.abs(x - np.median(x)))) / 0.6745
    spread = spread or float(np.ptp(x)) or 1.0
    factor = (4 / (3 * x.size)) ** 0.2 if dims == 1 else x.size ** (-1 / 6)
    return float(spread * factor)


def _density_of_line(
    x: Numbers, points: Any, options: dict[str, Any]
) -> tuple[Numbers, Numbers, float]:
    x = x[np.isfinite(x)]
    if not x.size:
        raise MatlabError("stats:ksdensity:VectorRequired", "X must have data.")
    weights = np.full(x.size, 1 / x.size)
    if "weights" in options:
        weights = vector_in(options["weights"], "ksdensity", x.size)
        weights = weights / weights.sum()
    low, high = _support(options.get("support", "unbounded"), x)
    forward, back, slope = _maps(low, high)
    z = forward(x)
    own = options.get("bandwidth", options.get("width"))
    width = _width_of(z) if own is None else number_in(own, "ksdensity")
    if not width > 0:
        raise MatlabError("stats:ksdensity:BadBandwidth", "The bandwidth must be positive.")
    word = str(options.get("kernel", "normal")).lower()
    found = next((k for k in _KERNELS if word and k.startswith(word)), None)
    if found is None:
        raise MatlabError("stats:ksdensity:BadKernel", f"Unknown kernel '{word}'.")
    density, integral = _KERNELS[found]
    count = int(number_in(options.get("numpoints", options.get("npoints", 100.0)), "ksdensity"))
    what = str(options.get("function", "pdf")).lower()
    if points is None:
        at = (
            (np.arange(count) + 0.5) / count
            if what == "icdf"
            else back(np.linspace(z.min() - 3 * width, z.max() + 3 * width, count))
        )
    else:
        at = numbers_in(points, "ksdensity").ravel().astype(float)

    def mixed(kernel: Callable[[Numbers], Numbers], places: Numbers) -> Numbers:
        return np.array([float((weights * kernel((p - z) / width)).sum()) for p in places])

    inside = (at > low) & (at < high)
    with np.errstate(divide="ignore", invalid="ignore"):
        placed = forward(at)
        if what == "pdf":
            f = np.where(inside, mixed(density, placed) / width * slope(at), 0.0)
        elif what == "icdf":
            grid = np.linspace(z.min() - 6 * width, z.max() + 6 * width, 4001)
            f = back(np.interp(at, mixed(integral, grid), grid))
            f = np.where((at < 0) | (at > 1), np.nan, f)
        else:
            c = np.where(at <= low, 0.0, np.where(at >= high, 1.0, mixed(integral, placed)))
            rules = {"cdf": c, "survivor": 1 - c, "cumhazard": -np.log(1 - c)}
            if what not in rules:
                raise MatlabError("stats:ksdensity:BadFunction", f"Unknown function '{what}'.")
            f = rules[what]
    return f, at, width


def _support(value: Any, x: Numbers) -> tuple[float, float]:
    if isinstance(value, str):
        low = {"unbounded": -np.inf, "positive": 0.0}.get(value.lower())
        if low is None:
            raise MatlabError("stats:ksdensity:BadSupport", f"Unknown support '{value}'.")
        bounds = (low, np.inf)
    else:
        pair = vector_in(value, "ksdensity", 2)
        bounds = (float(pair[0]), float(pair[1]))
    if x.min() <= bounds[0] or x.max() >= bounds[1]:
        raise MatlabError("stats:ksdensity:BadSupport", "The data must lie within the support.")
    return bounds


def _maps(
    low: float, high: float
) -> tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any]]:
    """From the support to all numbers, back, and how steep the first is."""
    if np.isinf(low) and np.isinf(high):
        return (lambda x: x), (lambda z: z), np.ones_like
    if np.isinf(high):
        return (
            (lambda x: np.log(x - low)), (lambda z: low + np.exp(z)), (lambda x: 1 / (x - low))
        )  # fmt: skip
    if np.isinf(low):
        return (
            (lambda x: -np.log(high - x)), (lambda z: high - np.exp(-z)), (lambda x: 1 / (high - x))
        )  # fmt: skip
    return (
        (lambda x: np.log((x - low) / (high - x))),
        (lambda z: low + (high - low) / (1 + np.exp(-z))),
        (lambda x: (high - low) / ((x - low) * (high - x))),
    )


def _density_of_plane(
    x: Numbers, points: Any, options: dict[str, Any]
) -> tuple[Numbers, Numbers, Numbers]:
    x = x[np.isfinite(x).all(axis=1)]
    own = options.get("bandwidth", options.get("width"))
    widths = (
        np.array([_width_of(x[:, k], 2) for k in (0, 1)])
        if own is None
        else np.resize(vector_in(own, "ksdensity", 1, 2), 2)
    )
    if points is None:
        grids = [np.linspace(x[:, k].min(), x[:, k].max(), 30) for k in (0, 1)]
        mesh = np.meshgrid(*grids)
        at = np.column_stack([part.ravel(order="F") for part in mesh])
    else:
        at = numbers_in(points, "ksdensity").astype(float)
        if at.ndim != 2 or at.shape[1] != 2:
            raise MatlabError("stats:ksdensity:BadPoints", "The points must have two columns.")
    f = np.zeros(len(at))
    for first in range(0, len(at), 256):
        z = (at[first : first + 256, None, :] - x[None]) / widths
        f[first : first + 256] = np.exp(-(z**2).sum(axis=2) / 2).mean(axis=1)
    return f / (2 * np.pi * widths.prod()), at, widths.reshape(1, 2)


def _steps(x: Numbers) -> tuple[Numbers, Numbers]:
    """Where the empirical distribution of data jumps, the first place twice, and its values."""
    x = x[np.isfinite(x)]
    if not x.size:
        raise MatlabError("stats:ecdf:NotEnoughData", "The data must not be empty.")
    values, counts = np.unique(x, return_counts=True)
    return np.r_[values[:1], values], np.r_[0.0, np.cumsum(counts) / x.size]


@builtin("ecdf", family="plot/bars", nargin=(1, None), nargout=2, needs=("nargout", "interp"))
def ecdf(*args: Any, nargout: int, interp: Interp) -> Any:
    """Empirical distribution of data.

    [F, X] = ecdf(Y), ecdf(…, "Function", FN) with "cdf", "survivor" or "cumulative hazard"
    ecdf(Y) without outputs draws stairs, ecdf(AX, …)

    Examples:
        >> [f, x] = ecdf([3 1 1 2]); [f x]
        ans =
                 0    1.0000
            0.5000    1.0000
            0.7500    2.0000
            1.0000    3.0000

    See also: cdfplot, ksdensity, stairs.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    x, f = _steps(numbers_in(rest.pop(0), "ecdf").ravel().astype(float))
    options, others = read_options(rest, "function")
    if others:
        raise MatlabError(
            "stats:ecdf:BadParamName", f"'{others[0]}' is not a recognized parameter."
        )
    what = str(options.get("function", "cdf")).lower()
    with np.errstate(divide="ignore"):
        rules = {"cdf": f, "survivor": 1 - f, "cumulative hazard": -np.log(1 - f)}
    if what not in rules:
        raise MatlabError("stats:ecdf:BadFunction", f"Unknown function '{what}'.")
    f = rules[what]
    if nargout:
        return (f.reshape(-1, 1), x.reshape(-1, 1)) if nargout > 1 else f.reshape(-1, 1)
    lead = [] if target is None else [interp.to_matlab(target)]
    (line,) = draw_lines("stair", "ecdf", [*lead, *map(interp.to_matlab, (x, f))], interp)
    axes = line.up("axes")
    if axes is not None:
        axes.label("XLabel").assign("String", "x")
        axes.label("YLabel").assign("String", "F(x)" if what == "cdf" else what)
    return None


@builtin("cdfplot", family="plot/bars", nargin=(1, 2), nargout=2, needs=("nargout", "interp"))
def cdfplot(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw the empirical distribution of data.

    cdfplot(X), H = cdfplot(X); [H, S] = cdfplot(X) with min, max, mean, median and std of the data

    Examples:
        >> [h, s] = cdfplot([1 2 4]); s.median
        ans =
             2

    See also: ecdf, histogram, normplot.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    data = numbers_in(rest[0], "cdfplot").ravel().astype(float)
    data = data[np.isfinite(data)]
    x, f = _steps(data)
    corners = (
        np.r_[-np.inf, np.repeat(x[1:], 2), np.inf],
        np.r_[0, 0, np.repeat(f[1:], 2)],
    )
    lead = [] if target is None else [interp.to_matlab(target)]
    (line,) = draw_lines("line", "cdfplot", [*lead, *map(interp.to_matlab, corners)], interp)
    axes = line.up("axes")
    if axes is not None:
        for name, word in (("Title", "Empirical CDF"), ("XLabel", "x"), ("YLabel", "F(x)")):
            axes.label(name).assign("String", word)
        axes.values.update(XGrid="on", YGrid="on")
    if nargout < 2:
        return given(nargout, line)
    spread = float(data.std(ddof=1)) if data.size > 1 else 0.0
    told = {"min": float(data.min()), "max": float(data.max()), "mean": float(data.mean()),
            "median": float(np.median(data)), "std": spread}  # fmt: skip
    return line, told
