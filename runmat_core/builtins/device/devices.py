"""The device that computes: what it is, and waiting for it."""

from __future__ import annotations

import math
from typing import Any

from runmat_core.accel import context
from runmat_core.api.builtin import builtin
from runmat_core.api.device import NUMPY_DTYPE, Capabilities
from runmat_core.api.errors import MatlabError
from runmat_core.values import char
from runmat_core.values.object import HandleObject

#: Where no provider computes, host rules do.
_HOST = Capabilities(name="host", kind="host", dtypes=frozenset(NUMPY_DTYPE))


class Device(HandleObject):
    """Where large arrays are computed; `data` holds the properties that do not change."""

    __slots__ = ()
    class_name = "parallel.gpu.Device"
    properties = (
        "Name",
        "Index",
        "Vendor",
        "Backend",
        "Provider",
        "SupportsDouble",
        "DriverVersion",
        "MaxThreadsPerBlock",
        "TotalMemory",
        "AvailableMemory",
        "DeviceAvailable",
        "DeviceSelected",
    )

    def field(self, name: str) -> Any:
        return _available() if name == "AvailableMemory" else super().field(name)


def _provider() -> tuple[Any, bool]:
    """Return the provider that computes and whether it is a device of its own.

    Return None where none does.
    """
    seat = context.start()
    if seat is None:
        return None, False
    choice = seat.engine.choice
    if choice.device is not None:
        return choice.device, True
    return choice.host, False


@builtin("gpuDevice", family="device/devices", needs=(), effects="state")
def gpu_device(index: Any = None) -> Any:
    """The device that large arrays are computed on.

    D = gpuDevice is an object with the properties Name, Index, Vendor, Backend, Provider,
    SupportsDouble, DriverVersion, MaxThreadsPerBlock, TotalMemory and AvailableMemory in bytes,
    DeviceAvailable and DeviceSelected. What the provider does not say is empty text or NaN. Where
    there is no device, gpuArray computes on the processor: it is that and DeviceAvailable is false.
    D = gpuDevice(N) selects device N; a session has one or none, and none is an error.

    Examples:
        >> d = gpuDevice;
        >> d.Index
        ans =
             1

    See also: gpuDeviceCount, canUseGPU, wait, gpuArray.
    """
    provider, is_device = _provider()
    if index is not None and not is_device:
        raise MatlabError(
            "parallel:gpu:device:CouldNotLoadDriver",
            "Unable to find a supported GPU device. `runmat info` says which providers there are.",
        )
    if index is not None and index != 1.0:
        raise MatlabError(
            "parallel:gpu:device:InvalidIndex",
            "Invalid device index. A session has one device, number 1; the setting "
            "`accel.provider` says which.",
        )
    can = _HOST if provider is None else provider.capabilities
    memory, details = can.memory_bytes, dict(can.details)
    threads = details.get("threads per block", "")
    device: Device = object.__new__(Device)
    device.data = {
        "Name": char(can.name),
        "Index": 1.0,
        "Vendor": char(details.get("vendor", "")),
        "Backend": char(details.get("backend", "")),
        "Provider": char("none" if provider is None else provider.name),
        "SupportsDouble": "f64" in can.dtypes,
        "DriverVersion": char(can.driver),
        "MaxThreadsPerBlock": float(threads) if threads.isdecimal() else math.nan,
        "TotalMemory": math.nan if memory is None else float(memory),
        "AvailableMemory": _available(),
        "DeviceAvailable": is_device,
        "DeviceSelected": True,
    }
    return device


def _available() -> float:
    """Bytes of the device's memory that no array takes now; NaN where its size is unknown."""
    provider, _ = _provider()
    if provider is None or provider.capabilities.memory_bytes is None:
        return math.nan
    return float(max(provider.capabilities.memory_bytes - provider.telemetry().live_bytes, 0))


@builtin("gpuDeviceCount", family="device/devices", effects="pure")
def gpu_device_count(kind: Any = None) -> float:
    """Number of devices besides the processor that this session can use: 0 or 1.

    N = gpuDeviceCount

    Examples:
        >> gpuDeviceCount < 2
        ans =
          logical
           1

    See also: gpuDevice, canUseGPU.
    """
    return float(_provider()[1])


@builtin("canUseGPU", family="device/devices", effects="pure")
def can_use_gpu() -> bool:
    """Whether there is a device besides the processor.

    TF = canUseGPU

    Examples:
        >> canUseGPU == (gpuDeviceCount > 0)
        ans =
          logical
           1

    See also: gpuDevice, gpuDeviceCount.
    """
    return _provider()[1]


@builtin("wait", family="device/devices", nargout=0, effects="state")
def wait(device: Any) -> None:
    """Wait until a device has computed everything that was asked for, or a timer has stopped.

    wait(D) of a device that gpuDevice gave also computes what is still pending, so that the time
    until then is that of the computation.
    wait(T) of a timer calls its function when it is due.

    Examples:
        >> wait(gpuDevice)

    See also: gpuDevice, tic, toc.
    """
    if not isinstance(device, Device):
        found = device.method("wait") if isinstance(device, HandleObject) else None
        if found is None:
            raise MatlabError(
                "MATLAB:UndefinedFunction", "wait needs a device, as gpuDevice gives it."
            )
        found(0)
        return
    context.finish()
