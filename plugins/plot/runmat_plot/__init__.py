"""Graphics for runmat.

`scene` is the tree of objects and their properties, plain Python and NumPy. `functions` are the
builtins that make and change it. `render` turns a figure into a list of what is to be drawn, and
hands that to matplotlib where a picture is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from runmat_plot.scene.node import Node


def figures(session: Any) -> list[Node]:
    """The figures of a session, the one that was made last first; notebooks show them."""
    found: list[Node] = session.figures
    return found
