"""The page of kernel operations, made of what the core declares: ``docs/ir.md``.

``python -m runmat_docs.operations`` writes it anew; a test fails where the file is stale.
"""

from __future__ import annotations

import re
from pathlib import Path

from runmat_core.api.ir import COMPLEX_OPS, OPS, ops, reducers, tracing
from runmat_core.api.ir import calls as library
from runmat_core.api.ir.meanings import MEANINGS

PAGE = Path(__file__).parents[2] / "ir.md"

_HEAD = """\
# Operations of the kernel IR

What fusion functions are written with, and what providers compute. This page is made from the
code (`python -m runmat_docs.operations`); `runmat_core.api.ir` has the names, and `dir(ir)` lists
them all.

Element types are `bool`, `i8` to `i64`, `u8` to `u64` (*integers*), `f32` and `f64` (*floats*),
`c64` and `c128` (*complex*); *reals* are integers and floats. All operands of an operation have
one type, but for the condition of `select`. Results may differ from the NumPy form by a few units
in the last place, and not at the edge values named here; where none is named, those of IEEE 754
hold.

## Map operations

| IR | `ir` function | types | complex | gives | NumPy | edge values |
|---|---|---|---|---|---|---|
"""
_REDUCERS = """\
## Reducers

What `reduce` and `scan` run with. A provider that knows the name may compute it its own way; any
other reducer is evaluated as it is defined. `ir.reducers` has the functions that make them. Places
count from zero, as doubles, and are -1 of no elements.

| reducer | `ir.reducers` function | types | gives |
|---|---|---|---|
"""
_GIVES = {
    "same": "the operands' type",
    "bool": "bool",
    "attr": "the type asked for",
    "second": "the type of the second operand",
    "part": "the real type of the parts",
    "complex": "the complex type of the parts",
}
#: Operations that Python's operators stand for, where no function of the name does.
_OPERATORS = {
    "add": "x + y",
    "sub": "x - y",
    "mul": "x * y",
    "div": "x / y",
    "eq": "x == y",
    "ne": "x != y",
    "lt": "x < y",
    "le": "x <= y",
    "gt": "x > y",
    "ge": "x >= y",
    "pow": "power",
    "select": "where",
    "cast": "cast",
}


def functions() -> dict[str, str]:
    """Return the name or sign of each operation in a fusion function."""
    found = dict(_OPERATORS)
    for name, value in vars(tracing).items():
        op = getattr(value, "__name__", "")
        if op in OPS and callable(value) and not name.startswith("_") and op not in found:
            found[op] = name
    return found


def text() -> str:
    """The page."""
    names = functions()
    rows = []
    for op, info in OPS.items():
        meaning = MEANINGS[op]
        complex_ = "yes" if op in COMPLEX_OPS else ""
        cells = (
            f"`{op}`",
            f"`{names[op]}`",
            meaning.types,
            complex_,
            _GIVES[info.result],
            f"`{meaning.numpy}`".replace("|", "\\|"),
            meaning.edges,
        )
        rows.append(f"| {' | '.join(cells)} |".replace("  |", " |"))
    about = (ops.__doc__ or "").split("\n\n")
    complex_text = next(part for part in about if part.startswith("Complex elements"))
    return (
        _HEAD
        + "\n".join(rows)
        + f"\n\n{_plain(complex_text)}\n\n## Structural operations\n\n```text\n"
        + _table(ops.__doc__ or "")
        + f"\n```\n\n{_plain(about[-1])}\n\n"
        + _REDUCERS
        + "\n".join(
            f"| `{name}` | `{function}` | {types} | {gives} |"
            for name, (function, types, gives) in reducers.STANDARD.items()
        )
        + "\n\n## Library calls\n\n"
        + _plain("\n\n".join((library.__doc__ or "").split("\n\n")[1:4]))
        + "\n\n```text\n"
        + _table(library.__doc__ or "")
        + "\n```\n"
    )


def _plain(text: str) -> str:
    """The words of a docstring as Markdown."""
    return re.sub(r"``(.+?)``", r"`\1`", text.strip())


def _table(doc: str) -> str:
    """The table of a docstring, as it stands."""
    lines = doc.splitlines()
    edges = [k for k, line in enumerate(lines) if line.startswith("=====")]
    return "\n".join(lines[edges[0] : edges[-1] + 1])


if __name__ == "__main__":
    PAGE.write_text(text(), encoding="utf-8")
