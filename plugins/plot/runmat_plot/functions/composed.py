"""Charts that are whole figures or tiles: stacked and parallel lines, clouds of words, shares."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.arguments import (
    data_in,
    not_enough,
    numbers_in,
    python,
    read_options,
    take,
    take_variable,
    texts_in,
)
from runmat_plot.functions.support import (
    current_figure,
    given,
    holds,
    make,
    scene_of,
    set_current_axes,
)
from runmat_plot.scene.node import Node


def new_chart(kind: str, interp: Interp, parent: Node | None, pairs: Sequence[Any]) -> Node:
    """A chart in place of the current axes of a figure."""
    figure = parent or current_figure(scene_of(interp))
    position = np.array([[0.13, 0.11, 0.775, 0.815]])
    present = figure["CurrentAxes"]
    there = present is not None and not present.deleted
    if there:
        position = present["Position"]
    node = make(kind, figure, pairs, Position=position)
    if there and not holds(present):
        present.delete()
    set_current_axes(node)
    return node


def _parent(rest: list[Any]) -> Node | None:
    """Take the figure or panel that arguments begin with; data must follow."""
    found: Node | None = None
    if rest and isinstance(rest[0], Node) and rest[0].kind.name in ("figure", "uipanel"):
        found = rest.pop(0)
    if not rest:
        raise not_enough()
    return found


def is_table(value: Any) -> bool:
    """Return whether a MATLAB value is a table."""
    return getattr(value, "class_name", "") in ("table", "timetable")


def _columns(value: Any) -> list[tuple[str, Any]]:
    """The variables of a table that is given as a Python value, by their names."""
    return [(name, part) for name, part in value.items()]


def _number(value: Any) -> Any:
    found = data_in(value, "table")
    return None if found is None or isinstance(found.ruler, list) else found


@builtin("stackedplot", family="plot/charts", nargin=(1, None), needs=("nargout", "interp"))
def stackedplot(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw the variables of a table, or the columns of a matrix, above each other with one x-axis.

    stackedplot(T), stackedplot(T, NAMES), stackedplot(X, Y), stackedplot(Y)
    stackedplot(…, NAME, VALUE) with Title, XLabel, DisplayLabels, LineWidth, GridVisible
    S = stackedplot(…) gives the chart

    Examples:
        >> s = stackedplot(table([1;2;3], [4;5;7], 'VariableNames', {'a', 'b'})); s.DisplayLabels
        ans =
          2×1 cell array
            {'a'}
            {'b'}

    See also: plot, parallelplot, tiledlayout.
    """
    raw = list(args)
    rest = python(interp, args)
    parent = _parent(rest)
    raw = raw[len(raw) - len(rest) :]
    if not rest:
        raise not_enough()
    ruler: Any = "numeric"
    x: Any = None
    if is_table(raw[0]):
        columns = _columns(rest.pop(0))
        if raw[0].class_name == "timetable":
            found = data_in(columns.pop(0)[1], "stackedplot")
            assert found is not None
            x, ruler = found.values, found.ruler
        chosen = texts_in(rest[0]) if rest else None
        if chosen and set(chosen) <= {name for name, _ in columns}:
            rest.pop(0)
            columns = [pair for pair in columns if pair[0] in chosen]
        numeric = [(name, _number(part)) for name, part in columns]
        series = [(name, part.values.astype(float)) for name, part in numeric if part is not None]
    else:
        data = [numbers_in(rest.pop(0), "stackedplot").astype(float)]
        if rest and not isinstance(rest[0], str):
            x = data.pop()
            data.append(numbers_in(rest.pop(0), "stackedplot").astype(float))
        y = data[0].reshape(-1, 1) if data[0].shape[0] == 1 else data[0]
        series = [(f"Column {k + 1}", y[:, [k]]) for k in range(y.shape[1])]
    count = len(series[0][1]) if series else 0
    x = np.arange(1.0, count + 1) if x is None else np.ravel(x)
    if any(len(part) != x.size for _, part in series):
        raise MatlabError("MATLAB:samelen", "X and Y must have the same number of rows.")
    node = new_chart("stackedplot", interp, parent, rest)
    node.info.update(columns=[[name, part] for name, part in series], x=x, ruler=ruler)
    node.values.setdefault("DisplayLabels", [name for name, _ in series])
    return given(nargout, node)


