"""MATLAB code to Python code objects that carry the .m file's name and line numbers."""

from __future__ import annotations

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
        MatlabSyntaxError: the source is not MATLAB, whatever of it is compiled later.
    """
    from runmat_core.compiler import cache

    stored = bool(filename or keep)
    key = cache.key(source, dialect, kind, sorted(variables), sorted(global_names))
    found = cache.load(key, filename) if stored else None
    if found is not None and not found.waiting:
        return found
    from runmat_core.compiler.parts import Source, compile_whole

    text = Source(source, filename, dialect, kind, variables, global_names)
    return compile_whole(text, key if stored else "", found)
