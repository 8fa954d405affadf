"""Families of ``gallery``, grids and colour maps: what defines them holds."""

# ruff: noqa: E501 - one rule a line

from __future__ import annotations

import pytest

from runmat_core import MatlabError, Session

#: MATLAB code that is true, most of it what MathWorks' page says of a family.
HOLDS = [
    "B = gallery('binomial', 5); isequal(B*B, 16*eye(5))",
    "norm(gallery('chebspec', 6)^6) < 1e-6",
    "isequal(gallery('chebvand', 3, [1 2 3 4]), [1 1 1 1; 1 2 3 4; 1 7 17 31])",
    "isequal(gallery('chow', 3, 2, 3), [5 1 0; 4 5 1; 8 4 5])",
    "isequal(gallery('compar', [1 -2; 3 -4]), [1 -2; -3 4])",
    "isequal(gallery('compar', [1 -2 3; 4 -5 6; 7 8 9], 1), [1 -3 -3; -6 5 -6; -9 -9 9])",
    "isequal(gallery('condex', 3), [1 0 0; -1 1 0; -1 -1 -1])",
    "[c, d, e] = gallery('dorr', 4); isequal(gallery('dorr', 4), gallery('tridiag', c, d, e))",
    "isequal(round(inv(gallery('dramadah', 4))), inv(gallery('dramadah', 4)))",
    "isequal(gallery('gcdmat', 4), [1 1 1 1; 1 2 1 2; 1 1 3 1; 1 2 1 4])",
    "isequal(gallery('gearmat', 3), [0 1 1; 1 0 1; -1 1 0])",
    "max(abs(sort(imag(eig(gallery('hanowa', 4)))) - [-2; -1; 1; 2])) < 1e-12",
    "[v, b, s] = gallery('house', [3; 4]); norm([3;4] - b*v*(v'*[3;4]) - [-5; 0]) < 1e-14",
    "[v, b, s] = gallery('house', [3; 4], 1); norm([3;4] - b*v*(v'*[3;4]) - [5; 0]) < 1e-14",
    "M = inv(gallery('invhess', 4)); all(abs(tril(M, -2)) < 1e-12, 'all')",
    "norm(gallery('invol', 4)^2 - eye(4)) < 1e-9",
    "[A, d] = gallery('ipjfact', 3); abs(det(A) - d) < 1e-9 * d && A(2, 3) == 120",
    "[A, d] = gallery('ipjfact', 3, 1); abs(det(A) / d - 1) < 1e-6",
    "isequal(size(gallery('kahan', [5 3])), [5 3])",
    "isequal(gallery('krylov', [1 2; 3 4]), [1 3; 1 7])",
    "isequal(gallery('lauchli', 2, 3), [1 1; 3 0; 0 3])",
    "isequal(gallery('leslie', [1 2 3], [4 5]), [1 2 3; 4 0 0; 0 5 0])",
    "isequal(gallery('lesp', 2), [-5 2; 0.5 -7])",
    "[A, T] = gallery('neumann', 9); issparse(A) && norm(A*T) == 0",
    "f = @(k) norm(gallery('orthog', 5, k)*gallery('orthog', 5, k)' - eye(5)); "
    "max(arrayfun(f, 1:7)) < 1e-14",
    "isequal(full(gallery('poisson', 2)), full(delsq(numgrid('S', 4))))",
    "norm(gallery('prolate', 2) - [0.5 1/pi; 1/pi 0.5]) < 1e-15",
    "isequal(gallery('redheff', 3), [1 1 1; 1 1 0; 1 0 1])",
    "isequal(gallery('riemann', 3), [1 -1 1; -1 2 -1; -1 -1 3])",
    "norm(sort(eig(gallery('sampling', [1 2 4]))) - [0; 1; 2]) < 1e-10",
    "isequal(full(gallery('toeppen', 3)), [0 10 1; -10 0 10; 1 -10 0])",
    "min(eig(gallery('toeppd', 4))) > -1e-9",
    "abs(cond(gallery('randsvd', [5 4], 100)) - 100) < 1e-9",
    "A = gallery('randsvd', 6, 100, 3, 1, 1); abs(cond(A) - 100) < 1e-9 && isbanded(A, 1, 1)",
    "A = gallery('randsvd', 5, -50); issymmetric(A) && abs(cond(A) - 50) < 1e-9",
    "C = gallery('randcorr', [0.5 1.5 1]); norm(sort(eig(C)) - [0.5; 1; 1.5]) < 1e-10 "
    "&& isequal(diag(C), ones(3, 1))",
    "all(abs(sum(gallery('randcolu', 5).^2) - 1) < 1e-10)",
    "J = gallery('randjorth', 3, 2, 10); D = diag([1 1 1 -1 -1]); "
    "norm(J'*D*J - D) < 1e-10 && abs(cond(J) - 10) < 1e-8",
    "H = gallery('randhess', 5); norm(H'*H - eye(5)) < 1e-12 && isbanded(H, 1, 4)",
    "Q = gallery('qmult', 4); norm(Q'*Q - eye(4)) < 1e-12",
    "W = gallery('wathen', 2, 3); isequal(size(W), [29 29]) && min(eig(full(W))) > 0",
    "rank(gallery('cycol', [6 6], 2)) == 2 && all(abs(gallery('rando', 4, 2)) == 1, 'all')",
    "isequal(gallery('normaldata', [3 2], 7), gallery('normaldata', 3, 2, 7))",
    "isa(gallery('integerdata', 10, 3, 1, 'int8'), 'int8')",
    "A = gallery('integerdata', [5 7], 20, 20, 3); min(A(:)) == 5 && max(A(:)) == 7",
    "[A, b] = gallery('wilk', 3); isequal(b, [0; 0; 1]) && istriu(A)",
    "isequal(class(gallery('lesp', 3, 'single')), 'single')",
    "G = numgrid('L', 6); D = delsq(G); isequal(size(D, 1), nnz(G)) && min(eig(full(D))) > 0",
    "nnz(numgrid('N', 9)) == 49 && isequal(sort(nonzeros(numgrid('N', 9)))', 1:49)",
    "[B, V] = bucky; issymmetric(B) && nnz(B) == 180 && all(abs(vecnorm(V, 2, 2) - 1) < 1e-12)",
    "G = graph(bucky); max(conncomp(G)) == 1",
    "[x, y] = humps; isequal([x(1) x(end) numel(y)], [0 1 21]) && abs(humps(0) - 5.1765) < 1e-4",
    "max(abs(parula(3) - [0.2422 0.1504 0.6603; 0.0704 0.7457 0.7258; 0.9769 0.9839 0.0805]), [], "
    "'all') < 1e-3",
    "norm(normc([3 0; 4 0]) - [0.6 sqrt(0.5); 0.8 sqrt(0.5)]) + norm(normr([3 4]) - [0.6 0.8]) < 1e-15",
    "isequal(size(turbo), [256 3]) && isequal(parula(1), [0.9769 0.9839 0.0805])",
    "isequal(pagemtimes(cat(3, 2, 3), ones(2, 2)), cat(3, 2*ones(2), 3*ones(2)))",
    "isequal(pagemtimes(ones(2, 3), 'transpose', cat(3, 2, 3i), 'ctranspose'), "
    "cat(3, 2*ones(3, 2), -3i*ones(3, 2)))",
]


