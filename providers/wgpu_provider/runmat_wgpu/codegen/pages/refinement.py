"""Products of pages that undo what rotations lost to rounding (see `codegen.linear.refinement`)."""

from __future__ import annotations

from textwrap import indent

import attrs

from runmat_wgpu.codegen.linear.refinement import added
from runmat_wgpu.codegen.linear.text import Writer
from runmat_wgpu.codegen.pages.layout import Layout
from runmat_wgpu.codegen.scalars import library


@attrs.frozen
class Square:
    """A matrix of ``n`` columns, ``ld`` elements apart from ``start`` on, in a page's memory."""

    start: str
    ld: str

    def at(self, row: str = "row", column: str = "column") -> str:
        """Return an element."""
        return f"w[base + {self.start} + {column} * {self.ld} + {row}]"


def sums(writer: Writer) -> str:
    """Return the function that adds, and tells what is lost."""
    return library.closure([f"sum_{writer.dtype}"], library.layers(writer.target))


def product(
    found: Layout, left: str, right: str, put: str, rows: str = "n", terms: str = "n"
) -> str:
    """Statements that make a product of ``n`` columns, and a barrier.

    Args:
        left, right: the factors of term ``k`` of a ``row`` and a ``column``.
        put: statements; the element is ``sum``, but for a small ``rest``.
    """
    t = found.writer.type
    return f"""\
  for (var e = lane; e < {rows} * n; e += {found.lanes}u) {{
    let row = e % {rows};
    let column = e / {rows};
    var sum = {t}(0);
    var rest = {t}(0);
    for (var k = 0u; k < {terms}; k++) {{
{indent(added(found.writer.dtype, f"{left} * {right}"), " " * 6)}\
    }}
    {put.strip()}
  }}
  {found.sync}
"""


def orthogonal(found: Layout, v: Square, g: Square, out: Square, whole: bool = False) -> str:
    """Statements that make a matrix nearer to the orthogonal one next to `v`.

    Args:
        g: for what the product of `v` with itself lacks to the identity.
        whole: the identity is to be added to `v`.
    """
    t = found.writer.type

    def own(row: str, column: str) -> str:
        one = f" + select({t}(0), {t}(1), {row} == {column})" if whole else ""
        return f"({v.at(row, column)}{one})"

    one = f"select({t}(0), {t}(1), row == column)"
    lines = product(found, own("k", "row"), own("k", "column"), f"{g.at()} = ({one} - sum) - rest;")
    put = f"{out.at()} = {own('row', 'column')} + (sum + rest) / 2;"
    return lines + product(found, own("row", "k"), g.at("k", "column"), put)
