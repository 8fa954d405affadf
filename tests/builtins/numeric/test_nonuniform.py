"""Fourier sums at any points: as defined, and fast transforms where points are even."""

from __future__ import annotations

import numpy as np
import pytest

from runmat_core.api import MatlabError
from runmat_core.builtins.math import nonuniform
from runmat_core.session import Session

SETUP = """
    rng(2); x = rand(9, 1) - 0.5i*rand(9, 1); t = 10*rand(9, 1) - 3; f = rand(1, 5) - 0.2;
    X = rand(3, 4, 2); P = rand(24, 3)*4; W = rand(6, 3) - 0.5;
    s = @(x, t, f) exp(-2i*pi*f(:)*t(:).')*x(:);
"""


@pytest.fixture(scope="module")
def session() -> Session:
    session = Session()
    session.run(SETUP)
    return session


SAME = [
    ("nufft(x, t, f)", "s(x, t, f)"),
    ("nufft(x.', t, f)", "s(x, t, f).'"),
    ("nufft(x, t)", "s(x, t, (0:8)/9)"),
    ("nufft(x, [], f)", "s(x, 0:8, f)"),
    ("nufft(x)", "fft(x)"),
    ("nufft(X, [], [], 2)", "fft(X, [], 2)"),
    ("nufft(X, 0:3, (0:3)/4, 2)", "fft(X, [], 2)"),
    ("nufft(X)", "fft(X)"),
    ("q = nufft(X, t(1:4), f, 2);; q(2, :, 2).'", "s(X(2, :, 2), t(1:4), f)"),
    ("q = nufft(X(:,:,1), 0.3, f, 4);; q(2, 3, 1, :)",
     "reshape(X(2, 3, 1)*exp(-2i*pi*0.3*f), 1, 1, 1, 5)"),
    ("nufftn(X)", "fftn(X)"),
    ("nufftn(X, {0:2, 0:3, 0:1}, {(0:2)/3, (0:3)/4, [0 0.5]})", "fftn(X)"),
    ("q = nufftn(X, [], {f, 0.1, [0 2]});; q(4, 1, 1)",
     "sum(X.*reshape(exp(-2i*pi*(f(4)*(0:2)' + 0.1*(0:3))), 3, 4), 'all')"),
    ("nufftn(X, P, W)", "exp(-2i*pi*W*P.')*X(:)"),
    ("nufftn(X, P, {0.2, [0.1 0.4], 0.3})",
     "reshape(exp(-2i*pi*[0.2 0.1 0.3; 0.2 0.4 0.3]*P.')*X(:), 1, 2)"),
    ("q = nufftn(X, P);; q(3, 2, 2)", "exp(-2i*pi*[2/3 1/4 1/2]*P.')*X(:)"),
    ("q = nufftn(X, {1:3, [0 5 6 7], [0 0]}, W);; q(5)",
     "sum(X.*exp(-2i*pi*(W(5,1)*(1:3)' + W(5,2)*[0 5 6 7])), 'all')"),
]  # fmt: skip


@pytest.mark.parametrize(("found", "wanted"), SAME)
def test_sums(session: Session, found: str, wanted: str) -> None:
    before, _, last = found.rpartition(";; ")
    session.run(f"{before}; a = {last}; b = {wanted};")
    a, b = (np.asarray(session.eval(name)) for name in "ab")
    assert a.shape == b.shape
    np.testing.assert_allclose(a, b, atol=1e-13)


@pytest.mark.parametrize(
    ("count", "waves", "reach", "band"),
    [(1500, 1400, 50, 20), (1300, 1300, 1500, 1), (1500, 1400, 0.1, 0.3), (1100, 1200, 3, 0)],
)
def test_many_terms_by_a_grid(count: int, waves: int, reach: float, band: float) -> None:
    rng = np.random.default_rng(1)
    t, f = rng.random(count) * reach - 1, rng.random(waves) * band + 0.25
    c = rng.standard_normal((count, 2)) + 1j * rng.standard_normal((count, 2))
    wanted = np.exp(-2j * np.pi * np.outer(f, t)) @ c
    spread = np.stack([nonuniform._spread(column, t, f) for column in c.T], axis=1)
    tolerance = 1e-15 * (10 + 2 * np.pi * reach * band) * np.abs(c).sum(axis=0).max()
    np.testing.assert_allclose(spread, wanted, atol=tolerance)
    np.testing.assert_allclose(nonuniform.fourier_sums(c, t, f), wanted, atol=tolerance)


def test_many_even_points_are_a_fast_transform(session: Session) -> None:
    session.run("rng(4); y = rand(1, 3000); e = max(abs(nufft(y, 0:2999) - fft(y)));")
    assert session.eval("e") < 1e-9


def test_classes(session: Session) -> None:
    for call in ("nufft(single(x), t, f)", "nufft(x, single(t))", "nufftn(single(X), P, W)"):
        assert session.eval(f"class({call})") == "single", call
    assert session.eval("class(nufft(int8([1 2 3]), [0 1 2]))") == "double"
    assert session.eval("size(nufft(zeros(0, 3), [], f))").tolist() == [[5, 3]]


ERRORS = [
    ("nufft(x, 1:3)", "MATLAB:nufft:InvalidSamplePoints"),
    ("nufft(x, t, rand(2))", "MATLAB:nufft:InvalidQueryPoints"),
    ("nufft(x, 1i*t)", "MATLAB:nufft:mustBeReal"),
    ("nufft(x, t*Inf)", "MATLAB:nufft:NonFinitePoints"),
    ("nufft('ab', {1})", "MATLAB:UndefinedFunction"),
    ("nufft(x, t, f, 0)", "MATLAB:getdimarg:dimensionMustBePositiveInteger"),
    ("nufftn(X, {1:3})", "MATLAB:nufftn:InvalidSamplePoints"),
    ("nufftn(X, P(1:3, :))", "MATLAB:nufftn:InvalidSamplePoints"),
    ("nufftn(X, P, W(:, 1:2))", "MATLAB:nufftn:InvalidQueryPoints"),
]


@pytest.mark.parametrize(("code", "identifier"), ERRORS)
def test_errors(session: Session, code: str, identifier: str) -> None:
    with pytest.raises(MatlabError) as raised:
        session.run(code)
    assert raised.value.identifier == identifier
