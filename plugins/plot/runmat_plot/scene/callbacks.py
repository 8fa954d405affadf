"""Calls of what programs set as callbacks: at the creation, the closing and the end of objects."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from runmat_core.api import MatlabError


def run(node: Any, name: str) -> bool:
    """Call the callback of an object, as MATLAB does: with the object and an empty event.

    A text is evaluated in the base workspace; a cell array has the function first, and further
    arguments behind it. An error becomes a warning, since what calls goes on.

    Returns:
        Whether there is one, which is not running already.
    """
    value = node.values.get(name)
    scene = node.scene
    interp = scene.interp
    if value is None or (node, name) in scene.callbacks:
        return False
    plain = interp.to_python(value)
    if not isinstance(plain, str | list) and not _is_function(value):
        return False
    if isinstance(plain, str | list) and not plain:
        return False
    scene.callbacks.append((node, name))
    try:
        _call(node, value, plain)
    except MatlabError as error:
        what = f"Error while evaluating {node.kind.short} {name}"
        interp.warn("MATLAB:callback:error", f"{what}: {error.message}")
    finally:
        scene.callbacks.pop()
    return True


def _is_function(value: Any) -> bool:
    return bool(getattr(value, "class_name", "") == "function_handle")


def _call(node: Any, value: Any, plain: Any) -> None:
    interp = node.scene.interp
    if isinstance(plain, str):
        interp.evaluate(plain, interp.base())
        return
    further: list[Any] = []
    if isinstance(plain, list):
        value, *further = (interp.to_matlab(item) for item in plain)
    event = interp.to_matlab(np.zeros((0, 0)))
    interp.call(value, [interp.to_matlab(node), event, *further], 0)


class Press(NamedTuple):
    """A click or a key in a window: pixels from the lower left corner, and which button or key."""

    x: float
    y: float
    button: int
    key: str = ""
