"""decomposition: the factors of a matrix as an object, for several systems of equations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import attrs
import numpy as np

from runmat_core.api import errors
from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError, undefined_for
from runmat_core.builtins.arguments import real, scalar
from runmat_core.builtins.linalg.factors import FACTORS, Factors, NoFactors, Orthogonal
from runmat_core.builtins.linalg.support import Matrix, is_hermitian, matrix, value_of
from runmat_core.builtins.members import BuiltinObject
from runmat_core.builtins.named import choice, pairs
from runmat_core.values import (
    SparseArray,
    char,
    class_of,
    from_numpy,
    is_text,
    size_of,
    text,
    to_numpy,
    truth,
)
from runmat_core.values.lapack import bandwidth
from runmat_core.values.notices import warn, warn_singular
from runmat_core.values.object import method

_TYPES = ("auto", *FACTORS)
_SIDES = ("upper", "lower")
_NAMES = ("CheckCondition", "RankTolerance", "BandDensity", "LDLPivotTolerance", "LUPivotTolerance")
_WITH_SIDE = ("triangular", "chol", "ldl")


@attrs.frozen(kw_only=True)
class Kept:
    """Factors, and the matrix that they stand for: ``scale*A``, or its conjugate transpose."""

    factors: Factors
    kind: str
    sparse: bool
    check: bool
    adjoint: bool = False
    scale: complex = 1.0

    @property
    def shape(self) -> tuple[int, int]:
        rows, columns = self.factors.shape
        return (columns, rows) if self.adjoint else (rows, columns)

    def solve(self, b: Matrix) -> Matrix:
        found = self.factors.solve(b, self.adjoint)
        return found if self.scale == 1 else np.asarray(found / self.scale)

    def rcond(self) -> float:
        if self.factors.by_rank:
            raise _error("RcondNotSupported", "'rcond' is not for the types 'qr' and 'cod'.")
        return self.factors.rcond(self.adjoint) if self.scale else 0.0

    def rank(self) -> int:
        if not isinstance(self.factors, Orthogonal):
            raise _error("RankNotSupported", "'rank' is for the types 'qr' and 'cod' alone.")
        return self.factors.rank if self.scale else 0

    def is_ill(self) -> bool:
        if self.factors.by_rank:
            return self.rank() < min(self.shape)
        return not self.rcond() >= np.finfo(self.factors.dtype).eps


def _error(name: str, message: str) -> MatlabError:
    return MatlabError(f"MATLAB:decomposition:{name}", message)


class Decomposition(BuiltinObject):
    """A matrix by its factors: ``D \\ b`` and ``b / D`` solve systems with it.

    Attributes:
        data: what is `Kept`.
    """

    __slots__ = ()
    data: Kept
    class_name = "decomposition"
    properties = (
        "MatrixSize", "Type", "CheckCondition", "Datatype", "IsConjugateTransposed", "IsReal",
        "IsSparse", "ScaleFactor",
    )  # fmt: skip
    functions = frozenset({"isIllConditioned"})

    def __init__(self, kept: Kept) -> None:
        self.data = kept

    def get_property(self, name: str) -> Any:
        kept = self.data
        kind = kept.factors.dtype
        readers: dict[str, Callable[[], Any]] = {
            "MatrixSize": lambda: from_numpy(np.array([kept.shape], float)),
            "Type": lambda: char(kept.kind),
            "CheckCondition": lambda: kept.check,
            "Datatype": lambda: char("single" if kind.char in "fF" else "double"),
            "IsConjugateTransposed": lambda: kept.adjoint,
            "IsReal": lambda: kind.kind != "c" and not np.iscomplex(kept.scale),
            "IsSparse": lambda: kept.sparse,
            "ScaleFactor": lambda: value_of(np.array([[kept.scale]])),
        }
        return readers[name]()

    def set_property(self, name: str, rhs: Any) -> None:
        if name != "CheckCondition":
            super().set_property(name, rhs)
        self.data = attrs.evolve(self.data, check=_flag(rhs))

    @method("rcond")
    def rcond(self, nargout: int) -> float:
        return self.data.rcond()

    @method("rank")
    def rank(self, nargout: int) -> float:
        return float(self.data.rank())

    @method("isreal")
    def isreal(self, nargout: int) -> Any:
        return self.get_property("IsReal")

    def operator(self, name: str, operands: tuple[Any, ...]) -> Any:
        first, last = operands[0], operands[-1]
        if name == "mldivide" and isinstance(first, Decomposition):
            return _solved(first.data, last)
        if name == "mrdivide" and isinstance(last, Decomposition):
            # X*A = B is A'*X' = B'
            return _solved(_adjoint(last.data), first, turned=True)
        if name in ("mtimes", "times", "mrdivide", "rdivide") and len(operands) == 2:
            return self._scaled(name, first, last)
        if name == "uminus":
            return Decomposition(attrs.evolve(self.data, scale=-self.data.scale))
        if name == "uplus":
            return self.share()
        if name == "ctranspose" or (name == "transpose" and truth(self.get_property("IsReal"))):
            return Decomposition(_adjoint(self.data))
        return NotImplemented

    def _scaled(self, name: str, first: Any, last: Any) -> Any:
        number = last if isinstance(first, Decomposition) else first
        if class_of(number) not in ("double", "single", "logical") or size_of(number) != (1, 1):
            return NotImplemented
        by = complex(to_numpy(number).flat[0])
        if name in ("mrdivide", "rdivide"):
            if not isinstance(first, Decomposition):
                return NotImplemented
            by = 1 / by if by else complex(np.inf)
        scale = self.data.scale * by
        whole = scale if scale.imag else scale.real
        return Decomposition(attrs.evolve(self.data, scale=whole))


def _adjoint(kept: Kept) -> Kept:
    return attrs.evolve(kept, adjoint=not kept.adjoint, scale=np.conj(kept.scale).item()
                        if isinstance(kept.scale, complex) else kept.scale)  # fmt: skip


def _solved(kept: Kept, b: Any, turned: bool = False) -> Any:
    """Return the solution with a right-hand side, or that of the conjugate transposes of both."""
    if class_of(b) not in ("double", "single", "logical", "char"):
        raise undefined_for("mrdivide" if turned else "mldivide", class_of(b))
    right = matrix(from_numpy(to_numpy(b)), "mldivide")
    right = right.conj().T if turned else right
    if right.shape[0] != kept.shape[0]:
        raise errors.incompatible_matrices()
    found = kept.solve(right) if 0 not in (*kept.shape, right.shape[1]) else None
    if found is None:
        found = np.zeros((kept.shape[1], right.shape[1]), right.dtype)
    elif kept.check:
        _remark(kept)
    if right.dtype.char in "fF":
        found = found.astype(np.complex64 if found.dtype.kind == "c" else np.float32)
    found = found.conj().T if turned else found
    both_sparse = kept.sparse and isinstance(b, SparseArray)
    return SparseArray.from_dense(found) if both_sparse else value_of(found)


def _remark(kept: Kept) -> None:
    """Warn that the matrix of a division is singular, or nearly so."""
    if not kept.is_ill():
        return
    if isinstance(kept.factors, Orthogonal):
        warn(
            "MATLAB:rankDeficientMatrix",
            f"Rank deficient, rank = {kept.rank()}, tol = {kept.factors.tolerance:13.6e}.",
        )
    else:
        warn_singular(kept.rcond())


# -- making ---------------------------------------------------------------------------------------


def _flag(value: Any) -> bool:
    if class_of(value) not in ("logical", "double") or value not in (0.0, 1.0):
        raise _error("InvalidCheckCondition", "CheckCondition must be true or false.")
    return bool(truth(value))


def _is_banded(a: Any, below: int, above: int, density: float) -> bool:
    """Whether a band holds more than this share of nonzero elements, as sparse matrices may."""
    count = a.shape[0]
    room = count * (1 + below + above) - (below * (below + 1) + above * (above + 1)) // 2
    return below + above < count and bool(a.nnz > density * room)


def _kinds(a: Any, sparse: bool, density: float) -> Iterator[tuple[str, bool]]:
    """Yield the types that fit a matrix, the best one first, with the triangle that counts."""
    if a.shape[0] != a.shape[1]:
        yield "qr", False
        return
    if sparse:
        parts = a.tocoo()
        apart = parts.row.astype(int) - parts.col
        below = max(int(apart.max(initial=0)), 0)
        above = max(-int(apart.min(initial=0)), 0)
        symmetric = abs(a - a.conj().T).nnz == 0
    else:
        below, above = bandwidth(a) if a.size else (0, 0)
        symmetric = is_hermitian(a)
    if not below and not above:
        yield "diagonal", False
    if not below or not above:
        yield "triangular", not above
    if sparse and _is_banded(a, below, above, density):
        yield "banded", False
    yield "permutedTriangular", False
    if symmetric:
        if (a.diagonal().real > 0).all():
            yield "chol", False
        yield "ldl", False
    if not sparse and below == 1:
        yield "hessenberg", False
    yield "lu", False


@attrs.frozen
class _Options:
    """What the names of a call say; `pivots` are tolerances of pivots of sparse matrices."""

    tolerance: float | None
    density: float
    pivots: dict[str, float]

    @classmethod
    def of(cls, given: dict[str, Any], kind: str) -> _Options:
        value = given.get("RankTolerance")
        tolerance = None if value is None else scalar(value, "RankTolerance")
        if tolerance is not None and (kind not in ("qr", "cod", "auto") or not tolerance >= 0):
            raise _error(
                "InvalidRankTolerance", "RankTolerance must be nonnegative, for 'qr' or 'cod'."
            )
        pivots = {}
        for name, of_kind in (("LUPivotTolerance", "lu"), ("LDLPivotTolerance", "ldl")):
            if name in given:
                pivots[of_kind] = float(real(given[name], "decomposition").ravel()[:1].sum())
                if not 0 <= pivots[of_kind] <= 1:
                    raise _error(f"Invalid{name}", f"{name} must be between 0 and 1.")
        return cls(tolerance, scalar(given.get("BandDensity", 0.5), "BandDensity"), pivots)


def _factors(a: Any, kind: str, lower: bool, sparse: bool, options: _Options) -> Factors:
    if kind in ("qr", "cod"):
        return FACTORS[kind](a.toarray() if sparse else a, lower, options.tolerance)  # type: ignore[no-any-return]
    if a.shape[0] != a.shape[1]:
        raise _error("MustBeSquare", f"For the type '{kind}' the matrix must be square.")
    if sparse and kind not in ("banded", "diagonal"):
        from runmat_core.builtins.linalg.sparse_factors import SPARSE_FACTORS

        if kind in SPARSE_FACTORS:
            return SPARSE_FACTORS[kind](a, lower, options.pivots.get(kind))  # type: ignore[no-any-return]
        a = a.toarray()
    return FACTORS[kind](a, lower)  # type: ignore[no-any-return]


_WRONG = {
    "chol": "The matrix must be Hermitian positive definite for the type 'chol'.",
    "ldl": "The matrix must be Hermitian for the type 'ldl'.",
    "triangular": "The matrix must be triangular for the type 'triangular'.",
    "permutedTriangular": "The matrix must be a permuted triangle for this type.",
    "hessenberg": "The matrix must be upper Hessenberg for the type 'hessenberg'.",
    "diagonal": "The matrix must be diagonal for the type 'diagonal'.",
}


def _side(a: Any, kind: str, side: str | None, sparse: bool) -> bool:
    """Which triangle to read: that which is named, or the one of a matrix of the type.

    Raises:
        MatlabError: MATLAB:decomposition:WrongStructure, the matrix is not of the type.
    """
    if side is not None or a.shape[0] != a.shape[1]:
        return side == "lower"
    fits = [lower for k, lower in _kinds(a, sparse, 0.0) if k == kind]
    if kind in ("chol", "ldl"):
        symmetric = abs(a - a.conj().T).nnz == 0 if sparse else is_hermitian(a)
        fits = [False] if symmetric else []
    elif kind == "hessenberg":
        full = a.toarray() if sparse else a
        fits = [False] if not np.tril(full, -2).any() else []
    if kind in _WRONG and not fits:
        raise _error("WrongStructure", _WRONG[kind])
    return bool(fits and fits[0])


@builtin("decomposition", family="linalg/systems", nargin=(1, None), effects="pure")
def decomposition(x: Any, *args: Any) -> Any:
    """Factors of a matrix, kept to solve several systems of equations.

    D = decomposition(A) chooses the factorisation as A\\B does; D\\B and B/D use it
    D = decomposition(A, TYPE) with "qr", "cod" (solutions of least norm), "lu", "ldl", "chol",
    "triangular", "permutedTriangular", "banded", "hessenberg", "diagonal" or "auto"
    D = decomposition(A, TYPE, "upper"), "lower": which triangle "triangular", "chol" and "ldl" read
    D = decomposition(…, "CheckCondition", false) warns of no singular matrix; "RankTolerance" is
    for "qr" and "cod", "BandDensity" (0.5) for sparse matrices

    -D, C*D, D/C with a scalar C and D' are decompositions too.

    Properties: MatrixSize, Type, CheckCondition, Datatype, IsConjugateTransposed, IsReal,
    IsSparse, ScaleFactor.

    Examples:
        >> D = decomposition([4 2; 2 5]);
        >> D.Type
        ans =
            'chol'
        >> D \\ [8; 12]
        ans =
             1
             2

    See also: mldivide, isIllConditioned, lu, chol, qr, linsolve.
    """
    kind, side, given = _read(args)
    sparse = isinstance(x, SparseArray)
    if sparse:
        a = x.data.astype(np.result_type(x.data.dtype, np.float64)).tocsc()
    else:
        a = np.asfortranarray(matrix(x, "decomposition"))
    options = _Options.of(given, kind)
    kind, factors = _made(a, kind, side, sparse, options)
    check = _flag(given.get("CheckCondition", True))
    return Decomposition(Kept(factors=factors, kind=kind, sparse=sparse, check=check))


def _made(
    a: Any, kind: str, side: str | None, sparse: bool, options: _Options
) -> tuple[str, Factors]:
    if kind != "auto":
        try:
            return kind, _factors(a, kind, _side(a, kind, side, sparse), sparse, options)
        except NoFactors:
            raise _error("WrongStructure", _WRONG[kind]) from None
    for fitting, lower in _kinds(a, sparse, options.density):
        try:
            return fitting, _factors(a, fitting, lower, sparse, options)
        except NoFactors:
            continue
    raise AssertionError("every matrix has the last of the types")


def _read(args: Sequence[Any]) -> tuple[str, str | None, dict[str, Any]]:
    """Return the type, the triangle and the options by name."""
    rest = list(args)
    kind, side = "auto", None
    known = [*_TYPES, *_NAMES]
    word = choice(rest[0], known, "decomposition") if rest and is_text(rest[0]) else ""
    if word in _TYPES:
        kind = word
        rest.pop(0)
        if rest and is_text(rest[0]) and text(rest[0]).lower() in _SIDES:
            if kind not in _WITH_SIDE:
                raise _error("NoTriangle", f"The type '{kind}' reads the whole matrix.")
            side = text(rest.pop(0)).lower()
    given, _ = pairs(rest, _NAMES, "decomposition")
    return kind, side, given


@builtin("isIllConditioned", family="linalg/systems", effects="pure")
def is_ill_conditioned(d: Any) -> bool:
    """Whether the matrix of a decomposition is nearly singular, or of less than full rank.

    TF = isIllConditioned(D) of a decomposition: rcond(D) is below eps, or, for the types "qr" and
    "cod", rank(D) below the lesser size of the matrix

    Examples:
        >> isIllConditioned(decomposition([1 2; 2 4]))
        ans =
          logical
           1

    See also: decomposition, rcond, rank, cond.
    """
    if not isinstance(d, Decomposition):
        raise undefined_for("isIllConditioned", class_of(d))
    return d.data.is_ill()
