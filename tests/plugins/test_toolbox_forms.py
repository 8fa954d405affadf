"""Functions of the toolboxes' packages, by what has to hold of them and by other routes."""

# ruff: noqa: E501 - one rule a line

from __future__ import annotations

import numpy as np
import pytest
import scipy.signal

from runmat_core.api import MatlabError
from runmat_core.builtins import registry
from runmat_core.session import Session, doctests

NAMES = """
    dct idct buffer tf2zp tf2zpk zp2tf zp2sos tf2sos sos2tf sos2zp tf2ss zp2ss sos2ss ss2tf ss2zp ss2sos
    firpm rangesearch datasample squareform imrotate bwdist bwperim
""".split()

HOLDS = """
    X = magic(4); norm(idct(dct(X, [], 2), [], 2) - X) < 1e-12
    f = @(t) norm(idct(dct(magic(5), 'Type', t), 'Type', t) - magic(5)); max(arrayfun(f, 1:4)) < 1e-12
    D = dct(eye(5), 'Type', 1); norm(D*D' - eye(5)) < 1e-14
    isequal(size(dct(ones(4, 1), 6)), [6 1]) && isa(dct(single([1 2])), 'single')
    isequal(buffer(1:10, 4, 2, 'nodelay'), [1 3 5 7; 2 4 6 8; 3 5 7 9; 4 6 8 10])
    [y, z, o] = buffer((1:10)', 4, 1); isequal(y(:, 3), (6:9)') && z == 10 && o == 9
    isequal(buffer(1:7, 2, -1), [1 4 7; 2 5 0]) && isequal(buffer(1:7, 2, -1, 1), [2 5; 3 6])
    [z, p, k] = butter(5, 0.3); [s, g] = zp2sos(z, p, k); [b, a] = sos2tf(s, g); [c, d] = butter(5, 0.3); norm([b - c, a - d]) < 1e-13
    [b, a] = cheby1(4, 1, 0.4); [A, B, C, D] = tf2ss(b, a); [c, d] = ss2tf(A, B, C, D); norm([b - c, a - d]) < 1e-12
    [b, a] = ellip(3, 1, 40, 0.4); [A, B, C, D] = tf2ss(b, a); [z, p, k] = ss2zp(A, B, C, D); [c, d] = zp2tf(z, p, k); norm([b - c, a - d]) < 1e-12
    [z, p, k] = ellip(5, 1, 40, 0.4); [A, B, C, D] = zp2ss(z, p, k); [b, a] = ss2tf(A, B, C, D); [c, d] = zp2tf(z, p, k); norm([b - c, a - d]) < 1e-12
    [A, B, C, D] = zp2ss([], [-1; -2+1i; -2-1i], 3); [b, a] = ss2tf(A, B, C, D); norm([b - [0 0 0 3], a - [1 5 9 5]]) < 1e-12
    [A, B, C, D] = zp2ss(-2, [-1+1i; -1-1i; -3; -4], 1); [b, a] = ss2tf(A, B, C, D); norm([b - [0 0 0 1 2], a - conv([1 2 2], [1 7 12])]) < 1e-12
    [b, a] = butter(4, 0.2); [A, B, C, D] = sos2ss(tf2sos(b, a)); [c, d] = ss2tf(A, B, C, D); norm([b - c, a - d]) < 1e-12
    [b, a] = butter(4, 0.2); [s, g] = ss2sos(0.5, 1, 1, 2); [c, d] = sos2tf(s, g); norm([c(1:2) - [2 0], d(1:2) - [1 -0.5]]) < 1e-12
    s = zp2sos([1; -1; 0.5; 0.2], [0.9; 0.1; 0.5i; -0.5i], 1, 'down'); size(s, 1) == 2 && max(abs(roots(s(1, 4:6)))) > max(abs(roots(s(2, 4:6))))
    [z, p, k] = sos2zp([1 3 2 1 0 -0.25], 2); isequal(sort(z), [-2; -1]) && k == 2
    [b, err] = firpm(30, [0 0.4 0.5 1], [1 1 0 0], [1 5]); [h, w] = freqz(b, 1, 2048); w = w / pi; max(abs(abs(h(w <= 0.4)) - 1)) < err * 1.01 && 5 * max(abs(h(w >= 0.5))) < err * 1.01
    b = firpm(10, [0 1], [0 1]); h = freqz(b, 1, 64); max(abs(abs(h)' - (0:63) / 64)) < 0.02
    numel(firpm(21, [0 0.4 0.5 1], [0 0 1 1])) == 23
    isequal(squareform([1; 2; 3]), squareform([1 2 3])) && isequal(squareform(4), [0 4; 4 0])
    x = magic(5); [i, d] = rangesearch(x, x(2, :), 12); all(d{1} <= 12) && i{1}(1) == 2 && numel(i{1}) == sum(pdist2(x, x(2, :)) <= 12)
    rng(2); [y, i] = datasample((1:9)' * 10, 9, 'Replace', false); isequal(sort(y), (10:10:90)') && isequal(y, i(:) * 10)
    isequal(datasample([5 6 7], 3, 'Weights', [0 1 0]), [6 6 6])
    rng(3); c = histcounts(datasample(1:3, 6000, 'Weights', [1 2 3]), 0.5:3.5); all(abs(c - [1000 2000 3000]) < 200)
    isequal(size(datasample(magic(4), 2, 2)), [4 2])
    isequal(imrotate(magic(3), 90), rot90(magic(3))) && isequal(size(imrotate(ones(256), 45)), [363 363])
    J = imrotate(ones(40), 20, 'bilinear'); abs(sum(J(:)) - 1600) < 5
    J = imrotate(uint8(magic(4)), 30, 'bicubic', 'crop'); isa(J, 'uint8') && isequal(size(J), [4 4])
    [d, i] = bwdist([1 0 0; 0 0 0; 0 0 1]); abs(d(2, 2) - sqrt(2)) < 1e-6 && i(3, 3) == 9
    isequal(bwdist([0 0 0; 0 1 0; 0 0 0], 'cityblock'), single([2 1 2; 1 0 1; 2 1 2]))
    isequal(bwdist([1 0 0 0; 0 0 0 0], 'chessboard'), single([0 1 2 3; 1 1 2 3])) && isinf(bwdist(0))
    sum(bwperim(ones(5)), 'all') == 16 && isequal(bwperim([0 1 1; 1 1 1], 8), logical([0 1 1; 1 1 1]))
    [g, n] = grp2idx({'b', 'a', '', 'b'}); isequaln(g, [1; 2; NaN; 1]) && isequal(n, {'b'; 'a'})
    [g, n, l] = grp2idx([3 1 NaN 3]); isequaln(g, [2; 1; NaN; 2]) && isequal(n, {'1'; '3'}) && isequal(l, [1; 3])
    [g, n, l] = grp2idx(categorical({'lo'; 'hi'}, {'lo', 'mid', 'hi'})); isequal(g, [1; 3]) && numel(l) == 3 && iscategorical(l)
    isequal(dummyvar([1 2; 2 1; 1 3]), [1 0 0 1 0; 0 1 1 0 0; 1 0 0 0 1])
    isequal(dummyvar({[1; 2; 1], {'x'; 'y'; 'x'}}), [1 0 1 0; 0 1 0 1; 1 0 1 0])
    [t, c, p, l] = crosstab({'a', 'b', 'a'}, [1 2 2]); isequal(t, [1 1; 0 1]) && abs(c - 0.75) < 1e-12 && isequal(l, {'a' '1'; 'b' '2'})
    t = crosstab([1 1 2 2], [1 2 1 2], [1 1 2 1]); isequal(t, cat(3, [1 1; 0 1], [0 0; 1 0]))
    [m, s, n] = grpstats([1 2; 3 NaN; 10 20], [1; 1; 2], {'mean', 'std', 'gname'}); isequal(m, [2 2; 10 20]) && isequal(s, [sqrt(2) 0; 0 0]) && isequal(n, {'1'; '2'})
    isequal(grpstats([1; 2; 3], {[1; 1; 2], {'a'; 'b'; 'a'}}), [1; 2; 3]) && grpstats([1; 2; 3], []) == 2
    isequal(grpstats([1; 2; 3], [1; 1; 2], @max), [2; 3])
    t = tabulate({'x', 'y', 'x', 'x'}); isequal(t, {'x' 3 75; 'y' 1 25})
    T = grpstats(table({'M'; 'F'; 'M'}, [30; 40; 50], 'VariableNames', {'Sex', 'Age'}), 'Sex', {'mean', 'max'}); isequal(T.Properties.RowNames, {'M'; 'F'}) && isequal(T.max_Age, [50; 40]) && isequal(T.GroupCount, [2; 1])
"""


