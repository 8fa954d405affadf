"""Passages of code that runs, as generated code makes them when it meets one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from runmat_core.compiler.runtime.screen import refusal_of


def note(
    namespace: dict[str, Any],
    name: str,
    reads: tuple[str, ...],
    writes: tuple[str, ...],
    unsure: tuple[str, ...],
    callees: tuple[str, ...],
) -> None:
    """Remember the passage called `name` from now on: what it assigns is captured.

    Args:
        namespace: the globals of its code.
        reads: variables that it may read before it assigns them, and names that may be such.
        writes: variables that it assigns.
        unsure: those of them that it may leave as they are.
        callees: global names in it that may be functions.
    """
    from runmat_core.accel.capture.passages import StatementRun

    def screen(variables: Mapping[str, Any]) -> tuple[str, tuple[Any, ...]]:
        there = {one: variables[one] for one in reads if one in variables}
        return refusal_of(callees, namespace, there)

    def retire() -> None:
        namespace[name] = False

    namespace[name] = StatementRun(reads, writes, unsure, screen, retire, namespace["_s"])


HELPERS = {"note_passage": note, "globals": globals}
