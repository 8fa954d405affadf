"""Long files are compiled in parts, each when it is reached.

All of a file is parsed before anything runs, so its errors come first. Of a file with more than
`LONG` lines only what runs at once is compiled then: the main function, or the script's first
statements. A function of it is a part of its own, and so are the next lines of the script.
The code cache has an entry for the file and one for each part that was ever reached.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from runmat_core.api.tuples import NamedTuple
from runmat_core.compiler import cache
from runmat_core.compiler.compiled import CompiledModule

if TYPE_CHECKING:
    from runmat_core.compiler.build import Part

T = TypeVar("T")

#: A file with more lines than this is compiled in parts.
LONG = 400


class Source(NamedTuple):
    """A text to compile; the fields are the arguments of `compile_source`."""

    text: str
    filename: str
    dialect: str
    kind: str
    variables: frozenset[str]
    global_names: frozenset[str]


def compile_whole(source: Source, key: str, found: CompiledModule | None) -> CompiledModule:
    """Return the code of a text, but for the parts that wait.

    Args:
        key: the name of its entry in the code cache; empty where it is not to have one.
        found: that entry.
    """
    if found is not None:
        return found._replace(parts=WaitingParts(source, key))
    compiled, parts = _uncollected(lambda: _built(source))
    if key:
        cache.store(key, compiled)
    if parts:
        compiled = compiled._replace(parts=WaitingParts(source, key, parts))
    return compiled


class WaitingParts:
    """The parts of one file."""

    def __init__(self, source: Source, key: str, parts: list[Part | None] | None = None) -> None:
        self._source = source
        self._key = key
        #: syntax trees, until each was compiled; None where code came from the cache, so far
        self._parts = parts

    def compiled(self, part: int) -> CompiledModule:
        """Return the code of a part, from the code cache where it is there."""
        key = cache.part_key(self._key, part) if self._key else ""
        found = cache.load(key, self._source.filename) if key else None
        if found is not None:
            return found
        made = _uncollected(lambda: self._compile(part))
        if key:
            cache.store(key, made, trim=False)
        return made

    def _compile(self, part: int) -> CompiledModule:
        tree = None if self._parts is None else self._parts[part]
        if tree is None:
            _, self._parts = _built(self._source)
            tree = self._parts[part]
            assert tree is not None
        made = tree.compiled(part)
        self._parts[part] = None  # type: ignore[index]
        return made


def _built(source: Source) -> tuple[CompiledModule, list[Part | None]]:
    from runmat_core.compiler.build import build
    from runmat_core.syntax import parse

    module = parse(
        source.text, filename=source.filename, dialect=source.dialect, variables=source.variables
    )
    is_long = source.text.count("\n") > LONG
    return build(module, source.filename, source.kind, source.global_names, is_long)


def _uncollected(work: Callable[[], T]) -> T:
    """`work()` without Python's collector, and with a deep stack where it needs one.

    A collector that walks a growing tree again and again takes longer than making it.
    """
    from runmat_core.compiler.build import with_deep_stack

    collecting = gc.isenabled()
    gc.disable()
    try:
        return work()
    except RecursionError:
        return with_deep_stack(work)
    finally:
        if collecting:
            gc.enable()