@pytest.mark.parametrize("code", HOLDS)
def test_holds(code: str) -> None:
    session = Session()
    *before, last = _statements(code)
    session.run(";".join(before))
    assert session.eval(last) is True


def _statements(code: str) -> list[str]:
    """Statements of a line, where no semicolon inside of brackets counts."""
    depth, parts = 0, [""]
    for character in code:
        depth += (character in "[({") - (character in "])}")
        if character == ";" and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts]


@pytest.mark.parametrize(
    "code",
    [
        "gallery('hanowa', 3)",
        "gallery('wilk', 6)",
        "gallery('orthog', 3, 0)",
        "gallery('nothing', 1)",
    ],
)
def test_refused(code: str) -> None:
    with pytest.raises(MatlabError):
        Session().run(code)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("[1 2 3 15 16 -1], 'ubit4'", "[33 243 15]"),
        ("[-1 3], 'bit4'", "63"),
        ("[1 2], 'ubit4', 0, 'b'", "18"),
        ("[1 1], 'ubit4', 4", "[16 16]"),
    ],
)
def test_numbers_of_bits_are_packed(written: str, expected: str) -> None:
    session = Session()
    session.run(f"f = fopen(tempname, 'w+'); fwrite(f, {written}); frewind(f);")
    assert session.eval(f"isequal(fread(f)', {expected})") is True
    session.run("fclose(f);")


def test_numbers_of_bits_are_read_as_they_were_written() -> None:
    session = Session()
    session.run(
        "ok = true; for n = [1 3 5 8 13 31 64], for order = 'lb', for kind = {'bit', 'ubit'}\n"
        "p = sprintf('%s%d', kind{1}, n); v = floor(rand(1, 9) * 2^(n - 1));\n"
        "f = fopen(tempname, 'w+'); fwrite(f, v, p, 0, order); frewind(f);\n"
        "ok = ok && isequal(fread(f, [1 9], p, 0, order), v); fclose(f); end, end, end"
    )
    assert session.eval("ok") is True
