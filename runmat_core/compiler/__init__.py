"""MATLAB code to Python code objects that carry the .m file's name and line numbers."""

from __future__ import annotations

import gc
from typing import Literal

from runmat_core.compiler.compiled import CompiledModule

__all__ = ["CompiledModule", "compile_source"]


def compile_source(
    source: str,
    filename: str = "",
    dialect: str = "matlab",
    *,
    kind: Literal["file", "method", "script", "expression"] = "file",
    variables: frozenset[str] = frozenset(),
    global_names: frozenset[str] = frozenset(),
    keep: bool = False,
) -> CompiledModule:
    """Compile MATLAB source, through the disk cache.

    Args:
        source: the text of a file, of lines typed at a prompt, or of an expression.
        filename: the .m file, empty for code typed or evaluated.
        dialect: ``matlab`` or ``octave``.
        kind: ``file`` decides by the text whether it is a script, function or class file, and
            ``method`` is that for a file in the folder of a class;
            ``expression`` makes the value of the last statement the result.
        variables: names known to be variables, which are never commands.
        global_names: variables of the target workspace that are declared global there.
        keep: whether the disk cache holds code that is in no file, too: a whole program given as
            text, which may come again.

    Raises:
        MatlabSyntaxError: the source is not MATLAB.
    """
    from runmat_core.compiler import cache

    key = cache.key(source, dialect, kind, sorted(variables), sorted(global_names))
    cached = cache.load(key, filename) if filename or keep else None
    if cached is not None:
        return cached
    compiled = _compile(source, filename, dialect, kind, variables, global_names)
    if filename or keep:
        cache.store(key, compiled)
    return compiled


def _compile(
    source: str,
    filename: str,
    dialect: str,
    kind: str,
    variables: frozenset[str],
    global_names: frozenset[str],
) -> CompiledModule:
    from runmat_core.compiler.build import build, with_deep_stack
    from runmat_core.syntax import parse

    def work() -> CompiledModule:
        module = parse(source, filename=filename, dialect=dialect, variables=variables)
        return build(module, filename, kind, global_names)

    # a collector that walks a growing tree again and again takes longer than making it
    collecting = gc.isenabled()
    gc.disable()
    try:
        return work()
    except RecursionError:
        return with_deep_stack(work)
    finally:
        if collecting:
            gc.enable()
