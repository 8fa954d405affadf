"""The functions of scalars, written in WGSL: which there are, and what each needs.

The files of ``wgsl/`` hold declarations (``fn``, ``const``, ``struct``) one after the other, each
with the comment lines directly above it. A name is declared once in all files, and a declaration
needs every declared name that occurs in it, so that nothing has to be listed twice. Files called
``*.T.wgsl`` are for both floating types: ``T`` stands for the type, in names, and after literals.

The folders of ``wgsl/`` are layers: other forms of declarations, or further ones, for devices with
a property. ``unrounded`` is for those that divide and take roots of singles with an error,
``fused`` for those whose ``fma`` rounds once, ``wide`` for those of them that compute with doubles
nearly as fast, ``powers`` for those of them whose own powers of two are good near 0; what several
declare is taken from the last one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from runmat_wgpu.codegen.shader import Target

_START = re.compile(r"^(?:fn|const|struct) ([A-Za-z_]\w*)", re.MULTILINE)
_WORD = re.compile(r"[A-Za-z_]\w*")
_COMMENT = re.compile(r"//[^\n]*")
_TYPE = re.compile(r"(?<![A-Za-z0-9])T\b")
_LITERAL = re.compile(r"(?<=\d)T\b")
_FLOATS = (("f32", "f"), ("f64", "lf"))


Layers = tuple[str, ...]


def layers(target: Target) -> Layers:
    """Return the layers of the library for a device, those that count more last."""
    rounded: Layers = () if target.rounds else ("unrounded",)
    if not target.fused:
        return rounded
    wide = target.wide and target.f64 and target.i64
    further = {"wide": wide, "powers": target.powers}
    return (*rounded, "fused", *(name for name, held in further.items() if held))


@cache
def declarations(layers: Layers = ()) -> dict[str, str]:
    """Return the text of each declaration, with the comment above it, by name."""
    folder = files("runmat_wgpu.codegen.scalars") / "wgsl"
    found = _declared(folder)
    for layer in layers:
        found = {**found, **_declared(folder / layer)}
    return found


def _declared(folder: Traversable) -> dict[str, str]:
    found: dict[str, str] = {}
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
def needs(name: str, layers: Layers = ()) -> tuple[str, ...]:
    """Return the declarations that one uses itself, in the order of their first use."""
    known = declarations(layers)
    words = _WORD.findall(_COMMENT.sub("", known[name]))
    return tuple(dict.fromkeys([w for w in words if w in known and w != name]))


def closure(names: Iterable[str], layers: Layers = ()) -> str:
    """WGSL of these declarations and of all that they need, what is needed first."""
    known = declarations(layers)
    done: dict[str, str] = {}

    def visit(name: str) -> None:
        if name not in done:
            for needed in needs(name, layers):
                visit(needed)
            done[name] = known[name]

    for name in sorted(names):
        visit(name)
    return "".join(f"{text}\n\n" for text in done.values())
