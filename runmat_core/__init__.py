"""MATLAB-syntax programs, run from Python.

>>> import runmat_core as rm
>>> s = rm.Session()
>>> s.run("x = magic(4); y = sum(x(:));")
>>> s["y"]
136.0
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from runmat_core.api.errors import MatlabError
    from runmat_core.session.session import Session

__version__ = "0.1.0"
__all__ = ["MatlabError", "Session", "__version__"]


def __getattr__(name: str) -> Any:
    # Imported on first use: `import runmat_core` alone should cost nothing.
    if name == "Session":
        from runmat_core.session.session import Session

        return Session
    if name == "MatlabError":
        from runmat_core.api.errors import MatlabError

        return MatlabError
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
