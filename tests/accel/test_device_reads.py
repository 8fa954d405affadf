"""What reads of elements and arrays put on a device bring to the host, counted in bytes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from runmat_core.session import Session
from runmat_core.session import config as configuration

#: Arrays of 1e6 doubles that are on the device, and not on the host.
ARRAYS = {
    "drawn there": "z = rand(1000, 'gpuArray'); wait(gpuDevice);",
    "put there": "z = gpuArray(rand(1000) * 2); m = mean(z(:)); disp(m)",
    "computed": "z = rand(1000) * 2; m = mean(z(:)); disp(m); q = sum(z(:)); disp(q)",
    "multiplied": "z = rand(1000); z = z * z; disp(sum(z(:)) > 0)",
}


@pytest.fixture(params=["null", "wgpu"])
def s(request: pytest.FixtureRequest) -> Iterator[Session]:
    settings = configuration.load().replace(
        accel__provider=request.param, accel__offload__force="device", accel__threshold=100
    )
    with Session(config=settings, stdout=lambda text: None) as session:
        if session.interp.seat.engine.choice.device is None:  # type: ignore[union-attr]
            pytest.skip(f"{request.param} finds no device")
        yield session


def brought(session: Session, code: str) -> int:
    """Bytes that a program downloads."""
    places = session.interp.seat.engine.places  # type: ignore[union-attr]
    _, before = places.moved()
    session.run(code)
    return int(places.moved()[1] - before)


@pytest.mark.parametrize("array", ARRAYS)
def test_elements_come_in_blocks_until_all_is_cheaper(s: Session, array: str) -> None:
    assert brought(s, ARRAYS[array]) <= 16
    assert brought(s, "a = z(5); disp(a)") <= 4096
    assert brought(s, "b = z(6); disp(b); c = z(1, 1); disp(c)") <= 4096
    assert brought(s, "for k = 1:100, d(k) = gather(z(k + 2)); end") == 0
    assert brought(s, "e = z(500, 500); disp(e)") <= 8 * 512 * 16
    later = brought(s, "f = zeros(1, 1000); for k = 1:1000, f(k) = z(k, 3); end; g = z(12345);")
    assert brought(s, "disp(g); w = gather(z);") + later < 10e6
    assert s.eval("isequal([a b c e g], w([5 6 1 499500 12345]))") is True
    assert s.eval("isequal(d, w(3:102)) && isequal(f, w(1:1000, 3)')") is True


def test_what_is_put_on_the_device_stays_there(s: Session) -> None:
    code = (
        "g = gpuArray(rand(500)); h = gpuArray(single(rand(400)) > 0.5); k = rand(300, 'gpuArray');"
    )
    assert (
        brought(s, code + "x = rand(200) * 2; y = gpuArray(x); z = ones(300, 'gpuArray') + 1;") == 0
    )
    assert s.eval("isgpuarray(g) && isgpuarray(h) && isgpuarray(k) && isgpuarray(z)") is True
    assert s.eval("isgpuarray(y) && ~isgpuarray(x) && isequal(gather(y), x)") is True
    assert s.eval("islogical(gather(h)) && all(gather(z(:)) == 2)") is True


@pytest.mark.parametrize(
    "write", ["z(5) = 7;", "z(1:9) = 7;", "z(:, 1) = 7;", "z = z + 1; z(5) = 7;"]
)
@pytest.mark.parametrize("array", ["z = rand(500) * 2;", "z = rand(500, 'gpuArray');"])
def test_a_write_is_seen_by_the_next_read(s: Session, array: str, write: str) -> None:
    s.run(array + "disp(sum(z(:)) > 0); y = z; a = z(5); disp(a); b = z(6); disp(b); c = z(5);")
    s.run("clear y;" + write + "d = gather(z(5)); e = gather(z(6)); w = gather(z);")
    assert s["d"] == 7.0
    assert s.eval("isequal([d e], w(5:6))") is True
    assert s.eval("gather(c) < 2") is True


def test_a_copy_on_the_device_is_of_its_own(s: Session) -> None:
    s.run("x = rand(500) * 2; disp(sum(x(:)) > 0); disp(max(x(:)) < 2); g = gpuArray(x); g(3) = 9;")
    s.run("g(:, 2) = 8; a = gather(g); b = gather(x);")
    assert s.eval("[a(3), a(1, 2), max(b(:)) < 2]").tolist() == [[9, 8, 1]]


def test_elements_of_other_classes_are_the_same(s: Session) -> None:
    for cls in ("single", "int32", "logical"):
        s.run(f"z = {cls}(rand(1100) > 0.5); z = z(:, end:-1:1); z = z'; disp(sum(z(:)) > 0);")
        s.run("disp(any(z(:))); a = z(7); disp(a); b = z(8); c = z(1100, 3); w = gather(z);")
        assert s.eval("isequal({a, b, c}, {w(7), w(8), w(1100, 3)})") is True
        assert s.eval("class(b)") == cls
