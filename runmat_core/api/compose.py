"""What a composition works with: a builtin that is a few operations of large arrays.

The mark names a function ``rule(xp, *args)``, with ``nargout=`` where several outputs are
wanted. It is tried before the host rule where arrays are large. It gets MATLAB values as they are,
on a device or not computed yet, and makes the result of other builtins, as a .m file would; what it
makes is lazy, too, and fuses. `NotImplemented` leaves the call to the host rule, which also has the
errors.
"""

from __future__ import annotations

from typing import Any, Protocol


class Arrays(Protocol):
    """What a composition asks of the core; no element is looked at."""

    def call(self, name: str, *args: Any) -> Any:
        """Return the first output of the builtin `name`; numbers are floats, text is `str`."""
        ...

    def is_real(self, value: Any) -> bool:
        """Return whether a value is a large array of real single or double numbers."""
        ...

    def dimension(self, x: Any, dim: Any = None) -> float:
        """Return the dimension to work along, by default the first that is not 1.

        It is 0 where `dim` is no dimension that `x` has.
        """
        ...

    def text(self, value: Any) -> str | None:
        """Return a text in lower case; None for what is none."""
        ...
