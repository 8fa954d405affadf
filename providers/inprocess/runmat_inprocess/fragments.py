"""Fragments of a `Reducer` as functions of arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.device import NUMPY_DTYPE
from runmat_core.api.ir import Fragment
from runmat_inprocess.maps import Rule, rule_for


class DeclinedError(Exception):
    """A kernel holds something that this provider cannot run; the text says what."""


class FragmentFunction:
    """A fragment over whole arrays; every intermediate is a new array.

    States are small beside the elements they come from, so memory is not reused here.

    Raises:
        DeclinedError: an operation has no rule.
    """

    def __init__(self, fragment: Fragment) -> None:
        self.fragment = fragment
        self._rules: list[Rule | None] = []
        for instr in fragment.code:
            rule = None
            if instr.op not in ("input", "const"):
                rule = rule_for(instr, tuple(fragment.code[a].dtype for a in instr.args))
                if rule is None:
                    raise DeclinedError(f"no rule for {instr.op} in a reducer")
            self._rules.append(rule)

    def uses(self, number: int) -> bool:
        """Whether the fragment reads its input `number`."""
        positions = {
            k for k, i in enumerate(self.fragment.code) if i.op == "input" and i.attr == number
        }
        read = {a for i in self.fragment.code for a in i.args} | set(self.fragment.outputs)
        return bool(positions & read)

    def __call__(self, *inputs: Any) -> tuple[Any, ...]:
        values: list[Any] = []
        for instr, rule in zip(self.fragment.code, self._rules, strict=True):
            dtype = NUMPY_DTYPE[instr.dtype]
            if instr.op == "input":
                number: Any = instr.attr
                values.append(inputs[number])
            elif rule is None:
                values.append(np.array(instr.attr, dtype))
            else:
                operands = [values[a] for a in instr.args]
                shape = np.broadcast_shapes(*(o.shape for o in operands))
                out = np.empty(shape, dtype)
                scratch = [np.empty(shape, NUMPY_DTYPE[s]) for s in rule.scratch]
                rule.function(*operands, out, *scratch)
                values.append(out)
        return tuple(values[k] for k in self.fragment.outputs)
