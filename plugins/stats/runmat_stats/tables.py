"""Tables of values, and correlation."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import MatlabError, builtin
from runmat_stats.arguments import Data, one_of, real
from runmat_stats.groups import Groups


@builtin("tabulate", family="stats/describe", lift="arrays", needs=("nargout", "interp"))
def tabulate(x: Any, *, nargout: int, interp: Any) -> Any:
    """Table of values, counts and percentages.

    T = tabulate(X); of positive integers, those up to the largest that do not occur count zero
    tabulate(X) shows the table
    T = tabulate(X) of text or categories is a cell array

    Examples:
        >> tabulate([1 2 2 4])
          Value    Count   Percent
              1        1     25.00%
              2        2     50.00%
              3        0      0.00%
              4        1     25.00%

    See also: unique, histcounts.
    """
    if not isinstance(x, np.ndarray):
        return _tabulated(Groups(x, interp), nargout, interp)
    a = real(x, "tabulate").ravel().astype(np.float64)
    a = a[~np.isnan(a)]
    values, counts = np.unique(a, return_counts=True)
    whole = bool((a > 0).all() and (a == np.floor(a)).all() and a.size)
    if whole and values[-1] <= 1 << 24:
        counts = np.bincount(a.astype(np.intp))[1:]
        values = np.arange(1.0, counts.size + 1)
    table = np.stack([values, counts, 100 * counts / max(a.size, 1)], axis=1)
    if nargout:
        return table
    interp.write("  Value    Count   Percent\n")
    for value, count, percent in table:
        interp.write(f"  {value:5g}    {int(count):5d}    {percent:6.2f}%\n")
    return None


def _tabulated(groups: Groups, nargout: int, interp: Any) -> Any:
    counts = np.bincount(groups.numbers[groups.numbers >= 0], minlength=groups.count)
    percents = 100 * counts / max(counts.sum(), 1)
    rows = list(zip(groups.names, counts.tolist(), percents.tolist(), strict=True))
    if nargout:
        made = np.empty((len(rows), 3), object)
        for k, (name, count, percent) in enumerate(rows):
            made[k] = [name, float(count), percent]
        return made
    width = max([5, *map(len, groups.names)])
    interp.write(f"  {'Value':>{width}}    Count   Percent\n")
    for name, count, percent in rows:
        interp.write(f"  {name:>{width}}    {count:5d}    {percent:6.2f}%\n")
    return None


def ranked(a: Data) -> Data:
    """Ranks in each column, the mean of them for equal values."""
    from scipy.stats import rankdata

    return np.asarray(rankdata(a, axis=0))


def _pearson(x: Data, y: Data) -> Data:
    if not len(x):
        return np.full((x.shape[1], y.shape[1]), np.nan, np.result_type(x, y))
    x, y = x - x.mean(axis=0), y - y.mean(axis=0)
    scale = np.sqrt((x**2).sum(axis=0)[:, None] * (y**2).sum(axis=0)[None, :])
    return np.asarray(np.clip(x.T @ y / scale, -1, 1))


def _kendall(x: Data, y: Data) -> Data:
    from scipy.stats import kendalltau

    return np.array([[kendalltau(a, b).statistic for b in y.T] for a in x.T], np.float64)


@builtin(
    "corr", family="stats/describe", lift="arrays", nargin=(1, None), nargout=2, needs=("nargout",)
)
def corr(x: Any, *args: Any, nargout: int) -> Any:
    """Correlation of columns.

    RHO = corr(X), RHO = corr(X, Y) of all pairs of columns
    RHO = corr(…, "Type", T) with "Pearson", "Spearman" or "Kendall"
    RHO = corr(…, "Rows", R) with "all" or "complete" (without rows that have NaN)
    [RHO, PVAL] = corr(…) tests against no correlation, for "Pearson"

    Examples:
        >> corr([1 2 3 4]', [1 3 2 4]')
        ans =
            0.8000

    See also: corrcoef, cov.
    """
    a = real(x, "corr")
    rest = list(args)
    b = real(rest.pop(0), "corr") if rest and not isinstance(rest[0], str) else a
    if a.ndim > 2 or b.ndim > 2 or a.shape[0] != b.shape[0]:
        raise MatlabError("stats:corr:InputSizeMismatch", "X and Y must have as many rows.")
    if len(rest) % 2:
        raise MatlabError("stats:corr:NameValue", "Options are pairs of a name and a value.")
    named = {
        one_of(k, ("Type", "Rows"), "corr"): v for k, v in zip(rest[::2], rest[1::2], strict=True)
    }
    kind = one_of(named.get("Type", "Pearson"), ("Pearson", "Spearman", "Kendall"), "corr")
    rows = one_of(named.get("Rows", "all"), ("all", "complete"), "corr")
    missing: Data = np.asarray(np.isnan(a).any(axis=1) | np.isnan(b).any(axis=1))
    gaps = [np.asarray(np.isnan(v).any(axis=0)) for v in (a, b)]
    hidden = gaps[0][:, None] | gaps[1][None, :]
    if rows == "complete":
        a, b, hidden = a[~missing], b[~missing], np.zeros_like(hidden)
    if kind == "Kendall":
        rho = _kendall(a, b)
    else:
        rho = _pearson(ranked(a), ranked(b)) if kind == "Spearman" else _pearson(a, b)
    rho = np.where(hidden, np.nan, rho)
    if nargout < 2:
        return rho
    if kind != "Pearson":
        raise MatlabError("stats:corr:PValue", "P-values are given for 'Pearson' alone.")
    from scipy.special import stdtr

    degrees = a.shape[0] - 2
    t = rho * np.sqrt(degrees / (1 - rho**2))
    p = 2 * stdtr(degrees, -np.abs(t))
    if b is a:
        np.fill_diagonal(p, 1.0)
    return rho, p
