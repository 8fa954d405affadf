"""The machine that a record is made on, in words."""

from __future__ import annotations

import contextlib
import os
import platform
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

#: Distributions whose versions a record names.
PACKAGES = (
    "runmat-core",
    "runmat-inprocess",
    "runmat-wgpu",
    "runmat-bench",
    "numpy",
    "scipy",
    "numba",
    "wgpu",
    "torch",
    "triton",
    "jax",
    "jaxlib",
)
#: Variables that say how many threads libraries use.
THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def processor() -> str:
    """The name of the CPU as the system tells it."""
    try:
        for line in Path("/proc/cpuinfo").read_text(errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def threads() -> int:
    """How many threads this process may run at once."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def memory() -> int:
    """Bytes of memory, 0 where the system does not tell."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 0


def gpus() -> list[dict[str, str]]:
    """NVIDIA's GPUs with their drivers, as its own tool tells them; empty where there is none."""
    tool = shutil.which("nvidia-smi")
    if tool is None:
        return []
    query = "--query-gpu=name,driver_version,memory.total"
    try:
        done = subprocess.run(
            [tool, query, "--format=csv,noheader"], capture_output=True, text=True, timeout=30
        )
    except (OSError, subprocess.TimeoutExpired):
        return []
    rows = [line.split(", ") for line in done.stdout.splitlines() if done.returncode == 0]
    return [dict(zip(("name", "driver", "memory"), row, strict=False)) for row in rows]


def versions() -> dict[str, str]:
    """Of Python and of the packages that are installed."""
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def describe() -> dict[str, Any]:
    """The machine as plain data."""
    return {
        "system": f"{platform.system()} {platform.release()}",
        "processor": processor(),
        "cores": os.cpu_count(),
        "threads": threads(),
        "memory_bytes": memory(),
        "gpus": gpus(),
        "python": sys.executable,
        "environment": {
            name: value
            for name, value in sorted(os.environ.items())
            if name in THREAD_VARIABLES or name.startswith("RUNMAT_")
        },
    }


def reset_peak() -> None:
    """Let the peak of this process's memory start anew, where the system can."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def peak_bytes() -> int | None:
    """Most bytes that this process has held since `reset_peak`, or ever."""
    try:
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    try:
        import resource
    except ImportError:  # Windows
        return None
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
