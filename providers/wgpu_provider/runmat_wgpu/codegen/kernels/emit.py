"""The code of a kernel as WGSL statements for one point of its space, or for a few neighbours.

A `Body` writes statements where its caller wants them: straight into an entry point, or inside the
caller's loops, of which the emitter knows nothing. The caller names the point by one u32
expression for each axis and asks for values or stores; what those need is written before them,
each value once. Results of reductions, scans and carries are *given* by name, since how they come
about is the caller's business::

    draft = Draft(kernel, target)
    body = Body(draft, ("i", "j"))
    inner = body.inside()               # statements in a scope of their own
    inner.emit([operand])               # what a reduction reads, and all that it needs
    body.lines += block("for (...)", [*inner.lines, f"acc = acc + {inner.names(operand)[0]};"])
    body.give(reduce_position, ("acc",))
    body.emit(stores)                   # the rest

With `lanes` the statements are for that many points in a row along `Body.axis`: a value that varies
along that axis has one name for each lane, every other value a single one. Views in
`Layout.vectors` are then read and written 16 bytes at a time.

Order of operations: a sum or difference that meets another, and a product that meets a product, go
through a barrier (`Scalars.opaque`), or where ``fma`` rounds once are taken apart by one
(`Scalars.apart`), for compilers of drivers reassociate what they can see.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs

from runmat_core.api.ir import COMPLEX, FLOATS, Fragment, Instr
from runmat_wgpu.codegen.kernels import order, places, random
from runmat_wgpu.codegen.kernels.draft import Draft, block, width
from runmat_wgpu.codegen.kernels.places import PLAIN, Layout
from runmat_wgpu.codegen.kernels.ranges import Range

_COMPONENTS = "xyzw"


@attrs.define(eq=False)
class Body:
    """Statements for a point, or for `lanes` points in a row.

    Attributes:
        coords: u32 expressions, cheap to repeat (names): the coordinates of the first lane.
        lanes: points in a row along `axis`.
        valid: a u32 expression: how many of the lanes are inside the space; None: all are. Lanes
            outside compute something that is never stored.
        known: names of the values that can be used here, one for each lane or a single one.
        forms: the shorter forms (`scalars.FORMS`) of instructions whose first operand is known to
            be within their limits.
        lines: the statements so far.
    """

    draft: Draft
    coords: tuple[str, ...]
    layout: Layout = PLAIN
    lanes: int = 1
    axis: int = 0
    valid: str | None = None
    forms: Mapping[int, str] = attrs.field(factory=dict)
    known: dict[int, tuple[str, ...]] = attrs.field(factory=dict)
    lines: list[str] = attrs.field(factory=list)
    #: names of views' addresses, element numbers and random blocks that were computed already
    memo: dict[Any, Any] = attrs.field(factory=dict)

    @property
    def code(self) -> tuple[Instr, ...]:
        return self.draft.kernel.code

    # -- what callers use ---------------------------------------------------------------------

    def inside(self, **changes: Any) -> Body:
        """Return a body for a scope inside this one: it sees what is known here, and has no lines.

        Args:
            changes: of `coords`, `lanes` … for that scope. Values that vary along an axis whose
                coordinate changes must not be known yet.
        """
        # reciprocals are of values that are known, and as good
        kept = {key: v for key, v in self.memo.items() if not changes or key[0] == "inverse"}
        return attrs.evolve(self, known=dict(self.known), lines=[], memo=kept, **changes)

    def give(self, position: int, names: Sequence[str]) -> None:
        """Say by what names a value of the code is known: one for each lane, or a single one."""
        self.known[position] = tuple(names)

    def names(self, position: int) -> tuple[str, ...]:
        """Return the names of a value, which is emitted if it is not known yet."""
        if position not in self.known:
            self.emit([position])
        if position not in self.known:  # element numbers become values only when asked for
            self.known[position] = places.integers(self, position)
        return self.known[position]

    def lane(self, position: int, lane: int) -> str:
        """Return the name of a value in one lane."""
        names = self.names(position)
        return names[lane] if len(names) > 1 else names[0]

    def needed(self, wanted: Iterable[int]) -> list[int]:
        """Positions of the instructions that these need and that are not known, in order."""
        found: set[int] = set()
        stack = [k for k in wanted if k not in self.known]
        while stack:
            k = stack.pop()
            if k not in found:
                found.add(k)
                stack += [a for a in self.code[k].args if a not in self.known]
        return sorted(found)

    def emit(self, wanted: Iterable[int]) -> None:
        """Write the instructions at these positions and what they need."""
        for k in self.needed(wanted):
            instr = self.code[k]
            write = getattr(self, f"_{instr.op}", None)
            if write is not None:
                write(k, instr)
            else:
                self._map(k, instr)

    def let(self, expression: str, stem: str = "t") -> str:
        """Return a new name for an expression."""
        name = self.draft.name(stem)
        self.lines.append(f"let {name} = {expression};")
        return name

    def fragment(
        self, fragment: Fragment, inputs: Sequence[str], exact: bool = True
    ) -> tuple[str, ...]:
        """Write a fragment's code; names or expressions of its outputs.

        Args:
            inputs: names, of the types `Fragment.inputs`.
            exact: whether sums and products must keep their order; a combination of partial
                results need not.
        """
        names: list[str] = list(inputs)
        for k, instr in enumerate(fragment.code[len(inputs) :], len(inputs)):
            if instr.op == "const":
                value: Any = instr.attr
                names.append(self.draft.scalars.literal(value, instr.dtype))
                continue
            made = self._made(fragment.code, instr, [names[a] for a in instr.args], exact)
            names.append(self.let(made, f"f{k}"))
        return tuple(names[k] for k in fragment.outputs)

    # -- map instructions ---------------------------------------------------------------------

    def _map(self, k: int, instr: Instr) -> None:
        if instr.op == "cast" and self.code[instr.args[0]].op == "extent" and instr.attr == "f32":
            self.known[k] = (self.draft.words.reduced("f32"),)  # needs no doubles
            return
        if instr.op == "cast" and self.code[instr.args[0]].op == "index" and self.layout.narrow:
            self.known[k] = self._cast_numbers(k, instr)
            return
        operands = [self.names(a) for a in instr.args]
        count = max(len(names) for names in operands)
        bounds = self.draft.ranges[instr.args[0]]
        form = self.forms.get(k)
        if form is not None:
            limit = self.draft.scalars.limit(instr.op, instr.dtype, form) or 0.0
            bounds = (-limit, limit)
        inverse = self._inverse(instr)
        made = []
        for lane in range(count):
            args = [names[lane if len(names) > 1 else 0] for names in operands]
            if inverse is None:
                expression = self._made(self.code, instr, args, True, bounds)
            else:
                value = self._constant(instr.args[1])
                x, divisor = args
                known = inverse[lane if len(inverse) > 1 else 0]
                divided = self.draft.scalars.divided
                expression = divided(x, divisor, known, instr.dtype, value, form is not None)
            made.append(self._name(k, lane, count, expression))
        self.known[k] = tuple(made)

    def _constant(self, position: int) -> float | None:
        value: Any = self.code[position].attr
        return float(value) if self.code[position].op == "const" else None

    def prepare(self, wanted: Iterable[int]) -> None:
        """Write the reciprocals of known divisors that divide what these instructions need.

        The caller's loops go along what the divisors do not vary along.
        """
        for k in self.needed(wanted):
            instr = self.code[k]
            if instr.op == "div" and instr.args[1] in self.known and _shared(self.code, instr):
                self._make_inverse(instr)

    def _inverse(self, instr: Instr) -> tuple[str, ...] | None:
        """Return the reciprocals of a divisor of many points, by lane or one for all."""
        if instr.op != "div" or not _shared(self.code, instr):
            return None
        number = instr.args[1]
        if ("inverse", number) not in self.memo and not self.code[number].over:
            self._make_inverse(instr)
        found: tuple[str, ...] | None = self.memo.get(("inverse", number))
        return found

    def _make_inverse(self, instr: Instr) -> None:
        number = instr.args[1]
        value = self._constant(number)
        made = []
        for name in self.names(number):
            inverse = self.draft.scalars.inverse(name, instr.dtype, value)
            if inverse is not None:
                made.append(inverse if value is not None else self.let(inverse, "inverse"))
        self.memo["inverse", number] = tuple(made) or None

    def _made(
        self,
        code: Sequence[Instr],
        instr: Instr,
        args: Sequence[str],
        exact: bool,
        bounds: Range | None = None,
    ) -> str:
        """Return an instruction's expression, which compilers cannot regroup with its operands."""
        scalars, every = self.draft.scalars, range(len(args))
        same = all(code[a].dtype == instr.dtype for a in instr.args)
        takes_apart = scalars.takes_apart(instr.op, instr.dtype) and not order.folds(code, instr)
        if exact and same and takes_apart:
            hidden = [
                order.cancels(code, instr, n) or order.regroups(code, instr, n) for n in every
            ]
            if any(hidden):
                return scalars.apart(instr.op, instr.dtype, args, hidden)
        args = [self._barrier(code, instr, n, args[n], exact) for n in every]
        return self._call(code, instr, args, bounds)

    def _cast_numbers(self, k: int, instr: Instr) -> tuple[str, ...]:
        """Element numbers of 31 bits in another type, without 64-bit integers."""
        count = self.lanes if instr.over >> self.axis & 1 else 1
        view: Any = self.code[instr.args[0]].attr
        numbers = [f"i32({places.place(self, view, lane)})" for lane in range(count)]
        cast = self.draft.scalars.call
        return tuple(
            self._name(k, lane, count, cast("cast", instr.dtype, [n], ["i32"], instr.attr))
            for lane, n in enumerate(numbers)
        )

    def _name(self, k: int, lane: int, count: int, expression: str) -> str:
        name = f"v{k}" if count == 1 else f"v{k}_{lane}"
        self.lines.append(f"let {name} = {expression};")
        return name

    def _call(
        self,
        code: Sequence[Instr],
        instr: Instr,
        args: Sequence[str],
        bounds: Range | None = None,
    ) -> str:
        types = [code[a].dtype for a in instr.args]
        return self.draft.scalars.call(instr.op, instr.dtype, args, types, instr.attr, bounds)

    def _barrier(
        self, code: Sequence[Instr], instr: Instr, number: int, name: str, exact: bool
    ) -> str:
        """Return an operand, hidden from the compiler where it could be regrouped."""
        if not exact or not (instr.dtype in FLOATS or instr.dtype in COMPLEX):
            return name
        if order.cancels(code, instr, number):
            # not by the barrier of the first operand: both would be the same again
            return self.draft.scalars.hidden(name, instr.dtype)
        hidden = order.regroups(code, instr, number)
        return self.draft.scalars.opaque(name, instr.dtype) if hidden else name

    # -- scalars --------------------------------------------------------------------------------

    def _const(self, k: int, instr: Instr) -> None:
        value: Any = instr.attr
        self.known[k] = (self.draft.scalars.literal(value, instr.dtype),)

    def _param(self, k: int, instr: Instr) -> None:
        number: Any = instr.attr
        word = self.draft.words.param(number)
        self.known[k] = (self.draft.scalars.load(word, instr.dtype),)

    def _extent(self, k: int, instr: Instr) -> None:
        if any(k in user.args and user.attr != "f32" for user in self.code):
            self.draft.scalars.type(instr.dtype)  # declines what the target lacks
            self.known[k] = (self.draft.words.reduced(instr.dtype),)

    def _index(self, k: int, instr: Instr) -> None:
        """Nothing yet: `places.pair` and `names` make of a number what is asked for."""

    def _random(self, k: int, instr: Instr) -> None:
        self.known[k] = random.emit(self, instr)

    # -- memory ---------------------------------------------------------------------------------

    def _load(self, k: int, instr: Instr) -> None:
        view: Any = instr.attr
        buffer = self.draft.kernel.views[view].buffer
        assert buffer is not None
        if instr.args:
            self.known[k] = places.gather(self, k, buffer)
            return
        draft, many = self.draft, self.lanes if instr.over >> self.axis & 1 else 1
        if many > 1 and view in self.layout.vectors:
            words = self._vectors(view, buffer)
        else:
            words = [draft.element(buffer, places.place(self, view, j)) for j in range(many)]
        self.known[k] = tuple(
            self._name(k, j, many, draft.scalars.load(word, instr.dtype))
            for j, word in enumerate(words)
        )

    def _vectors(self, view: int, buffer: int) -> list[str]:
        """Return the words of all lanes, read as vectors."""
        many = width(self.draft.kernel.buffers[buffer].dtype)
        self.draft.multiples[view] = many
        first = places.place(self, view)
        array, shift = self.draft.buffer(buffer), many.bit_length() - 1
        words = []
        for part in range(self.lanes // many):
            place = f"({first} >> {shift}u)" + (f" + {part}u" if part else "")
            name = self.let(f"{array}[{place}]", "w")
            words += [f"{name}.{_COMPONENTS[j]}" for j in range(many)]
        return words

    def _store(self, k: int, instr: Instr) -> None:
        view: Any = instr.attr
        seen = self.draft.kernel.views[view]
        buffer = seen.buffer
        assert buffer is not None
        dtype = self.draft.kernel.buffers[buffer].dtype
        many = self.lanes if seen.moves[self.axis] else 1
        words = [self.draft.scalars.store(self.lane(instr.args[0], j), dtype) for j in range(many)]
        each = [
            f"{self.draft.element(buffer, places.place(self, view, j))} = {word};"
            for j, word in enumerate(words)
        ]
        if many > 1 and view in self.layout.vectors:
            self._store_vectors(view, buffer, words, each)
        elif self.valid is None or many == 1:
            self.lines += each
        else:
            self.lines += _only_valid(self.valid, each)

    def _store_vectors(
        self, view: int, buffer: int, words: Sequence[str], each: Sequence[str]
    ) -> None:
        many = width(self.draft.kernel.buffers[buffer].dtype)
        self.draft.multiples[view] = many
        first = places.place(self, view)
        array, shift = self.draft.buffer(buffer), many.bit_length() - 1
        whole = []
        for part in range(self.lanes // many):
            place = f"({first} >> {shift}u)" + (f" + {part}u" if part else "")
            parts = ", ".join(words[part * many : (part + 1) * many])
            whole.append(f"{array}[{place}] = vec{many}({parts});")
        if self.valid is None:
            self.lines += whole
            return
        self.lines += block(f"if ({self.valid} >= {self.lanes}u)", whole, "} else {")
        self.lines += ["  " + line for line in _only_valid(self.valid, each)] + ["}"]

    def _guard(self, k: int, instr: Instr) -> None:
        names = self.names(instr.args[0])
        tests = [
            name if self.valid is None or j == 0 else f"({self.valid} > {j}u && {name})"
            for j, name in enumerate(names)
        ]
        word = f"{self.draft.status()}[0]"
        bit = f"{1 << int(instr.attr)}u"  # type: ignore[call-overload]
        # the test keeps threads that come later from queueing for the word
        test = f"({' || '.join(tests)}) && (atomicLoad(&{word}) & {bit}) == 0u"
        self.lines += block(f"if ({test})", [f"atomicOr(&{word}, {bit});"])


def _shared(code: Sequence[Instr], division: Instr) -> bool:
    """Whether a divisor, of the type of the quotient, varies along fewer axes than the dividend."""
    over = [code[a].over for a in division.args]
    same = all(code[a].dtype == division.dtype for a in division.args)
    return same and bool(over[0] & ~over[1])


def _only_valid(valid: str, each: Sequence[str]) -> list[str]:
    """Statements of lanes, those after the first only where the lane is inside."""
    return [f"if ({valid} > {j}u) {{ {line} }}" if j else line for j, line in enumerate(each)]


def stores(code: Sequence[Instr]) -> list[int]:
    """Positions of what a kernel does: its stores and guards."""
    return [k for k, instr in enumerate(code) if instr.op in ("store", "guard")]


def constants(values: Mapping[str, int]) -> list[str]:
    """Return declarations of u32 constants."""
    return [f"const {name} = {value}u;" for name, value in values.items()]
