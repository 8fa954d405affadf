"""The hooks of an acceleration provider: the whole surface between the core and a device.

A provider is a class whose methods, marked with `hookimpl`, implement `AccelProvider`. Its package
names the class in the entry point group ``runmat.providers``; the core makes one instance for each
session that uses it and registers it with a plugin manager of its own. Every hook takes one frozen
`request` (`runmat_core.api.device`), is called from the thread that runs the session, and may
raise: the core turns that into a MATLAB error or falls back. `DeviceFault` and its subclasses say
what went wrong; anything else is reported as a fault of the provider.
"""

from __future__ import annotations

import pluggy

from runmat_core.api.device import (
    AllocateRequest,
    Capabilities,
    CompileRequest,
    DeviceArray,
    Downloaded,
    DownloadRequest,
    Executable,
    ExecuteRequest,
    FreeRequest,
    ProviderTelemetry,
    StartRequest,
    SynchronizeRequest,
    TelemetryRequest,
    UploadRequest,
    WarmupRequest,
)

PROJECT = "runmat"
#: Entry point group in which packages name their provider class.
ENTRY_POINT_GROUP = "runmat.providers"

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


class AccelProvider:
    """A device. Returning None declines a request; raising reports a fault."""

    @hookspec(firstresult=True)
    def capabilities(self, request: StartRequest) -> Capabilities | None:
        """Start the device and tell what it can do; None where there is no such device here."""

    @hookspec(firstresult=True)
    def allocate(self, request: AllocateRequest) -> tuple[DeviceArray, ...]:  # type: ignore[empty-body]
        """One new array for each shape and type asked for, contents undefined.

        Raises:
            OutOfDeviceMemory: all or nothing: no array is kept.
        """

    @hookspec(firstresult=True)
    def upload(self, request: UploadRequest) -> tuple[DeviceArray, ...]:  # type: ignore[empty-body]
        """One new array for each host array, with its contents."""

    @hookspec(firstresult=True)
    def download(self, request: DownloadRequest) -> Downloaded:  # type: ignore[empty-body]
        """Return the contents of arrays, column-major; a host provider may give its own memory."""

    @hookspec(firstresult=True)
    def free(self, request: FreeRequest) -> bool:  # type: ignore[empty-body]
        """Forget arrays; True. Sets `DeviceArray.payload` to None."""

    @hookspec(firstresult=True)
    def compile(self, request: CompileRequest) -> tuple[Executable | None, ...]:  # type: ignore[empty-body]
        """One executable per unit, in order; None for a unit that this device declines."""

    @hookspec(firstresult=True)
    def execute(self, request: ExecuteRequest) -> bool:  # type: ignore[empty-body]
        """Run the steps in order, or start to; True. It may not decline.

        Raises:
            DeviceFault: nothing that the steps would have written may be used.
        """

    @hookspec(firstresult=True)
    def synchronize(self, request: SynchronizeRequest) -> bool:  # type: ignore[empty-body]
        """Wait until everything executed is done; True."""

    @hookspec(firstresult=True)
    def telemetry(self, request: TelemetryRequest) -> ProviderTelemetry:  # type: ignore[empty-body]
        """Return what was counted."""

    @hookspec(firstresult=True)
    def warmup(self, request: WarmupRequest) -> bool:  # type: ignore[empty-body]
        """Get ready; True. May be a no-op."""

    @hookspec(firstresult=True)
    def close(self) -> bool:  # type: ignore[empty-body]
        """Give everything back; True. Called once, and nothing after it."""
