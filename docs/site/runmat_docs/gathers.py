"""The page of builtins that bring arrays to the host, and why: ``docs/gathers.md``.

``python -m runmat_docs.gathers`` writes it anew; tests fail where the file is stale, and where a
call that it lists leaves its array on a device.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from runmat_core.builtins import catalog, registry

PAGE = Path(__file__).parents[2] / "gathers.md"

#: Why, in words that several rows share.
_ELEMENTS = "what comes next depends on the elements: sizes, branches, errors"
_CONVERGENCE = "iterates until numbers say that it is enough"
_SERIES = "switches among series and fractions element by element"
_FACTORS = "a factorization without a library call of providers"
_OBJECTS = "takes or gives values that are no arrays of numbers"
_SMALL = "makes a matrix from a few numbers, on the host"
_SORTED = "compares sorted rows or sets whose sizes depend on elements"
_SPARSE = "sparse matrices lie on the host"

#: By family, or by what it begins with: why its builtins have host rules alone.
FAMILIES = {
    "arrays/classes": "bytes are looked at as another class",
    "arrays/comparison": "one logical comes back",
    "arrays/creation": _SMALL,
    "arrays/histograms": _ELEMENTS,
    "arrays/indexing": "subscripts out of range are errors",
    "arrays/matrices": "puts parts of several arrays into one",
    "arrays/moving": "calls a function for every window",
    "arrays/outliers": _ELEMENTS,
    "arrays/predicates": "one logical comes back",
    "arrays/sets": _SORTED,
    "arrays/shape": _SMALL,
    "arrays/sorting": _SORTED,
    "arrays/sparse": _SPARSE,
    "arrays/special": _SMALL,
    "arrays/statistics": "not captured",
    "categories": _OBJECTS,
    "cells": _OBJECTS,
    "checks": "errors depend on the elements",
    "device": "moves arrays or asks devices, which is what it is for",
    "files": "files are written and read on the host",
    "geometry": _ELEMENTS,
    "graphics": _OBJECTS,
    "graphs": _OBJECTS,
    "lang": _OBJECTS,
    "linalg/factorizations": _FACTORS,
    "linalg/functions": _CONVERGENCE,
    "linalg/iterative": _CONVERGENCE,
    "linalg/orderings": _SPARSE,
    "linalg/pages": _FACTORS,
    "linalg/patterns": _ELEMENTS,
    "linalg/products": "not captured",
    "linalg/questions": "one logical comes back",
    "linalg/systems": _FACTORS,
    "math/bits": "numbers that are no whole numbers are errors",
    "math/calculus": "calls functions, or takes spacings apart, on the host",
    "math/complex": _ELEMENTS,
    "math/constants": _SMALL,
    "math/coordinates": _ELEMENTS,
    "math/elementwise": "not captured",
    "math/extrema": "not captured",
    "math/fourier": "points at any distance have no library call",
    "math/integers": "numbers that are no whole numbers are errors",
    "math/interpolation": "errors and methods depend on the knots",
    "math/operators": _CONVERGENCE,
    "math/optimization": _CONVERGENCE,
    "math/polynomials": _ELEMENTS,
    "math/signals": _SMALL,
    "math/special": _SERIES,
    "math/trigonometry": "not captured; their results may be complex",
    "ode": _CONVERGENCE,
    "output": "text is made on the host",
    "random": "the stream is the session's",
    "sheets": _OBJECTS,
    "tables": _OBJECTS,
    "testing": _OBJECTS,
    "text": _OBJECTS,
    "time": _OBJECTS,
}
#: Calls of builtins that otherwise leave arrays on a device, with X one that is there: why they do
#: not.
CALLS = {
    "cov(X, 'omitrows')": "how many rows are left depends on the elements",
    "normalize(X, 'medianiqr')": "quartiles of what is left without NaN",
    "normalize(X, 'scale', 'first')": "not captured",
    "rescale(X, 'InputMin', -1)": "whether it is above the largest element is an error",
    "vecnorm(X + 1i)": "not captured for complex elements",
    "detrend(X, 2)": "a basis as large as the array would be sent to the device",
    "movmean(X, 3, 'SamplePoints', 1:size(X, 1))": "windows are searched for",
    "movmean(X, 2*size(X, 1))": "windows wider than the array",
    "movmedian(X, 40)": "so many elements for each one, side by side to be sorted",
    "mean(X, 'Weights', abs(X))": "not captured with weights",
    "qr(X)": "in full; in its economy form it stays",
    "lu(X)": "pivots are a permutation that the host makes",
    "mad(X, 0, 'all')": "not captured for several dimensions",
    "polyfit(X(:, 1), X(:, 2), 2)": "solves a small system and warns by its condition",
    "logical(X)": "NaN is an error, unless it is known that there is none",
}


def reason(family: str) -> str:
    """Why the builtins of a family bring their arrays to the host.

    Raises:
        KeyError: nothing says why; add a row to `FAMILIES`.
    """
    return FAMILIES[family] if family in FAMILIES else FAMILIES[family.split("/")[0]]


def gathering() -> dict[str, list[str]]:
    """By family, the builtins of the core whose arrays are brought to the host for any call."""
    found: dict[str, list[str]] = defaultdict(list)
    for entry in catalog.core():
        spec = registry.find(entry.name)
        if spec is not None and entry.acceleration == "host" and spec.pending == "compute":
            found[entry.family].append(entry.name)
    return {family: sorted(found[family], key=str.lower) for family in sorted(found)}


def text() -> str:
    """The page."""
    families = gathering()
    count = sum(map(len, families.values()))
    rows = [
        f"| `{family}` | {reason(family)} | {', '.join(f'`{name}`' for name in names)} |"
        for family, names in families.items()
    ]
    calls = [f"| `{call}` | {why} |" for call, why in CALLS.items()]
    return "\n".join(
        [
            "# Builtins that bring arrays to the host",
            "",
            "An array stays on the device where it was computed until something reads its",
            "elements: a display, a condition, a file, or a builtin with a host rule alone. This",
            f"page lists those builtins ({count} of the core) by family, and why there is no other",
            "rule for them. It is made from marks (`python -m runmat_docs.gathers`).",
            "",
            "Builtins that look at size and class alone are not listed. Reading a few elements",
            "brings a block of them, not the array.",
            "",
            "## Calls",
            "",
            "These builtins leave arrays on a device in their other forms.",
            "",
            "| call, with `X` on a device | why |",
            "|---|---|",
            *calls,
            "",
            "## Builtins",
            "",
            "| family | why | builtins |",
            "|---|---|---|",
            *rows,
            "",
        ]
    )


if __name__ == "__main__":
    PAGE.write_text(text())
