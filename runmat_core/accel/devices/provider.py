"""A started provider, with its hooks as methods."""

from __future__ import annotations

import os
from typing import Any, NoReturn

from numpy.typing import NDArray

from runmat_core.accel.devices.discovery import Installed
from runmat_core.accel.devices.orphans import ORPHANS
from runmat_core.api.device import (
    AllocateRequest,
    Capabilities,
    CompileRequest,
    DeviceArray,
    DeviceFault,
    Downloaded,
    DownloadRequest,
    Executable,
    ExecuteRequest,
    FreeRequest,
    LaunchSizes,
    OutOfDeviceMemory,
    ProviderTelemetry,
    Step,
    SynchronizeRequest,
    TelemetryRequest,
    UploadRequest,
    WarmupRequest,
)
from runmat_core.api.errors import MatlabError
from runmat_core.api.ir import Unit

#: What a provider may raise: also what would end the process, apart from the user's own interrupt.
FAILURES = (Exception, SystemExit, GeneratorExit)


class Provider:
    """A started provider: its hooks as methods.

    Every method raises `DeviceFault` (or a subclass): whatever else leaves a hook is wrapped in
    one that names the provider and the hook. With ``RUNMAT_DEBUG=1`` it passes unchanged.

    Whatever has arrays on it holds it. One that nobody holds any more is closed soon after, if it
    was not before (`orphans`).

    Attributes:
        name: of this instance, which its handles carry as `owner`: the provider's name, with a
            number behind it from the second instance in a process on.
        installed: where it comes from.
        capabilities: what it can do.
    """

    def __init__(
        self, name: str, origin: Installed, capabilities: Capabilities, manager: Any
    ) -> None:
        self.name = name
        self.installed = origin
        self.capabilities = capabilities
        self.closed = False
        self._process = os.getpid()
        # the module may be gone when the last provider goes
        self._orphaned = ORPHANS.append
        hook = manager.hook
        # found once: looking a hook up and calling it takes microseconds
        self._allocate = _direct(hook.allocate)
        self._upload = _direct(hook.upload)
        self._download = _direct(hook.download)
        self._free = _direct(hook.free)
        self._compile = hook.compile
        self._execute = _direct(hook.execute)
        self._synchronize = hook.synchronize
        self._telemetry = hook.telemetry
        self._warmup = hook.warmup
        self._close = hook.close

    def __repr__(self) -> str:
        return f"<Provider {self.name}: {self.capabilities.name}>"

    def allocate(self, arrays: tuple[tuple[tuple[int, ...], str], ...]) -> tuple[DeviceArray, ...]:
        """One new array for each (shape, element type), contents undefined."""
        try:
            made = self._allocate(request=AllocateRequest(arrays=arrays))
        except FAILURES as problem:
            self._fault("allocate", problem)
        if made.__class__ is tuple and len(made) == len(arrays):
            return made
        return self._several("allocate", made, len(arrays))

    def upload(self, arrays: tuple[NDArray[Any], ...]) -> tuple[DeviceArray, ...]:
        """One new array for each column-major host array, with its contents."""
        try:
            made = self._upload(request=UploadRequest(arrays=arrays))
        except FAILURES as problem:
            self._fault("upload", problem)
        return self._several("upload", made, len(arrays))

    def download(
        self, arrays: tuple[DeviceArray, ...], status: DeviceArray | None = None
    ) -> Downloaded:
        """Return the contents of arrays, and the bits of a status array."""
        try:
            got = self._download(request=DownloadRequest(arrays=arrays, status=status))
        except FAILURES as problem:
            self._fault("download", problem)
        if not isinstance(got, Downloaded) or len(got.arrays) != len(arrays):
            self._wrong("download", f"a Downloaded of {len(arrays)} arrays", got)
        return got

    def free(self, arrays: tuple[DeviceArray, ...]) -> None:
        """Give arrays back."""
        try:
            done = self._free(request=FreeRequest(arrays=arrays))
        except FAILURES as problem:
            self._fault("free", problem)
        if done is not True:
            self._wrong("free", "True", done)

    def compile(
        self, units: tuple[Unit, ...], launches: tuple[LaunchSizes, ...] = ()
    ) -> tuple[Executable | None, ...]:
        """One executable per unit, None for a unit that this device declines.

        Args:
            launches: see `CompileRequest`.
        """
        try:
            made = self._compile(request=CompileRequest(units=units, launches=launches))
        except FAILURES as problem:
            self._fault("compile", problem)
        if made is None:
            return (None,) * len(units)
        return self._several("compile", made, len(units))

    def execute(
        self,
        steps: tuple[Step, ...],
        slots: tuple[DeviceArray, ...],
        params: tuple[float | bool | int, ...] = (),
        status: DeviceArray | None = None,
        read_next: bool = False,
    ) -> None:
        """Run steps in order, or start to; see `ExecuteRequest`."""
        request = ExecuteRequest(
            steps=steps, slots=slots, params=params, status=status, read_next=read_next
        )
        try:
            done = self._execute(request=request)
        except FAILURES as problem:
            self._fault("execute", problem)
        if done is not True:
            self._wrong("execute", "True", done)

    def synchronize(self) -> None:
        """Wait until everything executed so far is done."""
        try:
            done = self._synchronize(request=SynchronizeRequest())
        except FAILURES as problem:
            self._fault("synchronize", problem)
        if done is not True:
            self._wrong("synchronize", "True", done)

    def telemetry(self, reset: bool = False) -> ProviderTelemetry:
        """Return what was counted since the start, or since the last reset.

        Zeros where nothing is.
        """
        try:
            told = self._telemetry(request=TelemetryRequest(reset=reset))
        except FAILURES as problem:
            self._fault("telemetry", problem)
        if told is None:
            return ProviderTelemetry()
        if not isinstance(told, ProviderTelemetry):
            self._wrong("telemetry", "a ProviderTelemetry", told)
        return told

    def warmup(self, units: tuple[Unit, ...] = (), tune: float = 0.0) -> None:
        """Let the provider get ready what is known to be needed; see `WarmupRequest`."""
        try:
            self._warmup(request=WarmupRequest(units=units, tune=tune))
        except FAILURES as problem:
            self._fault("warmup", problem)

    def close(self) -> None:
        """Give everything back, once; a second call does nothing."""
        if self.closed:
            return
        self.closed = True
        try:
            self._close()
        except FAILURES as problem:
            self._fault("close", problem)

    def __del__(self) -> None:
        if not getattr(self, "closed", True) and hasattr(self, "_close"):
            # arrays on it that are dropped with it need not be given back any more
            self.closed = True
            self._orphaned((self._process, self._close))

    def _several(self, hook: str, made: Any, count: int) -> tuple[Any, ...]:
        if made.__class__ is not tuple or len(made) != count:
            self._wrong(hook, f"a tuple of {count}", made)
        return made

    def _fault(self, hook: str, problem: BaseException) -> NoReturn:
        if isinstance(problem, DeviceFault) or debugging():
            if isinstance(problem, DeviceFault) and self.installed.name not in problem.message:
                problem.message = f"The acceleration provider '{self.name}': {problem.message}"
            try:
                raise problem
            finally:
                # its traceback has this frame: arrays would live until Python looks for garbage
                del problem
        kind = OutOfDeviceMemory if isinstance(problem, MemoryError) else DeviceFault
        raise kind(
            f"The acceleration provider '{self.name}' failed in '{hook}': {describe(problem)}"
        ) from problem

    def _wrong(self, hook: str, wanted: str, got: Any) -> NoReturn:
        given = f"a tuple of {len(got)}" if isinstance(got, tuple) else type(got).__name__
        if got is None or isinstance(got, bool):
            given = str(got)
        raise DeviceFault(
            f"The acceleration provider '{self.name}' must answer '{hook}' with {wanted}, "
            f"not {given}."
        )


def _direct(hook: Any) -> Any:
    """Return what a hook comes to: its one implementation, without the search for others."""
    found = hook.get_hookimpls()
    plain = len(found) == 1 and not (found[0].wrapper or found[0].hookwrapper)
    return found[0].function if plain and found[0].argnames == ("request",) else hook


def debugging() -> bool:
    """Whether ``RUNMAT_DEBUG`` asks for Python's own tracebacks."""
    return os.environ.get("RUNMAT_DEBUG", "") not in ("", "0")


def describe(problem: BaseException) -> str:
    """Return what went wrong, with the kind of exception unless it was written for users."""
    said = str(problem)
    if isinstance(problem, DeviceFault | MatlabError) and said:
        return said
    return f"{type(problem).__name__}: {said}" if said else type(problem).__name__
