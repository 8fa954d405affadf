"""What a function returns.

Up to one output is the bare value, more are a tuple; without a request the first output is returned
when it is set, for ``ans``.
"""

from __future__ import annotations

import ast as py

from runmat_core.compiler.code import Code
from runmat_core.compiler.pyast import call, const, load, statements, tuple_of
from runmat_core.compiler.statements import Statements

_RETURN = statements("return V")
_RETURN_FIRST = statements("if _nout < 2:\n    return V")
_RETURN_SOME = statements("if _nout == K:\n    return V")
_GUARDED = statements(
    "try:\n    BODY\nexcept _Unbound as _e:\n    return _missing_output(_nout, _e, NAME)"
)
_READ_OR_NONE = statements("try:\n    T = X\nexcept _Unbound:\n    T = None")


class Outputs(Statements):
    """Generates the exit of a function."""

    def return_outputs(self) -> list[py.stmt]:
        outputs = list(self.scope.outputs)
        variable = bool(outputs) and outputs[-1] == "varargout"
        named = outputs[:-1] if variable else outputs
        if not outputs:
            return _RETURN(V=const(None))
        values = [self.output(name) for name in named]
        made: list[py.stmt] = []
        if values:
            made += _RETURN_FIRST(V=values[0])
        last = len(values) if not variable else len(values) + 1
        for count in range(2, last):
            made += _RETURN_SOME(K=const(count), V=tuple_of(values[:count]))
        if variable:
            made = _READ_OR_NONE(T=py.Name("_v", py.Store()), X=self.read("varargout")) + made
            rest = call("_varargout", load("_nout"), load("_v"), *values)
            made += _RETURN(V=rest)
        elif len(values) > 1:
            made += _RETURN(V=tuple_of(values))
        else:
            made = _RETURN(V=values[0])
        if all(name in self.defined and self.is_plain(name) for name in named):
            return made
        return _GUARDED(BODY=made, NAME=const(self.unit.infos[self.key]["name"]))

    @property
    def key(self) -> str:
        return self.unit.key_of(self.scope)

    def output(self, name: str) -> py.expr:
        """Return the value of an output; shared when something outlives the call that holds it."""
        where, _ = self.place_of(name)
        if self.is_plain(name) or (where == "_w" and not self.scope.exposed):
            return self.read(name)
        return self.shared(Code(self.read(name), fresh=False))