@pytest.mark.parametrize("name", NAMES)
def test_examples_print_what_they_say(name: str) -> None:
    spec = registry.find(name)
    assert spec is not None
    failures = doctests.run(spec.host.__doc__ or "", Session())
    assert not failures, "\n" + "\n".join(map(str, failures))


@pytest.mark.parametrize("code", [line.strip() for line in HOLDS.strip().splitlines()])
def test_holds(code: str) -> None:
    session = Session()
    session.run(f"ok = false;\n{_last_assigned(code)};")
    assert session.eval("ok") is True


def _last_assigned(code: str) -> str:
    """The code with what its last statement gives in ``ok``."""
    depth, cut = 0, 0
    for place, character in enumerate(code):
        depth += (character in "[({") - (character in "])}")
        if character == ";" and not depth:
            cut = place + 1
    return f"{code[:cut]} ok = {code[cut:].strip()}"


@pytest.mark.parametrize("kind", [None, "hilbert"])
def test_equal_ripples_are_those_of_another_exchange(kind: str | None) -> None:
    edges = [0.1, 0.9] if kind else [0, 0.3, 0.4, 1]
    levels = [1, 1] if kind else [1, 1, 0, 0]
    words = f", '{kind}'" if kind else ""
    found = Session().eval(f"firpm(20, {edges}, {levels}{words}, {{64}})")
    options = {"type": kind} if kind else {}
    wanted = scipy.signal.remez(
        21, edges, levels[::2], fs=2, grid_density=64, maxiter=100, **options
    )
    np.testing.assert_allclose(np.asarray(found).ravel(), wanted, atol=1e-4)


