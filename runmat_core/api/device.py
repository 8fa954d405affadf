"""What crosses the boundary to a provider: capabilities, handles, and one request for each hook.

All of it is frozen data. New fields have defaults, so that a provider written for an older version
goes on working. Sizes are in elements unless a name says bytes; axis 0 is the fastest in memory.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Literal

import attrs
import numpy as np
from numpy.typing import NDArray

from runmat_core.api.ir import Unit
from runmat_core.api.shown import Shown

#: The version of the interface between core and providers: hooks, requests, the kernel IR and the
#: library calls. It grows when something is added that a provider has to know of to be right.
API_VERSION = 1
#: The oldest version whose providers are still right.
OLDEST_API_VERSION = 1


@attrs.frozen(kw_only=True, repr=False)
class Capabilities(Shown):
    """What a device can do; asked once, when the provider starts.

    Attributes:
        name: of the device, for people (``AMD EPYC, 2 threads``).
        kind: ``host`` shares the memory of NumPy (uploads and downloads cost nothing), ``device``
            has its own.
        dtypes: element types that kernels may use.
        ops: map operations that kernels may use; None for all of them.
        structural: structural operations that kernels may use (`reduce`, `random` …); None for all
            of them. A kernel with another one is declined.
        libraries: names of the library calls it may accept.
        epilogues: whether a library call may carry an epilogue: those that
            `runmat_core.api.ir.calls.EPILOGUES` names.
        slice_bytes: largest slice (all points along the reduced axes, over all live values) for
            which a kernel may use a reduction's result together with values that still vary along
            the reduced axes. 0: never.
        max_buffer_bytes: the largest array; None where only memory limits it.
        max_buffers: most arrays that one kernel may bind; None for as many as the core ever does.
        memory_bytes: all memory that may be used; None where unknown.
        scans: whether kernels may hold ``scan``.
        loops: whether kernels may have an axis of kind ``serial``.
        repeats: whether requests may hold `Repeat` steps.
        loop_points: the most points along the reduced axes for which a kernel with a serial axis
            may reduce. 0: none may.
        joins: whether kernels put arrays together (a concatenation, an array with a replaced
            region) faster than a host copies parts. Those of a device always do so.
        flat_reductions: whether what is reduced to a single element is to lie in memory as one
            array, unless it is computed in the order of its elements: kernels that find the order
            in several axes are slower.
        break_even: elements times operations from which on an evaluation on a host takes no longer
            than host rules do, with all that the core does for it (see
            `runmat_core.accel.planning.worth`).
        threads: how much runs at the same time, for people.
        driver: version text; with `name` the key under which calibration is kept.
        software: the device is emulated on the CPU: only heavy computation is worth sending.
        preference: which of several hardware devices ``auto`` takes: the highest; below 0 it is
            used only where the configuration names it.
        details: anything else to show in ``runmat info``. `gpuDevice` gives ``vendor``, ``backend``
            and ``threads per block`` as properties.
        api_version: the version of the interface that the provider is written for.
    """

    name: str
    kind: Literal["host", "device"]
    dtypes: frozenset[str]
    ops: frozenset[str] | None = None
    structural: frozenset[str] | None = None
    libraries: frozenset[str] = frozenset()
    epilogues: bool = False
    slice_bytes: int = 0
    max_buffer_bytes: int | None = None
    max_buffers: int | None = None
    memory_bytes: int | None = None
    scans: bool = True
    loops: bool = False
    loop_points: int = 0
    repeats: bool = False
    joins: bool = False
    flat_reductions: bool = False
    break_even: int = 2_500_000
    threads: int = 1
    driver: str = ""
    software: bool = False
    preference: int = 0
    details: tuple[tuple[str, str], ...] = ()
    api_version: int = 1


@attrs.define(eq=False, repr=False)
class DeviceArray(Shown):
    """A handle on an array that a provider holds.

    Only its maker looks into `payload`. The core frees every handle exactly once (`free`), after
    which `payload` is None.

    Attributes:
        shape: column-major.
        dtype: element type by IR name.
        owner: the name of the provider instance that made it.
        payload: what the provider keeps here: a buffer, an ``ndarray``.
    """

    shape: tuple[int, ...]
    dtype: str
    owner: str
    payload: Any = None

    @property
    def size(self) -> int:
        """Number of elements."""
        size = 1
        for extent in self.shape:
            size *= extent
        return size


@attrs.frozen(repr=False)
class Executable(Shown):
    """A compiled unit; `payload` is the provider's own.

    Attributes:
        source: the text that was generated for it, for people; empty where there is none.
    """

    unit: Unit
    owner: str
    payload: Any = attrs.field(default=None, eq=False)
    source: str = attrs.field(default="", eq=False, kw_only=True)


@attrs.frozen(repr=False)
class Addressing(Shown):
    """Where a view of a launch points: element = offset + sum(strides[k] * point[k])."""

    offset: int
    strides: tuple[int, ...]


@attrs.frozen(repr=False)
class Launch(Shown):
    """Run an executable.

    Attributes:
        executable: what `compile` gave.
        slots: for a kernel, the slot of each of its buffers; for a library call the slots of its
            inputs (then of the epilogue's further buffers) and of its outputs.
        extents: of the kernel's axes; of a library call the extents that its name defines, such as
            (m, n, k) for ``matmul``.
        views: addressing of each view of the kernel (of the epilogue, for a library call).
        params: for each `Kernel.params`, its index into `ExecuteRequest.params`.
        label: for traces and ``explain``.
    """

    executable: Executable
    slots: tuple[int, ...]
    extents: tuple[int, ...]
    views: tuple[Addressing, ...] = ()
    params: tuple[int, ...] = ()
    label: str = ""


@attrs.frozen(repr=False)
class Copy(Shown):
    """Copy the whole array of slot `source` to slot `target` of the same size."""

    source: int
    target: int


@attrs.frozen(repr=False)
class Repeat(Shown):
    """Run `steps` `count` times; after each trip slots change places as `rotation` says.

    Attributes:
        rotation: pairs (slot, slot that it stands for in the next trip).
        advance: pairs (index into `ExecuteRequest.params`, what is added after each trip). A
            whole number is added modulo 2^64 to the pair of u32 params, low word first, that
            begins at the index; a float to a param of a floating type.
        moves: triples (index into `steps`, view, elements by which the offset of that view of that
            launch grows after each trip).
    """

    steps: tuple[Launch | Copy, ...]
    count: int
    rotation: tuple[tuple[int, int], ...] = ()
    advance: tuple[tuple[int, int | float], ...] = ()
    moves: tuple[tuple[int, int, int], ...] = ()

    def advanced(self, params: Sequence[float | bool | int]) -> list[float | bool | int]:
        """Return the params after a trip; after the last one the following steps see them so."""
        after = list(params)
        for at, by in self.advance:
            if isinstance(by, float):
                after[at] = after[at] + by
            else:
                number = (int(after[at]) | int(after[at + 1]) << 32) + by
                after[at], after[at + 1] = number & 0xFFFFFFFF, number >> 32 & 0xFFFFFFFF
        return after

    def moved(self, steps: Sequence[Launch | Copy]) -> tuple[Launch | Copy, ...]:
        """Return `steps` of one trip as they are in the next."""
        if not self.moves:
            return tuple(steps)
        after = list(steps)
        for number, view, by in self.moves:
            launch = after[number]
            if not isinstance(launch, Launch):
                raise DeviceFault("A repeat moves a view of a copy.")
            views = list(launch.views)
            views[view] = Addressing(views[view].offset + by, views[view].strides)
            after[number] = attrs.evolve(launch, views=tuple(views))
        return tuple(after)


Step = Launch | Copy | Repeat


# -- requests, one for each hook -----------------------------------------------------------------


@attrs.frozen(kw_only=True, repr=False)
class StartRequest(Shown):
    """Start the device.

    Attributes:
        name: of this provider instance, to be written into handles and executables.
        options: the keys of ``[accel.NAME]`` of the configuration.
        cache_folder: where the provider may keep files between runs; empty: nowhere.
        api_version: the version of the interface that the core has.
        auto: nobody named this provider, the core looks for the best one: what would be passed
            over anyway (`Capabilities.software`) may say at once that there is no device.
    """

    name: str
    options: tuple[tuple[str, Hashable], ...] = ()
    cache_folder: str = ""
    auto: bool = False
    api_version: int = API_VERSION


@attrs.frozen(kw_only=True, repr=False)
class AllocateRequest(Shown):
    """Make uninitialised arrays, one for each (shape, element type)."""

    arrays: tuple[tuple[tuple[int, ...], str], ...]


@attrs.frozen(kw_only=True, repr=False)
class UploadRequest(Shown):
    """Make arrays with the contents of host arrays.

    Each is column-major without gaps, and must be taken as read-only and as it is now: the caller
    keeps it unchanged while the handle lives, so a host provider may hold on to it.
    """

    arrays: tuple[NDArray[Any], ...]


@attrs.frozen(kw_only=True, repr=False)
class DownloadRequest(Shown):
    """Bring arrays to the host, together, after everything that was executed before.

    Attributes:
        arrays: the handles.
        status: a status array to read in the same transfer, or None.
    """

    arrays: tuple[DeviceArray, ...]
    status: DeviceArray | None = None


@attrs.frozen(kw_only=True, repr=False)
class Downloaded(Shown):
    """Column-major arrays in the order asked for, and the status bits."""

    arrays: tuple[NDArray[Any], ...]
    status: int = 0


@attrs.frozen(kw_only=True, repr=False)
class FreeRequest(Shown):
    """Give arrays back; what was executed before may still use them."""

    arrays: tuple[DeviceArray, ...]


#: Extents and views of a launch.
LaunchSizes = tuple[tuple[int, ...], tuple[Addressing, ...]]


@attrs.frozen(kw_only=True, repr=False)
class CompileRequest(Shown):
    """Turn units into executables.

    Attributes:
        launches: extents and views of the launch that each unit is compiled for, as far as they are
            known: a hint of what to make ready. Launches may differ from these.
    """

    units: tuple[Unit, ...]
    launches: tuple[LaunchSizes, ...] = ()


@attrs.frozen(kw_only=True, slots=False, repr=False)  # made in half the time, each time a plan runs
class ExecuteRequest(Shown):
    """Run a plan's steps in order.

    Attributes:
        steps: launches, copies and repeats over `slots`.
        slots: arrays, none of them freed.
        params: scalars: float, bool or int.
        status: a u32 array of one element whose bits ``guard`` sets, or None without guards.
        read_next: a download of what these steps make follows at once, and they are expected to be
            over sooner than a submission takes: they may be submitted together with it.
    """

    steps: tuple[Step, ...]
    slots: tuple[DeviceArray, ...]
    params: tuple[float | bool | int, ...] = ()
    status: DeviceArray | None = None
    read_next: bool = False


@attrs.frozen(kw_only=True, repr=False)
class SynchronizeRequest(Shown):
    """Wait until everything executed so far is done."""


@attrs.frozen(kw_only=True, repr=False)
class WarmupRequest(Shown):
    """Get ready what is known to be needed: compile units, start threads.

    Those very units are what `compile` is asked for next.

    Attributes:
        tune: seconds that may be spent on finding out which of several forms of kernels are the
            fastest here, to be remembered in the provider's cache folder.
    """

    units: tuple[Unit, ...] = ()
    tune: float = 0.0


@attrs.frozen(kw_only=True, repr=False)
class TelemetryRequest(Shown):
    """Tell counters since the last request when `reset`, else since the start."""

    reset: bool = False


@attrs.frozen(kw_only=True, repr=False)
class ProviderTelemetry(Shown):
    """What a provider counted.

    Attributes:
        kernel_seconds: time inside kernels, by the device's own clock where it has one.
        launches: how many kernels and library calls ran.
        bytes_read, bytes_written: by launches.
        upload_bytes, download_bytes: over the link; 0 for a host provider.
        peak_bytes, live_bytes, live_arrays: of memory held for handles.
        compiles, compile_seconds: of units.
        kernels: (label, launches, seconds) of the most expensive ones.
        configurations: (label, how it runs) of kernels that were compiled: workgroups, tiles,
            vectors, for people.
        counters: anything else by name.
        refused: (name, why) of units that were declined because the device's own compiler does not
            take what was generated for them, which is a fault of the generator; a few of them.
    """

    kernel_seconds: float = 0.0
    launches: int = 0
    bytes_read: int = 0
    bytes_written: int = 0
    upload_bytes: int = 0
    download_bytes: int = 0
    peak_bytes: int = 0
    live_bytes: int = 0
    live_arrays: int = 0
    compiles: int = 0
    compile_seconds: float = 0.0
    kernels: tuple[tuple[str, int, float], ...] = ()
    configurations: tuple[tuple[str, str], ...] = ()
    counters: tuple[tuple[str, float], ...] = ()
    refused: tuple[tuple[str, str], ...] = ()


#: NumPy's type for each element type of the IR.
NUMPY_DTYPE: dict[str, np.dtype[Any]] = {
    "bool": np.dtype(np.bool_),
    "i8": np.dtype(np.int8),
    "i16": np.dtype(np.int16),
    "i32": np.dtype(np.int32),
    "i64": np.dtype(np.int64),
    "u8": np.dtype(np.uint8),
    "u16": np.dtype(np.uint16),
    "u32": np.dtype(np.uint32),
    "u64": np.dtype(np.uint64),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
    "c64": np.dtype(np.complex64),
    "c128": np.dtype(np.complex128),
}
DTYPE_NAME: dict[str, str] = {dtype.char: name for name, dtype in NUMPY_DTYPE.items()}


class DeviceFault(Exception):  # noqa: N818 - MATLAB users read "fault"
    """A device could not do what it was asked; the session goes on without that result.

    Args:
        message: one sentence for the user.
        identifier: of the MATLAB error that it becomes.
    """

    identifier = "RunMat:accel:fault"

    def __init__(self, message: str, identifier: str = "") -> None:
        super().__init__(message)
        self.message = message
        if identifier:
            self.identifier = identifier


class OutOfDeviceMemory(DeviceFault):
    """The device has no room for an array."""

    identifier = "RunMat:accel:outOfMemory"


class DeviceLost(DeviceFault):
    """The device stopped working; every handle on it is void."""

    identifier = "RunMat:accel:deviceLost"


class ForeignHandle(DeviceFault):
    """A handle of another provider, or one that was freed."""

    identifier = "RunMat:accel:invalidHandle"


class NoDevice(DeviceFault):
    """There is no device here that the provider may use; raised by `capabilities`.

    As good as the answer None, and more useful: the message says what was looked at, what was
    found, and why nothing of it is used.
    """

    identifier = "RunMat:accel:noDevice"
