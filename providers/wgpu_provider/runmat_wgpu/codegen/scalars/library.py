"""The functions of scalars, written in WGSL: which there are, and what each needs.

The files of ``wgsl/`` hold declarations (``fn``, ``const``, ``struct``) one after the other, each
with the comment lines directly above it. A name is declared once in all files, and a declaration
needs every declared name that occurs in it, so that nothing has to be listed twice. Files called
``*.T.wgsl`` are for both floating types: ``T`` stands for the type, in names, and after literals.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

_START = re.compile(r"^(?:fn|const|struct) ([A-Za-z_]\w*)", re.MULTILINE)
_WORD = re.compile(r"[A-Za-z_]\w*")
_COMMENT = re.compile(r"//[^\n]*")
_TYPE = re.compile(r"(?<![A-Za-z0-9])T\b")
_LITERAL = re.compile(r"(?<=\d)T\b")
_FLOATS = (("f32", "f"), ("f64", "lf"))


@cache
def declarations() -> dict[str, str]:
    """The text of each declaration, with the comment above it, by name."""
    found: dict[str, str] = {}
    folder = files("runmat_wgpu.codegen.scalars") / "wgsl"
    for file in sorted(folder.iterdir(), key=lambda f: f.name):
        if not file.name.endswith(".wgsl"):
            continue
        text = file.read_text(encoding="utf-8")
        forms = [text]
        if file.name.endswith(".T.wgsl"):
            forms = [_LITERAL.sub(suffix, _TYPE.sub(t, text)) for t, suffix in _FLOATS]
        for block in re.split(r"\n{2,}", "\n\n".join(forms).strip()):
            start = _START.search(block)
            if start is None:
                continue  # what a file says about itself
            if start[1] in found:
                raise ValueError(f"{start[1]} is declared twice")
            found[start[1]] = block
    return found


@cache
def needs(name: str) -> tuple[str, ...]:
    """The declarations that one uses itself, in the order of their first use."""
    known = declarations()
    words = _WORD.findall(_COMMENT.sub("", known[name]))
    return tuple(dict.fromkeys([w for w in words if w in known and w != name]))


def closure(names: Iterable[str]) -> str:
    """WGSL of these declarations and of all that they need, what is needed first."""
    known = declarations()
    done: dict[str, str] = {}

    def visit(name: str) -> None:
        if name not in done:
            for needed in needs(name):
                visit(needed)
            done[name] = known[name]

    for name in sorted(names):
        visit(name)
    return "".join(f"{text}\n\n" for text in done.values())