@pytest.mark.parametrize(
    ("code", "identifier"),
    [
        ("firpm(20, [0 0.5 0.4 1], [1 1 0 0])", "signal:firpm:InvalidRange"),
        ("firpm(20, [0 0.4 1], [1 1 0])", "signal:firpm:MustBeEven"),
        ("dct(1, 2, 1, 'Type', 5)", "signal:dct:invalidType"),
        ("buffer(1:3, 2, 2)", "signal:buffer:InvalidRange"),
        ("zp2sos([1i; 2], [0.5; 0.1])", "signal:zp2sos:NotPaired"),
        ("zp2ss([1; 2], 0.5, 1)", "signal:zp2ss:ZerosPoles"),
        ("zp2ss([], [1i; 2], 1)", "signal:zp2ss:NotPaired"),
        ("zp2tf([1; 2], 0.5, 1)", "signal:zp2tf:ZerosPoles"),
        ("datasample(1:3, 4, 'Replace', false)", "stats:datasample:SampleTooLarge"),
        ("rangesearch(1, 1, -1)", "stats:rangesearch:BadRadius"),
        ("bwperim(1, 5)", "images:bwperim:invalidConn"),
    ],
)
def test_refused(code: str, identifier: str) -> None:
    with pytest.raises(MatlabError) as raised:
        Session().run(code)
    assert raised.value.identifier == identifier
