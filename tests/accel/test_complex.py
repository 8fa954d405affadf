"""Complex arrays on providers: what host rules give, and when MATLAB would have made them real."""

from __future__ import annotations

import warnings
from functools import cache
from typing import Any

import numpy as np
import pytest

from runmat_core import Session
from runmat_core.session import config
from runmat_core.values.deferred import Deferred
from tests.accel.everywhere import Ran, adapter
from tests.accel.everywhere import session as everywhere
from tests.accel.machine import call, null, read

PROVIDERS = {"inprocess": "host", "null": "device", "wgpu": "device"}

#: z, w: all pairs of special parts; u, v: ordinary complex columns; x, t: real ones.
PREPARE = """
parts = [0 -0 1 -1 2.5 -3 Inf -Inf NaN 1e-3 1e5 -30];
[a, b] = meshgrid(parts, parts);
z = complex(a(:), b(:)); w = z([end:-1:6 1:5]); isreal(w);
[p, q] = meshgrid([0 1 -1 2.5 -3 4 0.5]);
u = complex(p(:), q(:) + 0.25); v = u(end:-1:1); x = p(:); m = reshape(u, 7, 7);
t = b([7:end 1:6])'; r = (1i*x) .* (1i*x); wave = exp(2i*pi*(0:48)'/7.3) .* (1.1:49.1)';
"""

#: What is computed by one or more kernels, all of it.
COMPUTED = """
z .* t; t .* z; z ./ t; t .\\ z; z + t; t - z; z - t; z * Inf; -Inf * z; z / 0; z / Inf; z * -0
z + w; z - w; z .* w; u ./ v; z * 2; 2 * z; z / 2; 1i * z; u .* x; u ./ x; x ./ u; w .\\ z; z ./ w
abs(z); real(z); imag(z); conj(z); angle(z); complex(x, x); -z; u.^2; z.^1
z == w; z ~= w; z < w; z >= w; isnan(z); isinf(z); isfinite(z)
exp(z); log(z); sqrt(z); cos(u); sin(u); exp(2i*pi*x/7); (u + 1e8) - 1e8
tan(u); sinh(u); cosh(u); tanh(u); asin(u); acos(u); atan(u); asinh(u); acosh(u); atanh(u)
tan(z); sinh(z); tanh(z); asin(z); acos(z); atan(z); asinh(z); acosh(z); atanh(z); log1p(z)
log2(u); log10(u); log2(z); expm1(u); log1p(u / 1e4); expm1(u / 1e4); sign(z); sign(u); pow2(u)
u.^3; u.^-2; u.^0.5; u.^-1.7; u.^v; 2.^u; u.^x; (x + 4).^u; u.^0
floor(z); ceil(u); fix(z); round(2*u); prod(u / 3); prod(m, 2); prod(m / 4, 'all'); cumprod(u / 3)
cumprod(m, 2); var(u); std(m); var(m, 1, 2); var(u(:), 0, 'all'); max(u); min(u); max(m, [], 2)
max(u, v); min(u, v); max(z); min(z); max(m, [], 'all'); max(z, w); min(z, w); sum(sign(u) .* v)
sum(u); sum(m, 2); sum(z); mean(u); mean(m, 'all'); norm(u); norm(u, 1); norm(u, Inf)
cumsum(u); cumsum(m, 2); any(z); all(u); nnz(z); sum(z, 'omitnan'); dot(u, v)
single(u + 1); double(single(u + 1)) .* v; cast(m + 1, 'single'); double(u + v)
u + 1 - v; abs(u - v).^2; sum(abs(u + v).^2); real(u .* conj(v)); log(abs(u)) .* exp(1i*angle(u))
m' + 1; m.' + 1; (m + 1)'; (m + 1).'; u.' + 0; repmat(u, 2, 3) + 1; vertcat(u + 1, v + 1)
[m + 1 m + 2]; trace(m + 1); diff(m); dot(m, m + 1)
m * m; m * m'; m' * (m + 1); m(:, 2).' * m(:, 3); real(m) * m; m * imag(m)'; u * v'; m * m + 2i
"""
#: What libraries compute of the parts of complex arrays, one call for each pair.
OF_PARTS = """
conv(u, v); conv(u, x); conv(x, v, 'same'); conv2(m, m(1:3, 1:2), 'same'); conv2(real(m), m)
convn(m, m(1:2, :), 'valid'); filter(u(1:3), 1, v); filter(u(1:3), 1, x); filter2(m(1:2, 1:3), m)
filter(x(2:4), x(5:7) + 3, u); filter(x(2:4), 1, m, [], 2); abs(conv(u, v)).^2; conv(u, v) + 1
"""
#: Order and places, of what libraries know of real arrays.
ORDERED = """
sort(u); sort(u, 'descend'); sort(u.'); find(z); find(u, 5); find(x + 1i*(x > 3)); sort(wave)
sort(u) + 1; find(complex(x, x))'; sum(sort(u) .* v)
"""
#: What takes a host rule on the way, for guards fire or elements are read.
DECIDED = """
r; sqrt(r); log(r); angle(r); angle(conj(r)); sqrt(-r); r * Inf; r ./ 0; max(r); sort(r); r < 0
sqrt(-abs(x)); sqrt(-abs(x)) .* u; abs(sqrt(-abs(x))); u .* conj(u); sqrt(u .* conj(u)); [u x]
isreal(r); isreal(r + 0); isreal(u + 0); isreal(complex(x, 0)); complex(x, 0); complex(x, 0) + 0
u(3:9) + 1; u([1 5 2 9]) + 1; z(3); max(abs(u)); single(u) .* 2; u' * u
isreal(conj(complex(x, 0))); wave .* conj(wave); isreal(wave .* conj(wave))
isreal((wave + 1) .* conj(wave + 1)); isreal(wave(2:9) .* conj(wave(2:9)))
u(round(abs(x) + 1)) + 1; v(x + 4 > 5); m(round(abs(x(1:3)) + 1), 2)
sum(r); sqrt(sum(r)); diag(m + 1); asin(r); acos(r); acosh(r); atanh(r); log2(r); log1p(r)
r.^0.5; r.^(1/3); r.^2; r.^3; r.^v; (r + 5).^1.5; tan(r); sinh(r); expm1(r); sign(r); r.^-1
max(r, x); max(r, [], 1); min(r); prod(r); cumprod(r + 1); var(r); std(r); round(r); asinh(r)
isreal(round(u * 0.001)); isreal(r.^2); isreal((r + 50).^0.5); max(r + u, v); prod(r + u)
"""


