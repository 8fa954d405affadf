"""From a kernel to the texts of its patterns; imported for the first kernel with work enough."""

from __future__ import annotations

import attrs
from runmat_inprocess.compiler import Program
from runmat_inprocess.fragments import DeclinedError

from runmat_core.api.device import Addressing
from runmat_native.builds import Build, Builds
from runmat_native.launches import Prepared, Shape, cost
from runmat_native.nest import Nest, Pattern, is_there
from runmat_native.parts import Parts
from runmat_native.segments import Segments


@attrs.frozen
class Version:
    """A kernel's code for a pattern."""

    segments: Segments
    nest: Nest
    build: Build

    def cost(self, shape: Shape) -> float:
        """Return about how many nanoseconds a launch takes on one thread."""
        return cost(self.segments, shape)

    def prepare(self, program: Program, shape: Shape) -> Prepared:
        return Prepared(program, self.nest, self.segments, shape)


class Lowering:
    """The versions of a kernel.

    Raises:
        DeclinedError: nothing of it can be lowered.
    """

    def __init__(self, program: Program, builds: Builds) -> None:
        self.program, self.builds = program, builds
        self.parts = Parts(program)
        self._versions: dict[Pattern, Version | None] = {}

    def version(
        self, extents: tuple[int, ...], views: tuple[Addressing, ...], late: bool
    ) -> tuple[Shape, Version | None]:
        """Return the collapsed space of a launch, and the code for it; None where there is none."""
        shape = Shape(self.program, extents, views, late)
        if shape.pattern not in self._versions:
            self._versions[shape.pattern] = self._lower(shape.pattern)
        return shape, self._versions[shape.pattern]

    def _lower(self, pattern: Pattern) -> Version | None:
        try:
            segments = Segments(self.parts, pattern.late)
            nest = Nest(self.program, segments, pattern)
        except DeclinedError:
            return None
        if not is_there(nest.loops):
            return None
        return Version(segments, nest, self.builds.of(nest.text, nest.draws))
