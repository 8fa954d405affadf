"""decomposition: solutions are those of the operators, with every kind of factors."""

from __future__ import annotations

import numpy as np
import pytest

from runmat_core.api import MatlabError
from runmat_core.session import Session

SETUP = """
    rng(5); A = rand(7) + 3*eye(7); C = A + 1i*rand(7); S = A + A'; H = C + C'; P = A*A' + eye(7);
    Q = (C*C' + C*C')/2; Q = Q + Q' + eye(7); b = rand(7, 3); z = b + 1i*rand(7, 3);
    U = triu(A); L = tril(C); o = [3 1 7 2 6 5 4]; X = U(o, fliplr(o)); Y = triu(C, -1);
    T = rand(9, 4) + 1i*rand(9, 4); R = rand(9, 2) * rand(2, 5); w = rand(9, 2); v = rand(5, 2);
    n = 40; E = spdiags([-ones(n,1) 4+(1:n)'/n -ones(n,1)], -1:1, n, n); F = E; F(1, n) = 2;
    G = E; G(1, n) = -0.5; G(n, 1) = -0.5; W = triu(F) + sparse(1:n, n:-1:1, 1); f = rand(n, 2);
    V = tril(E); V = V([2:n 1], n:-1:1);
"""


@pytest.fixture(scope="module")
def session() -> Session:
    session = Session()
    session.run(SETUP)
    return session


AUTOMATIC = {
    "A": "lu", "C": "lu", "P": "chol", "Q": "chol", "S - 9*eye(7)": "ldl", "U": "triangular",
    "L": "triangular", "X": "permutedTriangular", "Y": "hessenberg", "T": "qr", "R": "qr",
    "diag(1:4)": "diagonal", "single(A)": "lu", "E": "banded", "F": "lu", "G": "chol",
    "-G": "ldl", "triu(F)": "triangular", "V": "permutedTriangular", "speye(4)": "diagonal",
    "sparse(T)": "qr", "zeros(0)": "diagonal", "5": "diagonal",
}  # fmt: skip


@pytest.mark.parametrize("name", AUTOMATIC)
def test_the_type_follows_from_the_matrix(session: Session, name: str) -> None:
    assert session.eval(f"decomposition({name}).Type") == AUTOMATIC[name]


SYSTEMS = [
    (matrix, kind)
    for kinds, matrices in (
        (("auto", "lu", "qr", "cod"), ("A", "C", "P", "Q", "U", "L", "X", "Y")),
        (("chol", "ldl"), ("P", "Q", "2*P")),
        (("ldl",), ("S", "H", "S - 9*eye(7)")),
        (("triangular",), ("U", "L", "U'", "L'")),
        (("permutedTriangular",), ("X", "X'", "L(o, o)")),
        (("banded", "hessenberg"), ("Y", "U", "triu(A, -1)")),
        (("banded",), ("tril(A, 2)", "C")),
        (("diagonal",), ("diag(diag(C))",)),
    )
    for kind in kinds
    for matrix in matrices
]


@pytest.mark.parametrize(("matrix", "kind"), SYSTEMS)
def test_solutions(session: Session, matrix: str, kind: str) -> None:
    session.run(f"M = {matrix}; D = decomposition(M, '{kind}');")
    for residual in ("M*(D\\z) - z", "(b'/D)*M - b'", "M'*(D'\\b) - b", "(z'/D')*M' - z'"):
        assert np.abs(np.asarray(session.eval(residual))).max() < 1e-11, residual
    if kind not in ("qr", "cod"):
        # estimates are bounds, and seldom off by more than three
        for found, wanted in (("rcond(D)", "rcond(M)"), ("rcond(D')", "rcond(M')")):
            assert 1 - 1e-12 < session.eval(f"{found}/{wanted}") < 3, found


