"""Logits: softplus, logsumexp, volumes, and how far two words are apart."""

from __future__ import annotations

import numpy as np

from runmat_core.api import MatlabError, builtin, ir
from runmat_core.api.fusion import Call, Map, Reduction, Requested


def softplus_ir(x):
    return ir.maximum(x, 0.0) + ir.log1p(ir.exp(-abs(x)))


@builtin("softplus", family="logits", lift="map", fusion=Map(softplus_ir), effects="pure")
def softplus(x):
    """Smooth version of max(x, 0): log(1 + exp(x)), without overflow.

    Y = softplus(X)

    Examples:
        >> softplus([-1 0 1000])
        ans =
           1.0e+03 *
            0.0003    0.0007    1.0000

    See also: logsumexp, exp.
    """
    return np.logaddexp(0.0, x)


def logsumexp_ir(x):
    (most,) = ir.reduce(ir.reducers.maximum(x.dtype), x)
    shift = ir.where(ir.isfinite(most), most, 0.0)
    (total,) = ir.reduce(ir.reducers.sum_(x.dtype), ir.exp(x - shift))
    return shift + ir.log(total)


@builtin(
    "logsumexp", family="logits", lift="arrays", fusion=Reduction(logsumexp_ir), effects="pure"
)
def logsumexp(x, dim=None):
    """Logarithm of the sum of exponentials, without overflow.

    Y = logsumexp(X) along the first dimension that is not 1
    Y = logsumexp(X, DIM) along DIM, which may be several dimensions or "all"

    Examples:
        >> logsumexp([1000 1000])
        ans =
           1.0007e+03

    See also: softplus, sum.
    """
    if x.dtype.kind == "c":
        raise MatlabError("logits:complex", "Input must be real.")
    axes = axes_of(x, dim)
    x = x if x.dtype.kind == "f" else x.astype(float)
    most = x.max(axis=axes, keepdims=True, initial=-np.inf)
    shift = np.where(np.isfinite(most), most, most.dtype.type(0))
    return shift + np.log(np.exp(x - shift).sum(axis=axes, keepdims=True))


def axes_of(x, dim):
    """Axes from zero for the ways in which MATLAB names dimensions."""
    if dim is None:
        return next((axis for axis, extent in enumerate(x.shape) if extent != 1), 0)
    if isinstance(dim, str):
        return tuple(range(x.ndim))
    if dim.min() < 1:
        raise MatlabError("logits:dim", "Dimensions must be positive whole numbers.")
    return tuple(int(d) - 1 for d in dim.ravel() if d <= x.ndim)


def signedvolume_call(a, *, nargout):
    square = len(a.shape) == 2 and a.shape[0] == a.shape[1]
    if not square or a.cls not in ("double", "single"):
        return None
    return Requested(attributes=(), outputs=(((1, 1), a.cls),), guards=True)


@builtin(
    "signedvolume",
    family="logits",
    lift="arrays",
    gpu=Call("det", signedvolume_call),
    effects="pure",
)
def signedvolume(a):
    """Signed volume that the columns of a square matrix span.

    V = signedvolume(A)

    Examples:
        >> signedvolume([2 0; 1 3])
        ans =
             6

    See also: det.
    """
    if a.ndim != 2 or a.shape[0] != a.shape[1]:
        raise MatlabError("logits:square", "Matrix must be square.")
    return np.linalg.det(a if a.dtype.kind in "fc" else a.astype(float))


@builtin("editdistance", family="logits", lift="arrays", effects="pure")
def editdistance(a, b):
    """How many insertions, deletions and replacements lead from one text to another.

    N = editdistance(A, B)

    Examples:
        >> editdistance('kitten', "sitting")
        ans =
             3

    See also: strcmp.
    """
    row = list(range(len(b) + 1))
    for i, one in enumerate(a, 1):
        before, row[0] = row[0], i
        for j, other in enumerate(b, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (one != other))
    return row[-1]
