"""A power of two that brings the largest magnitude of a page near to one."""

from __future__ import annotations

from runmat_wgpu.codegen.pages.layout import Layout
from runmat_wgpu.codegen.powers import NEAR


def scaled(found: Layout, element: str, count: str) -> tuple[str, str]:
    """Statements that make ``scale``, and what they need declared.

    The bit is set where an element is not finite. ``parts`` has an element for each thread.

    Args:
        element: the element ``e`` of a page.
        count: how many there are.
    """
    t, lanes = found.writer.type, found.lanes
    text = f"""\
  var most = {t}(0);
  for (var e = lane; e < {count}; e += {lanes}u) {{
    let one = abs({element});
    most = max(most, one);
    if (!finite(one)) {{ {found.writer.fire} }}
  }}
  parts[t] = most;
  workgroupBarrier();
  for (var i = 0u; i < {lanes}u; i++) {{ most = max(most, parts[q * {lanes}u + i]); }}
  let scale = near(most);
  workgroupBarrier();
"""
    return text, found.shared("parts", each=lanes) + NEAR[found.writer.dtype]
