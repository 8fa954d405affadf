"""What a statement without a semicolon shows."""

from __future__ import annotations

from types import FrameType
from typing import TYPE_CHECKING

from runmat_core.api.interp import Interp, Value
from runmat_core.compiler.stand_ins import calling

if TYPE_CHECKING:
    from runmat_core.values.object import ObjectValue


def display(interp: Interp, name: str, value: Value) -> None:
    """Print ``name = value``, the way that its class says where that is a user's."""
    from runmat_core.values.display import display as shown
    from runmat_core.values.display_format import FormatSetting

    fmt = interp.state("format", FormatSetting).current
    if hasattr(value, "shown_by") and _shows_itself(interp, name, value, fmt.blank):
        return
    interp.write(shown(name, value, fmt))


def _shows_itself(interp: Interp, name: str, value: ObjectValue, blank: str) -> bool:
    """Call the ``display`` of an object, or its ``disp`` below its name; False without these."""
    own = value.displayed_by()
    if own is not None:
        own(0, value)
        return True
    own = value.shown_by()
    if own is None:
        return False
    interp.write(f"{blank}{name} = \n{blank}" if name else blank)
    own(0, value)
    interp.write(blank)
    return True


def name_shown_by(frame: FrameType | None) -> tuple[str, ...]:
    """Return the name that the ``display`` or ``disp`` method in `frame` is to show.

    None elsewhere.
    """
    caller = None if frame is None else calling(frame)
    if caller is not None and caller.f_code is not _shows_itself.__code__:
        caller = caller.f_back  # what loads a method from its file at the first call
    if caller is None or caller.f_code is not _shows_itself.__code__:
        return ()
    return (caller.f_locals["name"],)
