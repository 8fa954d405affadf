"""The options of this provider: those of the in-process provider, and its own."""

from __future__ import annotations

from typing import ClassVar

import attrs
from runmat_inprocess.options import Options


@attrs.frozen
class NativeOptions(Options):
    """What may be configured.

    Attributes:
        eager: 1 to compile a kernel before its first launch and wait, for tests and measurements.
    """

    own: ClassVar[frozenset[str]] = frozenset({"eager"})

    eager: int = 0
