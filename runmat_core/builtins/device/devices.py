"""The device that computes: what it is, and waiting for it."""

from __future__ import annotations

from typing import Any

from runmat_core.accel.capture import current
from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.values import char
from runmat_core.values.object import HandleObject


class Device(HandleObject):
    """Where large arrays are computed; `data` holds the properties."""

    __slots__ = ()
    class_name = "parallel.gpu.Device"
    properties = (
        "Name",
        "Index",
        "Provider",
        "SupportsDouble",
        "DriverVersion",
        "TotalMemory",
        "DeviceAvailable",
        "DeviceSelected",
    )


def _provider() -> tuple[Any, bool]:
    """The provider that computes and whether it is a device of its own; None where none does."""
    seat = current.start()
    if seat is None:
        return None, False
    choice = seat.engine.choice
    if choice.device is not None:
        return choice.device, True
    return choice.host, False


@builtin("gpuDevice", family="device/devices", needs=(), effects="state")
def gpu_device(index: Any = 1.0) -> Any:
    """The device that large arrays are computed on.

    D = gpuDevice is an object with the properties Name, Index, Provider, SupportsDouble,
    DriverVersion, TotalMemory in bytes, DeviceAvailable and DeviceSelected. Where there is no
    device, it is the processor and DeviceAvailable is false.
    D = gpuDevice(N) selects device N; a session has one.

    Examples:
        >> d = gpuDevice;
        >> d.Index
        ans =
             1

    See also: gpuDeviceCount, canUseGPU, wait, gpuArray.
    """
    if index != 1.0:
        raise MatlabError(
            "parallel:gpu:device:InvalidIndex",
            "Invalid device index. A session has one device, number 1; the setting "
            "`accel.provider` says which.",
        )
    provider, is_device = _provider()
    can = None if provider is None else provider.capabilities
    memory = None if can is None else can.memory_bytes
    device: Device = object.__new__(Device)
    device.data = {
        "Name": char("host" if can is None else can.name),
        "Index": 1.0,
        "Provider": char("none" if provider is None else provider.name),
        "SupportsDouble": can is None or "f64" in can.dtypes,
        "DriverVersion": char("" if can is None else can.driver),
        "TotalMemory": float("nan") if memory is None else float(memory),
        "DeviceAvailable": is_device,
        "DeviceSelected": True,
    }
    return device


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
    current.finish()
