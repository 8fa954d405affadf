"""The base workspace: variables in a plain dict."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext

from runmat_core.api.interp import Value


class DictWorkspace:
    """A `Workspace` over a dict; names that start with an underscore belong to the runtime.

    `globals_of` gives the session's globals, and a name in `global_names` (kept in the dict by
    compiled code) reads and writes there.
    """

    def __init__(self, variables: dict[str, Value]) -> None:
        self._variables = variables

    def get(self, name: str) -> Value | None:
        return self._variables.get(name)

    def set(self, name: str, value: Value) -> None:
        self._variables[name] = value

    def delete(self, name: str) -> None:
        self._variables.pop(name, None)

    def names(self) -> list[str]:
        return sorted(name for name in self._variables if name[0] != "_")

    def __contains__(self, name: object) -> bool:
        return name in self._variables

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def namespace(self) -> AbstractContextManager[dict[str, Value]]:
        """The dict itself, for code that runs in this workspace."""
        return nullcontext(self._variables)
