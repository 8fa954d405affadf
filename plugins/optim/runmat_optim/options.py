"""Options of the optimisation functions."""

from __future__ import annotations

import difflib
from typing import Any

import attrs
import numpy as np

from runmat_core.api import Interp, MatlabError, builtin

SOLVERS = (
    "fmincon fminunc fsolve intlinprog linprog lsqcurvefit lsqlin lsqnonlin quadprog fminsearch "
    "fminbnd fzero"
).split()
#: Names of today, and those that optimset has for them.
NAMES = {
    "Algorithm": "Algorithm",
    "CheckGradients": "DerivativeCheck",
    "ConstraintTolerance": "TolCon",
    "Display": "Display",
    "FiniteDifferenceStepSize": "FinDiffRelStep",
    "FiniteDifferenceType": "FinDiffType",
    "FunctionTolerance": "TolFun",
    "HessianApproximation": "HessianApproximation",
    "HessianFcn": "HessFcn",
    "IntegerTolerance": "TolInteger",
    "MaxFunctionEvaluations": "MaxFunEvals",
    "MaxIterations": "MaxIter",
    "MaxTime": "MaxTime",
    "OptimalityTolerance": "TolFun",
    "OutputFcn": "OutputFcn",
    "PlotFcn": "PlotFcns",
    "RelativeGapTolerance": "TolGapRel",
    "SpecifyConstraintGradient": "GradConstr",
    "SpecifyObjectiveGradient": "GradObj",
    "StepTolerance": "TolX",
    "SubproblemAlgorithm": "SubproblemAlgorithm",
    "TypicalX": "TypicalX",
    "UseParallel": "UseParallel",
}
_OTHERS = {"Jacobian": "SpecifyObjectiveGradient"}


def _canonical(word: str) -> str | None:
    """The name of an option of today."""
    low = word.lower()
    for name in NAMES:
        if name.lower() == low:
            return name
    for table in ({old: new for new, old in NAMES.items()}, _OTHERS):
        for old, new in table.items():
            if old.lower() == low:
                return new
    return None


@builtin("optimoptions", family="optim", lift="arrays", nargin=(1, None), needs=("interp",))
def optimoptions(solver: Any, *args: Any, interp: Interp) -> Any:
    """Options of an optimisation function, as a structure.

    OPTIONS = optimoptions(SOLVER, NAME, VALUE, …) with SOLVER as "fmincon" or @fmincon
    OPTIONS = optimoptions(OLD, NAME, VALUE, …) changes some
    OPTIONS = optimoptions(SOLVER, OLD) takes over those of another function

    Names of optimset are understood too.

    Examples:
        >> o = optimoptions('fmincon', 'MaxIter', 50, 'Display', 'off');
        >> o.MaxIterations
        ans =
            50

    See also: fmincon, fsolve, linprog, quadprog, optimset.
    """
    options: dict[str, Any] = {}
    rest = list(args)
    if getattr(solver, "class_name", "") == "struct":
        options.update(solver.records()[0])
    else:
        word = solver if isinstance(solver, str) else getattr(solver, "name", "")
        if word not in SOLVERS:
            near = difflib.get_close_matches(str(word), SOLVERS, n=1)
            hint = f" Did you mean '{near[0]}'?" if near else ""
            raise MatlabError(
                "optim:optimoptions:InvalidSolver",
                f"Invalid solver specified. Provide a solver name or handle.{hint}",
            )
        options["SolverName"] = word
        if rest and getattr(rest[0], "class_name", "") == "struct":
            given = rest.pop(0).records()[0]
            options = {**given, "SolverName": word}
    if len(rest) % 2:
        raise MatlabError(
            "optim:optimoptions:InvalidArguments", "Arguments must occur in name-value pairs."
        )
    for key, value in zip(rest[::2], rest[1::2], strict=True):
        name = _canonical(key) if isinstance(key, str) else None
        if name is None:
            near = difflib.get_close_matches(str(key), list(NAMES), n=1)
            hint = f" Did you mean '{near[0]}'?" if near else ""
            raise MatlabError(
                "optim:options:createMultiAlgorithmOptions:InvalidOption",
                f"'{key}' is not an option for {options.get('SolverName', 'this solver')}.{hint}",
            )
        options[name] = value
    return options


@attrs.frozen(kw_only=True)
class Settings:
    """What a function reads of its options; None where the function's own default holds."""

    display: str = "final"
    optimality: float = 1e-6
    step: float = 1e-6
    function: float = 1e-6
    constraint: float = 1e-6
    iterations: int | None = None
    evaluations: int | None = None
    gradient: bool = False
    constraint_gradient: bool = False


_FIELDS = {
    "OptimalityTolerance": "optimality",
    "StepTolerance": "step",
    "FunctionTolerance": "function",
    "ConstraintTolerance": "constraint",
}


def settings(options: Any, interp: Interp, **defaults: Any) -> Settings:
    """The settings of a structure of options, or the defaults of a function."""
    if options is None or getattr(options, "size", None) == 0:
        return Settings(**defaults)
    if getattr(options, "class_name", "") != "struct":
        raise MatlabError("optim:options:InvalidOptions", "Options must be a structure.")
    values = dict(defaults)
    for key, value in options.records()[0].items():
        name = _canonical(key)
        found = interp.to_python(value)
        if name is None or (isinstance(found, np.ndarray) and found.size == 0):
            continue
        old_tolerance = key.lower() == "tolfun"
        if name in _FIELDS and isinstance(found, float):
            values[_FIELDS[name]] = found
            if old_tolerance:
                values["optimality"] = values["function"] = found
        elif name == "Display":
            values["display"] = str(found)
        elif name == "MaxIterations" and isinstance(found, float):
            values["iterations"] = int(min(found, 1e9))
        elif name == "MaxFunctionEvaluations" and isinstance(found, float):
            values["evaluations"] = int(min(found, 1e9))
        elif name == "SpecifyObjectiveGradient":
            values["gradient"] = found in (True, 1.0, "on")
        elif name == "SpecifyConstraintGradient":
            values["constraint_gradient"] = found in (True, 1.0, "on")
    return Settings(**values)


def tell(chosen: Settings, message: str, interp: Interp) -> None:
    """Write the closing message, unless the display is off."""
    if chosen.display not in ("off", "none"):
        interp.write(f"\n{message}\n\n")
