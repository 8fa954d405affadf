"""Help texts as parts: what a page of a builtin is made of."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator
from typing import Literal

import attrs

from runmat_core.api.builtin import BuiltinSpec
from runmat_core.builtins import registry
from runmat_core.session import doctests
from runmat_core.session.doctests import Example

RELATED = "See also:"
EXAMPLES = "Examples:"


@attrs.frozen
class Form:
    """A way to call: the call, or several, and what it does, which may be empty."""

    code: str
    text: str


@attrs.frozen
class Part:
    """A paragraph, a table or listing that keeps its lines, or forms of calls."""

    kind: Literal["text", "lines", "forms"]
    text: str = ""
    forms: tuple[Form, ...] = ()


@attrs.frozen
class Block:
    """A help text.

    Attributes:
        summary: its first line.
        parts: what stands between the summary and the examples.
        examples: inputs and what they print.
        related: names after "See also:".
        identifiers: of the errors that the function raises by itself.
        inputs: fewest and most, None: any number.
        outputs: most, None: any number.
    """

    summary: str
    parts: tuple[Part, ...]
    examples: tuple[Example, ...]
    related: tuple[str, ...]
    identifiers: tuple[str, ...]
    inputs: tuple[int, int | None]
    outputs: int | None


def block_of(spec: BuiltinSpec) -> Block:
    """The parts of a builtin's help text."""
    doc = inspect.getdoc(spec.host) or ""
    summary, _, rest = doc.partition("\n")
    paragraphs = re.split(r"\n\s*\n", rest.strip("\n"))
    related = next((p for p in paragraphs if p.startswith(RELATED)), RELATED)
    inside = False
    parts: list[Part] = []
    for paragraph in paragraphs:
        if paragraph.startswith(RELATED):
            continue
        inside = paragraph.startswith(EXAMPLES) or (inside and paragraph.startswith(" "))
        if paragraph.strip() and not inside:
            parts.append(part_of(paragraph, spec.names))
    names = re.split(r"[,\s]+", related.removeprefix(RELATED).strip().rstrip("."))
    return Block(
        summary=summary,
        parts=tuple(parts),
        examples=tuple(doctests.collect(spec.host.__doc__ or "")),
        related=tuple(filter(None, names)),
        identifiers=tuple(sorted(set(_identifiers(spec)))),
        inputs=registry.arity(spec),
        outputs=spec.nargout,
    )


def part_of(paragraph: str, names: tuple[str, ...]) -> Part:
    """A paragraph, read as forms of calls where it begins with one."""
    lines = paragraph.splitlines()
    if any(line.startswith("  ") for line in lines):
        return Part("lines", textwrap.dedent(paragraph))
    call = call_pattern(names)
    if not call.match(lines[0]):
        return Part("text", " ".join(lines))
    forms: list[Form] = []
    for line in lines:
        found = call.match(line)
        if found is None:
            last = forms.pop()
            forms.append(attrs.evolve(last, text=f"{last.text} {line}".strip()))
        else:
            forms.append(Form(found[0].rstrip(" ,;"), line[found.end() :].lstrip(" ,")))
    return Part("forms", forms=tuple(forms))


def call_pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    """Calls of a function, several with commas or words between them, from the start of a line."""
    name = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    inside = r"(?:[^()]|\((?:[^()]|\([^()]*\))*\))*"
    left = r"(?:(?:\[[^\]]*\]|[A-Za-z]\w*) = )?"
    one = rf"{left}(?:{name})(?![\w.])(?:\({inside}\)|(?: -?[A-Z][A-Z0-9]*\b)+| -?\w+$)?"
    return re.compile(rf"{one}(?:(?:, and |, or | and | or |, |; ){one})*[,;]?")


def _identifiers(spec: BuiltinSpec) -> Iterator[str]:
    """Identifiers of errors that are written out in the function."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(spec.host)))
    except (OSError, SyntaxError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "MatlabError":
            first = node.args[0] if node.args else None
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield first.value
