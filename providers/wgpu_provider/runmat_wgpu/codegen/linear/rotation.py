"""Statements of a rotation: which indices meet, by which angle, and what it does to ``w``.

They stand wherever pairs are turned, of one matrix (`codegen.linear`) and of pages
(`codegen.pages`), and say nothing of where that is: callers name places and indent.
"""

from __future__ import annotations

from textwrap import indent as _indent

#: What is kept of a pair: sine, its part of the cosine that is lost to one, and both new elements
#: of the diagonal.
KEPT = 4
_BLANKS = "  "


def pair(number: str, depth: int) -> str:
    """Which indices, ``one`` and the larger ``other``, pair ``g`` of a round has.

    Every one of ``players``, and one more, meets another in each round, and all in as many rounds.
    """
    return _indented(
        f"""\
let lower = select(({number} + g) % players, players, g == 0u);
let upper = ({number} + players - g) % players;
let one = min(lower, upper);
let other = max(lower, upper);
""",
        depth,
    )


def angle(t: str, depth: int) -> str:
    """``tangent``, sine ``s`` and ``h`` of the angle that makes ``xy`` vanish.

    The cosine is 1 - s * h: what is lost to rounding is in proportion to the angle. ``apart`` is
    the difference of the diagonal's elements.
    """
    return _indented(
        f"""\
let z = apart / (2 * xy);
tangent = 1 / (abs(z) + sqrt(1 + z * z));
if (abs(z) > {t}(1e8)) {{ tangent = {t}(0.5) / abs(z); }}
if (z < 0) {{ tangent = -tangent; }}
let c = 1 / sqrt(1 + tangent * tangent);
s = c * tangent;
h = s / (1 + c);
""",
        depth,
    )


def columns(x: str, y: str, depth: int) -> str:
    """Row ``i`` of two columns, which begin at `x` and `y`."""
    return _indented(
        f"""\
let u = w[{x} + i];
let v = w[{y} + i];
w[{x} + i] = u - s * (v + h * u);
w[{y} + i] = v + s * (u - h * v);
""",
        depth,
    )


def columns_above(t: str, n: str, x: str, y: str, depth: int) -> str:
    """`columns` of a matrix above the product of all rotations, which lacks the identity.

    Args:
        n: rows of the matrix.
    """
    return _indented(
        f"""\
let u = w[{x} + i];
let v = w[{y} + i];
let whole = u + select({t}(0), {t}(1), i == {n} + one);
let along = v + select({t}(0), {t}(1), i == {n} + other);
w[{x} + i] = u - s * (along + h * whole);
w[{y} + i] = v + s * (whole - h * along);
""",
        depth,
    )


def rows(t: str, column: str, kept: str, depth: int) -> str:
    """Column ``j``, which begins at `column`, of two rows; what joins the pair is zero then.

    Args:
        kept: where that of the pair begins.
    """
    return _indented(
        f"""\
let u = w[{column} + one];
let v = w[{column} + other];
var low = u - s * (v + h * u);
var high = v + s * (u - h * v);
if (j == one) {{
  low = kept[{kept} + 2u];
  high = {t}(0);
}} else if (j == other) {{
  low = {t}(0);
  high = kept[{kept} + 3u];
}}
w[{column} + one] = low;
w[{column} + other] = high;
""",
        depth,
    )


def _indented(text: str, depth: int) -> str:
    return _indent(text, _BLANKS * depth)
