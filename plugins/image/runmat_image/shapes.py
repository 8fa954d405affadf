"""Distances to shapes in binary images, and their edges."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import MatlabError, builtin
from runmat_image.arguments import Data, given, image, integer, one_of, real

_METRICS = ("euclidean", "cityblock", "chessboard", "quasi-euclidean")


def _spread(mask: Data, diagonal: float | None) -> tuple[Data, Data]:
    """Distances by steps of length one and, unless None, diagonal ones, with the nearest places."""
    distance = np.where(mask, 0.0, np.inf)
    nearest = np.where(mask, np.arange(mask.size).reshape(mask.shape, order="F") + 1, 0)
    steps = [((0, 1), 1.0), ((1, 0), 1.0), ((0, -1), 1.0), ((-1, 0), 1.0)]
    if diagonal is not None:
        steps += [((i, j), diagonal) for i in (-1, 1) for j in (-1, 1)]
    rows, columns = mask.shape
    changed = True
    while changed:
        changed = False
        for (i, j), length in steps:
            to = np.s_[max(i, 0) : rows + min(i, 0), max(j, 0) : columns + min(j, 0)]
            of = np.s_[max(-i, 0) : rows + min(-i, 0), max(-j, 0) : columns + min(-j, 0)]
            shorter = distance[of] + length < distance[to]
            if shorter.any():
                changed = True
                distance[to] = np.where(shorter, distance[of] + length, distance[to])
                nearest[to] = np.where(shorter, nearest[of], nearest[to])
    return distance, nearest


@builtin(
    "bwdist", family="image/regions", lift="arrays", nargin=(1, 2), nargout=2,
    needs=("nargout",), effects="pure",
)  # fmt: skip
def bwdist(x: Any, method: Any = None, *, nargout: int) -> Any:
    """Distance of each pixel to the nearest one that is not zero.

    D = bwdist(BW), of class single; D = bwdist(BW, METHOD) with "euclidean" (the default),
    "cityblock", "chessboard" or "quasi-euclidean"
    [D, IDX] = bwdist(…) gives the linear position of that pixel, of class uint32

    Examples:
        >> bwdist([0 0 1 0])
        ans =
          1×4 single row vector
             2     1     0     1

    See also: bwlabel, bwperim.
    """
    from scipy import ndimage

    mask = image(x, "bwdist") != 0
    how = one_of(method, _METRICS, "bwdist") if given(method) else "euclidean"
    if not mask.any():
        nothing = np.full(mask.shape, np.inf, np.float32)
        return (nothing, np.zeros(mask.shape, np.uint32)) if nargout > 1 else nothing
    if how == "euclidean":
        distance, at = ndimage.distance_transform_edt(~mask, return_indices=True)
        nearest = np.ravel_multi_index(tuple(at), mask.shape, order="F") + 1
    elif mask.ndim > 2:
        raise MatlabError("images:bwdist:unsupported", "Only Euclidean distances are N-D here.")
    else:
        lengths = {"cityblock": None, "chessboard": 1.0, "quasi-euclidean": float(np.sqrt(2))}
        distance, nearest = _spread(mask, lengths[how])
    made = distance.astype(np.float32)
    return (made, nearest.astype(np.uint32)) if nargout > 1 else made


@builtin("bwperim", family="image/regions", lift="arrays", nargin=(1, 2), effects="pure")
def bwperim(x: Any, conn: Any = None) -> Data:
    """Edges of the shapes in a binary image: pixels with a zero among their neighbours.

    J = bwperim(BW), J = bwperim(BW, CONN) with 4 (the default) or 8 neighbours, or a 3-by-3 matrix
    of them; for arrays of three dimensions 6 (the default), 18 or 26

    Examples:
        >> bwperim(ones(3))
        ans =
          3×3 logical array
           1   1   1
           1   0   1
           1   1   1

    See also: bwlabel, bwdist, edge.
    """
    from scipy import ndimage

    mask = image(x, "bwperim") != 0
    hood = _neighbours(conn, mask.ndim)
    if hood.ndim < mask.ndim:
        hood = hood.reshape(hood.shape + (1,) * (mask.ndim - hood.ndim))
    # what is outside of the image is zero
    inner = ndimage.binary_erosion(mask, hood, border_value=0)
    return np.asarray(mask & ~inner)


def _neighbours(conn: Any, dimensions: int) -> Data:
    from scipy import ndimage

    if isinstance(conn, np.ndarray) and conn.size > 1:
        given_hood = real(conn, "bwperim") != 0
        if any(extent != 3 for extent in given_hood.shape):
            raise MatlabError("images:bwperim:invalidConn", "CONN must have extents of 3.")
        return np.asarray(given_hood)
    least = 4 if dimensions == 2 else 6
    number = integer(conn, "bwperim", "CONN", 1) if given(conn) else least
    known = {4: (2, 1), 8: (2, 2), 6: (3, 1), 18: (3, 2), 26: (3, 3)}
    if number not in known:
        raise MatlabError("images:bwperim:invalidConn", "CONN must be 4, 8, 6, 18 or 26.")
    return np.asarray(ndimage.generate_binary_structure(*known[number]))
