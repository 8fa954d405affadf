"""The base workspace: variables in a plain dict."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext

from runmat_core.api.interp import GLOBAL_NAMES, Value


class DictWorkspace:
    """A `Workspace` over a dict.

    Under `GLOBAL_NAMES` it has the set of variables that a ``global`` statement declared here; they
    live in the session's globals.
    """

    def __init__(self, variables: dict[str, Value], shared: dict[str, Value]) -> None:
        self._variables = variables
        self._shared = shared

    @property
    def global_names(self) -> frozenset[str]:
        """The variables declared global here."""
        return frozenset(self._variables.get(GLOBAL_NAMES, ()))

    def _table(self, name: str) -> dict[str, Value]:
        return self._shared if name in self._variables.get(GLOBAL_NAMES, ()) else self._variables

    def get(self, name: str) -> Value | None:
        return self._table(name).get(name)

    def set(self, name: str, value: Value) -> None:
        self._table(name)[name] = value

    def delete(self, name: str) -> None:
        """Remove a variable; a global one stays for others, and is no longer declared here."""
        self._variables.get(GLOBAL_NAMES, set()).discard(name)
        self._variables.pop(name, None)

    def names(self) -> list[str]:
        own = {name for name in self._variables if name != GLOBAL_NAMES}
        return sorted(own | {name for name in self.global_names if name in self._shared})

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.get(name) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def namespace(self) -> AbstractContextManager[dict[str, Value]]:
        """Return the dict itself, for code that runs in this workspace."""
        return nullcontext(self._variables)
