"""SymPy, imported when something of it is first used; variables and errors of the toolbox."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from runmat_core.api import MatlabError


class _Lazy:
    """The module, whose attributes import it."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # a search for marks is no use of it
            raise AttributeError(name)
        return getattr(import_module("sympy"), name)


sp: Any = _Lazy()


def error(name: str, message: str) -> MatlabError:
    """Return an error of the toolbox."""
    return MatlabError(f"symbolic:{name}", message)


def variable(name: str) -> Any:
    """Return the variable called `name`, without assumptions."""
    return sp.Symbol(name)
