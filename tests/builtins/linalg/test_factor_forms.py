"""The forms in which factors are asked for: scaled, permuted, as vectors, of two matrices."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from runmat_core import Session

Failing = Callable[[str, str], None]

SETUP = """
rng(1); S = sprandn(9, 9, 0.4) + speye(9); T = sprandn(9, 4, 0.5) + speye(9, 4); b = (1:9)';
H = S*S' + 9*speye(9); F = full(T); A = reshape(sin(1:25), 5, 5); B = reshape(cos(1:25), 5, 5);
W = magic(5)/30;
function y = by(A, x, way), if strcmp(way, 'transp'), y = A'*x; else, y = A*x; end, end
function y = ask(what, x, A)
if strcmp(what, 'dim'), y = size(A, 1); else, y = by(A, x, what); end
end
"""

RESIDUALS = [
    ("[L, U, P, Q, D] = lu(S);", "P*(D\\S)*Q - L*U"),
    ("[L, U, p, q, D] = lu(S, 'vector');", "D(:, p)\\S(:, q) - L*U"),
    ("[L, U, P, Q, D] = lu(S);", "D - diag(sum(abs(S), 2))"),
    ("[L, U, P, Q, D] = lu(T);", "P*(D\\T)*Q - L*U"),
    ("[L, U, P, Q, D] = lu([S(:, 1) S(:, 1:8)]);", "P*(D\\[S(:, 1) S(:, 1:8)])*Q - L*U"),
    ("[L, U, P] = lu(H, 0);", "[P - speye(9), H - L*U]"),  # any pivot on the diagonal will do
    ("[L, U, p, q] = lu(S, [0.1 0.001], 'vector');", "S(p, q) - L*U"),
    ("[L, U] = lu(S, 0.5);", "S - L*U"),
    ("[R, f, p] = chol(H, 'vector');", "[H(p, p) - R'*R, f*ones(9, 1)]"),
    ("[L, f, P] = chol(H, 'lower', 'matrix');", "P'*H*P - L*L'"),
    ("[Q, R, P] = qr(F, 'econ');", "F*P - Q*R"),
    ("[Q, R, p] = qr(F, 'econ', 'vector');", "F(:, p) - Q*R"),
    ("[Q, R, p] = qr(F, 0);", "F(:, p) - Q*R"),
    ("[Q, R, p] = qr(T, 'vector');", "T(:, p) - Q*R"),
    ("[Q, R, P] = qr(T, 'econ');", "T*P - Q*R"),
    ("[C, R] = qr(T, b);", "R\\C - F\\b"),
    ("[C, R, P] = qr(T, b, 'econ');", "P*(R\\C) - F\\b"),
    ("[C, R, p] = qr(T, [b b.^2], 0); X(p, :) = R\\C;", "X - F\\[b b.^2]"),
    ("[X, Y, Q, Z] = hess(A, B);", "[Q*A*Z - X, Q*B*Z - Y, tril(X, -2), tril(Y, -1)]"),
    ("[X, Y, Q, Z] = hess(A, B);", "[Q*Q' - eye(5), Z'*Z - eye(5)]"),
    ("[X, Y, Q, Z] = hess(A + 1i*B', B - 2i*A);", "[Q*(A + 1i*B')*Z - X, Q*(B - 2i*A)*Z - Y]"),
    ("[X, Y] = hess(A + 1i*B', B - 2i*A);", "[tril(X, -2), tril(Y, -1)]"),
    ("[X, Y, Q, Z] = hess(A, zeros(5));", "[Q*A*Z - X, Y, tril(X, -2)]"),
    ("[X, Y, Q, Z] = hess(2, 3);", "[Q*2*Z - X, Q*3*Z - Y]"),
    (
        "[U, s, V] = svds(@(x, w) by(F, x, w), [9 4], 2); x = svd(F);",
        "[F*V - U*s; x(1:2)' - diag(s)']",
    ),
    ("[U, s, V] = svds(@(x, w) by(F', x, w), [4 9], 2);", "F'*V - U*s"),
    ("G = 1i*A + B; [U, s, V] = svds(@(x, w) by(G, x, w), [5 5], 3);", "G*V - U*s"),
    (
        "G = inv(magic(5) + 1i*B); [U, s, V] = svds(@(x, w) by(G, x, w), [5 5], 2, 'smallest');",
        "G\\V - U*s",
    ),
    ("x = svd(A);", "svds(A, 2, 'smallest', 'Tolerance', 1e-6) - x([5 4])"),
    ("x = svd(A);", "svds(A, 2, struct('maxit', 5)) - x(1:2)"),
    (
        "[Y, e, o] = funm(A, @exp, struct('TolBlk', 100));",
        "[Y - expm(A), ones(5, 1)*(numel(o.ind) - 1)]",
    ),
    ("Y = funm(W, @(x, k) exp(x), struct('Ord', [2 1 2 1 3]));", "Y - expm(W)"),
    ("[~, ~, o] = funm(A, @exp); k = [o.ind{:}];", "[k - (1:5); sort(o.ord) - o.ord; 0*k]"),
    ("Y = funm(A, @(x, k, c) c^k*exp(c*x), [], 2);", "Y - expm(2*A)"),
    ("[c, v, w, it] = normest1(@ask, 2, [], A);", "[c - norm(A, 1); A*w - v; it' - [0; 1]]"),
    ("[Q, R] = qr(T); [C, W] = qr(T, b);", "[C - Q'*b, R - W]"),
]


@pytest.mark.parametrize(("code", "residual"), RESIDUALS)
def test_residuals_vanish(session: Session, code: str, residual: str) -> None:
    session.run(f"{SETUP}{code} residual = full({residual});")
    found = session.eval("residual")
    assert found.size > 0
    assert np.abs(found).max() < 1e-11, found


def test_function_of_a_large_matrix(session: Session) -> None:
    session.run(
        f"{SETUP} n = 700; S = spdiags([(1:n)' ones(n, 1)], 0:1, n, n);"
        "s = svds(@(x, w) by(S, x, w), [n n], 3); r = norm(s - svds(S, 3));"
    )
    assert session.eval("r") < 1e-8


def test_messages_of_funm(session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    session.run("funm([1 1; 0 1], @exp, struct('Display', 'on'));")
    assert capsys.readouterr().out.startswith("Block 1: size 2, ")
    session.run("[~, flag, out] = funm([1 1; 0 1], @exp, struct('MaxTerms', 1));")
    assert session.eval("[flag out.terms]").tolist() == [[1, 1]]


def test_classes_and_sizes(session: Session) -> None:
    session.run(f"{SETUP} [C, R, p] = qr(T, b, 0); [Z, R] = qr(T, sparse(b), 'econ');")
    session.run("[L, U, P, Q, D] = lu(S); [~, ~, F] = qr(F, 'econ');")
    assert session.eval("[issparse(C) issparse(Z) issparse(R) issparse(D)]").tolist() == [
        [False, True, True, True]
    ]
    assert session.eval("[size(C) size(p) size(F)]").tolist() == [[4, 1, 1, 4, 4, 4]]


@pytest.mark.parametrize(
    ("statement", "identifier"),
    [
        ("lu(1, 'vectors')", "MATLAB:lu:unrecognizedStringChoice"),
        ("lu(1, 2)", "MATLAB:lu:invalidThresh"),
        ("lu(sparse(1), [0 0 0])", "MATLAB:lu:invalidThresh"),
        ("[a, b, c, d] = lu(1);", "MATLAB:TooManyOutputs"),
        ("qr(1, 'thin')", "MATLAB:qr:unrecognizedStringChoice"),
        ("qr(sparse([1; 2]), 1)", "MATLAB:qr:dimensionMismatch"),
        ("qr(1, {2})", "MATLAB:UndefinedFunction"),
        ("chol(1, 'left')", "MATLAB:chol:unrecognizedStringChoice"),
        ("hess(1, [1 2; 3 4])", "MATLAB:hess:inputsMustBeSameSize"),
        ("hess(1, [1 2])", "MATLAB:square"),
        ("[a, b, c] = hess(1);", "MATLAB:TooManyOutputs"),
        ("svds(1, 0)", "MATLAB:svds:InvalidK"),
        ("svds(1, 1, 'big')", "MATLAB:svds:unrecognizedStringChoice"),
        ("svds(1, 1, 'largest', 'Tolerance')", "MATLAB:svds:ArgNameValueMismatch"),
        ("svds(1, 1, 'largest', 'Tolerance', -1)", "MATLAB:svds:InvalidTol"),
        ("svds(1, 1, 'MaxIterations', 0)", "MATLAB:svds:InvalidMaxit"),
        ("svds(1, 1, 'LeftStartVector', 1:3)", "MATLAB:svds:InvalidLeftStartVector"),
        ("svds(@(x, w) x)", "MATLAB:minrhs"),
        ("svds(@(x, w) x, 3)", "MATLAB:svds:InvalidSize"),
        ("svds(@(x, w) x, [2 3], 1)", "MATLAB:svds:InvalidFunctionOutput"),
        ("svds(@(x, w) x, [2 3], 1, 'smallest')", "MATLAB:svds:FunctionNotSquare"),
        ("svds(@(x, w) x, [2 2], 1, 3)", "MATLAB:svds:FunctionSigma"),
        ("funm(1, @exp, 2)", "MATLAB:funm:InvalidOptions"),
        ("funm(1, @exp, struct('Ord', [1 2]))", "MATLAB:funm:InvalidOrd"),
        ("funm(1, @exp, struct('TolTay', 0))", "MATLAB:funm:NegTol"),
        ("funm(1, @exp, struct('Tolerance', 0))", "MATLAB:funm:unrecognizedStringChoice"),
        ("chol(1, 2)", "MATLAB:chol:unrecognizedStringChoice"),
    ],
)
def test_bad_calls(statement: str, identifier: str, failing: Failing) -> None:
    failing(statement, identifier)
