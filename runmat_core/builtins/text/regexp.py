"""regexp and regexpi."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.text.regex_request import OUTPUTS, Request, matches, read_request
from runmat_core.builtins.text.regex_syntax import compile_expression
from runmat_core.builtins.text.search_time import SearchTime
from runmat_core.builtins.text.support import (
    double_row,
    elements,
    scalar_text,
    string_of,
    text_list,
)
from runmat_core.values import MISSING, CellArray, StringArray, StructArray, char, from_numpy
from runmat_core.values.cell import empty_cell, object_array
from runmat_core.values.construct import cell as cell_of
from runmat_core.values.struct import struct_array


def _spans(match: re.Match[str]) -> list[tuple[int, int]]:
    """Zero-based extents of the tokens; the whole match when the expression has none.

    A token that took no part is empty, where the text before it ended.
    """
    if not match.re.groups:
        return [match.span()]
    spans = []
    last = match.start()
    for group in range(1, match.re.groups + 1):
        start, end = match.span(group)
        if start < 0:
            start = end = last
        last = end
        spans.append((start, end))
    return spans


class _Result:
    """The outputs for one text and one expression, each made when asked for."""

    def __init__(self, model: Any, text: str, pattern: re.Pattern[str], request: Request) -> None:
        self.model = model
        self.is_string = isinstance(model, StringArray)
        self.source = text
        self.pattern = pattern
        self.once = request.once
        self.found = matches(pattern, text, request)

    def text(self, piece: str) -> Any:
        if self.is_string:
            return string_of([piece])
        return char(piece)

    def texts(self, pieces: list[str]) -> Any:
        if self.is_string:
            return string_of(pieces, (1, len(pieces)) if pieces else (0, 0))
        return cell_of(map(self.text, pieces)) if pieces else empty_cell()

    def get(self, output: str) -> Any:
        return getattr(self, "_" + output)()

    def _start(self) -> Any:
        return double_row(match.start() + 1 for match in self.found)

    def _end(self) -> Any:
        return double_row(match.end() for match in self.found)

    def _match(self) -> Any:
        if not self.once:
            return self.texts([match[0] for match in self.found])
        if self.found:
            return self.text(self.found[0][0])
        return StringArray(object_array([MISSING], (1, 1))) if self.is_string else char("")

    def _per_match(self, make: Any) -> Any:
        if self.once:
            return make(self.found[0]) if self.found else empty_cell()
        return cell_of(map(make, self.found)) if self.found else empty_cell()

    def _tokens(self) -> Any:
        return self._per_match(
            lambda match: self.texts([self.source[a:b] for a, b in _spans(match)])
        )

    def _tokenExtents(self) -> Any:
        if self.once and not self.found:
            return double_row([])
        return self._per_match(
            lambda match: from_numpy(np.array([[a + 1, b] for a, b in _spans(match)], dtype=float))
        )

    def _names(self) -> Any:
        names = sorted(self.pattern.groupindex, key=self.pattern.groupindex.__getitem__)
        records = [{name: self.text(match[name] or "") for name in names} for match in self.found]
        if not names:
            return StructArray({})
        if len(records) == 1:
            return StructArray(records[0])
        return struct_array(records, (1, len(records)) if records else (0, 0), names)

    def _split(self) -> Any:
        pieces, last = [], 0
        for match in self.found:
            pieces.append(self.source[last : match.start()])
            last = match.end()
        return self.texts([*pieces, self.source[last:]])


def _regexp(function: str, nargout: int, args: tuple[Any, ...], ignore_case: bool) -> Any:
    subject, expression, *rest = args
    request = read_request(function, tuple(rest), ignore_case)
    order = request.selected + [name for name in OUTPUTS if name not in request.selected]
    wanted = order[: max(nargout, 1)]
    error = MatlabError(
        f"MATLAB:{function}:invalidInputType",
        f"All arguments of {function} must be text: character vectors, strings, or cell arrays "
        "of character vectors.",
    )

    def one(item: Any, pattern_text: str) -> list[Any]:
        pattern = compile_expression(pattern_text, request.options)
        source = scalar_text(item, error)
        with SearchTime([pattern]) as time:
            time.begin(source)
            result = _Result(item, source, pattern, request)
        return [result.get(name) for name in wanted]

    is_list = isinstance(subject, StringArray) and subject.data.size != 1
    if isinstance(subject, CellArray) or is_list:
        items = [string_of([item]) if is_list else item for item in elements(subject)]
        patterns = text_list(expression, error)
        if len(patterns) == 1:
            patterns *= len(items)
        shape = subject.data.shape
        if len(patterns) != len(items):
            raise MatlabError(
                f"MATLAB:{function}:cellSizeMismatch",
                "If any of the input arguments are cell arrays or string arrays and one is a "
                "scalar, the other can have any size; otherwise the sizes must match.",
            )
        results = [one(item, text) for item, text in zip(items, patterns, strict=True)]
    elif isinstance(expression, CellArray) or (
        isinstance(expression, StringArray) and expression.data.size != 1
    ):
        shape = expression.data.shape
        results = [one(subject, text) for text in text_list(expression, error)]
    else:
        values = one(subject, scalar_text(expression, error))
        if request.force_cell:
            values = [cell_of([value]) for value in values]
        return values[0] if len(values) == 1 else tuple(values)
    outputs = [cell_of([r[k] for r in results], shape) for k in range(len(wanted))]
    return outputs[0] if len(outputs) == 1 else tuple(outputs)


@builtin(
    "regexp",
    family="text/regexp",
    nargin=(2, None),
    nargout=7,
    needs=("nargout",),
    effects="pure",
)
def regexp(*args: Any, nargout: int) -> Any:
    """Match a regular expression, case-sensitively.

    startIndex = regexp(str, expression) is where each match starts.
    [startIndex, endIndex, tokenExtents, match, tokens, names, split] = regexp(str, expression)
    returns everything in this order. Name outputs to choose them and their order: 'start', 'end',
    'tokenExtents', 'match', 'tokens', 'names', 'split'. With 'once' only the first match counts
    and results are not nested in cells. Further options: 'ignorecase', 'matchcase', 'emptymatch',
    'noemptymatch', 'dotall', 'dotexceptnewline', 'stringanchors', 'lineanchors',
    'literalspacing', 'freespacing', 'forceCellOutput'. str and expression may be cell arrays;
    results then are cells.

    Examples:
        >> regexp('bat cat can', '[bc]at')
        ans =
             1     5
        >> regexp('key=value', '(\\w+)=(\\w+)', 'tokens', 'once')
        ans =
          1×2 cell array
            {'key'}    {'value'}
        >> regexp('x12', '\\d+', 'match', 'once')
        ans =
            '12'

    See also: regexpi, regexprep, strfind, strsplit.
    """
    return _regexp("regexp", nargout, args, ignore_case=False)


@builtin(
    "regexpi",
    family="text/regexp",
    nargin=(2, None),
    nargout=7,
    needs=("nargout",),
    effects="pure",
)
def regexpi(*args: Any, nargout: int) -> Any:
    """Match a regular expression, ignoring case.

    Takes and returns what regexp does.

    Examples:
        >> regexpi('Bat CAT', '[bc]at', 'match')
        ans =
          1×2 cell array
            {'Bat'}    {'CAT'}

    See also: regexp, regexprep.
    """
    return _regexp("regexpi", nargout, args, ignore_case=True)
