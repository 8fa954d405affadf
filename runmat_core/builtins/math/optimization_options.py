"""Options of the optimisation functions, and their problems as structures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import nearest, scalar
from runmat_core.values import (
    FunctionHandle,
    StructArray,
    char,
    field,
    is_text,
    struct,
    text,
)
from runmat_core.values.cell import empty_double

#: The options that are listed, each with what it may be.
_OPTIONS = {
    "Display": "off | iter | notify | final",
    "MaxFunEvals": "positive scalar",
    "MaxIter": "positive scalar",
    "TolFun": "positive scalar",
    "TolX": "positive scalar",
    "FunValCheck": "on | {off}",
    "OutputFcn": "function | {[]}",
    "PlotFcns": "function | {[]}",
}

#: Options that other optimisation functions know.
_OTHERS = (
    "ActiveConstrTol Algorithm AlwaysHonorConstraints BranchStrategy DerivativeCheck Diagnostics "
    "DiffMaxChange DiffMinChange FinDiffRelStep FinDiffType GoalsExactAchieve GradConstr GradObj "
    "HessFcn Hessian HessMult HessPattern HessUpdate InitBarrierParam InitTrustRegionRadius "
    "Jacobian JacobMult JacobPattern LargeScale LineSearchType MaxNodes MaxPCGIter MaxProjCGIter "
    "MaxRLPIter MaxSQPIter MaxTime MeritFunction MinAbsMax NodeDisplayInterval NodeSearchStrategy "
    "NoStopIfFlatInfeas ObjectiveLimit PhaseOneTotalScaling Preconditioner PrecondBandWidth "
    "RelLineSrchBnd RelLineSrchBndDuration ScaleProblem Simplex SubproblemAlgorithm TolCon "
    "TolConSQP TolGradCon TolPCG TolProjCG TolProjCGAbs TolRLPFun TolXInteger TypicalX UseParallel"
).split()

#: Functions of the toolbox that take these options: what they do without one is theirs to say.
_OF_TOOLBOX = frozenset(
    "fgoalattain fmincon fminimax fminunc fseminf fsolve intlinprog linprog lsqcurvefit lsqlin "
    "lsqnonlin quadprog".split()
)

_EACH = {"Display": char("notify"), "FunValCheck": char("off")}
_MANY = char("200*numberofvariables")

#: What functions take where an option is not set.
_DEFAULTS: dict[str, dict[str, Any]] = {
    "fzero": {**_EACH, "TolX": float(np.finfo(float).eps)},
    "fminbnd": {**_EACH, "MaxFunEvals": 500.0, "MaxIter": 500.0, "TolX": 1e-4},
    "fminsearch": {
        **_EACH, "MaxFunEvals": _MANY, "MaxIter": _MANY, "TolFun": 1e-4, "TolX": 1e-4,
    },
    "lsqnonneg": {"Display": char("notify"), "TolX": char("10*eps*norm(C,1)*length(C)")},
}  # fmt: skip


@builtin("optimset", family="math/optimization", nargin=(0, None), needs=("nargout", "interp"))
def optimset(*args: Any, nargout: int, interp: Interp) -> Any:
    """Options of the optimisation functions, as a structure.

    OPTIONS = optimset(NAME, VALUE, …)
    OPTIONS = optimset(OLD, NAME, VALUE, …) changes some, OPTIONS = optimset(OLD, NEW) takes over
    what NEW sets
    OPTIONS = optimset(FUN) gives what a function takes by default: fzero, fminbnd, fminsearch or
    lsqnonneg, by its name or handle
    optimset lists the options

    Examples:
        >> o = optimset('TolX', 1e-8); o.TolX
        ans =
           1.0000e-08
        >> optimset(@fminsearch).MaxIter
        ans =
            '200*numberofvariables'

    See also: optimget, fzero, fminbnd, fminsearch, lsqnonneg.
    """
    if not args and nargout == 0:
        for name, values in _OPTIONS.items():
            interp.write(f"{name:>23}: [ {values} ]\n")
        return None
    fields: dict[str, Any] = {name: empty_double() for name in _OPTIONS}
    rest = list(args)
    if len(rest) == 1 and (is_text(rest[0]) or isinstance(rest[0], FunctionHandle)):
        return struct({**fields, **_defaults_of(rest[0], interp)})
    while rest and isinstance(rest[0], StructArray):
        given = rest.pop(0)
        if given.shape != (1, 1):
            raise MatlabError("MATLAB:optimset:InvalidArguments", "Options must be one structure.")
        for name in given.field_names():
            value = field(given, name)
            if name not in fields or not _is_empty(value):
                fields[name] = value
    if len(rest) % 2:
        raise MatlabError("MATLAB:optimset:InvalidArguments", "Arguments must occur in pairs.")
    for key, value in zip(rest[::2], rest[1::2], strict=True):
        fields[_option_name(key, fields)] = value
    return struct(fields)


def _defaults_of(function: Any, interp: Interp) -> dict[str, Any]:
    """Return the options that a function takes by default; of those of a toolbox, none is set."""
    name = function.name if isinstance(function, FunctionHandle) else text(function)
    if name.lower() in _DEFAULTS:
        return _DEFAULTS[name.lower()]
    found = interp.function(name) if name else None
    if found is not None and name.lower() in _OF_TOOLBOX:
        return {}
    if found is None and name:
        raise MatlabError(
            "MATLAB:optimset:FcnNotFoundOnPath",
            f"No default options available: the function '{name}' does not exist on the path."
            f"{nearest(name, _DEFAULTS)}",
        )
    raise MatlabError(
        "MATLAB:optimset:NoDefaultsForFcn",
        f"No default options available for the function '{name}'."
        if name
        else "No default options available for a function without a name.",
    )


def _option_name(key: Any, fields: dict[str, Any]) -> str:
    """Return the option that a word names, in any case and cut short where that is one alone."""
    if not is_text(key):
        raise MatlabError(
            "MATLAB:optimset:InvalidParamName", "Parameter names must be texts, each with a value."
        )
    word = text(key).lower()
    known = dict.fromkeys([*fields, *_OTHERS])
    found = [name for name in known if name.lower() == word]
    found = found or [name for name in known if word and name.lower().startswith(word)]
    if len(found) != 1:
        raise MatlabError(
            "MATLAB:optimset:InvalidParamName",
            f"Unrecognized parameter name '{text(key)}'.{nearest(word, known)}",
        )
    return found[0]


@builtin("optimget", family="math/optimization")
def optimget(options: Any, name: Any, default: Any = None) -> Any:
    """Value of an optimisation option.

    VALUE = optimget(OPTIONS, NAME), VALUE = optimget(OPTIONS, NAME, DEFAULT)

    Examples:
        >> optimget(optimset('TolX', 2), 'TolX')
        ans =
             2

    See also: optimset.
    """
    found = setting(options, text(name))
    if found is not None:
        return found
    return empty_double() if default is None else default


def setting(options: Any, name: str) -> Any:
    """Return the value of an option, or None where it is not set."""
    if not isinstance(options, StructArray):
        return None
    for known in options.field_names():
        if known.lower() == name.lower():
            value = field(options, known)
            return None if _is_empty(value) else value
    return None


def _is_empty(value: Any) -> bool:
    return getattr(value, "shape", (1, 1)) == (0, 0)


def number_setting(options: Any, name: str, default: float) -> float:
    """Return the value of an option that is a number.

    The default where it is not set, or is a text.
    """
    value = setting(options, name)
    return default if value is None or is_text(value) else scalar(value)


def problem(given: Any, function: str, names: Sequence[str]) -> tuple[Any, ...]:
    """Return the fields `names` of a problem and its options, or None.

    Raises:
        MatlabError: it is no structure, a field is missing, or it is for another solver.
    """
    fields = given.data if isinstance(given, StructArray) else None
    missing = [name for name in names if not isinstance(fields, dict) or name not in fields]
    if missing or not isinstance(fields, dict):
        without = "" if fields is None else f" The field '{missing[0]}' is missing."
        raise MatlabError(
            f"MATLAB:{function}:InputArg",
            f"The input to {function.upper()} should be either a structure with valid fields or "
            f"consist of at least two arguments.{without}",
        )
    solver = fields.get("solver")
    if solver is not None and (not is_text(solver) or text(solver) != function):
        raise MatlabError(
            f"MATLAB:{function}:InvalidSolver", f"The solver of the problem is not '{function}'."
        )
    return (*(fields[name] for name in names), fields.get("options"))
