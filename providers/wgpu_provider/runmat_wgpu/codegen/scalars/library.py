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

import attrs

_START = re.compile(r"^(?:fn|const|struct|alias) ([A-Za-z_]\w*)", re.MULTILINE)
_WORD = re.compile(r"[A-Za-z_]\w*")
_TYPE = re.compile(r"(?<![A-Za-z0-9])T\b")
_LITERAL = re.compile(r"(?<=\d)T\b")
_FLOATS = (("f32", "f"), ("f64", "lf"))
_COMMENT = re.compile(r"//[^\n]*")


@attrs.frozen
class Declaration:
    """A declaration of the library.

    Attributes:
        text: WGSL, with the comment above it.
        needs: names of the declarations that it uses itself, in the order of their first use.
    """

    name: str
    text: str
    needs: tuple[str, ...]


@cache
def declarations() -> dict[str, Declaration]:
    """All declarations by name."""
    texts: dict[str, str] = {}
    folder = files("runmat_wgpu.codegen.scalars") / "wgsl"
    for file in sorted(folder.iterdir(), key=lambda f: f.name):
        if file.name.endswith(".wgsl"):
            text = file.read_text(encoding="utf-8")
            parts = [text]
            if file.name.endswith(".T.wgsl"):
                parts = [_of_type(text, dtype, suffix) for dtype, suffix in _FLOATS]
            for block in re.split(r"\n{2,}", "\n\n".join(parts).strip()):
                found = _START.search(block)
                if found is None:
                    continue  # what a file says about itself
                if found[1] in texts:
                    raise ValueError(f"{found[1]} is declared twice")
                texts[found[1]] = block
    return {
        name: Declaration(name, text, _needs(name, text, texts)) for name, text in texts.items()
    }


def _of_type(text: str, dtype: str, suffix: str) -> str:
    return _TYPE.sub(dtype, _LITERAL.sub(suffix, text))


def _needs(name: str, text: str, known: dict[str, str]) -> tuple[str, ...]:
    words = _WORD.findall(_COMMENT.sub("", text))
    return tuple(dict.fromkeys([w for w in words if w in known and w != name]))


def closure(names: Iterable[str]) -> str:
    """WGSL of these declarations and of all that they need, what is needed first."""
    known = declarations()
    done: dict[str, str] = {}

    def visit(name: str) -> None:
        if name not in done:
            for needed in known[name].needs:
                visit(needed)
            done[name] = known[name].text

    for name in sorted(names):
        visit(name)
    return "".join(f"{text}\n\n" for text in done.values())
