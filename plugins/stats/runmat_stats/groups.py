"""Groups of observations: numbers and names of groups, counts, statistics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_core.api.errors import size_limit
from runmat_stats.arguments import Data, real, scalar


def is_text(value: Any) -> bool:
    return kind_of(value) in ("char", "string")


def kind_of(value: Any) -> str:
    """The class of a MATLAB value, of those that are objects in Python."""
    return str(getattr(value, "class_name", type(value).__name__))


def called(interp: Interp, name: str, *args: Any, nargout: int = 1) -> Any:
    """Return what a builtin gives for MATLAB or Python values."""
    return interp.call(interp.to_matlab(name), [interp.to_matlab(a) for a in args], nargout)


#: More elements than a matrix of indicators can be worked with.
_MOST_ELEMENTS = 2**30


def _objects(items: Sequence[Any]) -> Data:
    """An array of what a list holds, as it is."""
    made = np.empty(len(items), object)
    for k, item in enumerate(items):
        made[k] = item
    return made


class Groups:
    """A grouping variable.

    Attributes:
        numbers: the number of the group of each observation, from zero; -1 where it is missing.
        names: the names of the groups: numbers in their order, categories in theirs, text in the
            order in which it comes.
        levels: the groups as a column of the variable's class.
    """

    def __init__(self, value: Any, interp: Interp) -> None:
        plain = interp.to_python(value)
        if isinstance(plain, str):  # the rows of a char matrix are a list of texts already
            plain = list(plain)
        items = _objects(plain) if isinstance(plain, list) else np.asarray(plain)
        if items.dtype.kind in "biuf" and kind_of(value) != "cell":
            numbers = items.ravel(order="F")
            there = ~np.isnan(numbers) if items.dtype.kind == "f" else np.ones(numbers.size, bool)
            found, where = np.unique(numbers[there], return_inverse=True)
            self.numbers = np.full(numbers.size, -1)
            self.numbers[there] = where
            self.names = [f"{float(n):.5g}" for n in found]
            self.levels = interp.to_matlab(found.reshape(-1, 1))
            return
        texts = items.astype(object).ravel(order="F").tolist()
        if not all(text is None or isinstance(text, str) for text in texts):
            raise MatlabError(
                "stats:grp2idx:BadGroup", "Groups must be numbers, text or categories."
            )
        known = [t for t in dict.fromkeys(texts) if t]
        if kind_of(value) == "categorical":
            listed = np.asarray(interp.to_python(called(interp, "categories", value)), object)
            known = listed.ravel().tolist()
        place = {name: k for k, name in enumerate(known)}
        self.names = known
        self.numbers = np.array([place.get(text or "", -1) for text in texts], np.intp)
        self.levels = interp.to_matlab(np.array(known, object).reshape(-1, 1))
        if kind_of(value) == "categorical":
            self.levels = called(interp, "categorical", self.levels, self.levels)
        elif kind_of(value) in ("cell", "char"):
            self.levels = called(interp, "cellstr", self.levels) if known else value

    @property
    def count(self) -> int:
        return len(self.names)


def crossed(groups: Sequence[Groups]) -> tuple[Data, list[tuple[int, ...]]]:
    """The combinations of several groupings that occur, in order, and their numbers."""
    every = np.stack([g.numbers for g in groups], axis=1)
    there = (every >= 0).all(axis=1)
    found, where = np.unique(every[there], axis=0, return_inverse=True)
    numbers = np.full(len(every), -1)
    numbers[there] = where.ravel()
    return numbers, [tuple(int(n) for n in row) for row in found]


def _is_empty(value: Any, interp: Interp) -> bool:
    return value is None or bool(called(interp, "isempty", value))


def _cell(value: Any) -> list[Any] | None:
    """The values in a cell array; None for anything else."""
    data = getattr(value, "data", None)
    if kind_of(value) == "cell" and isinstance(data, np.ndarray):
        return list(data.ravel(order="F"))
    return None


def groupings(value: Any, interp: Interp) -> list[Groups]:
    """The variables of a grouping: one, or those in a cell array."""
    parts = _cell(value)
    if parts is None or all(isinstance(interp.to_python(part), str) for part in parts):
        return [Groups(value, interp)]
    found = [Groups(part, interp) for part in parts]
    if len({g.numbers.size for g in found}) > 1:
        raise MatlabError("stats:grp2idx:InputSizeMismatch", "Groups must have equal lengths.")
    return found


@builtin("grp2idx", family="stats/groups", nargout=3, needs=("nargout", "interp"))
def grp2idx(s: Any, *, nargout: int, interp: Interp) -> Any:
    """Numbers of groups from a grouping variable.

    [G, NAMES, LEVELS] = grp2idx(S): numbers of the groups, NaN where S is missing, their names in a
    cell array, and the groups in the class of S

    Numbers are in order, categories in theirs, text in the order in which it comes.

    Examples:
        >> [g, names] = grp2idx({'b'; 'a'; 'b'})
        g =
             1
             2
             1
        names =
          2×1 cell array
            {'b'}
            {'a'}

    See also: grpstats, crosstab, findgroups.
    """
    found = Groups(s, interp)
    numbers = np.where(found.numbers < 0, np.nan, found.numbers + 1.0).reshape(-1, 1)
    return (numbers, _texts(found.names, interp), found.levels)[: max(nargout, 1)]


def _texts(names: Sequence[str], interp: Interp) -> Any:
    column = np.array(list(names), object).reshape(-1, 1)
    return called(interp, "cellstr", column) if len(names) else called(interp, "cell", 0.0, 1.0)


@builtin("dummyvar", family="stats/groups", needs=("interp",))
def dummyvar(group: Any, *, interp: Interp) -> Any:
    """Columns of zeros and ones that say to which group an observation belongs.

    D = dummyvar(GROUP) of positive integers, the columns of a matrix of them, or categories
    D = dummyvar({GROUP1, GROUP2, …}) of several variables

    Examples:
        >> dummyvar([1; 3; 1])
        ans =
             1     0     0
             0     0     1
             1     0     0

    See also: grp2idx, crosstab.
    """
    parts = _cell(group)
    columns: list[tuple[Data, int]] = []
    for part in [group] if parts is None else parts:
        plain = interp.to_python(part)
        if np.ndim(plain) > 2:
            raise MatlabError("stats:dummyvar:BadGroup", "Groups must be vectors or a matrix.")
        if isinstance(plain, list) or np.asarray(plain).dtype.kind not in "biuf":
            found = Groups(part, interp)
            columns.append((np.where(found.numbers < 0, np.nan, found.numbers), found.count))
            continue
        a = np.atleast_2d(np.asarray(plain, np.float64))
        is_matrix = min(a.shape) > 1 or (parts is None and a.shape[1] == 1)
        for column in a.T if is_matrix else [a.ravel()]:
            whole = column[~np.isnan(column)]
            if (whole < 1).any() or (whole != np.floor(whole)).any():
                raise MatlabError(
                    "stats:dummyvar:BadGroup", "Group numbers must be positive integers."
                )
            columns.append((column - 1, int(whole.max(initial=0))))
    if len({len(column) for column, _ in columns}) != 1:
        raise MatlabError("stats:dummyvar:InputSizeMismatch", "Groups must have equal lengths.")
    if len(columns[0][0]) * sum(count for _, count in columns) > _MOST_ELEMENTS:
        raise size_limit()
    return np.concatenate([_indicators(*column) for column in columns], axis=1)


def _indicators(numbers: Data, count: int) -> Data:
    made: Data = np.asarray(numbers[:, None] == np.arange(count), np.float64)
    made[np.isnan(numbers)] = np.nan
    return made


@builtin("crosstab", family="stats/groups", nargin=(2, None), nargout=4,
         needs=("nargout", "interp"))  # fmt: skip
def crosstab(*variables: Any, nargout: int, interp: Interp) -> Any:
    """Counts of the combinations of groups, and a test of whether variables are independent.

    [T, CHI2, P, LABELS] = crosstab(X1, X2, …): the counts, Pearson's statistic, the probability of
    a greater one where all are independent, and the names of the groups in the columns of a cell
    array

    Examples:
        >> [t, chi2, p] = crosstab([1 1 2 2 2], [1 1 1 2 2])
        t =
             2     0
             1     2
        chi2 =
            2.2222
        p =
            0.1360

    See also: tabulate, grp2idx, grpstats.
    """
    groups = [Groups(v, interp) for v in variables]
    if len({g.numbers.size for g in groups}) > 1:
        raise MatlabError("stats:crosstab:InputSizeMismatch", "Inputs must have equal lengths.")
    numbers, found = crossed(groups)
    counts = np.zeros([g.count for g in groups])
    for k, place in enumerate(found):
        counts[place] = (numbers == k).sum()
    total, expected = counts.sum(), np.ones(counts.shape)
    for axis in range(counts.ndim):
        others = tuple(k for k in range(counts.ndim) if k != axis)
        expected *= counts.sum(axis=others, keepdims=True) / max(total, 1)
    expected *= total
    with np.errstate(all="ignore"):
        statistic = float(np.nansum((counts - expected) ** 2 / expected))
    if nargout < 2:
        return counts
    from scipy.special import chdtrc

    degrees = counts.size - sum(counts.shape) + counts.ndim - 1
    height = max(g.count for g in groups)
    labels = called(interp, "cell", float(height), float(len(groups)))
    labels.data[...] = [[interp.to_matlab(g.names[k]) if k < g.count else interp.to_matlab(
        np.zeros((0, 0))) for g in groups] for k in range(height)]  # fmt: skip
    p = float(chdtrc(degrees, statistic)) if degrees else float("nan")
    return (counts, statistic, p, labels)[:nargout]


# -- statistics of groups --------------------------------------------------------------------------


def _interval(a: Data, alpha: float, new: bool) -> Data:
    """Bounds of the mean, or of a new observation, beside each other."""
    from scipy.special import stdtrit

    n = a.size
    if n < 2:
        return np.full(2, np.nan)
    spread = a.std(ddof=1) * np.sqrt(1 / n + new) * stdtrit(n - 1, 1 - alpha / 2)
    return np.array([a.mean() - spread, a.mean() + spread])


_STATISTICS: dict[str, Callable[[Data, float], Any]] = {
    "mean": lambda a, _: a.mean() if a.size else np.nan,
    "median": lambda a, _: np.median(a) if a.size else np.nan,
    "mode": lambda a, _: _mode(a),
    "sem": lambda a, _: _spread(a) / np.sqrt(max(a.size, 1)),
    "std": lambda a, _: _spread(a),
    "var": lambda a, _: _spread(a) ** 2,
    "min": lambda a, _: a.min() if a.size else np.nan,
    "max": lambda a, _: a.max() if a.size else np.nan,
    "range": lambda a, _: np.ptp(a) if a.size else np.nan,
    "numel": lambda a, _: float(a.size),
    "meanci": lambda a, alpha: _interval(a, alpha, False),
    "predci": lambda a, alpha: _interval(a, alpha, True),
}


def _spread(a: Data) -> Any:
    return a.std(ddof=1) if a.size > 1 else 0.0 if a.size else np.nan


def _mode(a: Data) -> Any:
    values, counts = np.unique(a, return_counts=True)
    return values[counts.argmax()] if a.size else np.nan


def _statistic(
    how: Any, data: Data, numbers: Data, count: int, alpha: float, interp: Interp
) -> Data:
    """A row of results for each group, of the columns of `data`; bounds in pages."""
    name = interp.to_python(how)
    rows = []
    for k in range(count):
        part = data[numbers == k]
        if not isinstance(name, str):
            rows.append(np.asarray(interp.to_python(interp.call(how, [interp.to_matlab(part)]))))
        elif name in _STATISTICS:
            rows.append(np.array([_STATISTICS[name](c[~np.isnan(c)], alpha) for c in part.T]))
        else:
            raise MatlabError("stats:grpstats:BadStat", f"There is no statistic '{name}'.")
    width = data.shape[1]
    if len({row.size for row in rows}) > 1 or any(row.size % max(width, 1) for row in rows):
        raise MatlabError("stats:grpstats:BadStat", "A statistic must give a row for each group.")
    rows = [row.reshape(width, row.size // max(width, 1)) for row in rows]
    made = np.array(rows) if rows else np.zeros((0, data.shape[1], 1))
    return made if made.shape[2] != 1 else made[:, :, 0]


def _named(args: Sequence[Any], names: Sequence[str], interp: Interp) -> dict[str, Any]:
    known = {name.lower(): name for name in names}
    found = {}
    for key, value in zip(args[::2], args[1::2], strict=False):
        name = known.get(str(interp.to_python(key)).lower())
        if name is None or len(args) % 2:
            raise MatlabError("stats:grpstats:BadOption", "Options are names and values.")
        found[name] = value
    return found


@builtin("grpstats", family="stats/groups", nargin=(1, None), nargout=None,
         needs=("nargout", "interp"))  # fmt: skip
def grpstats(x: Any, group: Any = None, *args: Any, nargout: int, interp: Interp) -> Any:
    """Statistics of groups of observations.

    MEANS = grpstats(X, GROUP) of the columns of X, a row for each group
    [S1, S2, …] = grpstats(X, GROUP, {STAT1, STAT2, …}) with "mean", "median", "mode", "sem", "std",
    "var", "min", "max", "range", "numel", "gname", "meanci", "predci", or function handles
    T = grpstats(TABLE, GROUPVARS, STATS, "DataVars", VARS, "VarNames", NAMES) is a table
    grpstats(…, "Alpha", A) sets the level of intervals

    NaN does not count. GROUP may be empty (all in one), or several variables in a cell array.

    Examples:
        >> [m, n] = grpstats([1 2; 3 4; 10 20], {'a'; 'a'; 'b'}, {'mean', 'numel'})
        m =
             2     3
            10    20
        n =
             2     2
             1     1

    See also: grp2idx, crosstab, groupsummary.
    """
    rest = list(args)
    options = ("Alpha", "DataVars", "VarNames")
    given = interp.to_python(rest[0]) if rest else None
    is_option = isinstance(given, str) and given.lower() in [o.lower() for o in options]
    which = None if not rest or is_option else rest.pop(0)
    named = _named(rest, options, interp)
    alpha = scalar(np.atleast_2d(interp.to_python(named.get("Alpha", 0.05))), "grpstats", "Alpha")
    stats = _statistics(which, interp)
    if kind_of(x) == "table":
        return _of_table(x, group, stats, named, alpha, interp)
    plain = interp.to_python(x)
    data = real(np.atleast_2d(plain) if isinstance(plain, bool | float) else plain, "grpstats")
    if data.ndim > 2:
        raise MatlabError("stats:grpstats:BadData", "X must be a matrix.")
    data = data.astype(np.float64)
    names: list[tuple[str, ...]]
    if _is_empty(group, interp):
        numbers, names = np.zeros(len(data), np.intp), [("1",)]
    else:
        groups = groupings(group, interp)
        numbers, found = crossed(groups)
        names = [tuple(g.names[k] for g, k in zip(groups, place, strict=True)) for place in found]
    data = data.T if len(data) == 1 and len(numbers) > 1 else data
    if len(data) != len(numbers):
        raise MatlabError(
            "stats:grpstats:InputSizeMismatch", "GROUP and X must have equal lengths."
        )
    results = []
    for how in stats[: max(nargout, 1)]:
        if isinstance(word := interp.to_python(how), str) and word == "gname":
            made = called(interp, "cell", float(len(names)), float(len(names[0]) if names else 1))
            made.data[...] = [[interp.to_matlab(n) for n in name] for name in names]
            results.append(made)
        else:
            results.append(_statistic(how, data, numbers, len(names), alpha, interp))
    return results[0] if nargout < 2 else tuple(results)


def _statistics(which: Any, interp: Interp) -> list[Any]:
    """The statistics that are asked for: one, or those in a cell or string array."""
    if _is_empty(which, interp):
        return [interp.to_matlab("mean")]
    if kind_of(which) == "string":
        which = called(interp, "cellstr", which)
    return _cell(which) or [which]


def _of_table(
    x: Any, group: Any, stats: Sequence[Any], named: dict[str, Any], alpha: float, interp: Interp
) -> Any:
    columns = {str(k): v for k, v in interp.to_python(x).items()}
    every = list(columns)

    def chosen(value: Any) -> list[str]:
        plain = interp.to_python(value)
        if isinstance(plain, str):
            return [plain]
        items = _objects(plain) if isinstance(plain, list) else np.asarray(plain)
        flat = items.ravel(order="F").tolist()
        if flat and all(isinstance(v, bool) for v in flat):
            return [n for n, keep in zip(every, flat, strict=False) if keep]
        places: dict[Any, str] = dict(enumerate(every, 1))
        names = [v if isinstance(v, str) else places.get(v) if isinstance(v, int | float) else None
                 for v in flat]  # fmt: skip
        if None in names:
            raise MatlabError("stats:grpstats:BadVar", "The table has no such variable.")
        return [name for name in names if name is not None]

    by = [] if _is_empty(group, interp) else chosen(group)
    over = chosen(named["DataVars"]) if "DataVars" in named else [n for n in every if n not in by]
    for name in [*by, *over]:
        if name not in columns:
            raise MatlabError("stats:grpstats:BadVar", f"The table has no variable '{name}'.")
    workspace = interp.empty_workspace()
    workspace.set("T", x)

    def column(name: str) -> Any:
        workspace.set("name", interp.to_matlab(name))
        return interp.evaluate("T.(name)", workspace, 1)

    groups = [Groups(column(name), interp) for name in by]
    height = len(np.asarray(next(iter(columns.values())))) if columns else 0
    numbers, found = crossed(groups) if groups else (np.zeros(height, np.intp), [()])
    values: list[Any] = []
    for k, g in enumerate(groups):
        at = np.array([[place[k] + 1.0] for place in found]).reshape(-1, 1)
        workspace.set("levels", g.levels)
        workspace.set("at", interp.to_matlab(at))
        values.append(interp.evaluate("reshape(levels(at), [], 1)", workspace, 1))
    counts = np.array([(numbers == k).sum() for k in range(len(found))], np.float64)
    values.append(interp.to_matlab(counts.reshape(-1, 1)))
    names = [*by, "GroupCount"]
    for name in over:
        data = np.asarray(interp.to_python(column(name)))
        if data.dtype.kind not in "biuf":
            raise MatlabError(
                "stats:grpstats:BadData", f"The variable '{name}' is not numeric: use 'DataVars'."
            )
        for how in stats:
            word = interp.to_python(how)
            label = word if isinstance(word, str) else str(getattr(how, "name", "Fun")).strip("@")
            made = _statistic(how, data.astype(np.float64).reshape(len(numbers), -1), numbers,
                              len(found), alpha, interp)  # fmt: skip
            values.append(interp.to_matlab(made.reshape(len(found), -1)))
            names.append(f"{label}_{name}")
    if "VarNames" in named:
        names = chosen(named["VarNames"])
    rows = ["_".join(g.names[k] for g, k in zip(groups, place, strict=True)) or "All"
            for place in found]  # fmt: skip
    return called(interp, "table", *values, "VariableNames", _row(names, interp), "RowNames",
                  _row(rows, interp))  # fmt: skip


def _row(names: Sequence[str], interp: Interp) -> Any:
    return called(interp, "cellstr", np.array(list(names), object).reshape(1, -1))
