"""Draws of the random stream inside kernels.

A block of Philox is four words: four singles, or two doubles. Lanes that are neighbours in the
stream share blocks, and pairs of normals that come of the same words are computed once. Where the
first lane stands in its block is known at run time only, and the same for all threads in most
launches; a lane that stands askew costs a second block.
"""

from __future__ import annotations

from typing import Any

from runmat_core.api.ir import Instr
from runmat_wgpu.codegen.kernels import places
from runmat_wgpu.codegen.kernels.draft import Draft, block
from runmat_wgpu.codegen.kernels.places import Point

_COMPONENTS = "xyzw"
#: Lanes that one call draws for.
MOST = 4


def emit(body: Point, instr: Instr) -> tuple[str, ...]:
    """Names of a random element, one for each lane.

    Raises:
        DeclinedError: the target lacks the type.
    """
    attr: Any = instr.attr
    distribution, dtype = attr
    number, *words = instr.args
    key, position = (
        f"vec2<u32>({body.lane(low, 0)}, {body.lane(high, 0)})"
        for low, high in (words[:2], words[2:])
    )
    many = body.lanes if instr.over >> body.axis & 1 else 1
    together = min(many, MOST) if _neighbours(body, number) else 1
    call = draws(body.draft, distribution, dtype, together)
    names: list[str] = []
    for lane in range(0, many, together):
        drawn = body.let(f"{call}({_place(body, number, lane, dtype, position)}, {key})", "z")
        names += [f"{drawn}.{c}" for c in _COMPONENTS[:together]] if together > 1 else [drawn]
    return tuple(names)


def _neighbours(body: Point, number: int) -> bool:
    """Whether the lanes draw elements that follow one another in the stream."""
    instr = body.code[number]
    return instr.op == "index" and (instr.attr, body.axis) in body.layout.unit


def _place(body: Point, number: int, lane: int, dtype: str, position: str) -> str:
    """Return the number of the first word of an element, a pair."""
    places.use_pairs(body)
    element = places.pair(body, number, lane)
    if dtype == "f64":
        element = f"pair_mul({element}, 2u)"
    return f"pair_add({position}, {element})"


def draws(draft: Draft, distribution: str, dtype: str, lanes: int) -> str:
    """Return the function that draws `lanes` elements: of the number of a word, and the key."""
    name = f"draw_{distribution}_{dtype}" + (f"_{lanes}" if lanes > 1 else "")
    type_ = draft.scalars.type(dtype)
    result = type_ if lanes == 1 else f"vec{lanes}<{type_}>"
    writer = _Writer(draft, distribution, dtype, lanes)
    head = f"fn {name}(at: vec2<u32>, key: vec2<u32>) -> {result}"
    return draft.function(name, "\n".join([*block(head, writer.lines()), ""]))


class _Writer:
    """The statements of a function that draws."""

    def __init__(self, draft: Draft, distribution: str, dtype: str, lanes: int) -> None:
        self.scalars = draft.scalars
        self.distribution = distribution
        self.dtype = dtype
        self.lanes = lanes
        #: words of an element, and of what is computed together
        self.words = 2 if dtype == "f64" else 1
        self.together = self.words * (2 if distribution == "normal" else 1)

    def lines(self) -> list[str]:
        lines = ["let first = vec2<u32>((at.x >> 2u) | (at.y << 30u), at.y >> 2u);"]
        lines.append("let askew = at.x & 3u;")
        if self.lanes == 1:
            return [*lines, *self._one()]
        known = 0
        for askew in range(4):
            last = max(self._groups(askew)) * self.together + self.together - 1
            lines += self._blocks(known, last // 4 + 1)
            known = max(known, last // 4 + 1)
            made = ", ".join(self._element(askew, lane) for lane in range(self.lanes))
            answer = f"return vec{self.lanes}<{self.dtype}>({made});"
            lines.append(f"if (askew == {askew}u) {{ {answer} }}" if askew < 3 else answer)
        return lines

    def _blocks(self, known: int, wanted: int) -> list[str]:
        lines = []
        for k in range(known, wanted):
            number = "first" if k == 0 else f"pair_add(first, vec2<u32>({k}u, 0u))"
            call = self.scalars.philox(f"vec4<u32>({number}, 0u, 0u)", "key")
            lines.append(f"let block{k} = {call};")
            if self.distribution == "normal":
                for group in range(k * 4 // self.together, (k + 1) * 4 // self.together):
                    words = (self._word(group * self.together + j) for j in range(self.together))
                    both = self.scalars.random("normal", self.dtype, *words)
                    lines.append(f"let pair{group} = {both};")
        return lines

    def _word(self, number: int) -> str:
        return f"block{number // 4}.{_COMPONENTS[number % 4]}"

    def _groups(self, askew: int) -> list[int]:
        """Return what is computed together, for all lanes."""
        last = askew + self.words * self.lanes - 1
        if self.distribution == "normal":
            last = askew + self.words * (self.lanes - 1)
        return [askew // self.together, last // self.together]

    def _element(self, askew: int, lane: int) -> str:
        first = askew + lane * self.words
        if self.distribution == "normal":
            return f"pair{first // self.together}.{'xy'[first // self.words % 2]}"
        words = (self._word(first + j) for j in range(self.words))
        return self.scalars.random("uniform", self.dtype, *words)

    def _one(self) -> list[str]:
        """One element: where it stands is no constant, so its words are picked."""
        lines = self._blocks_of_words(1)
        if self.distribution == "normal":
            if self.dtype == "f64":
                both = self.scalars.random("normal", "f64", *(f"block0.{c}" for c in "xyzw"))
                return [*lines, f"let both = {both};", _half("(askew & 2u) == 2u")]
            words = [f"select(block0.{a}, block0.{b}, askew >= 2u)" for a, b in ("xz", "yw")]
            both = self.scalars.random("normal", "f32", *words)
            return [*lines, f"let both = {both};", _half("(askew & 1u) == 1u")]
        if self.dtype == "f32":
            return [*lines, f"return {self.scalars.random('uniform', 'f32', 'block0[askew]')};"]
        double = self.scalars.random("uniform", "f64", "low", "high")
        return [
            *lines,
            "let low = block0[askew];",
            "var high = block0[min(askew + 1u, 3u)];",
            *block("if (askew == 3u)", [*self._blocks_of_words(2, 1), "high = block1.x;"]),
            f"return {double};",
        ]

    def _blocks_of_words(self, wanted: int, known: int = 0) -> list[str]:
        return [line for line in self._blocks(known, wanted) if line.startswith("let block")]


def _half(odd: str) -> str:
    return f"return select(both.x, both.y, {odd});"