@builtin("parallelplot", family="plot/charts", nargin=(1, None), needs=("nargout", "interp"))
def parallelplot(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw the rows of a table or matrix as lines over parallel axes.

    parallelplot(T), parallelplot(DATA), parallelplot(…, "GroupVariable", NAME)
    parallelplot(DATA, "GroupData", G), parallelplot(…, "DataNormalization", WORD) with "range",
    "zscore", "center", "norm" or "none"; P = parallelplot(…) gives the chart

    Examples:
        >> p = parallelplot(magic(4)); p.DataNormalization
        ans =
            'range'

    See also: stackedplot, plotmatrix.
    """
    raw = list(args)
    rest = python(interp, args)
    parent = _parent(rest)
    raw = raw[len(raw) - len(rest) :]
    if not rest:
        raise not_enough()
    options, pairs = read_options(rest[1:], "groupvariable", "groupdata", "coordinatevariables")
    groups: Any = None
    if is_table(raw[0]):
        columns = _columns(rest[0])
        name = options.get("groupvariable")
        groups = next((_words(part) for key, part in columns if key == name), None)
        chosen = texts_in(options.get("coordinatevariables"))
        if chosen:
            columns = [pair for pair in columns if pair[0] in chosen]
        numeric = [(key, _number(part)) for key, part in columns if key != name]
        kept = [(key, part.values.ravel()) for key, part in numeric if part is not None]
        names = [key for key, _ in kept]
        data = np.column_stack([part for _, part in kept]) if kept else np.zeros((0, 0))
    else:
        data = numbers_in(rest[0], "parallelplot").astype(float)
        names = [str(k + 1) for k in range(data.shape[1])]
        if "groupdata" in options:
            groups = _words(options["groupdata"])
    if data.ndim != 2 or not data.size:
        raise MatlabError("MATLAB:graphics:parallelplot:InvalidData", "There must be numbers.")
    if groups is not None and len(groups) != len(data):
        raise MatlabError("MATLAB:samelen", "There must be a group for each row.")
    node = new_chart("parallelplot", interp, parent, pairs)
    node.info.update(data=data, names=names, groups=groups)
    return given(nargout, node)


def _words(value: Any) -> list[str]:
    """Groups as texts."""
    found = data_in(value, "groups categories")
    if found is None:
        return texts_in(value) or []
    numbers = found.values.ravel()
    if isinstance(found.ruler, list):
        return [found.ruler[int(number) - 1] for number in numbers]
    return [f"{number:g}" for number in numbers]


@builtin("scatterhistogram", family="plot/charts", nargin=(2, None), needs=("nargout", "interp"))
def scatterhistogram(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw points with histograms of x above them and of y beside them.

    scatterhistogram(X, Y), scatterhistogram(T, XNAME, YNAME)
    scatterhistogram(…, "GroupData", G), scatterhistogram(T, …, "GroupVariable", NAME)
    S = scatterhistogram(…) gives the chart

    Examples:
        >> s = scatterhistogram(1:5, [2 4 1 5 3]); class(s)
        ans =
            'matlab.graphics.chart.ScatterHistogramChart'

    See also: scatter, histogram, plotmatrix.
    """
    raw = list(args)
    rest = python(interp, args)
    parent = _parent(rest)
    raw = raw[len(raw) - len(rest) :]
    names = ["", ""]
    table: dict[str, Any] = {}
    if is_table(raw[0]):
        table = rest.pop(0)
        found = [take_variable(rest, table) for _ in "xy"]
        names, data = [name for name, _ in found], [part for _, part in found]
    else:
        data = [take(rest), take(rest)]
    x, y = (numbers_in(part, "scatterhistogram").ravel().astype(float) for part in data)
    if x.size != y.size:
        raise MatlabError("MATLAB:samelen", "X and Y must have the same length.")
    options, pairs = read_options(rest, "groupdata", "groupvariable", "numbins")
    by = options.get("groupdata")
    if "groupvariable" in options:
        by = take_variable([options["groupvariable"]], table)[1]
    groups = None if by is None else _words(by)
    node = new_chart("scatterhistogram", interp, parent, pairs)
    node.info.update(x=x, y=y, groups=groups)
    for name, word in zip(("XLabel", "YLabel"), names, strict=True):
        if word:
            node.values.setdefault(name, word)
    return given(nargout, node)


#: Words that say nothing about a text.
_COMMON = frozenset(
    """a an and are as at be but by for from had has have he her his i if in is it its no not of on
    or she so that the their them then there they this to was we were what when which who will with
    you""".split()
)


@builtin("wordcloud", family="plot/charts", nargin=(1, None), needs=("nargout", "interp"))
def wordcloud(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw words, the larger the more they count.

    wordcloud(WORDS, SIZES), wordcloud(T, WORDNAME, SIZENAME), wordcloud(C) counts categories
    wordcloud(TEXT) counts the words of a text, without common ones
    wordcloud(…, NAME, VALUE) with Title, Color, HighlightColor, MaxDisplayWords

    Examples:
        >> w = wordcloud({'one', 'two'}, [1 2]); w.SizeData
        ans =
             1     2

    See also: heatmap, bar.
    """
    raw = list(args)
    rest = python(interp, args)
    parent = _parent(rest)
    raw = raw[len(raw) - len(rest) :]
    if is_table(raw[0]):
        table = rest.pop(0)
        words = _words(take_variable(rest, table)[1])
        sizes = numbers_in(take_variable(rest, table)[1], "wordcloud").ravel().astype(float)
    else:
        first = rest.pop(0)
        if rest and not isinstance(rest[0], str):
            words = texts_in(first) or _words(first)
            sizes = numbers_in(rest.pop(0), "wordcloud").ravel().astype(float)
        else:
            found = texts_in(first) or []
            if getattr(raw[0], "class_name", "") != "categorical":
                found = re.findall(r"[^\W\d_][\w'-]+", " ".join(found).lower())
                found = [word for word in found if word not in _COMMON]
            words = list(dict.fromkeys(found))
            sizes = np.array([float(found.count(word)) for word in words])
    if len(words) != sizes.size:
        raise MatlabError("MATLAB:graphics:wordcloud:SizeMismatch", "Each word needs a size.")
    node = new_chart("wordcloud", interp, parent, rest)
    node.info.update(words=words, sizes=sizes)
    node.values["WordData"] = words
    node.values["SizeData"] = sizes.reshape(1, -1)
    return given(nargout, node)


def _shares(kind: str, args: Sequence[Any], nargout: int, interp: Interp) -> Any:
    raw = list(args)
    rest = python(interp, args)
    parent = _parent(rest)
    raw = raw[len(raw) - len(rest) :]
    names: list[str] = []
    if is_table(raw[0]):
        table = rest.pop(0)
        data = numbers_in(take_variable(rest, table)[1], kind).ravel().astype(float)
        if rest and isinstance(rest[0], str) and rest[0] in table:
            names = _words(table[rest.pop(0)])
    else:
        first = rest.pop(0)
        found = data_in(first, "shares")
        if found is not None and isinstance(found.ruler, list):
            names = found.ruler
            data = np.array([float((found.values == k + 1).sum()) for k in range(len(names))])
        else:
            data = numbers_in(first, kind).ravel().astype(float)
            texts = texts_in(rest[0]) if rest else None
            is_name = bool(rest) and isinstance(rest[0], str) and len(rest) % 2 == 0
            if texts is not None and len(texts) == data.size and not is_name:
                names = texts
                rest.pop(0)
    if np.any(data < 0):
        raise MatlabError(f"MATLAB:graphics:{kind}:NegativeData", "The data must not be negative.")
    node = new_chart(kind, interp, parent, rest)
    node.values["Data"] = data.reshape(1, -1)
    node.info["names"] = names
    if names:
        node.values["Names"] = names
    return given(nargout, node)


@builtin("piechart", family="plot/charts", nargin=(1, None), needs=("nargout", "interp"))
def piechart(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw shares of a whole as slices of a disc, with their names.

    piechart(X), piechart(X, NAMES), piechart(T, DATANAME, NAMES), piechart(C) counts categories
    piechart(…, NAME, VALUE); P = piechart(…) gives the chart

    Examples:
        >> p = piechart([1 2 3], ["a" "b" "c"]); p.Data
        ans =
             1     2     3

    See also: donutchart, pie, bar.
    """
    return _shares("piechart", args, nargout, interp)


@builtin("donutchart", family="plot/charts", nargin=(1, None), needs=("nargout", "interp"))
def donutchart(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw shares of a whole as parts of a ring, with their names.

    donutchart(X), donutchart(X, NAMES), donutchart(T, DATANAME, NAMES), donutchart(C)
    donutchart(…, "InnerRadius", R) with a part of the radius; D = donutchart(…) gives the chart

    Examples:
        >> d = donutchart([1 2 3]); d.InnerRadius
        ans =
            0.5000

    See also: piechart, pie.
    """
    return _shares("donutchart", args, nargout, interp)
