"""What a running call was written as: the source text of its arguments.

`inputname` and `display` name the variables that they were given. The position of the running
instruction gives the text of the call in its file; the parser takes it apart.
"""

from __future__ import annotations

import linecache
from itertools import islice
from types import FrameType

from runmat_core.api.errors import MatlabError


def argument_names(frame: FrameType) -> tuple[str | None, ...]:
    """Return the names of the variables in the call that `frame` runs; None for expressions."""
    # evaluated code is in no file: the evaluator leaves its text among its globals
    text = _running_text(frame, frame.f_globals.get("_source"))
    if not text:
        return ()
    from runmat_core.syntax import ast, parse

    try:
        module = parse(text, variables=frozenset())
    except MatlabError:
        return ()
    if len(module.body) != 1:
        return ()
    statement = module.body[0]
    if isinstance(statement, ast.Command):
        return (None,) * len(statement.args)
    call = getattr(statement, "value", None)
    if not isinstance(call, ast.Index):
        return ()
    return tuple(arg.id if isinstance(arg, ast.Name) else None for arg in call.args)


def _running_text(frame: FrameType, source: str | None) -> str:
    """Return the source text of the expression whose call is running in `frame`."""
    positions = frame.f_code.co_positions()
    at = next(islice(positions, frame.f_lasti // 2, None), None)
    if at is None or None in at:
        return ""
    first, last, start, end = (n for n in at if n is not None)
    if source is not None:
        lines = source.splitlines()[first - 1 : last]
    else:
        lines = linecache.getlines(frame.f_code.co_filename)[first - 1 : last]
    if not lines:
        return ""
    # columns count UTF-8 bytes
    encoded = [line.encode() for line in lines]
    encoded[-1] = encoded[-1][:end]
    encoded[0] = encoded[0][start:]
    return b"".join(line.rstrip(b"\n") + b"\n" for line in encoded).decode(errors="replace").strip()
