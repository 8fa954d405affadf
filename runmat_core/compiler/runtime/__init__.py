"""The helpers that generated code calls, by the names it calls them.

Names start with an underscore, which MATLAB names cannot. Builtins of Python are reached through
these names too: generated code runs with an empty ``__builtins__``.
"""

from __future__ import annotations

from typing import Any

from runmat_core import values
from runmat_core.api import errors
from runmat_core.compiler.frames import UNSET
from runmat_core.compiler.runtime import (
    access,
    arguments,
    calls,
    control,
    elements,
    loops,
    passages,
)
from runmat_core.compiler.runtime.calls import with_fields

__all__ = ["UNSET", "namespace", "with_fields"]

_OPERATORS = (
    "plus",
    "minus",
    "times",
    "mtimes",
    "rdivide",
    "ldivide",
    "mrdivide",
    "mldivide",
    "power",
    "mpower",
    "uminus",
    "uplus",
    "transpose",
    "ctranspose",
    "colon",
    "horzcat",
    "vertcat",
    "truth",
    "scalar_truth",
)


def namespace() -> dict[str, Any]:
    """Return a new globals dict for generated code, without what belongs to a session."""
    return dict(_NAMESPACE)


_NAMESPACE: dict[str, Any] = {
    "__builtins__": {},
    "_U": UNSET,
    "_COLON": values.COLON,
    "_CommaList": values.CommaList,
    "_Handle": values.FunctionHandle,
    "_Empty": control.NoIterations,
    "_float_t": float,
    "_bool_t": bool,
    "_len": len,
    "_NameError": NameError,
    "_Unbound": (NameError, KeyError),
    "_Exception": Exception,
    "_MatlabError": errors.MatlabError,
    "_too_many_inputs": errors.too_many_inputs,
    "_too_many_outputs": errors.too_many_outputs,
    "_and": values.and_,
    "_or": values.or_,
    "_not": values.not_,
    **{f"_{name}": getattr(values, name) for name in _OPERATORS},
    **{
        f"_{name}": helper
        for module in (access, arguments, calls, control, elements, loops, passages)
        for name, helper in module.HELPERS.items()
    },
}