def expressions(text: str) -> list[str]:
    return [part.strip() for line in text.strip().splitlines() for part in line.split(";")]


@cache
def session(provider: str, cls: str) -> Session:
    """A session that puts off all that it can, or nothing without a provider."""
    settings = config.load().replace(
        accel__provider=provider,
        accel__fallback="none",
        accel__threshold=2 if provider != "none" else 1 << 40,
        accel__offload__calibrate="never",
        accel__offload__force=PROVIDERS.get(provider, "rules"),
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = Session(config=settings)
    made.run(PREPARE)
    if cls == "single":
        made.run("z = single(z); w = single(w); u = single(u); v = single(v); m = single(m);")
        made.run("wave = single(wave); x = single(x); t = single(t); r = (1i*x) .* (1i*x);")
        # what a conversion of pending elements gives is known to be complex once somebody looks
        made.run("isreal(z); isreal(w); isreal(u); isreal(v); isreal(m); isreal(wave);")
    return made


def engine_of(provider: str, cls: str) -> Any:
    seat = session(provider, cls).interp.seat
    assert seat is not None
    return seat.engine


def answer(provider: str, cls: str, code: str) -> tuple[Any, str, bool]:
    s = session(provider, cls)
    s.run(f"y = {code}; c = class(y); f = isreal(y);")
    return np.asarray(s["y"]), s["c"], s["f"]


def agree(got: Any, want: Any, units: float = 16) -> None:
    assert got.dtype == want.dtype
    assert got.shape == want.shape
    if want.dtype.kind not in "fc":
        np.testing.assert_array_equal(got, want)
        return
    size = np.abs(want)
    unit = units * np.spacing(np.where(np.isfinite(size), size, 4).astype(want.real.dtype))
    for part, other in ((got.real, want.real), (got.imag, want.imag)):
        same = (part == other) | (np.isnan(part) & np.isnan(other))
        with np.errstate(invalid="ignore"):
            near = np.abs(part - other) <= unit
        assert (same | near).all(), (got[~(same | near)], want[~(same | near)])


@pytest.mark.sweep
@pytest.mark.parametrize("code", expressions(COMPUTED))
@pytest.mark.parametrize("cls", ["double", "single"])
@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_provider_computes_what_host_rules_give(provider: str, cls: str, code: str) -> None:
    engine = engine_of(provider, cls)
    before = engine.counters.launches, engine.counters.by_rules, engine.counters.by_parts
    got = answer(provider, cls, code)
    want = answer("none", cls, code)
    assert got[1:] == want[1:]
    agree(got[0], want[0])
    assert engine.counters.launches > before[0]
    assert (engine.counters.by_rules, engine.counters.by_parts) == before[1:]


@pytest.mark.sweep
@pytest.mark.parametrize("code", expressions(OF_PARTS))
@pytest.mark.parametrize("cls", ["double", "single"])
@pytest.mark.parametrize("provider", ["null", "wgpu"])
def test_libraries_compute_what_is_linear_of_parts(provider: str, cls: str, code: str) -> None:
    engine = engine_of(provider, cls)
    rules, launches = engine.counters.by_rules, engine.counters.launches
    got, want = answer(provider, cls, code), answer("none", cls, code)
    assert got[1:] == want[1:]
    assert (got[0].dtype, got[0].shape) == (want[0].dtype, want[0].shape)
    # sums of products: relative to the largest
    largest = np.spacing(np.abs(want[0]).max())
    assert np.abs(got[0] - want[0]).max() <= 64 * largest
    assert engine.counters.by_rules == rules
    assert engine.counters.launches > launches


@pytest.mark.sweep
@pytest.mark.parametrize("code", expressions(ORDERED))
@pytest.mark.parametrize("cls", ["double", "single"])
@pytest.mark.parametrize("provider", ["null", "wgpu"])
def test_libraries_order_and_find_complex_elements(provider: str, cls: str, code: str) -> None:
    engine = engine_of(provider, cls)
    launches = engine.counters.launches
    got, want = answer(provider, cls, code), answer("none", cls, code)
    assert got[1:] == want[1:]
    agree(got[0], want[0])
    assert engine.counters.launches > launches


@pytest.mark.parametrize("provider", ["null", "wgpu"])
def test_places_of_sorted_and_of_found_elements(provider: str) -> None:
    code = "[o1, o2] = sort(u, 'descend'); [o3, o4] = sort(v); [o5, o6] = find(m - m(1));"
    made, plain = session(provider, "double"), session("none", "double")
    for one in (made, plain):
        one.run(code)
    for number in range(1, 7):
        agree(np.asarray(made[f"o{number}"]), np.asarray(plain[f"o{number}"]))


@pytest.mark.sweep
@pytest.mark.parametrize("code", expressions(DECIDED))
@pytest.mark.parametrize("cls", ["double", "single"])
@pytest.mark.parametrize("provider", PROVIDERS)
def test_results_are_real_where_host_rules_make_them_so(provider: str, cls: str, code: str) -> None:
    got, want = answer(provider, cls, code), answer("none", cls, code)
    assert got[1:] == want[1:]
    agree(got[0], want[0])


ASSIGNED = [
    "y = u + 1; y(3:30) = 0;",
    "y = u + 1; y(3:30) = 2 - 1i;",
    "y = m + 1; y(2:5, :) = real(m(1:4, :));",
    "y = m + 1; y(:, 2:4) = m(:, 1:3) * 2;",
    "y = x + 1; y(3:30) = 2i;",
    "y = u + 1; w = y; w(1:40) = 7; y = [y; w];",
    "y = u + 1; y(60) = 3;",
    "y = u + 1; y(2) = 3;",
]


@pytest.mark.parametrize("code", ASSIGNED)
@pytest.mark.parametrize("cls", ["double", "single"])
@pytest.mark.parametrize("provider", PROVIDERS)
def test_regions_are_replaced(provider: str, cls: str, code: str) -> None:
    found = []
    for name in (provider, "none"):
        s = session(name, cls)
        s.run(code)
        found.append(np.asarray(s["y"]))
    agree(found[0], found[1])


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(
    "code", ["u .* v", "conj(u)", "abs(u)", "sum(u)", "m'", "[u v]", "real(u) + imag(v)", "r .* 2"]
)
def test_what_is_complex_is_put_off(provider: str, code: str) -> None:
    s = session(provider, "double")
    s.run(f"y = {code};")
    value = s.interp.variables["y"]
    assert value.__class__ is Deferred
    s.run("k = class(y); n = size(y);")
    assert s["k"] == "double"
    assert value.promise.node.data is None


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_guard_fires_only_where_it_matters(provider: str) -> None:
    s = session(provider, "double")
    counters = engine_of(provider, "double").counters
    fired = counters.guards_fired
    s.run("y = sqrt((u + 1) .* conj(u + 1)); y = real(y);")
    assert s["y"].dtype.kind == "f"
    assert counters.guards_fired == fired
    s.run("y = sqrt(r + 0); f = isreal(y);")
    assert not s["f"]
    assert np.array_equal(np.asarray(s["y"]).imag, np.abs(np.asarray(s["x"])))
    assert counters.guards_fired > fired


def test_a_provider_without_complex_types_declines() -> None:
    u = np.array([[1 + 2j, 3 - 4j]], order="F")
    for dtypes, launches in (("f64 f32 bool u32", 0), ("c128 f64 bool u32", 1)):
        engine = null({"dtypes": dtypes})
        assert np.array_equal(read(call(engine, "times", u, u)), u * u)
        assert engine.counters.launches == launches


@pytest.mark.parametrize("provider", PROVIDERS)
def test_arrays_that_the_program_puts_on_the_device(provider: str) -> None:
    s = session(provider, "double")
    s.run("g = gpuArray(u); h = g .* conj(v); k = class(h); y = gather(h); t = isreal(g);")
    assert (s["k"], s["t"]) == ("gpuArray", False)
    s.run("z0 = u .* conj(v);")
    agree(np.asarray(s["y"]), np.asarray(s["z0"]))


@pytest.mark.parametrize("name", ["log", "log2", "log10", "sqrt"])
@pytest.mark.parametrize("provider", PROVIDERS)
def test_negative_zeros_have_no_angle(provider: str, name: str) -> None:
    # also where earlier arrays were complex at this place, so that this one is taken for such
    if provider == "wgpu":
        adapter()
    code = f"x = ones(5,6); x(3) = %s; x(4) = -0; y = {name}(x) + 1; r = isreal(y); z = y(4);"
    made, host = everywhere(provider), everywhere("none")
    for least in ("-2", "1", "-2", "1"):
        found, expected = [Ran(one, code % least, ("r", "z")) for one in (made, host)]
        assert found.values == expected.values
        assert found.values["r"][1] == (least == "1")


@pytest.mark.parametrize("provider", ["inprocess", "null"])
@pytest.mark.parametrize(
    "write", ["x(m) = complex(1, 0);", "x(m) = q(m) * 2i;", "x(:, m(1,:)) = 2i;"]
)
def test_complex_elements_that_a_mask_puts_into_a_real_array(provider: str, write: str) -> None:
    code = f"q = reshape(1:30, 5, 6); x = q * 2; m = q > 9; {write} y = x(:).';"
    found, expected = [Ran(everywhere(one), code, ("x", "y")) for one in (provider, "none")]
    assert found.values.keys() == expected.values.keys() == {"x", "y"}
    for name, (cls, data) in expected.values.items():
        assert found.values[name][0] == cls
        np.testing.assert_array_equal(found.values[name][1], data)
