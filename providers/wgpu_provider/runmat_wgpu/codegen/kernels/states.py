"""States of reducers as WGSL: types, and functions that lift elements, join states, finish them.

Reducers of known names have short forms; all others are generated from their fragments. The state
of one component is a plain value, of several a struct; logicals are u32 in both, so that states may
lie in any memory.
"""

from __future__ import annotations

from collections.abc import Sequence

from runmat_core.api.ir import COMPLEX, FLOATS, Fragment, Reducer
from runmat_wgpu.codegen.kernels.draft import Draft, indent
from runmat_wgpu.codegen.kernels.emit import Body
from runmat_wgpu.codegen.shader import STORAGE

#: Reducers of one component, joined by one operator or function of the IR.
_SIMPLE = frozenset({"sum", "prod", "min", "max", "any", "all"})
_OPERATOR = {"sum": "+", "prod": "*", "any": "|", "all": "&"}
NOWHERE = "0xffffffffu"


#: Bytes of the members of a struct that take more than 4.
_WIDE = {"f64": 8, "i64": 8, "u64": 8, "vec2<f32>": 8, "vec2<f64>": 16}


def struct_size(types: Sequence[str]) -> int:
    """Bytes of a struct of such members in an array."""
    end, align = 0, 4
    for type_ in types:
        size = _WIDE.get(type_, 4)
        align = max(align, size)
        end = -(-end // size) * size + size
    return -(-end // align) * align


class State:
    """A reducer in one shader.

    Attributes:
        name: what its functions and its struct are called.
        type: WGSL type of a state.
        types: WGSL types of the components.
        identity: an expression that may be joined with any state without a trace; None where a
            reducer has no such state to rely on.
        ordered: whether only neighbouring runs may be joined, the earlier first.
        numbered: whether elements are told their number, as u32 or f64.
    """

    def __init__(self, draft: Draft, reducer: Reducer, name: str) -> None:
        self.draft, self.reducer, self.name = draft, reducer, name
        self.place = reducer.name in ("argmin", "argmax")
        self.simple = reducer.name in _SIMPLE and len(reducer.init) == 1
        if reducer.name == "prod" and reducer.map.inputs[0] in COMPLEX:
            self.simple = False
        inputs = len(reducer.map.inputs)
        self.dtypes = [reducer.combine.code[k].dtype for k in range(len(reducer.init))]
        scalars = draft.scalars
        self.types = ["u32" if t == "bool" else scalars.type(t) for t in self.dtypes[:1]]
        if self.place:
            self.types.append("u32")
        else:
            self.types += ["u32" if t == "bool" else scalars.type(t) for t in self.dtypes[1:]]
        self.type = self.types[0] if len(self.types) == 1 else f"State_{name}"
        self.numbered = self.place or _uses(reducer.map, inputs - 1)
        self.ordered = not (reducer.commutative or self.place)
        self.identity: str | None = None
        if self.simple or self.place:
            self.identity = self.nothing()
        self._declare()

    @property
    def bytes(self) -> int:
        """Of a state in an array."""
        return struct_size(self.types)

    # -- declarations -----------------------------------------------------------------------------

    def _declare(self) -> None:
        draft, name = self.draft, self.name
        if len(self.types) > 1:
            members = ", ".join(f"s{k}: {t}" for k, t in enumerate(self.types))
            draft.function(f"struct {name}", f"struct {self.type} {{ {members} }}")
        if self.place:
            draft.function(f"join {name}", self._join_places())
        elif not self.simple or self.reducer.name in ("min", "max"):
            draft.function(f"join {name}", self._join_fragment())

    def _function(self, head: str, body: Body, result: str) -> str:
        return "\n".join([f"fn {head} {{", *indent([*body.lines, f"return {result};"]), "}"])

    def _join_fragment(self) -> str:
        body = Body(self.draft, ())
        first, then = (self._read(v) for v in "ab")
        outputs = body.fragment(self.reducer.combine, [*first, *then], exact=False)
        head = f"join_{self.name}(a: {self.type}, b: {self.type}) -> {self.type}"
        return self._function(head, body, self.made(outputs))

    def _join_places(self) -> str:
        """Return the better element.

        Of equal ones the first, which makes the order of joins free.
        """
        dtype = self.dtypes[0]
        a, b = ("(a.s0 != 0u)", "(b.s0 != 0u)") if dtype == "bool" else ("a.s0", "b.s0")
        test = "gt" if self.reducer.name == "argmax" else "lt"
        scalars = self.draft.scalars
        better = scalars.call(test, "bool", [b, a], [dtype, dtype])
        worse = scalars.call(test, "bool", [a, b], [dtype, dtype])
        if dtype in FLOATS:
            not_a, not_b = (scalars.call("isnan", "bool", [v], [dtype]) for v in (a, b))
            better = f"({better} || ({not_a} && !{not_b}))"
            worse = f"({worse} || ({not_b} && !{not_a}))"
        take = f"b.s1 != {NOWHERE} && (a.s1 == {NOWHERE} || {better} || (!{worse} && b.s1 < a.s1))"
        head = f"fn join_{self.name}(a: {self.type}, b: {self.type}) -> {self.type} {{"
        lines = [f"if ({take}) {{ return b; }}", "return a;"]
        return "\n".join([head, *indent(lines), "}"])

    # -- expressions ------------------------------------------------------------------------------

    def _read(self, state: str) -> list[str]:
        """Return the components of a state as values in registers."""
        parts = (
            [state] if len(self.types) == 1 else [f"{state}.s{k}" for k in range(len(self.types))]
        )
        return [
            f"({part} != 0u)" if dtype == "bool" else part
            for part, dtype in zip(parts, self.dtypes, strict=True)
        ]

    def made(self, parts: Sequence[str]) -> str:
        """Return a state of values in registers."""
        stored = [self.draft.scalars.store(p, t) for p, t in zip(parts, self.dtypes, strict=True)]
        return stored[0] if len(stored) == 1 else f"{self.type}({', '.join(stored)})"

    def nothing(self) -> str:
        """Return the state of no elements."""
        scalars = self.draft.scalars
        if self.place:
            zero = scalars.literal(0, self.dtypes[0])
            return f"{self.type}({scalars.store(zero, self.dtypes[0])}, {NOWHERE})"
        pairs = zip(self.reducer.init, self.dtypes, strict=True)
        return self.made([scalars.literal(value, dtype) for value, dtype in pairs])

    def join(self, a: str, b: str) -> str:
        """Return the state of two runs, `a` the earlier."""
        operator = _OPERATOR.get(self.reducer.name) if self.simple else None
        return f"({a} {operator} {b})" if operator else f"join_{self.name}({a}, {b})"

    def lift(self, body: Body, operands: Sequence[str], number: str) -> str:
        """Return the state of one element.

        Args:
            number: of the element along the reduced axes, a u32 expression.
        """
        if self.place:
            return f"{self.type}({self.draft.scalars.store(operands[0], self.dtypes[0])}, {number})"
        inputs = [*operands, f"f64({number})" if self.numbered else "unused"]
        return self.made(body.fragment(self.reducer.map, inputs))

    def lift_all(self, body: Body, elements: Sequence[tuple[Sequence[str], str]]) -> str:
        """Return the name of the state of neighbouring elements: pairs (operands, number)."""
        if self.reducer.name == "welford" and len(elements) > 1:
            return self._deviations(body, [operands[0] for operands, _ in elements])
        states = [self.lift(body, operands, number) for operands, number in elements]
        while len(states) > 1:
            pairs = [self.join(a, b) for a, b in zip(states[::2], states[1::2], strict=False)]
            states = [body.let(p, "s") for p in pairs] + states[len(pairs) * 2 :]
        return states[0] if states[0].isidentifier() else body.let(states[0], "s")

    def _deviations(self, body: Body, values: Sequence[str]) -> str:
        """Mean, then deviations from it: one division for many elements."""
        scalars, dtype = self.draft.scalars, self.dtypes[0]
        count = scalars.literal(float(len(values)), dtype)
        share = scalars.literal(1.0 / len(values), dtype)
        mean = body.let(scalars.opaque(f"{_tree(values, '+')} * {share}", dtype), "mean")
        rest = [body.let(f"{value} - {mean}", "d") for value in values]
        return body.let(f"{self.type}({count}, {mean}, {_tree([f'{d} * {d}' for d in rest], '+')})")

    # -- moments in a loop of one thread ----------------------------------------------------------

    @property
    def shifted(self) -> bool:
        """Whether a thread adds up differences from its first element, and their squares.

        That takes no division for each element. The variable of the state holds how many there
        are, and both sums; `unshift` makes the state of it. Since the first element is one of those
        that the squares are about, these lose no more than it adds to them.
        """
        return self.reducer.name == "welford"

    def shift(self, body: Body, name: str, origin: str, values: Sequence[str]) -> None:
        """Add elements to the sums in variable `name`, their differences from `origin`."""
        count = self.draft.scalars.literal(float(len(values)), self.dtypes[0])
        rest = [body.let(f"{value} - {origin}", "d") for value in values]
        squares = _tree([f"{d} * {d}" for d in rest], "+")
        body.lines += [
            f"{name}.s0 = {name}.s0 + {count};",
            f"{name}.s1 = {name}.s1 + {_tree(rest, '+')};",
            f"{name}.s2 = {name}.s2 + {squares};",
        ]

    def unshift(self, name: str, origin: str) -> list[str]:
        """Statements that turn the sums of a thread, if it had any elements, into a state."""
        return [
            f"if ({name}.s0 > 0) {{",
            f"  let off = {name}.s1 / {name}.s0;",
            f"  let rest = {name}.s2 - {name}.s1 * off;",
            # rounding may leave less than nothing; NaN stays
            f"  {name} = {self.type}({name}.s0, {origin} + off, select(rest, 0, rest < 0));",
            "}",
        ]

    def finish(self, body: Body, state: str) -> tuple[str, ...]:
        """Names of the results of a state, which is a name."""
        if not self.place:
            outputs = body.fragment(self.reducer.finish, self._read(state), exact=False)
            return tuple(body.let(v, "r") for v in outputs)
        value = self.draft.scalars.load(f"{state}.s0", self.dtypes[0])
        wide = self.draft.scalars.type("f64")
        number = f"select({wide}({state}.s1), -1.0lf, {state}.s1 == {NOWHERE})"
        return tuple(body.let(v, "r") for v in (value, number))

    @property
    def results(self) -> list[str]:
        """Element types of the results."""
        finish = self.reducer.finish
        return [finish.code[k].dtype for k in finish.outputs]


def _tree(terms: Sequence[str], operator: str) -> str:
    if len(terms) == 1:
        return terms[0]
    half = (len(terms) + 1) // 2
    return f"({_tree(terms[:half], operator)} {operator} {_tree(terms[half:], operator)})"


def _uses(fragment: Fragment, number: int) -> bool:
    """Whether a fragment looks at one of its inputs."""
    return number in fragment.outputs or any(number in i.args for i in fragment.code)


def joined(state: State, name: str, made: str, started: str | None) -> list[str]:
    """Statements that join a state to an accumulator, which may hold nothing yet."""
    whole = f"{name} = {state.join(name, made)};"
    if state.identity is not None or started is None:
        return [whole]
    return [f"if ({started}) {{ {whole} }} else {{ {name} = {made}; }}"]


def part_struct(draft: Draft, states: Sequence[State]) -> str:
    """Return the type of the states of all reductions of a level."""
    if len(states) == 1:
        return states[0].type
    members = ", ".join(f"p{k}: {s.type}" for k, s in enumerate(states))
    draft.function("struct Part", f"struct Part {{ {members} }}")
    return "Part"


def part_bytes(states: Sequence[State]) -> int:
    """Bytes of `part_struct` in an array, or a few more."""
    types = [t for state in states for t in state.types]
    return struct_size(types) + (8 * len(states) if len(states) > 1 else 0)


def result_types(states: dict[int, State]) -> list[str]:
    """WGSL types of the results of all reductions of a level, as they lie in memory."""
    return [STORAGE[dtype] for state in states.values() for dtype in state.results]


def result_struct(draft: Draft, level: int, states: dict[int, State]) -> str:
    """Return the type of the results of a level."""
    members = ", ".join(f"r{k}: {t}" for k, t in enumerate(result_types(states)))
    draft.function(f"struct Results_{level}", f"struct Results_{level} {{ {members} }}")
    return f"Results_{level}"
