"""Operations on one element as WGSL expressions."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from runmat_core.api.ir import COMPLEX, FLOATS, INTEGERS, OPS
from runmat_wgpu.codegen.scalars import library
from runmat_wgpu.codegen.scalars.casts import cast
from runmat_wgpu.codegen.scalars.complexes import complex_operation
from runmat_wgpu.codegen.scalars.expressions import FORMS, Expressions
from runmat_wgpu.codegen.scalars.integers import integer_operation
from runmat_wgpu.codegen.shader import DeclinedError

Range = tuple[float, float]

_RELATION = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_LOGICAL = {"and": "&&", "or": "||", "xor": "!="}
_ARITHMETIC = {"add": "+", "sub": "-", "mul": "*", "div": "/"}
#: Builtins that are exact for both floating types.
_EXACT = frozenset({"abs", "floor", "ceil", "trunc", "sqrt"})


class Scalars(Expressions):
    """Makes the operations of the IR of expressions; see `Expressions` for what these keep to."""

    def call(
        self,
        op: str,
        dtype: str,
        args: Sequence[str],
        arg_dtypes: Sequence[str],
        attr: Hashable = None,
        range: Range | None = None,
    ) -> str:
        """Return a map operation of the IR.

        Args:
            dtype: of the result, as the instruction has it.
            args: expressions; each is evaluated at least once.
            attr: of the instruction.
            range: bounds that the first operand is known to keep, both included; it is no NaN.

        Raises:
            DeclinedError: the target lacks a type, or the types have no such operation.
        """
        if len(args) != OPS[op].arity:
            raise ValueError(f"{op} takes {OPS[op].arity} operands, not {len(args)}")
        if op == "cast":
            return cast(self, args[0], arg_dtypes[0], str(attr))
        if op == "select":
            yes, no = (
                cast(self, a, t, dtype) for a, t in zip(args[1:], arg_dtypes[1:], strict=True)
            )
            return f"select({no}, {yes}, {self._logical(args[0], arg_dtypes[0])})"
        if op in _LOGICAL or op == "not":
            operands = [self._logical(a, t) for a, t in zip(args, arg_dtypes, strict=True)]
            return f"(!{operands[0]})" if op == "not" else f"({_LOGICAL[op].join(operands)})"
        if op == "complex" or not COMPLEX.isdisjoint(arg_dtypes):
            return complex_operation(self, op, args, arg_dtypes[0])
        common = _common(arg_dtypes)
        operands = [cast(self, a, t, common) for a, t in zip(args, arg_dtypes, strict=True)]
        if common in FLOATS:
            return self._of_floats(op, common, operands, range)
        if common == "bool":
            return self._of_logicals(op, operands)
        return integer_operation(self, op, common, operands)

    def _logical(self, expression: str, dtype: str) -> str:
        return cast(self, expression, dtype, "bool")

    def _of_floats(self, op: str, dtype: str, args: list[str], range: Range | None) -> str:
        if op == "ne":
            return f"(!({args[0]} == {args[1]}))"  # != is false of NaN through naga
        if op in _RELATION:
            return f"({args[0]} {_RELATION[op]} {args[1]})"
        if op in ("div", "sqrt") and not self.rounds(dtype):
            return self.function(f"{op}_{dtype}", *args)
        if op in _ARITHMETIC:
            return f"({args[0]} {_ARITHMETIC[op]} {args[1]})"
        if op in _EXACT:
            return f"{op}({args[0]})"
        form = self._form(op, dtype, range)
        name = f"{op}_{form}_{dtype}" if form else f"{op}_{dtype}"
        if name not in library.declarations(self._layers):
            raise DeclinedError(f"{op} of {dtype}")
        return self.function(name, *args)

    def _form(self, op: str, dtype: str, range: Range | None) -> str | None:
        """Return the shortest form for an operand within these bounds."""
        if range is None:
            return None
        largest = max(map(abs, range))
        for form in FORMS:
            limit = self.limit(op, dtype, form)
            if limit is not None and largest <= limit:
                return form
        return None

    def _of_logicals(self, op: str, args: list[str]) -> str:
        if op in ("eq", "ne"):
            return f"({args[0]} {_RELATION[op]} {args[1]})"
        if op in ("min", "max"):
            return f"({args[0]} {'&&' if op == 'min' else '||'} {args[1]})"
        if op in _RELATION:
            x, y = (f"select(0u, 1u, {a})" for a in args)
            return f"({x} {_RELATION[op]} {y})"
        raise DeclinedError(f"{op} of bool")


def _common(dtypes: Sequence[str]) -> str:
    """Return the type that an operation of operands of these types computes in."""
    for dtype in ("f64", "f32"):
        if dtype in dtypes:
            return dtype
    return next((dtype for dtype in dtypes if dtype in INTEGERS), "bool")
