"""pagefun: a function applied to the pages of arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from runmat_core.accel.capture.boundary import lazy
from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.fusion import Call
from runmat_core.api.interp import Interp
from runmat_core.builtins import registry
from runmat_core.builtins.device.arrays import is_placed
from runmat_core.builtins.library_calls import call_rule
from runmat_core.builtins.lift import compatible_shapes
from runmat_core.builtins.linalg import requests
from runmat_core.values import (
    COLON,
    FLOAT_CLASSES,
    FunctionHandle,
    cat,
    char,
    class_of,
    index,
    numel_of,
    size_of,
    text,
)
from runmat_core.values.array import Array, from_numpy, to_numpy
from runmat_core.values.deferred import all_settled
from runmat_core.values.hooks import HOOKS


@builtin("pagefun", family="device/pages", nargin=(2, None), needs=("interp",), pending="keep")
def pagefun(function: Any, *arrays: Any, interp: Interp) -> Any:
    """Apply a function to each page of arrays.

    C = pagefun(F, A1, A2, …) calls F with the matrices A1(:,:,k), A2(:,:,k) … for every k and joins
    what it gives. Dimensions from the third on must agree or be 1.

    Examples:
        >> A = ones(2, 2, 3); B = 2 * ones(2, 2);
        >> C = pagefun(@mtimes, A, B);
        >> size(C)
        ans =
             2     2     3
        >> C(:, :, 3)
        ans =
             4     4
             4     4

    See also: arrayfun, gpuArray, mtimes.
    """
    found = _whole(function, arrays, interp)
    if found is not NotImplemented:
        return found
    placed = any(map(is_placed, arrays))
    result = _joined(lambda matrices: interp.call(function, matrices), all_settled(arrays))
    return HOOKS.place(result) if placed else result


def _joined(apply: Callable[[list[Any]], Any], inputs: Sequence[Any]) -> Any:
    """Return what a function gives of each page of arrays whose elements are known."""
    padded, _ = compatible_shapes([(*size_of(x)[2:], 1) for x in inputs])
    _, outer = compatible_shapes(padded)
    pages = []
    for place in np.ndindex(*outer[::-1]):
        point = place[::-1]
        matrices = [_page(x, shape, point) for x, shape in zip(inputs, padded, strict=True)]
        pages.append(apply(matrices))
    found = all_settled(pages)
    if not found:
        raise MatlabError("MATLAB:pagefun:noPages", "The arrays have no pages.")
    if len({size_of(page) for page in found}) > 1:
        raise MatlabError(
            "MATLAB:pagefun:pagesDiffer", "The function gives matrices of different sizes."
        )
    joined = cat(3.0, *found)
    return from_numpy(to_numpy(joined).reshape((*size_of(found[0]), *outer), order="F"))


#: Functions of matrices that have a form for all pages.
_OF_PAGES = {
    "mtimes": "pagemtimes",
    "transpose": "pagetranspose",
    "ctranspose": "pagectranspose",
}


def _whole(function: Any, arrays: Sequence[Any], interp: Interp) -> Any:
    """Return the function of all pages at once, or NotImplemented if it is another one.

    Functions that work element by element expand their arguments as pages are expanded.
    """
    fn = function.fn if isinstance(function, FunctionHandle) else interp.function(text(function))
    spec = getattr(fn, "__runmat_spec__", None)
    if spec is None or not all(isinstance(x, Array) for x in arrays):
        return NotImplemented
    if any(0 in size_of(x)[2:] for x in arrays):
        return NotImplemented
    if spec.elementwise:
        return interp.call(function, arrays)
    name = _OF_PAGES.get(spec.name)
    if name is None:
        return _by_library(spec.name, arrays)
    if name == "pagemtimes" and not _factors(arrays):
        return NotImplemented
    return interp.call(char(name), arrays)


#: Functions of matrices that libraries have for all pages: the call, and what is asked of it.
_LIBRARIES: dict[str, tuple[Call, ...]] = {
    "chol": (Call("chol_pages", requests.pagechol),),
    "det": (Call("det_pages", requests.pagedet),),
    "eig": (Call("eig_pages", requests.pageeig),),
    "inv": (Call("inv_pages", requests.pageinv),),
    "mldivide": (
        Call("solve_pages", requests.pagemldivide),
        Call("lstsq_pages", requests.tall_pages),
    ),
    "norm": (Call("svd_pages", requests.pagenorm),),
    "svd": (Call("svd_pages", requests.pagesvd),),
}


def _by_library(name: str, arrays: Sequence[Any]) -> Any:
    """Return a function of all pages as one library call, or NotImplemented.

    Where a page makes it raise an error or warn, it is applied to each as ever.
    """
    graph = lazy(*arrays) if name in _LIBRARIES else None
    if graph is None:
        return NotImplemented
    for rule in _rules(name):
        found = rule(graph, tuple(arrays), 1)
        if found is not NotImplemented:
            return found
    return NotImplemented


@cache
def _rules(name: str) -> tuple[Callable[..., Any], ...]:
    """Return what captures the calls of a function of pages."""
    spec = registry.find(name)
    assert spec is not None, name
    host, several = registry.host_rule(spec), "nargout" in spec.needs

    def each(*arrays: Any, nargout: int) -> Any:
        return _joined(lambda page: host(*page, nargout=1) if several else host(*page), arrays)

    return tuple(call_rule(call, each) for call in _LIBRARIES[name])


def _factors(arrays: Sequence[Any]) -> bool:
    """Whether pages are matrices that a product takes, no scalars and no whole numbers."""
    if len(arrays) != 2 or any(class_of(x) not in FLOAT_CLASSES for x in arrays):
        return False
    (rows, inner), (again, columns) = (size_of(x)[:2] for x in arrays)
    return inner == again and (rows, inner) != (1, 1) and (again, columns) != (1, 1)


def _page(x: Any, shape: tuple[int, ...], point: tuple[int, ...]) -> Any:
    """Return the matrix of `x`, whose further extents are `shape`, at `point`; it expands."""
    if not isinstance(x, Array) or numel_of(x) == 1 or len(size_of(x)) < 3:
        return x
    subs = [float(k + 1) if n != 1 else 1.0 for k, n in zip(point, shape, strict=True)]
    return index(x, (COLON, COLON, *subs))
