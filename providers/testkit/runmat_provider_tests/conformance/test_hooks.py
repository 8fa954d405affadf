"""Every hook: annotated as specified, and its part of the life of an array."""

from __future__ import annotations

import inspect
from typing import get_type_hints

import numpy as np
import pytest

from runmat_core.api import hookspecs
from runmat_core.api.array_provider import ArrayProvider
from runmat_core.api.device import (
    API_VERSION,
    OLDEST_API_VERSION,
    Capabilities,
    DeviceFault,
    NoDevice,
    ProviderTelemetry,
    SynchronizeRequest,
    TelemetryRequest,
    WarmupRequest,
)
from runmat_provider_tests.device import Device, Draft, declaration

HOOKS = [name for name in vars(hookspecs.AccelProvider) if not name.startswith("_")]


@pytest.mark.parametrize("hook", HOOKS)
def test_hook_has_the_specified_signature(device: Device, hook: str) -> None:
    implementation = getattr(type(device.plugin), hook)
    specified = getattr(hookspecs.AccelProvider, hook)
    assert (
        inspect.signature(implementation).parameters.keys()
        == inspect.signature(specified).parameters.keys()
    )
    assert get_type_hints(implementation) == get_type_hints(specified)


def test_capabilities_are_declared(device: Device) -> None:
    declared = device.capabilities
    assert isinstance(declared, Capabilities)
    assert declared.name
    assert declared.kind in ("host", "device")
    assert "f32" in declared.dtypes
    assert OLDEST_API_VERSION <= declared.api_version <= API_VERSION


def test_the_package_declares_what_it_answers(device: Device) -> None:
    """``runmat_provider.toml`` says what `capabilities` says, and names options that there are."""
    said = declaration(device.plugin, device.entry)
    if said is None:
        pytest.skip("the package has no runmat_provider.toml")
    answered = {"kind": device.capabilities.kind, "preference": device.capabilities.preference}
    differing = [
        f"{key} is {said[key]!r} in runmat_provider.toml, and capabilities answers {value!r}"
        for key, value in answered.items()
        if key in said and said[key] != value
    ]
    assert not differing, "; ".join(differing)
    options = said.get("options", {})
    if isinstance(device.plugin, ArrayProvider) and "options" in said:
        apart = sorted(set(options) ^ set(device.plugin.options))
        assert not apart, f"options of the file or the class alone: {', '.join(apart)}"
    examples = {k: v[0] if isinstance(v, list) else v for k, v in options.items()}
    try:
        other = Device(device.entry, {**examples, **device.chosen}, f"{device.entry}#options")
    except NoDevice:
        return  # it knows the options, and finds no such device
    except DeviceFault as problem:
        pytest.fail(f"an option of runmat_provider.toml is refused: {problem}")
    other.hook.close()


def test_an_option_that_it_does_not_have_is_refused(request: pytest.FixtureRequest) -> None:
    name = request.config.getoption("--runmat-provider")
    unknown = {"no_such_option": 1}
    with pytest.raises(DeviceFault, match="no_such_option"):
        Device(name, unknown, f"{name}#refused")


@pytest.mark.parametrize("shape", [(1, 1), (3, 4), (0, 3), (2, 3, 4), (1, 7)])
def test_what_is_uploaded_comes_back(device: Device, shape: tuple[int, ...]) -> None:
    data = np.asfortranarray(np.arange(np.prod(shape), dtype=np.float32).reshape(shape))
    (handle,) = device.upload(data)
    assert handle.shape == shape
    assert handle.dtype == "f32"
    assert handle.owner == device.name
    (back,) = device.download(handle)
    assert back.flags.f_contiguous
    np.testing.assert_array_equal(back, data)
    device.free(handle)
    assert handle.payload is None


@pytest.mark.parametrize("dtype", ["bool", "i8", "u16", "i32", "u32", "f32", "f64", "i64", "u64"])
def test_element_types_survive(device: Device, dtype: str) -> None:
    from runmat_core.api.device import NUMPY_DTYPE

    device.needs(dtype)
    data = np.asfortranarray(np.array([[0, 1, 1], [1, 0, 1]]).astype(NUMPY_DTYPE[dtype]))
    (handle,) = device.upload(data)
    (back,) = device.download(handle)
    assert back.dtype == data.dtype
    np.testing.assert_array_equal(back, data)
    device.free(handle)


def test_specials_survive_bit_by_bit(device: Device) -> None:
    data = np.array([[np.nan, np.inf, -np.inf, -0.0, 1e-45]], np.float32)
    (handle,) = device.upload(data)
    (back,) = device.download(handle)
    np.testing.assert_array_equal(back.view(np.uint32), data.view(np.uint32))
    device.free(handle)


def test_freed_handle_is_refused(device: Device) -> None:
    (handle,) = device.upload(np.ones((2, 2), np.float32))
    device.free(handle)
    with pytest.raises(DeviceFault):
        device.download(handle)


def test_foreign_handle_is_refused(device: Device) -> None:
    (handle,) = device.upload(np.ones((2, 2), np.float32))
    handle.owner = "somebody else"
    with pytest.raises(DeviceFault):
        device.download(handle)
    handle.owner = device.name
    device.free(handle)


def test_synchronize_warmup_and_telemetry_answer(device: Device) -> None:
    draft = Draft((4,))
    draft.store(draft.load(np.ones(4, np.float32)) + 1.0)
    assert device.hook.warmup(request=WarmupRequest(units=(draft.kernel(),)))
    before = device.hook.telemetry(request=TelemetryRequest())
    assert isinstance(before, ProviderTelemetry)
    draft.run(device)
    assert device.hook.synchronize(request=SynchronizeRequest())
    after = device.hook.telemetry(request=TelemetryRequest())
    assert after.launches == before.launches + 1


def test_memory_is_given_back(device: Device) -> None:
    request = TelemetryRequest()
    before = device.hook.telemetry(request=request).live_arrays
    handles = device.allocate(*[((100, 100), "f32")] * 5)
    device.free(*handles)
    assert device.hook.telemetry(request=request).live_arrays == before
