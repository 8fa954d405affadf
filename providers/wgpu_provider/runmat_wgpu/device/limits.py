"""What generators may rely on, from the features and limits of a device."""

from __future__ import annotations

from collections.abc import Mapping

from runmat_wgpu.codegen.shader import Target
from runmat_wgpu.device.adapter import SUBGROUP


def target_of(
    software: bool,
    features: frozenset[str],
    limits: dict[str, int],
    tuned: tuple[tuple[str, int], ...] = (),
    facts: Mapping[str, bool] | None = None,
) -> Target:
    """Return what a device of these features and limits can do.

    Args:
        software: it is emulated.
        tuned: what tuning found for it.
        facts: what it does where WGSL leaves it open, as a trial found.
    """
    return Target(
        f64="shader-f64" in features,
        i64="shader-int64" in features,
        subgroups="subgroup" in features,
        subgroup=limits.get(SUBGROUP, 0) if "subgroup" in features else 0,
        software=software,
        invocations=min(
            limits["max-compute-invocations-per-workgroup"], limits["max-compute-workgroup-size-x"]
        ),
        workgroup_bytes=limits["max-compute-workgroup-storage-size"],
        groups=limits["max-compute-workgroups-per-dimension"],
        bindings=limits["max-storage-buffers-per-shader-stage"],
        binding_bytes=limits["max-storage-buffer-binding-size"] // 16 * 16,
        alignment=limits["min-storage-buffer-offset-alignment"],
        tuned=tuned,
        **(facts or {}),
    )
