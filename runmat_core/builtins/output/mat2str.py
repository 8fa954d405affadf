"""Values as the expressions that make them: ``mat2str``."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import integer
from runmat_core.values import char, class_of, is_text, size_of, text, to_numpy

#: No double has more significant digits.
MOST_DIGITS = 767
#: Numbers from which one format for all of them pays.
_MANY = 16


@builtin("mat2str", family="output/mat2str", nargin=(1, 3), effects="pure")
def mat2str(X: Any, *options: Any) -> Any:
    """Convert a matrix to text that evaluates to it.

    s = mat2str(X) gives 15 significant digits.
    s = mat2str(X, n) gives n significant digits.
    s = mat2str(___, 'class') includes the name of the class.

    Examples:
        >> mat2str([1 2; 3 4.5])
        ans =
            '[1 2;3 4.5]'
        >> mat2str([true false])
        ans =
            '[true false]'
        >> mat2str(int8([1 2]), 'class')
        ans =
            'int8([1 2])'

    See also: num2str, int2str, sprintf.
    """
    if len(size_of(X)) > 2:
        raise MatlabError("MATLAB:mat2str:TwoDInput", "Input matrix must be 2-D.")
    precision, with_class = 15, False
    for option in options:
        if is_text(option):
            with_class = text(option).lower() == "class"
        else:
            precision = min(max(integer(option, "Precision"), 0), MOST_DIGITS)
    class_name = class_of(X)
    if class_name == "char":
        return char(_chars(X))
    if class_name == "string":
        return char(_bracketed([[_quoted(item) for item in row] for row in X.data.tolist()]))
    if class_name in ("cell", "struct", "function_handle"):
        raise MatlabError(
            "MATLAB:mat2str:NumericInput",
            "Input matrix must be numeric, logical, a character array, or a string array.",
        )
    if getattr(X, "is_sparse", False):
        return char(_sparse(X, precision))
    data = to_numpy(X)
    body = _matrix(data, precision)
    if with_class and class_name != "logical":
        body = f"{class_name}({body})"
    return char(body)


def _quoted(item: Any) -> str:
    return '"' + item.replace('"', '""') + '"' if isinstance(item, str) else "missing"


def _chars(value: Any) -> str:
    rows = [f"'{row.replace(chr(39), chr(39) * 2)}'" for row in value.rows()]
    if not rows or 0 in value.shape:
        shape = value.shape
        return "''" if shape == (0, 0) else f"char(zeros({shape[0]},{shape[1]}))"
    return rows[0] if len(rows) == 1 else "[" + ";".join(rows) + "]"


def _matrix(data: np.ndarray, precision: int) -> str:
    if data.size == 0:
        function = "false" if data.dtype == np.bool_ else "zeros"
        return f"{function}({data.shape[0]},{data.shape[1]})"
    if data.size >= _MANY and data.dtype.kind == "f" and np.isfinite(data).all():
        line = " ".join([f"%.{precision}g"] * data.shape[1])
        return f"[{';'.join([line] * data.shape[0])}]" % tuple((data + 0.0).ravel().tolist())
    return _bracketed([[_element(x, precision) for x in row] for row in data.tolist()])


def _sparse(value: Any, precision: int) -> str:
    """Return the call of ``sparse`` with the places and values of the nonzero elements."""
    entries = value.data.tocoo()
    order = np.lexsort((entries.row, entries.col))
    columns = [entries.row[order] + 1.0, entries.col[order] + 1.0, entries.data[order]]
    texts = [_matrix(np.asarray(column)[:, None], precision) for column in columns]
    rows, count = value.shape
    return f"sparse({', '.join(texts)}, {rows}, {count})"


def _bracketed(rows: list[list[str]]) -> str:
    if len(rows) == 1 and len(rows[0]) == 1:
        return rows[0][0]
    return "[" + ";".join([" ".join(row) for row in rows]) + "]"


def _element(x: bool | int | float | complex, precision: int) -> str:
    if isinstance(x, bool):
        return "true" if x else "false"
    if isinstance(x, int):
        return str(x)
    if isinstance(x, complex):
        sign = "-" if x.imag < 0 else "+"
        imaginary = _real(abs(x.imag), precision)
        times = f"{imaginary}i" if x.imag - x.imag == 0 else f"1i*{imaginary}"
        return f"{_real(x.real, precision)}{sign}{times}"
    return _real(x, precision)


def _real(x: float, precision: int) -> str:
    if x - x != 0:
        return "NaN" if x != x else "Inf" if x > 0 else "-Inf"
    return f"{x + 0.0:.{precision}g}"
