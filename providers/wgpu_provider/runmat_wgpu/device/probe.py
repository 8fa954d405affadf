"""What is known of the adapter before it is used: tried out once, in a process of its own.

The verdict is kept in a file, so that a good driver costs no second search and a bad one neither a
crash nor another wait. It is for one state of the machine: drivers, devices, wgpu and what the
options ask for. Reading it needs no wgpu.
"""

from __future__ import annotations

import glob
import hashlib
import importlib.util
import json
import os
import platform
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import attrs

from runmat_core.api.device import DeviceFault, NoDevice
from runmat_wgpu import files
from runmat_wgpu.device.adapter import DRIVERS, driver_text
from runmat_wgpu.options import Options

if TYPE_CHECKING:
    import subprocess

#: Grows when verdicts say something else than before.
FORMAT = 9
_DEVICES = ("/dev/dri/*", "/dev/nvidia*", "/dev/dxg")
_VARIABLES = ("VK_", "WGPU", "MESA_", "LIBGL_", "CUDA_VISIBLE", "NVIDIA_", "DRI_PRIME")
#: Features that a second trial leaves off where the first one failed.
_RISKY = ("shader-f64", "shader-int64", "subgroup", "immediates")


def _texts(some: Iterable[str]) -> tuple[str, ...]:
    return tuple(some)


@attrs.frozen(kw_only=True)
class Verdict:
    """What a trial found; see `trial.describe`.

    Attributes:
        found: whether there is an adapter; the rest tells of it.
        features: to ask the device for.
        memory: bytes of its own, None where unknown.
        problem: why it cannot be used; empty where it can.
        facts: what it does where WGSL leaves it open, see `facts.found`; empty where not tried out.
        without: features that it has, left off because a trial with them failed.
        seen: the adapters that there are, each with why it is not taken.
    """

    found: bool
    name: str = ""
    backend: str = ""
    kind: str = ""
    driver: str = ""
    vendor: str = ""
    features: tuple[str, ...] = attrs.field(default=(), converter=_texts)
    limits: dict[str, int] = attrs.Factory(dict)
    memory: int | None = None
    problem: str = ""
    facts: dict[str, bool] = attrs.Factory(dict)
    without: tuple[str, ...] = attrs.field(default=(), converter=_texts)
    seen: tuple[str, ...] = attrs.field(default=(), converter=_texts)

    @property
    def software(self) -> bool:
        return self.kind == "CPU"


def verdict(options: Options, cache_folder: str) -> Verdict:
    """Return what is known of the adapter that the options ask for; try it out if nothing is."""
    if options.probe == "never":
        return _seen(options, cache_folder)
    stamp = _stamp(options)
    path = _path(stamp, cache_folder)
    found = None
    if options.probe == "once":
        found = _known.get(stamp) or _read(path)
    if found is None:
        found = _tried(options, cache_folder)
        files.replace(path, json.dumps(attrs.asdict(found), indent=1))
    _known[stamp] = found
    return found


def forget(options: Options, cache_folder: str) -> None:
    """Have the adapter tried out anew the next time."""
    stamp = _stamp(options)
    _known.pop(stamp, None)
    with suppress(OSError):
        os.remove(_path(stamp, cache_folder))


#: Verdicts of this process, for where there is no folder.
_known: dict[str, Verdict] = {}


def _path(stamp: str, cache_folder: str) -> str:
    """Return the file of a verdict; empty without a folder."""
    return os.path.join(cache_folder, f"adapter-{stamp}.json") if cache_folder else ""


# -- trying ---------------------------------------------------------------------------------------


def _tried(options: Options, cache_folder: str) -> Verdict:
    """Return the verdict of a trial, and where that fails of one without the risky features."""
    first = _trial(options, (), cache_folder)
    if not first.problem:
        return first
    second = _trial(options, _RISKY, cache_folder)
    if second.problem or not second.found:
        return first
    return attrs.evolve(second, without=_RISKY)


def _trial(options: Options, without: tuple[str, ...], cache_folder: str) -> Verdict:
    request = {
        "options": attrs.asdict(options),
        "without": without,
        "cache_folder": cache_folder,
    }
    import subprocess  # a verdict is mostly known

    command = [sys.executable, "-m", "runmat_wgpu.device.trial", json.dumps(request)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=options.probe_seconds,
            env=environment,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired:
        seconds = options.probe_seconds
        return Verdict(found=True, problem=f"a trial hung for {seconds} seconds")
    except OSError as problem:
        return Verdict(found=True, problem=f"a trial could not be started: {problem}")
    if done.returncode:
        return Verdict(found=True, problem=_death(done))
    with suppress(ValueError, TypeError, IndexError):
        return Verdict(**json.loads(done.stdout.splitlines()[-1]))
    return Verdict(found=True, problem="a trial said nothing")


def _death(done: subprocess.CompletedProcess[str]) -> str:
    """How the trial's process ended."""
    if done.returncode < 0:
        return f"a trial was killed by signal {-done.returncode}"
    last = (done.stderr.strip().splitlines() or ["without a word"])[-1]
    return f"a trial failed: {last[:300]}"


def _seen(options: Options, cache_folder: str) -> Verdict:
    """Return the adapter as it says it is, without a trial."""
    from runmat_wgpu.device.adapter import survey
    from runmat_wgpu.device.trial import describe, memory

    adapter, seen = survey(options, cache_folder)
    if adapter is None:
        return Verdict(found=False, seen=seen)
    told = describe(adapter, adapter.wanted)
    return Verdict(**{**told, "memory": memory(adapter), "seen": seen})


# -- keeping --------------------------------------------------------------------------------------


def _stamp(options: Options) -> str:
    """Return a name for the state of the machine that a verdict is for."""
    state: list[Any] = [FORMAT, sys.platform, platform.release(), platform.version()]
    state += [options.adapter, options.backend, options.power_preference]
    found = importlib.util.find_spec("wgpu")
    origin = "" if found is None or found.origin is None else found.origin
    state += [origin, *_files(origin)]
    for pattern in DRIVERS:
        state += _files(os.path.expanduser(pattern))
    for pattern in _DEVICES:
        state += sorted(glob.glob(pattern))
    state += sorted(f"{k}={v}" for k, v in os.environ.items() if k.startswith(_VARIABLES))
    with suppress(OSError), open("/proc/driver/nvidia/version", encoding="utf-8") as file:
        state.append(file.read())
    return hashlib.sha256(json.dumps(state).encode()).hexdigest()[:20]


def _files(pattern: str) -> list[Any]:
    """Name, size and time of change of files."""
    told: list[Any] = []
    for path in sorted(glob.glob(pattern)) if pattern else []:
        with suppress(OSError):
            status = os.stat(path)
            told += [path, status.st_size, status.st_mtime_ns]
    return told


def _read(path: str) -> Verdict | None:
    try:
        with open(path, encoding="utf-8") as file:
            return Verdict(**json.load(file))
    except (OSError, ValueError, TypeError):
        return None


def explain(found: Verdict) -> DeviceFault:
    """Why an adapter is not used."""
    name = found.name or "The adapter"
    return DeviceFault(
        f"{name} cannot be used, for {found.problem}. A new driver is tried by itself; "
        'accel.wgpu.probe = "always" tries this one again'
    )


def nothing(found: Verdict) -> NoDevice:
    """Why there is no adapter to use: what there is, and what was asked for."""
    seen = "; ".join(found.seen) or "none"
    return NoDevice(f"{driver_text()}; adapters seen: {seen}")
