"""Arrays that a program puts on the device itself."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from runmat_core import MatlabError, Session
from runmat_core.session import config


@pytest.fixture(params=["none", "auto"])
def s(request: pytest.FixtureRequest) -> Iterator[Session]:
    """The threshold keeps everything small from being captured for its size."""
    settings = config.load().replace(accel__threshold=1000, accel__provider=request.param)
    with Session(config=settings) as session:
        session.run("g = gpuArray([1 2 3; 4 5 6]);")
        yield session


@pytest.mark.parametrize(
    "code",
    [
        "y = g;",
        "y = g + 1;",
        "y = 2 * g - g;",
        "y = exp(g);",
        "y = g';",
        "y = g(:, 2:3);",
        "y = [g; g];",
        "y = sum(g);",
        "y = sum(g, 'all'); y = y + 1;",
        "y = reshape(g, 3, 2);",
        "disp(g); y = g * 2;",
        "g(1, 2) = 50; y = g;",
        "y = g; y(:, 1) = [];",
        "y = zeros(2, 2, 'like', g);",
        "y = ones(2, 'gpuArray');",
        "y = rand(2, 'gpuArray');",
        "y = gpuArray(5) + 1;",
        "y = pagefun(@mtimes, g, ones(3, 2));",
        "c = {g}; y = c{1};",
        "y = f(g); function v = f(a), v = a .^ 2; end",
    ],
)
def test_what_is_made_of_a_gpuarray_is_one(s: Session, code: str) -> None:
    s.capture(f"{code} k = class(y); is = isgpuarray(y); on = existsOnGPU(y);")
    assert (s["k"], s["is"], s["on"]) == ("gpuArray", True, True)


@pytest.mark.parametrize("code", ["y = gather(g);", "y = [1 2 3];", "[y, z] = gather(g, g + 1);"])
def test_what_is_on_the_host_is_none(s: Session, code: str) -> None:
    s.run(f"{code} k = class(y); is = isgpuarray(y);")
    assert (s["k"], s["is"]) == ("double", False)


def test_values_are_those_of_the_host(s: Session) -> None:
    s.run("y = gather(sum(g .* 2, 2)'); [a, b] = gather(g(1, :), 7); g(2, 2) = 0; h = gather(g);")
    assert s["y"].tolist() == [[12, 30]]
    assert (s["a"].tolist(), s["b"]) == ([[1, 2, 3]], 7.0)
    assert s["h"].tolist() == [[1, 2, 3], [4, 0, 6]]


def test_a_copy_is_independent(s: Session) -> None:
    s.run("x = [1 2 3]; g = gpuArray(x); x(1) = 9; h = g; h(2) = 8; g = gather(g); h = gather(h);")
    assert s["g"].tolist() == [[1, 2, 3]]
    assert s["h"].tolist() == [[1, 8, 3]]


def test_the_class_of_the_elements_is_told(s: Session) -> None:
    s.run("u = gpuArray(single([1 2])); a = underlyingType(u); b = classUnderlying(u);")
    s.run("c = isa(u, 'gpuArray'); d = isa(u, 'float'); e = isa(u, 'single'); f = isfloat(u);")
    assert (s["a"], s["b"]) == ("single", "single")
    assert (s["c"], s["d"], s["e"], s["f"]) == (True, True, False, True)


def test_a_device_tells_what_it_is(s: Session) -> None:
    s.run("d = gpuDevice; n = d.Name; i = d.Index; c = gpuDeviceCount; u = canUseGPU; wait(d)")
    assert s["n"]
    assert s["i"] == 1.0
    assert s["u"] == (s["c"] > 0)


def test_what_a_device_can_do_is_what_its_provider_says() -> None:
    settings = config.load().replace(
        accel__provider="wgpu", accel__offload__force="device", accel__threshold=100
    )
    session = Session(config=settings)
    engine = session.interp.seat.engine  # type: ignore[union-attr]
    if engine.choice.device is None:
        pytest.skip("there is no device")
    can = engine.choice.device.capabilities
    session.run("d = gpuDevice; free = d.AvailableMemory; x = gpuArray(rand(1000)); wait(d)")
    session.run("taken = free - d.AvailableMemory; n = d.Name; v = d.Vendor; b = d.Backend;")
    session.run("t = d.TotalMemory; f = d.SupportsDouble; m = d.MaxThreadsPerBlock;")
    assert (session["n"], session["v"]) == (can.name, dict(can.details)["vendor"])
    assert session["b"] in ("Vulkan", "Metal", "D3D12")
    assert session["f"] == ("f64" in can.dtypes)
    assert session["m"] >= 256
    assert session["taken"] >= 8e6
    assert session["t"] == can.memory_bytes
    with pytest.raises(MatlabError) as caught:
        session.run("gpuDevice(2)")
    assert caught.value.identifier == "parallel:gpu:device:InvalidIndex"


@pytest.mark.parametrize(
    ("code", "identifier"),
    [
        ("gpuArray({1})", "MATLAB:UndefinedFunction"),
        ("gpuArray('a')", "MATLAB:UndefinedFunction"),
        ("gpuDevice(1)", "parallel:gpu:device:CouldNotLoadDriver"),
        ("wait(3)", "MATLAB:UndefinedFunction"),
        ("[a, b] = gather(1)", "MATLAB:TooManyOutputs"),
        ("pagefun(@mtimes, ones(2, 2, 2), ones(2, 2, 3))", "MATLAB:sizeDimensionsMustMatch"),
        ("pagefun(@(x) x(1:x(1)), cat(3, 1:2, 2:3))", "MATLAB:pagefun:pagesDiffer"),
    ],
)
def test_what_makes_no_sense_is_an_error(s: Session, code: str, identifier: str) -> None:
    with pytest.raises(MatlabError) as caught:
        s.capture(code)
    assert caught.value.identifier == identifier


def test_without_acceleration_arrays_stay_where_they_are() -> None:
    session = Session(config=config.load().replace(accel__provider="none"))
    session.run("g = gpuArray([1 2 3]); is = isgpuarray(g); y = gather(g * 2); wait(gpuDevice)")
    with pytest.raises(MatlabError) as caught:
        session.run("gpuDevice(1)")
    assert caught.value.identifier == "parallel:gpu:device:CouldNotLoadDriver"
    assert session["is"] is False
    assert session["y"].tolist() == [[2, 4, 6]]
