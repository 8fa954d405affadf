"""What is measured: calls of builtins, the data they get, and NumPy's or SciPy's way to do it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import numpy as np
import scipy.signal
from numpy.typing import NDArray

Data = dict[str, Any]
Numbers = NDArray[Any]

#: runmat's time over NumPy's may be this at most
NUMPY_LIMIT = 1.5


@attrs.frozen
class Case:
    """One call.

    Attributes:
        name: of the row.
        call: a MATLAB statement that assigns ``r``, and ``s`` where there are two results.
        data: makes the variables from a number of elements: arrays, or lists of texts, which are
            cell arrays in MATLAB.
        sizes: numbers of elements.
        octave: the statement for Octave where it needs another one.
        numpy: the same as the call, from the data; its arrays are the results in order.
        shown: a MATLAB expression of the numbers that are compared.
        octave_shown: the same where Octave's result is another one.
        note: what a reader should know.
    """

    name: str
    call: str
    data: Callable[[int], Data]
    sizes: tuple[int, ...]
    octave: str = ""
    numpy: Callable[[Data], Any] | None = None
    shown: str = "r(:)"
    octave_shown: str = ""
    note: str = ""


NUMERIC = (10**5, 10**6, 10**7)
TEXTS = (10**5, 10**6)
JOINED = "double(strjoin(r, '|'))"


def _random() -> np.random.Generator:
    return np.random.default_rng(1)


def _column(n: int) -> Data:
    return {"x": _random().random((n, 1))}


def _whole(n: int) -> Data:
    """Whole numbers, each about ten times."""
    return {"x": _random().integers(1, max(n // 10, 2), (n, 1)).astype(float)}


def _sets(n: int) -> Data:
    data = _whole(n)
    return data | {"y": np.arange(1.0, max(n // 10, 2), 2).reshape(-1, 1)}


def _groups(n: int) -> Data:
    return {"k": _whole(n)["x"], "v": _random().random((n, 1))}


def _table(n: int) -> Data:
    random = _random()
    points = np.cumsum(random.random((1000, 1)) + 0.1, axis=0)
    return {"x": points, "v": np.sin(points), "q": random.uniform(points[0], points[-1], (n, 1))}


def _image(n: int) -> Data:
    side = int(n**0.5)
    random = _random()
    return {"x": random.random((side, side)), "h": random.random((5, 5))}


def _words(n: int) -> Data:
    numbers = _random().integers(0, 10**6, n).tolist()
    return {"c": [f"item_{number}" for number in numbers]}


def _line(n: int) -> Data:
    return {"t": ",".join(_words(n)["c"])}


def _digits(n: int) -> Data:
    numbers = _random().normal(scale=1000.0, size=n).round(4).tolist()
    return {"c": [str(number) for number in numbers]}


def _integers(n: int) -> Data:
    random = _random()
    return {name: random.integers(0, 2**30, (n, 1)).astype(float) for name in "xy"}


def _pairs(n: int) -> Data:
    return {"x": _random().integers(1, int(n**0.5), (n, 2)).astype(float)}


def _tall(n: int) -> Data:
    return {"x": _random().random((n // 10, 10))}


def _numerals(n: int) -> Data:
    return {"t": ",".join(_digits(n)["c"])}


def _lines(n: int) -> Data:
    words = _digits(n)["c"]
    return {"t": "\n".join(",".join(words[k : k + 10]) for k in range(0, n, 10)) + "\n"}


def _named(n: int) -> Data:
    return {"c": [f"key_{number}" for number in range(n)], "x": np.arange(n, dtype=float)[:, None]}


def _order(d: Data) -> Any:
    at = np.argsort(d["x"], axis=0, kind="stable")
    return np.take_along_axis(d["x"], at, 0), at + 1.0


def _unique_places(d: Data) -> Any:
    found = np.unique(d["x"].ravel(), return_index=True, return_inverse=True)
    return found[0], found[1] + 1.0, found[2] + 1.0


CASES = (
    Case("sort", "r = sort(x);", _column, NUMERIC, numpy=lambda d: np.sort(d["x"], axis=0)),
    Case(
        "sort, with places",
        "[r, s] = sort(x);",
        _column,
        NUMERIC,
        numpy=_order,
        shown="[r(:); s(:)]",
    ),
    Case("sort, many equal", "r = sort(x);", _whole, NUMERIC, numpy=lambda d: np.sort(d["x"], 0)),
    Case("unique", "r = unique(x);", _whole, NUMERIC, numpy=lambda d: np.unique(d["x"])),
    Case(
        "unique, with places",
        "[r, s, u] = unique(x);",
        _whole,
        NUMERIC,
        octave="[r, s, u] = unique(x, 'first');",
        numpy=_unique_places,
        shown="[r(:); s(:); u(:)]",
    ),
    Case("unique of texts", "r = unique(c);", _words, TEXTS, shown=JOINED, numpy=None),
    Case(
        "ismember", "r = ismember(x, y);", _sets, NUMERIC, numpy=lambda d: np.isin(d["x"], d["y"])
    ),
    Case(
        "ismember, with places",
        "[r, s] = ismember(x, y);",
        _sets,
        NUMERIC,
        shown="[double(r(:)); s(:)]",
    ),
    Case("ismember of texts", "r = ismember(c, c(1:2:end));", _words, TEXTS),
    Case("regexprep", "r = regexprep(c, '_(\\d)', '-$1');", _words, TEXTS, shown=JOINED),
    Case("strsplit", "r = strsplit(t, ',');", _line, TEXTS, shown=JOINED),
    Case("cellfun('isempty', c)", "r = cellfun('isempty', c);", _words, TEXTS),
    Case("cellfun('length', c)", "r = cellfun('length', c);", _words, TEXTS),
    Case("cellfun(@numel, c)", "r = cellfun(@numel, c);", _words, TEXTS),
    Case(
        "cellfun(@upper, c)",
        "r = cellfun(@upper, c, 'UniformOutput', false);",
        _words,
        TEXTS,
        shown=JOINED,
    ),
    Case("cellfun(@(x) numel(x)*2, c)", "r = cellfun(@(x) numel(x)*2, c);", _words, TEXTS),
    Case(
        "accumarray",
        "r = accumarray(k, v);",
        _groups,
        NUMERIC,
        numpy=lambda d: np.bincount(d["k"].ravel().astype(np.intp), d["v"].ravel())[1:],
    ),
    Case(
        "accumarray, @max",
        "r = accumarray(k, v, [], @max);",
        _groups,
        NUMERIC,
    ),
    Case(
        "interp1",
        "r = interp1(x, v, q);",
        _table,
        NUMERIC,
        numpy=lambda d: np.interp(d["q"].ravel(), d["x"].ravel(), d["v"].ravel()),
    ),
    Case(
        "conv2",
        "r = conv2(x, h, 'same');",
        _image,
        NUMERIC,
        numpy=lambda d: scipy.signal.convolve2d(d["x"], d["h"], "same"),
    ),
    Case(
        "histcounts",
        "r = histcounts(x, 0:0.01:1);",
        _column,
        NUMERIC,
        octave="r = histc(x, 0:0.01:1);",
        numpy=lambda d: np.histogram(d["x"], np.arange(101) * 0.01)[0],
        octave_shown="[r(1:99); r(100) + r(101)]",
        note="Octave has no histcounts: its histc",
    ),
    Case(
        "str2double",
        "r = str2double(c);",
        _digits,
        TEXTS,
        numpy=lambda d: np.array(d["c"], dtype=float),
    ),
    Case("sprintf('%d,', k)", "r = sprintf('%d,', x);", _whole, TEXTS, shown="double(r)"),
    Case("sprintf('%g\\n', x)", "r = sprintf('%g\\n', x);", _column, TEXTS, shown="double(r)"),
    Case(
        "sprintf('%.3f %d\\n', …)",
        "r = sprintf('%.3f %d\\n', [v k]');",
        _groups,
        TEXTS,
        shown="double(r)",
    ),
    Case("x(k)", "r = v(k);", _groups, NUMERIC, numpy=lambda d: d["v"][d["k"].astype(int) - 1]),
    Case("mod(x, 7)", "r = mod(x, 7);", _whole, NUMERIC, numpy=lambda d: np.mod(d["x"], 7)),
    Case("mod(x, 0.3)", "r = mod(x, 0.3);", _column, NUMERIC, numpy=lambda d: np.mod(d["x"], 0.3)),
    Case("round", "r = round(x * 10);", _column, NUMERIC),
    Case("uint8(x)", "r = double(uint8(x * 255));", _column, NUMERIC),
    Case("bitand", "r = bitand(x, y);", _integers, NUMERIC),
    Case("trapz", "r = trapz(x);", _column, NUMERIC, numpy=lambda d: np.trapezoid(d["x"], axis=0)),
    Case("cummax", "r = cummax(x);", _column, NUMERIC, numpy=lambda d: np.fmax.accumulate(d["x"])),
    Case("median", "r = median(x);", _column, NUMERIC, numpy=lambda d: np.median(d["x"])),
    Case("movmean", "r = movmean(x, 5);", _column, NUMERIC),
    Case(
        "ind2sub, sub2ind",
        "[s, u] = ind2sub([1000 1e6], x); r = sub2ind([1000 1e6], s, u);",
        _whole,
        NUMERIC,
    ),
    Case("sortrows", "r = sortrows(x);", _pairs, NUMERIC[:2]),
    Case("unique of rows", "r = unique(x, 'rows');", _pairs, NUMERIC[:2]),
    Case(
        "setdiff",
        "r = setdiff(x, y);",
        _sets,
        NUMERIC,
        numpy=lambda d: np.setdiff1d(d["x"], d["y"]),
    ),
    Case("union", "r = union(x, y);", _sets, NUMERIC, numpy=lambda d: np.union1d(d["x"], d["y"])),
    Case("triu", "r = triu(x);", _image, NUMERIC, numpy=lambda d: np.triu(d["x"])),
    Case("kron", "r = kron(x, ones(3));", _image, NUMERIC[:2]),
    Case("mat2cell, cell2mat", "r = cell2mat(mat2cell(x, ones(size(x, 1), 1), 10));", _tall, TEXTS),
    Case("num2cell", "r = num2cell(x);", _column, TEXTS, shown="[r{:}]"),
    Case("arrayfun(@(v) v*2, x)", "r = arrayfun(@(v) v*2, x);", _column, TEXTS),
    Case("strcmp of texts", "r = strcmp(c, 'item_5');", _words, TEXTS),
    Case("strrep of texts", "r = strrep(c, 'item', 'x');", _words, TEXTS, shown=JOINED),
    Case("strtrim of texts", "r = strtrim(c);", _words, TEXTS, shown=JOINED),
    Case("strjoin", "r = strjoin(c, ',');", _words, TEXTS, shown="double(r)"),
    Case("sort of texts", "r = sort(c);", _words, TEXTS, shown=JOINED),
    Case("char of texts", "r = char(c);", _words, TEXTS, shown="double(r(:))"),
    Case(
        "regexp, tokens",
        "r = regexp(t, '_(\\d+)', 'tokens'); r = [r{:}];",
        _line,
        TEXTS[:1],
        shown=JOINED,
    ),
    Case("isspace", "r = isspace(t);", _line, TEXTS),
    Case("num2str", "r = num2str(x);", _column, TEXTS, shown="double(r(:))"),
    Case("dec2bin", "r = dec2bin(x);", _integers, TEXTS[:1], shown="double(r(:))"),
    Case("hex2dec(dec2hex(x))", "r = hex2dec(dec2hex(x));", _integers, TEXTS[:1]),
    Case("sscanf(t, '%f,')", "r = sscanf(t, '%f,');", _numerals, TEXTS),
    Case(
        "textscan, ten columns",
        "r = textscan(t, repmat('%f ', 1, 10), 'Delimiter', ','); r = [r{:}];",
        _lines,
        TEXTS,
    ),
    Case("jsondecode", "r = jsondecode(['[' t ']']);", _numerals, TEXTS),
    Case(
        "containers.Map of texts",
        "r = containers.Map(c, num2cell(x)); r = r.Count;",
        _named,
        TEXTS[:1],
    ),
)