@pytest.mark.parametrize(
    "matrix", ["E", "F", "G", "-G", "triu(F)", "tril(E)", "V", "V'", "speye(n)"]
)
@pytest.mark.parametrize("kind", ["auto", "lu", "qr"])
def test_sparse_solutions(session: Session, matrix: str, kind: str) -> None:
    session.run(f"M = {matrix}; D = decomposition(M, '{kind}');")
    for residual in ("M*(D\\f) - f", "(f'/D)*M - f'", "M'*(D'\\(1i*f)) - 1i*f"):
        assert np.abs(np.asarray(session.eval(residual))).max() < 1e-10, residual
    assert session.eval("issparse(D\\sparse(f)) && ~issparse(D\\f) && D.IsSparse")


def test_one_triangle_is_read(session: Session) -> None:
    session.run("M = triu(P) + tril(77*A, -1);")
    for kind in ("chol", "ldl"):
        error = session.eval(f"norm(P*(decomposition(M, '{kind}', 'upper')\\b) - b)")
        assert error < 1e-12
        error = session.eval(f"norm(P*(decomposition(M', '{kind}', 'lower')\\b) - b)")
        assert error < 1e-12
    assert session.eval("norm(triu(A)*(decomposition(A, 'triangular', 'upper')\\b) - b)") < 1e-12
    assert session.eval("norm(tril(A)*(decomposition(A, 'triangular', 'lower')\\b) - b)") < 1e-12


def test_least_squares(session: Session) -> None:
    close = [
        ("decomposition(T)\\w", "T\\w"),
        ("decomposition(T)'\\rand(4,1)*0", "zeros(9,1)"),
        ("v'/decomposition(R', 'cod')'", "v'*pinv(R)"),
        ("decomposition(R, 'cod')\\w", "pinv(R)*w"),
        ("decomposition(R, 'cod')'\\v", "pinv(R')*v"),
        ("decomposition(T.', 'cod')\\v(1:4,:)", "pinv(T.')*v(1:4,:)"),
        ("decomposition(T, 'qr')'\\v(1:4,:)", "T'\\v(1:4,:)"),
        ("w'/decomposition(T', 'qr')", "w'/T'"),
    ]
    session.run("warning off")
    for found, wanted in close:
        difference = np.asarray(session.eval(f"{found} - {wanted}"))
        assert np.abs(difference).max() < 1e-11, found
    assert session.eval("rank(decomposition(R))") == 2
    assert session.eval("rank(decomposition(R, 'cod', 'RankTolerance', 1e3))") == 0
    session.run("warning on")


def test_scaled_and_turned(session: Session) -> None:
    session.run("D = decomposition(C);")
    for made, matrix in (
        ("2*D", "2*C"), ("D*(1+2i)", "C*(1+2i)"), ("D/4", "C/4"), ("-D", "-C"), ("D'", "C'"),
        ("((1+2i)*D)'", "((1+2i)*C)'"),
    ):  # fmt: skip
        assert session.eval(f"norm(({made})\\z - ({matrix})\\z)") < 1e-12, made
    session.run("E2 = (2i*D)';")
    assert session.eval("E2.IsConjugateTransposed && E2.ScaleFactor == -2i && ~E2.IsReal")
    session.run("F2 = decomposition(T)';")
    assert session.eval("isequal(F2.MatrixSize, [4 9])")


def test_classes(session: Session) -> None:
    assert session.eval("class(decomposition(single(A))\\b)") == "single"
    assert session.eval("class(decomposition(A)\\single(b))") == "single"
    assert session.eval("class(decomposition(single(P))\\(b > 0.5))") == "single"
    assert session.eval("decomposition(single(A)).Datatype") == "single"
    assert session.eval("isa(decomposition(A), 'decomposition')")
    assert session.eval("size(decomposition(zeros(0))\\zeros(0, 3))").tolist() == [[0, 3]]
    assert session.eval("size(decomposition(zeros(0, 4))\\zeros(0, 3))").tolist() == [[4, 3]]


