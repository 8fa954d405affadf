"""Names under which settings are looked for, and what does it here.

They stand for keys of files, too: ``[jit] enable`` is looked up as ``JIT_ENABLE``.
"""

from __future__ import annotations

import re

_TUNED = (
    "Workgroups, tiles and passes are chosen for each device; `runmat calibrate --tune SECONDS` "
    "finds the fastest there and keeps them."
)
_COMPILED = "Every program is compiled before it runs; there is nothing to switch or to set."
_OFFLOAD = (
    "RUNMAT_ACCEL_OFFLOAD_FORCE says where work runs, RUNMAT_ACCEL_THRESHOLD from which size on."
)
_KEPT = "RUNMAT_ACCEL_OFFLOAD_CALIBRATE=once measures a device at first use, never never does."

_RULES = tuple(
    (re.compile(pattern), hint)
    for pattern, hint in (
        (
            r"(ACCEL_)?ENABLED?|ACCEL|ACCELERATION|(ACCEL_)?GPU(_ENABLED?)?",
            "RUNMAT_ACCEL_PROVIDER=none turns acceleration off, auto on.",
        ),
        (r"(ACCEL_)?(DISABLE|NO)_FALLBACK", "RUNMAT_ACCEL_FALLBACK=none does it."),
        (
            r"(\w+_)?PRECISION",
            "Doubles are never narrowed: a device without double precision computes singles and "
            "leaves doubles to the CPU; single(x) in the program makes them single.",
        ),
        (r"(ACCEL_)?AUTO_?OFFLOAD(_ENABLED?)?", _OFFLOAD),
        (r"(ACCEL_)?(AUTO_?OFFLOAD_)?CALIBRAT(E|ION)(_\w+)?", _KEPT),
        (r"(ACCEL_)?JIT(_\w+)?|TURBINE(_\w+)?", _COMPILED),
        (
            r"(\w+_)?(WG|WORKGROUP|TILE|TILES|TWO_?PASS|VEC|VECTOR)(_(SIZE|WIDTH|THRESHOLD|[XYMNK]))*",
            _TUNED,
        ),
    )
)


def instead(name: str) -> str:
    """Return what helps somebody who sets `name`, without a prefix; mostly empty."""
    for pattern, hint in _RULES:
        if pattern.fullmatch(name):
            return hint
    return ""
