"""Warnings of values.

Values know no session: a session names the sink that its runs send warnings to, in a context
variable, so that sessions in several threads keep apart.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar

#: ``warn(identifier, message)``.
Sink = Callable[[str, str], None]

_sink: ContextVar[Sink | None] = ContextVar("warnings of values", default=None)


def warn(identifier: str, message: str) -> None:
    """Issue a warning to the session that runs; none runs, it is dropped."""
    sink = _sink.get()
    if sink is not None:
        sink(identifier, message)


class warnings_to:  # noqa: N801 - a context, made by its name
    """Send warnings to `sink` while the block runs."""

    __slots__ = ("_sent", "_token")

    def __init__(self, sink: Sink) -> None:
        self._sent = sink

    def __enter__(self) -> None:
        self._token = _sink.set(self._sent)

    def __exit__(self, *problem: object) -> None:
        _sink.reset(self._token)


def warn_singular(rcond: float) -> None:
    """Warn of a system of equations whose matrix has this reciprocal condition."""
    if rcond == 0:
        warn("MATLAB:singularMatrix", "Matrix is singular to working precision.")
    else:
        text = "NaN" if rcond != rcond else f"{rcond:.6e}"
        warn(
            "MATLAB:nearlySingularMatrix",
            "Matrix is close to singular or badly scaled. Results may be inaccurate. "
            f"RCOND = {text:>13}.",
        )
