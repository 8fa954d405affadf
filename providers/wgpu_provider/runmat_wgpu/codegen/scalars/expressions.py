"""Values, conversions between registers and memory, and functions, as WGSL expressions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api.ir import FLOATS, PART_OF
from runmat_wgpu.codegen.scalars import library, types
from runmat_wgpu.codegen.shader import Target

#: Up to which size of their first argument functions have shorter forms, ``NAME_close_T`` and
#: ``NAME_near_T``, the shortest first. That of a quotient is for divisors that many points share.
FORMS = ("close", "near")
_NEAR_ANGLE = {"f32": 6400.0, "f64": 1.6e6}
_LIMITS: dict[str, dict[str, dict[str, float]]] = {
    "close": {"exp": {"f32": 1.38}, "tanh": {"f32": 1.5}},
    "near": {
        **dict.fromkeys(("sin", "cos", "tan"), _NEAR_ANGLE),
        "exp": {"f32": 86.0, "f64": 707.0},
        "div": {"f32": 2.0**24},
    },
}


class Expressions:
    """Makes expressions for one shader, and remembers the functions that they call.

    Expressions are complete in themselves (parenthesised where needed) and may stand in one
    another. The shader must have a module-scope uniform ``p`` with a member ``zero: u32`` that is 0
    at run time, and `text` among its declarations.

    Within a function, operations keep their order. What compilers make of an operation together
    with those that its operands come from (``(x + big) - big``) is the caller's to prevent, who
    knows these, with `opaque`; not twice in a row, which compilers know to be nothing.

    Args:
        target: what the device has.
    """

    def __init__(self, target: Target) -> None:
        self.target = target
        self._layers = library.layers(target)
        self._functions: set[str] = set()

    # -- values -----------------------------------------------------------------------------------

    def type(self, dtype: str) -> str:
        """Return the WGSL type of a value in registers.

        Raises:
            DeclinedError: the target lacks it.
        """
        return types.register_type(dtype, self.target)

    def literal(self, value: float | bool, dtype: str) -> str:
        """Return a value of any size as an exact expression; NaN, infinities and denormals too.

        Raises:
            DeclinedError: the target lacks the type.
            ValueError: it is an integer outside of the type's range.
        """
        return types.literal(value, dtype, self.target)

    def opaque(self, expression: str, dtype: str) -> str:
        """Return the same value, of which the compiler knows nothing."""
        kind = self.type(dtype)
        if kind == "bool":
            return f"(({expression}) != (p.zero != 0u))"
        if kind in FLOATS:
            return self.function(f"opaque_{kind}", expression)
        if dtype in PART_OF:
            return self.function(f"c_opaque_{PART_OF[dtype]}", expression)
        return f"(({expression}) ^ {'p.zero' if kind == 'u32' else f'{kind}(p.zero)'})"

    def hidden(self, expression: str, dtype: str) -> str:
        """`opaque` by another operation, for what two of one kind would be known to be the same."""
        if dtype in PART_OF:
            return self.function(f"c_argument_{PART_OF[dtype]}", expression)
        bits = "u32" if dtype == "f32" else "u64"
        return f"bitcast<{dtype}>(bitcast<{bits}>({expression}) + {bits}(p.zero))"

    def load(self, expression: str, dtype: str) -> str:
        """Return the value in registers of a stored word."""
        return f"({expression} != 0u)" if self.type(dtype) == "bool" else expression

    def store(self, expression: str, dtype: str) -> str:
        """Return the word to store for a value in registers."""
        return f"select(0u, 1u, {expression})" if self.type(dtype) == "bool" else expression

    def load4(self, expression: str, dtype: str) -> str:
        """`load` of a vector of four."""
        if self.type(dtype) == "bool":
            return f"({expression} != vec4<u32>(0u))"
        return expression

    def store4(self, expression: str, dtype: str) -> str:
        """`store` of a vector of four."""
        if self.type(dtype) == "bool":
            return f"select(vec4<u32>(0u), vec4<u32>(1u), {expression})"
        return expression

    # -- functions --------------------------------------------------------------------------------

    def function(self, name: str, *args: str) -> str:
        """Return a call of a function of the library."""
        self._functions.add(name)
        return f"{name}({', '.join(args)})"

    def rounds(self, dtype: str) -> bool:
        """Whether the device's own quotients and square roots of the type are rounded right."""
        return self.target.rounds or dtype != "f32"

    def takes_apart(self, op: str, dtype: str) -> bool:
        """Whether `apart` knows the operation, which it does cheaper than `opaque`."""
        return self.target.fused and dtype in FLOATS and op in ("add", "sub", "mul")

    def apart(self, op: str, dtype: str, args: Sequence[str], hidden: Sequence[bool]) -> str:
        """Return an operation that no compiler regroups with those that its operands come from.

        Args:
            hidden: which of the operands come from such.
        """
        x, y = args
        if op == "mul":
            return self.function(f"multiplied_{dtype}", x, y)
        if all(hidden):
            y = self.opaque(y, dtype)
        if op == "sub":
            y = f"-({y})"
        # what is multiplied by one is certain to stay apart
        return self.function(f"added_{dtype}", *((x, y) if hidden[0] else (y, x)))

    def inverse(self, divisor: str, dtype: str, value: float | None = None) -> str | None:
        """Return the reciprocal with which `divided` takes fewer operations.

        Return None where it does not.

        Args:
            divisor: used for many dividends.
            value: of the divisor, where it is known.
        """
        if not self.target.fused or dtype not in FLOATS or self.rounds(dtype) != (dtype == "f64"):
            return None
        if value is None:
            return self.function(f"inverse_{dtype}", divisor)
        kind: Any = np.float32 if dtype == "f32" else np.float64
        mantissa = math.frexp(float(kind(value)))[0]
        # one step is not enough for the largest mantissa
        if not 1e-15 < abs(value) < 1e15 or abs(mantissa) == 1 - np.finfo(kind).epsneg:
            return None
        return self.literal(float(kind(1) / kind(value)), dtype)

    def divided(
        self,
        x: str,
        divisor: str,
        inverse: str,
        dtype: str,
        value: float | None = None,
        near: bool = False,
    ) -> str:
        """Return x / divisor, rounded, by the reciprocal that `inverse` gave for this `value`.

        Args:
            near: x is within the `limit` of that form, and the divisor is an ordinary number.
        """
        if value is not None and abs(math.frexp(value)[0]) == 0.5:
            return f"({x} * {inverse})"
        if near:
            return self.function(f"div_near_{dtype}", x, divisor, inverse)
        return self.function(f"div_known_{dtype}", x, divisor, inverse)

    def limit(self, op: str, dtype: str, form: str) -> float | None:
        """Return the largest size of a first argument for one of `FORMS`.

        Return None: there is no such form.
        """
        known = f"{op}_{form}_{dtype}" in library.declarations(self._layers)
        return _LIMITS[form].get(op, {}).get(dtype) if known else None

    def text(self) -> str:
        """WGSL of all functions called so far and of what these need, in an order of its own."""
        return library.closure(self._functions, self._layers)

    # -- random numbers ---------------------------------------------------------------------------

    def philox(self, counter: str, key: str) -> str:
        """Four words of the random stream, ``vec4<u32>``.

        Args:
            counter: ``vec4<u32>``: the block's number, low word first, and two zeros.
            key: ``vec2<u32>``.
        """
        name = "philox_wide" if self.target.i64 else "philox_pieces"
        return self.function(name, counter, key)

    def random(self, distribution: str, dtype: str, *words: str) -> str:
        """Return what the words of the stream make.

        Args:
            distribution: ``uniform`` takes the words of an element, one of f32 and two of f64, and
                gives it. ``normal`` takes those of a pair of elements, the first of which has an
                even number in the stream, and gives both as ``vec2``.
            words: u32, in the order of the stream.

        Raises:
            DeclinedError: the target lacks the type.
        """
        self.type(dtype)
        each = 1 if dtype == "f32" else 2
        made = [
            self.function(f"uniform_{dtype}", *words[k : k + each])
            for k in range(0, len(words), each)
        ]
        return made[0] if distribution == "uniform" else self.function(f"box_muller_{dtype}", *made)
