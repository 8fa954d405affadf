"""The first use of an adapter: a program that runs in a process of its own (see `probe`).

It opens the device, computes with every kind of number that kernels would use, compares with
Python's results and prints what it found as JSON. A driver that kills or blocks its process does so
here.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from glob import glob
from typing import Any

import numpy as np

from runmat_core.api.device import DeviceFault
from runmat_wgpu.device.adapter import SUBGROUP, Adapter, survey
from runmat_wgpu.device.facts import computed, found, takes_immediates
from runmat_wgpu.options import Options

#: Of each feature: WGSL type, NumPy type, and two numbers to compute with.
_NUMBERS: dict[str, tuple[str, Any, Any, Any]] = {
    "": ("f32", np.float32, 1.5, -0.3125),
    "shader-f64": ("f64", np.float64, 1.0 + 2.0**-40, 3.0 - 2.0**-45),
    "shader-int64": ("i64", np.int64, 2**40 + 7, -3),
}
_SHADER = """
@group(0) @binding(0) var<storage, read> a: array<TYPE>;
@group(0) @binding(1) var<storage, read_write> b: array<TYPE>;
@compute @workgroup_size(1)
fn main() {
    b[0] = a[0] + a[1];
    b[1] = a[0] - a[1];
    b[2] = a[0] * a[1];
    b[3] = a[1] * a[1] + a[0];
}
"""


def main() -> None:
    """Print the description of the adapter that the options (JSON, first argument) ask for."""
    request = json.loads(sys.argv[1])
    adapter, seen = survey(Options(**request["options"]), request["cache_folder"])
    told: dict[str, Any] = {"found": adapter is not None}
    if adapter is not None:
        features = [f for f in adapter.wanted if f not in request["without"]]
        told = describe(adapter, features)
        told["problem"], told["facts"] = try_out(adapter, features)
        told["memory"] = memory(adapter)
    print(json.dumps({**told, "seen": seen}), flush=True)


def describe(adapter: Adapter, features: Sequence[str]) -> dict[str, Any]:
    """Return an adapter as data; the features are those that its device will be asked for."""
    return {
        "found": True,
        "name": adapter.name,
        "backend": adapter.backend,
        "kind": adapter.kind,
        "driver": adapter.driver,
        "vendor": adapter.vendor,
        "features": list(features),
        "limits": {
            **{name: int(value) for name, value in adapter.handle.limits.items()},
            SUBGROUP: adapter.subgroup,
        },
        "memory": None,
        "problem": "",
        "facts": {},
    }


def try_out(adapter: Adapter, features: Sequence[str]) -> tuple[str, dict[str, bool]]:
    """Compute a little.

    Returns:
        What is wrong with the results, empty where nothing is; and the facts of `facts.found`.
    """
    from wgpu import GPUError

    try:
        device = adapter.handle.request_device_sync(required_features=list(features))
        for feature, (wgsl, dtype, *numbers) in _NUMBERS.items():
            if feature and feature not in features:
                continue
            a, b = (dtype(number) for number in numbers)
            got = computed(device, _SHADER.replace("TYPE", wgsl), np.array([a, b], dtype), 4)
            expected = np.array([a + b, a - b, a * b, b * b + a], dtype)
            # the last one may be contracted
            if not np.allclose(got, expected, rtol=0 if wgsl == "i64" else 1e-6, atol=0):
                return f"it computes wrongly with {wgsl}", {}
            if not np.array_equal(got[:3], expected[:3]):
                return f"it computes inexactly with {wgsl}", {}
        if "immediates" in features and not takes_immediates(device):
            return "it does not take scalars with commands", {}
        return "", found(device, "shader-f64" in features, adapter.software)
    except (GPUError, RuntimeError, DeviceFault) as problem:
        return " ".join(str(problem).split())[:300], {}


def memory(adapter: Adapter) -> int | None:
    """Bytes of the memory of a card, None where nothing tells; wgpu does not."""
    if adapter.shared_memory:
        return None
    sizes = []
    with suppress(OSError, ValueError, subprocess.SubprocessError):
        query = ["nvidia-smi", "--query-gpu=name,memory.total", "--format=csv,noheader,nounits"]
        lines = subprocess.run(query, capture_output=True, text=True, timeout=10, check=True)
        for line in lines.stdout.splitlines():
            name, _, size = line.rpartition(",")
            if name.strip() in adapter.name or adapter.name in name:
                sizes.append(int(size) << 20)
    for path in glob("/sys/class/drm/card*/device/mem_info_vram_total"):
        if "amd" in adapter.name.lower() or "radeon" in adapter.name.lower():
            with suppress(OSError, ValueError), open(path, encoding="ascii") as file:
                sizes.append(int(file.read()))
    return min(sizes, default=None)


if __name__ == "__main__":
    main()
