"""SymPy, imported when something of it is first used."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class _Lazy:
    """The module, whose attributes import it."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # a search for marks is no use of it
            raise AttributeError(name)
        return getattr(import_module("sympy"), name)


sp: Any = _Lazy()
