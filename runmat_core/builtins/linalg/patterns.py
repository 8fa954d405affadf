"""Where the nonzero elements of a matrix are: triangles, bands, diagonals."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import integer, numeric, option
from runmat_core.values import SparseArray


def _bandwidths(x: Any, name: str) -> tuple[int, int] | None:
    """How many diagonals below and above the main one are in use; None of an array of pages."""
    if isinstance(x, SparseArray):
        rows, columns, _ = x.triplets()
    else:
        a = numeric(x, name)
        if a.ndim > 2:
            return None
        rows, columns = np.nonzero(a)
    if not rows.size:
        return 0, 0
    offsets = columns.astype(np.intp) - rows
    return max(0, int(-offsets.min())), max(0, int(offsets.max()))


@builtin("istril", family="linalg/patterns", effects="pure")
def istril(x: Any) -> Any:
    """Whether all elements above the main diagonal are zero.

    TF = istril(A)

    Examples:
        >> istril([1 0; 2 3])
        ans =
          logical
           1

    See also: istriu, isdiag, isbanded, tril.
    """
    used = _bandwidths(x, "istril")
    return used is not None and used[1] == 0


@builtin("istriu", family="linalg/patterns", effects="pure")
def istriu(x: Any) -> Any:
    """Whether all elements below the main diagonal are zero.

    TF = istriu(A)

    Examples:
        >> istriu([1 2; 0 3])
        ans =
          logical
           1

    See also: istril, isdiag, isbanded, triu.
    """
    used = _bandwidths(x, "istriu")
    return used is not None and used[0] == 0


@builtin("isdiag", family="linalg/patterns", effects="pure")
def isdiag(x: Any) -> Any:
    """Whether all elements off the main diagonal are zero.

    TF = isdiag(A)

    Examples:
        >> isdiag(eye(3))
        ans =
          logical
           1

    See also: istril, istriu, isbanded, diag.
    """
    return _bandwidths(x, "isdiag") == (0, 0)


@builtin("isbanded", family="linalg/patterns", effects="pure")
def isbanded(x: Any, lower: Any, upper: Any) -> Any:
    """Whether all nonzero elements are within some diagonals of the main one.

    TF = isbanded(A, LOWER, UPPER)

    Examples:
        >> isbanded([1 2; 0 3], 0, 1)
        ans =
          logical
           1

    See also: bandwidth, istril, istriu, isdiag.
    """
    used = _bandwidths(x, "isbanded")
    widths = integer(lower, "LOWER"), integer(upper, "UPPER")
    return used is not None and used[0] <= widths[0] and used[1] <= widths[1]


@builtin("bandwidth", family="linalg/patterns", nargout=2, needs=("nargout",), effects="pure")
def bandwidth(x: Any, side: Any = None, *, nargout: int) -> Any:
    """How many diagonals beside the main one have nonzero elements.

    [LOWER, UPPER] = bandwidth(A)
    B = bandwidth(A, "lower"), B = bandwidth(A, "upper")

    Examples:
        >> [lower, upper] = bandwidth([1 2 0; 0 3 4; 5 0 6])
        lower =
             2
        upper =
             1

    See also: isbanded, isdiag, istril, istriu.
    """
    used = _bandwidths(x, "bandwidth")
    if used is None:
        raise MatlabError("MATLAB:bandwidth:inputMustBe2D", "Input must be 2-D.")
    lower, upper = map(float, used)
    if side is None:
        return (lower, upper) if nargout > 1 else lower
    word = option(side)
    if word not in {"lower", "upper"}:
        raise MatlabError(
            "MATLAB:bandwidth:InvalidType", "Second argument must be 'lower' or 'upper'."
        )
    return lower if word == "lower" else upper
