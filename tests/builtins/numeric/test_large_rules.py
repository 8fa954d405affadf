"""Rules that go through large arrays in another way than through small ones: both agree."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from runmat_core import MatlabError, Session
from runmat_core.values.chunks import CHUNK

COUNT = 2 * CHUNK + 17


@pytest.fixture
def session() -> Session:
    return Session(provider="none")


@pytest.mark.parametrize("cls", ["double", "single"])
@pytest.mark.parametrize("name", ["mod", "rem"])
@pytest.mark.parametrize("divisor", [7.0, 1.0, -3.0, 360.0, 2.5, -0.1, 6.283185307179586])
def test_remainders(session, cls, name, divisor):
    dtype = {"double": np.float64, "single": np.float32}[cls]
    x = np.random.default_rng(2).normal(scale=1000.0, size=(COUNT, 1))
    x[::3] = np.rint(x[::3])
    near = np.rint(x[1::3] / divisor) * divisor
    x[1::3] = np.nextafter(near.astype(dtype), dtype(0))
    x[5], x[CHUNK + 1] = np.nan, -0.0
    session["x"] = x.astype(dtype)
    session.run(f"whole = {name}(x, {divisor});")
    some = "[1:60 16300:16500 numel(x) - 60:numel(x)]"
    session.run(f"whole = whole({some}); y = x({some}); one = y;")
    session.run(f"for k = 1:numel(y), one(k) = {name}(y(k), {divisor}); end")
    whole, one = session["whole"], session["one"]
    assert whole.dtype == dtype
    np.testing.assert_array_equal(whole, one)


def test_remainders_of_numbers_too_large_to_be_exact(session):
    session.run(f"x = 2^60 * (1:{COUNT})' + 0; r = mod(x, 7); s = rem(-x, 7);")
    wanted = [int(v) % 7 for v in session["x"].ravel().tolist()]
    assert session["r"].ravel().tolist() == wanted
    assert session["s"].ravel().tolist() == [-v for v in wanted]
    session.run("y = [x; Inf; -Inf]; r = mod(y, 7);")
    assert np.isnan(session["r"][-2:]).all()


def test_conversion_rounds_and_saturates(session):
    x = np.random.default_rng(4).normal(scale=200.0, size=(COUNT // 2, 2))
    x[::5] = np.floor(x[::5]) + 0.5
    x[3, 1], x[4, 1], x[5, 0] = np.nan, np.inf, -np.inf
    session["x"] = x
    for cls, low, high in (("uint8", 0, 255), ("int8", -128, 127), ("int16", -(2**15), 2**15 - 1)):
        session.run(f"y = {cls}(x);")
        kept = np.nan_to_num(x, nan=0.0, posinf=1e9, neginf=-1e9)
        wanted = [
            min(max(math.floor(abs(v) + 0.5) * (1 if v > 0 else -1), low), high)
            for v in kept.ravel().tolist()
        ]
        assert session["y"].ravel().tolist() == wanted


def test_kinds_of_many_characters(session):
    session["t"] = "ab 1\tÄß€ x" * 40
    session.run("a = isspace(t); b = arrayfun(@(c) isspace(c), t);")
    assert (session["a"] == session["b"]).all()
    for kind in ("alpha", "upper", "digit", "punct", "graphic"):
        session.run(f"a = isstrprop(t, '{kind}'); b = arrayfun(@(c) isstrprop(c, '{kind}'), t);")
        assert (session["a"] == session["b"]).all(), kind
    assert session.eval("size(isspace(repmat(t, 3, 1)))").ravel().tolist() == [3, 400]


def test_trimming_and_comparing_cells_with_other_things_among_the_texts(session):
    session.run("c = {' a ', char([0 98 9]), '', 'é '}; d = strtrim(c); e = deblank(c);")
    assert session["d"] == ["a", "b", "", "é"]
    assert session["e"] == [" a", "\0b", "", "é"]
    session.run("r = strcmp({'a', 5, 'b', {'a'}}, 'a'); s = strcmp({'a', 'b'}, {'a', 'c'});")
    assert session["r"].tolist() == [[True, False, False, False]]
    assert session["s"].tolist() == [[True, False]]
    assert session.eval("size(strcmp({'a'; 'b'}, 'b'))").ravel().tolist() == [2, 1]
    assert session.eval("size(strcmp({}, 'b'))").ravel().tolist() == [0, 0]


def test_text_of_many_numbers(session):
    session.run("x = [pi; -0; 1e10; 1e-5; 12345.678; -2.5; 100; 1/3]; m = [x x'' -x]; y = [m; m];")
    for call in ("mat2str({})", "mat2str({}, 5)", "num2str({}, 8)"):
        session.run(f"whole = {call.format('y')}; part = {call.format('y([1 2], :)')};")
        whole, part = session["whole"], session["part"]
        if isinstance(whole, str):
            assert whole.startswith(part[:-1])
        else:
            lines = [line.split() for line in whole]
            assert lines[:2] == [line.split() for line in part]
    session.run("r = num2str(y(:, 1)); s = mat2str([y(1:5, 1); NaN; Inf; y(:, 1)]');")
    assert session["r"][0].strip() == "3.14159265358979"
    assert len({len(line) for line in session["r"]}) == 1
    assert session["s"].split()[5:7] == ["NaN", "Inf"]
    assert session["s"].split()[1] == "0"
    assert session.eval("eval(mat2str(rand(20), 17)) - 0").shape == (20, 20)
    session.run("z = rand(20); ok = isequal(eval(mat2str(z, 17)), z);")
    assert session["ok"] is True


def test_json_of_arrays(session):
    session.run("x = [1 2.5 NaN; -0 1e15 1e20]; a = jsonencode(x);")
    session.run("b = jsonencode(x, 'ConvertInfAndNaN', false); c = jsonencode(int8([1 2; 3 4]));")
    assert session["a"] == "[[1,2.5,null],[0,1000000000000000.0,1e+20]]"
    assert session["b"] == "[[1,2.5,NaN],[0,1000000000000000.0,1e+20]]"
    assert session["c"] == "[[1,2],[3,4]]"
    session.run("d = jsonencode(struct('a', {1, 'é\"'}), 'PrettyPrint', true);")
    assert session["d"] == '[\n  {\n    "a": 1\n  },\n  {\n    "a": "é\\""\n  }\n]'
    session.run("e = jsonencode(single([0.1 3])); f = jsonencode({[], {}, true, [true false]});")
    assert session["e"] == "[0.10000000149011612,3]"
    assert session["f"] == "[[],[],true,[true,false]]"


def test_rows_of_text_with_wide_characters(session):
    session["c"] = ["a", "", "𝄞b", "éé"]
    session.run("m = char(c); n = size(m); d = cellstr(m);")
    assert session["n"].ravel().tolist() == [4, 3]
    assert session["d"] == ["a", "", "𝄞b", "éé"]


def test_digits_of_many_numbers(session):
    session.run(
        "x = [0:40 1e9 2^40 2^53 - 1]'; b = dec2bin(x); h = dec2hex(x, 14); q = dec2base(x, 7);"
        "ok = isequal(bin2dec(b), x) && isequal(hex2dec(lower(h)), x);"
        "ok = ok && isequal(base2dec(q, 7), x);"
        "for k = 1:numel(x), ok = ok && strcmp(dec2hex(x(k), 14), h(k, :)); end"
    )
    assert session["ok"] is True
    session.run("r = bin2dec(repmat('1 0', 40, 1)); s = dec2bin([-1; (1:40)']);")
    assert set(session["r"].ravel().tolist()) == {2.0}
    assert session["s"][0] == "1" * 8
    with pytest.raises(MatlabError, match="valid digits of base 2"):
        session.run("bin2dec(repmat('12', 40, 1))")


@pytest.mark.parametrize("size", ["5,6", "64,64", "150,131", "30,200", "200,30", "0,3", "1,70"])
def test_triangles_of_several_bands(session, size):
    session.run(
        f"m = rand({size}); m(1:7:end) = NaN; [i, j] = ndgrid(1:size(m, 1), 1:size(m, 2));"
        "ok = true; for k = [-300 -150 -65:7:65 131 300],"
        "u = m; u(j - i < k) = 0; l = m; l(j - i > k) = 0;"
        "ok = ok && isequaln(triu(m, k), u) && isequaln(tril(m, k), l); end"
    )
    assert session["ok"] is True


def test_triangles_and_products(session):
    session.run("m = magic(6); m(2, :) = []; [i, j] = ndgrid(1:5, 1:6); ok = true;")
    session.run(
        "for k = -7:7, ok = ok && isequal(triu(m, k), m .* (j - i >= k));"
        "ok = ok && isequal(tril(m, k), m .* (j - i <= k)); end"
    )
    session.run(
        "b = [0 5 6; 7 8 9]; ok = ok && isequal(kron([1 2; 3 4], b), [b 2 * b; 3 * b 4 * b]);"
    )
    assert session["ok"] is True


@pytest.mark.parametrize("sizes", ["40,30,2,3", "40,1,4,1", "1,50,3,2", "2,3,40,30", "33,2,32,1"])
@pytest.mark.parametrize(
    "change", ["a", "a + 1i * b(1)", "single(a)", "a > 50", "int8(a); b = int8(b * 50)", "char(a)"]
)
def test_a_kronecker_product_is_a_product_of_places(session, sizes, change):
    session.run(
        f"n = [{sizes}]; a = 90 * rand(n(1:2)); b = round(rand(n(3:4)) * 8) / 2; a = {change};"
        "[i, j] = ndgrid(0:n(1) * n(3) - 1, 0:n(2) * n(4) - 1);"
        "p = a(floor(i / n(3)) + 1 + n(1) * floor(j / n(4)));"
        "q = b(mod(i, n(3)) + 1 + n(3) * mod(j, n(4)));"
        "p = reshape(p, size(i)); q = reshape(q, size(i)); r = p .* q; k = kron(a, b);"
        "ok = isequal(k, r) && strcmp(class(k), class(r)) && isequal(size(k), size(r));"
    )
    assert session["ok"] is True


@pytest.mark.parametrize(
    ("code", "cls", "expected"),
    [
        ("kron(int8(100), int8([2 -2]))", "int8", [[127, -128]]),
        ("kron(int8([1 2]), 2.4)", "int8", [[2, 5]]),
        ("kron(single([1 2]), 2.5)", "single", [[2.5, 5]]),
        ("kron('a', [1 2])", "double", [[97, 194]]),
        ("kron(int8(zeros(0, 2)), int8(ones(3, 1)))", "int8", np.zeros((0, 2)).tolist()),
    ],
)
def test_a_kronecker_product_has_the_class_of_products(session, code, cls, expected):
    session.run(f"r = {code}; c = class(r); n = size(r);")
    assert session["c"] == cls
    assert np.asarray(session["r"]).tolist() == expected
    with pytest.raises(MatlabError, match="Integers can only be combined"):
        session.run("kron(int8(1), int16([1 2]))")


def test_subscripts_and_bits(session):
    session.run(
        "x = (1:6000)'; [i, j] = ind2sub([50 120], x); [p, q, r] = ind2sub([5 10 120], x);"
        "ok = isequal(i, mod(x - 1, 50) + 1) && isequal(sub2ind([50 120], i, j), x);"
        "ok = ok && isequal(sub2ind([5 10 120], p, q, r), x);"
        "a = floor(rand(6000, 1) * 2^40); b = floor(rand(6000, 1) * 2^53);"
        "ok = ok && isequal(bitand(a, b), arrayfun(@(s, t) bitand(s, t), a, b));"
        "ok = ok && isequal(bitxor(a, 2^63 + 0 * a), 2^63 + a) && isequal(bitshift(a, 3), a * 8);"
    )
    assert session["ok"] is True
    for call in ("sub2ind([9 9], x, x)", "ind2sub([9 9], x)", "ind2sub([9 9], x - 1)"):
        with pytest.raises(MatlabError) as raised:
            session.run(call + ";")
        assert raised.value.identifier.endswith(":IndexOutOfRange")
    with pytest.raises(MatlabError, match="integer values"):
        session.run("bitand(x - 2, x)")


def test_tables_in_files(session, tmp_path):
    session["n"] = str(tmp_path / "a.csv")
    session.run("x = [pi -0 1e10; 1e-7 2 -3]; dlmwrite(n, x); t = fileread(n);")
    assert session["t"] == "3.1416,-0,1e+10\n1e-07,2,-3\n"
    session.run("dlmwrite(n, [x; NaN 1 Inf], '%'); t = fileread(n); y = dlmread(n, '%');")
    assert session["t"] == "3.1416%-0%1e+10\n1e-07%2%-3\nNaN%1%Inf\n"
    assert np.isnan(session["y"][2, 0])
    session.run("dlmwrite(n, x, 'delimiter', '\\t', 'precision', 12, 'coffset', 1);")
    session.run("t = fileread(n); y = dlmread(n, '\\t');")
    assert session["t"].splitlines()[0] == "\t3.14159265359\t-0\t10000000000"
    assert session["y"][:, 0].tolist() == [0, 0]
    session.run("z = rand(50, 4); writematrix(z, n); y = readmatrix(n); e = max(abs(y(:) - z(:)));")
    assert session["e"] < 1e-14
    (tmp_path / "a.csv").write_text("1, 2 ,3\n4,5\n,6,1_0\n")
    assert session.eval("readmatrix(n)").shape == (3, 3)


def test_orders_and_choices(session):
    for n in range(1, 7):
        session.run(f"p = perms(1:{n});")
        wanted = list(itertools.permutations(range(n, 0, -1)))
        assert np.atleast_2d(session["p"]).tolist() == [list(map(float, row)) for row in wanted]
        for k in range(1, n + 1):
            session.run(f"c = nchoosek((1:{n + 1}) * 2, {k});")
            wanted = list(itertools.combinations(range(2, 2 * n + 3, 2), k))
            assert session["c"].tolist() == [list(map(float, row)) for row in wanted]


def test_blocks(session):
    session.run("m = reshape(1:24, 4, 6); c = mat2cell(m, [1 3], [2 2 2]); b = c{2, 2};")
    assert session["b"].tolist() == [[10, 14], [11, 15], [12, 16]]
    session.run("ok = isequal(cell2mat(c), m) && isequal(cell2mat(mat2cell(m, ones(4, 1), 6)), m);")
    assert session["ok"] is True
    session.run("e = mat2cell(m, [0 4], 6); n = [size(e{1}) size(e)];")
    assert session["n"].ravel().tolist() == [0, 6, 2, 1]
    assert session.eval("class(cell2mat({int8([1 2]); int8([3 4])}))") == "int8"


@pytest.mark.parametrize("options", ["", ", 2", ", 'reverse'", ", 'includenan'", ", 1, 'reverse'"])
def test_running_extremes(session, options):
    session.run("x = rand(50, 3); x(3, 1) = NaN; x(1, 2) = NaN; x(7:9, 3) = 0.5;")
    for name in ("cummax", "cummin"):
        session.run(f"a = {name}(x{options}); [b, i] = {name}(x{options});")
        np.testing.assert_array_equal(session["a"], session["b"])


SETS = [
    "[]",
    "zeros(1, 0)",
    "[3 1 2 2 NaN]",
    "[3; 1; NaN; NaN]",
    "[5 6; 1 2]",
    "[1 2 3]",
    "[-0 0 4]",
]
SETS += ["int8([1 5 2])", "int8([5; 9])", "single([1 2.5 2])", "[true false]", "[Inf -Inf 2 1]"]


@pytest.mark.parametrize("name", ["union", "intersect", "setdiff"])
def test_sets_with_and_without_places(session, name):
    for first, second in itertools.product(SETS, SETS):
        session.run(f"a = {first}; b = {second}; same = true;")
        session.run(
            f"try, x = {name}(a, b); catch e, x = e.identifier; end;"
            f"try, [y, ~] = {name}(a, b); catch e, y = e.identifier; end;"
            "same = isequaln(x, y) && isequal(class(x), class(y)) && isequal(size(x), size(y));"
        )
        assert session["same"] is True, (first, second)
