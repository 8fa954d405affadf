"""Literals as constants of the compiled file.

A recipe is a tuple that `marshal` keeps; `make` turns it into a value once per link. Numeric
matrices are folded to the bytes of their column-major buffer, so a literal of a million elements is
one constant.
"""

from __future__ import annotations

from typing import Any

#: ("char", text), ("array", dtype, shape, bytes), ("cell", shape, recipes) and the like.
Recipe = tuple[Any, ...]


def make(recipe: Recipe) -> Any:
    """Return the value of a recipe."""
    from runmat_core import values

    match recipe:
        case ("char", text):
            return values.char(text)
        case ("string", text):
            return values.string(text)
        case ("complex", z):
            import numpy as np

            return values.from_numpy(np.array([[z]]))
        case ("integer", name, value):
            import numpy as np

            return values.from_numpy(np.array([[value]], dtype=name))
        case ("array", dtype, (height, width), data):
            import numpy as np

            flat = np.frombuffer(bytearray(data), dtype=dtype)
            return values.from_numpy(flat.reshape((height, width), order="F"))
        case ("span", start, step, count):
            from runmat_core.values.positions import Span

            return Span(start, step, count)
        case ("cell", shape, contents):
            return values.cell([make(item) for item in contents], shape)
        case _:
            raise ValueError(f"not a constant: {recipe[0]}")
