"""Sessions: the Python API, the evaluator, workspaces, look-up, errors, configuration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from runmat_core.session.session import Session

__all__ = ["Session"]


def __getattr__(name: str) -> Any:
    if name == "Session":
        from runmat_core.session.session import Session

        return Session
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
