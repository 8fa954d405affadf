"""Put the rules that capture in place: the one module that knows all of them."""

from __future__ import annotations

from runmat_core.accel.capture import (
    boundary,
    compositions,
    generators,
    joins,
    operators,
    placing,
    products,
    readers,
    subscripts,
    views,
)
from runmat_core.accel.running import at_once
from runmat_core.values.deferred import Deferred
from runmat_core.values.hooks import HOOKS


def install() -> None:
    """Capture operations on arrays of `HOOKS.smallest` elements from now on."""
    HOOKS.captured = HOOKS.smallest
    # products come before the rule of elementwise ones, which is in place by then
    operators.install(HOOKS.smallest)
    HOOKS.compute = boundary.compute
    HOOKS.place = placing.place
    HOOKS.waiting = Deferred
    for part in (views, at_once, subscripts, readers, joins, products, generators, compositions):
        part.install()
