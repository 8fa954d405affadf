"""Adding up across the threads of a workgroup, pairwise, in the same order every time."""

from __future__ import annotations

from collections.abc import Sequence

from runmat_wgpu.codegen.kernels.draft import Draft, block


def add_up(
    draft: Draft, names: Sequence[str], type_: str, slice_: str, lane: str, lanes: int, slices: int
) -> list[str]:
    """Add variables of all slices to those of slice 0, lane by lane.

    Args:
        names: of the variables.
        slice_, lane: names of a thread's slice and of its place in it.
        lanes, slices: how many there are; slices a power of two.
    """
    if slices == 1:
        return []
    half = lanes * slices // 2
    draft.shared("pile", f"array<{type_}, {half * len(names)}>")
    give = [
        f"pile[{k * half}u + ({slice_} - h) * {lanes}u + {lane}] = {name};"
        for k, name in enumerate(names)
    ]
    take = [
        f"{name} += pile[{k * half}u + {slice_} * {lanes}u + {lane}];"
        for k, name in enumerate(names)
    ]
    return block(
        f"for (var h = {slices // 2}u; h > 0u; h = h / 2u)",
        [
            *block(f"if ({slice_} >= h && {slice_} < 2u * h)", give),
            "workgroupBarrier();",
            *block(f"if ({slice_} < h)", take),
            "workgroupBarrier();",
        ],
    )
