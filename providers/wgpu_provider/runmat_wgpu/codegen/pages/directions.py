"""Orthogonal directions of the columns of a page, of which short ones have none that is good.

Directions of short columns are mostly rounding. What they have of the directions before them is
taken off, twice. Where that is all, or there is no length, any direction across them will do: that
of the axis of which they have least.
"""

from __future__ import annotations

import math

from runmat_wgpu.codegen.linear.turning import precision
from runmat_wgpu.codegen.pages.layout import Layout


def near(dtype: str) -> float:
    """Return what has a square below the precision."""
    return math.sqrt(precision(dtype))


def directions(found: Layout, lengths: str, dots: str) -> str:
    """Statements that make ``n`` columns of ``m`` elements from ``base`` on orthogonal.

    They have been divided by their lengths, and the longest are the first ones; those up to
    ``least`` are short.

    Args:
        lengths, dots: arrays with room for a page from ``at_page`` on.
    """
    t, lanes = found.writer.type, found.lanes
    return f"""\
  for (var step = 0u; step < 2u * n; step++) {{
    let j = step / 2u;
    let line = base + j * m;
    let own = select(0u, m, {lengths}[at_page + j] <= least);
    for (var i = lane; i < select(0u, j, own > 0u); i += {lanes}u) {{
      var sum = {t}(0);
      for (var r = 0u; r < m; r++) {{ sum += w[base + i * m + r] * w[line + r]; }}
      {dots}[at_page + i] = sum;
    }}
    {found.sync}
    for (var r = lane; r < own; r += {lanes}u) {{
      var sum = {t}(0);
      for (var i = 0u; i < j; i++) {{ sum += w[base + i * m + r] * {dots}[at_page + i]; }}
      w[line + r] -= sum;
    }}
    {found.sync}
    var squared = {t}(0);
    for (var r = 0u; r < own; r++) {{ squared += w[line + r] * w[line + r]; }}
    let gone = squared <= {t}({near(found.writer.dtype)!r});
    {found.sync}
    for (var r = lane; r < own; r += {lanes}u) {{
      var across = {t}(1);
      for (var i = 0u; i < select(0u, j, gone); i++) {{
        across -= w[base + i * m + r] * w[base + i * m + r];
      }}
      w[line + r] = select(w[line + r] / sqrt(squared), across, gone);
    }}
    {found.sync}
{_across(found)}\
  }}
"""


def _across(found: Layout) -> str:
    """Return what an axis has across all directions before; how much, is where that one will be."""
    t, lanes = found.writer.type, found.lanes
    return f"""\
    let axes = select(0u, own, gone);
    var at = 0u;
    var most = {t}(0);
    for (var r = 0u; r < axes; r++) {{
      if (w[line + r] > most) {{
        most = w[line + r];
        at = r;
      }}
    }}
    {found.sync}
    for (var r = lane; r < axes; r += {lanes}u) {{
      var one = select({t}(0), {t}(1), r == at);
      for (var i = 0u; i < j; i++) {{ one -= w[base + i * m + r] * w[base + i * m + at]; }}
      w[line + r] = one / sqrt(most);
    }}
    {found.sync}
"""