WARNINGS = [
    ("decomposition(ones(3) + magic(3)*1e-18)\\ones(3, 1)", "MATLAB:singularMatrix"),
    ("decomposition([1 2; 0 0])\\[1; 1]", "MATLAB:singularMatrix"),
    ("decomposition(sparse([1 2; 2 4]), 'lu')\\[1; 1]", "MATLAB:singularMatrix"),
    ("decomposition(hilb(14))\\ones(14, 1)", "MATLAB:nearlySingularMatrix"),
    ("decomposition(R)\\w", "MATLAB:rankDeficientMatrix"),
    ("decomposition(R, 'CheckCondition', false)\\w", ""),
    ("decomposition(hilb(14), 'CheckCondition', false)\\ones(14, 1)", ""),
    ("decomposition(A)\\b", ""),
]


@pytest.mark.parametrize(("code", "identifier"), WARNINGS)
def test_warnings(session: Session, code: str, identifier: str) -> None:
    session.run(f"lastwarn('', ''); warning off; x = {code}; [~, id] = lastwarn; warning on")
    assert session.eval("id") == identifier


ERRORS = [
    ("decomposition(A, 'chlo')", "MATLAB:decomposition:unrecognizedStringChoice"),
    ("decomposition(A, 'CheckCond', 3)", "MATLAB:decomposition:InvalidCheckCondition"),
    ("decomposition(S - 9*eye(7), 'chol')", "MATLAB:decomposition:WrongStructure"),
    ("decomposition(A, 'ldl')", "MATLAB:decomposition:WrongStructure"),
    ("decomposition(A, 'triangular')", "MATLAB:decomposition:WrongStructure"),
    ("decomposition(A, 'permutedTriangular')", "MATLAB:decomposition:WrongStructure"),
    ("decomposition(A, 'hessenberg')", "MATLAB:decomposition:WrongStructure"),
    ("decomposition(A, 'diagonal')", "MATLAB:decomposition:WrongStructure"),
    ("decomposition(T, 'lu')", "MATLAB:decomposition:MustBeSquare"),
    ("decomposition(A, 'lu', 'upper')", "MATLAB:decomposition:NoTriangle"),
    ("decomposition(A, 'lu', 'RankTolerance', 1)", "MATLAB:decomposition:InvalidRankTolerance"),
    ("decomposition(int8(1:3))", "MATLAB:UndefinedFunction"),
    ("decomposition(rand(2, 2, 2))", "MATLAB:decomposition:inputMustBe2D"),
    ("decomposition(A)\\ones(3, 1)", "MATLAB:dimagree"),
    ("ones(1, 3)/decomposition(A)", "MATLAB:dimagree"),
    ("decomposition(A) + 1", "MATLAB:UndefinedFunction"),
    ("decomposition(A)*b", "MATLAB:UndefinedFunction"),
    ("rank(decomposition(A))", "MATLAB:decomposition:RankNotSupported"),
    ("rcond(decomposition(T))", "MATLAB:decomposition:RcondNotSupported"),
    ("isIllConditioned(A)", "MATLAB:UndefinedFunction"),
    ("D = decomposition(A); D.Type = 'qr';", "MATLAB:class:SetProhibited"),
]


@pytest.mark.parametrize(("code", "identifier"), ERRORS)
def test_errors(session: Session, code: str, identifier: str) -> None:
    with pytest.raises(MatlabError) as raised:
        session.run(code)
    assert raised.value.identifier == identifier


def test_a_property_may_be_changed(session: Session) -> None:
    session.run("D = decomposition(hilb(14)); E2 = D; E2.CheckCondition = false;")
    assert session.eval("D.CheckCondition && ~E2.CheckCondition && isIllConditioned(E2)")
    assert session.eval("D.isIllConditioned") is True
    session.run("F2 = D;")
    assert session.eval("isequal(D, F2) && ~isequal(D, E2)")
    with pytest.raises(MatlabError, match="Did you mean 'CheckCondition'"):
        session.run("decomposition(A, 'ChekCondition', true)")
