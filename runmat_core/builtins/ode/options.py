"""Options of the solvers: odeset and odeget, and what the solvers read of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import nearest, option, scalar
from runmat_core.values import FunctionHandle, StructArray, field, is_text, struct, text, to_numpy
from runmat_core.values.cell import empty_double

#: In the order in which a structure of options shows them.
NAMES = (
    "AbsTol BDF Events InitialStep Jacobian JConstant JPattern Mass MassSingular MaxOrder MaxStep "
    "NonNegative NormControl OutputFcn OutputSel Refine RelTol Stats Vectorized MStateDependence "
    "MvPattern InitialSlope"
).split()


def _is_empty(value: Any) -> bool:
    return 0 in getattr(value, "shape", (1, 1))


def name_of(word: str, names: Sequence[str], function: str) -> str:
    """Return the option of these `names` that `word` is, or is the beginning of, in any case."""
    low = word.lower()
    found = [n for n in names if n.lower() == low] or [
        n for n in names if low and n.lower().startswith(low)
    ]
    if not found:
        raise MatlabError(
            f"MATLAB:{function}:InvalidPropName",
            f"Unrecognized property name '{word}'.{nearest(word, names)}",
        )
    if len(found) > 1:
        raise MatlabError(
            f"MATLAB:{function}:AmbiguousPropName",
            f"Ambiguous property name '{word}' ({', '.join(found)}).",
        )
    return found[0]


def options_of(args: Sequence[Any], names: Sequence[str], function: str) -> StructArray:
    """Return the structure of options that structures, names and values make."""
    fields: dict[str, Any] = {name: empty_double() for name in names}
    rest = list(args)
    while rest and not is_text(rest[0]):
        given = rest.pop(0)
        if _is_empty(given):
            continue
        if not isinstance(given, StructArray) or given.shape != (1, 1):
            raise MatlabError(
                f"MATLAB:{function}:NoPropNameOrStruct",
                f"Expected argument {len(args) - len(rest)} to be a string property name or an "
                f"options structure created with {function.upper()}.",
            )
        for name in given.field_names():
            value = field(given, name)
            if name in fields and not _is_empty(value):
                fields[name] = value
    if len(rest) % 2:
        raise MatlabError(
            f"MATLAB:{function}:ArgNameValueMismatch", "Arguments must occur in name-value pairs."
        )
    for at, (key, value) in enumerate(zip(rest[::2], rest[1::2], strict=True)):
        if not is_text(key):
            raise MatlabError(
                f"MATLAB:{function}:InvalidPropName",
                f"Expected argument {len(args) - len(rest) + 2 * at + 1} to be a string property "
                "name.",
            )
        fields[name_of(text(key), names, function)] = value
    return struct(fields)


def option_of(
    options: Any, name: Any, default: Any, names: Sequence[str], function: str, maker: str
) -> Any:
    """One of the options of a structure that `maker` has made, [] where it is not set."""
    if not isinstance(options, StructArray) and not _is_empty(options):
        raise MatlabError(
            f"MATLAB:{function}:Arg1Not{maker.upper()}struct",
            f"First argument must be an options structure created with {maker.upper()}.",
        )
    value = _given(options, name_of(text(name), names, function))
    if value is not None:
        return value
    return empty_double() if default is None else default


@builtin("odeset", family="ode")
def odeset(*args: Any) -> Any:
    """Options of the solvers of differential equations, as a structure.

    OPTIONS = odeset(NAME, VALUE, …); names may be abbreviated, in any case
    OPTIONS = odeset(OLD, NAME, VALUE, …) changes some, OPTIONS = odeset(OLD, NEW) takes over what
    NEW sets

    Accuracy: RelTol (1e-3), AbsTol (1e-6), NormControl. Steps: InitialStep, MaxStep.
    Output: OutputFcn, OutputSel, Stats, Refine (points in each step: 4 of ode45, 8 of ode78 and
    ode89, else 1). Problem: Events, NonNegative, Jacobian, Mass, MaxOrder.

    Examples:
        >> o = odeset('RelTol', 1e-6, 'maxs', 0.5);
        >> [o.RelTol o.MaxStep]
        ans =
            0.0000    0.5000

    See also: odeget, ode45, ode15s.
    """
    return options_of(args, NAMES, "odeset")


@builtin("odeget", family="ode")
def odeget(options: Any, name: Any, default: Any = None) -> Any:
    """Value of an option of the solvers of differential equations.

    VALUE = odeget(OPTIONS, NAME), [] where it is not set
    VALUE = odeget(OPTIONS, NAME, DEFAULT)

    Examples:
        >> odeget(odeset('Refine', 2), 'refine')
        ans =
             2
        >> odeget(odeset(), 'RelTol', 5)
        ans =
             5

    See also: odeset, ode45.
    """
    return option_of(options, name, default, NAMES, "odeget", "odeset")


def _given(options: Any, name: str) -> Any:
    """Return the value of an option, or None where it is not set."""
    if not isinstance(options, StructArray) or name not in options.field_names():
        return None
    value = field(options, name)
    return None if _is_empty(value) else value


@attrs.frozen(kw_only=True)
class Settings:
    """What a solver reads of its options.

    Attributes:
        relative: the relative tolerance.
        absolute: the absolute tolerances, one or one for each component.
        by_norm: control the error of the solution's norm, not of its components.
        first_step, max_step: lengths, None for the solver's own choice.
        refine: output points for each step, None for the solver's own.
        nonnegative: components (from zero) that must not become negative.
        selected: components that the output function sees, None for all.
        stats: whether to print the cost.
        events, output, jacobian, mass: functions or values, None where not set.
        mass_is_constant: whether `mass` is a matrix.
        max_order: of a multistep method.
    """

    relative: float
    absolute: NDArray[np.float64]
    by_norm: bool
    first_step: float | None
    max_step: float | None
    refine: int | None
    nonnegative: NDArray[np.intp]
    selected: NDArray[np.intp] | None
    stats: bool
    events: Any
    output: Any
    jacobian: Any
    mass: Any
    mass_is_constant: bool
    mass_of_state: bool
    max_order: int

    def thresholds(self) -> NDArray[np.float64]:
        """Sizes below which a component counts by its absolute tolerance."""
        return self.absolute / self.relative


def _positive(options: Any, name: str, identifier: str) -> float | None:
    value = _given(options, name)
    if value is None:
        return None
    number = scalar(value, name)
    if not number > 0:
        raise MatlabError(f"MATLAB:odearguments:{identifier}", f"{name} must be greater than zero.")
    return number


def _is_on(options: Any, name: str) -> bool:
    value = _given(options, name)
    return value is not None and option(value) == "on"


def _components(options: Any, name: str, count: int) -> NDArray[np.intp] | None:
    value = _given(options, name)
    if value is None:
        return None
    found = np.unique(to_numpy(value).ravel()) - 1
    if not ((found >= 0) & (found < count) & (found % 1 == 0)).all():
        raise MatlabError(
            f"MATLAB:odenonnegative:{name}IndicesInvalid",
            f"{name} indices must be integers from 1 to {count}.",
        )
    return found.astype(np.intp)


def settings(options: Any, count: int, interp: Any, epsilon: float) -> Settings:
    """Return the settings for a problem of `count` components in a precision of `epsilon`."""
    value = _given(options, "RelTol")
    relative = 1e-3 if value is None else _tolerance(value)
    if relative < 100 * epsilon:
        relative = 100 * epsilon
        interp.warn(
            "MATLAB:odearguments:RelTolIncrease", f"RelTol has been increased to {relative:g}."
        )
    value = _given(options, "AbsTol")
    absolute = np.array([1e-6]) if value is None else to_numpy(value).ravel().astype(float)
    if not (absolute > 0).all():
        raise MatlabError("MATLAB:odearguments:AbsTolNotPos", "AbsTol must be positive.")
    by_norm = _is_on(options, "NormControl")
    if absolute.size not in (1, count) or (by_norm and absolute.size != 1):
        raise MatlabError(
            "MATLAB:odearguments:SizeAbsTol",
            f"Solving a problem of {count} components needs a scalar AbsTol or one of {count} "
            "elements.",
        )
    first = _positive(options, "InitialStep", "InitialStepLEzero")
    most = _positive(options, "MaxStep", "MaxStepLEzero")
    refine, order = _given(options, "Refine"), _given(options, "MaxOrder")
    nonnegative = _components(options, "NonNegative", count)
    mass = _given(options, "Mass")
    state = _given(options, "MStateDependence")
    return Settings(
        relative=relative,
        absolute=absolute,
        by_norm=by_norm,
        first_step=first,
        max_step=None if most is None or math.isinf(most) else most,
        refine=None if refine is None else max(int(scalar(refine, "Refine")), 1),
        nonnegative=np.zeros(0, np.intp) if nonnegative is None else nonnegative,
        selected=_components(options, "OutputSel", count),
        stats=_is_on(options, "Stats"),
        events=_given(options, "Events"),
        output=_given(options, "OutputFcn"),
        jacobian=_given(options, "Jacobian"),
        mass=mass,
        mass_is_constant=mass is not None
        and not isinstance(mass, FunctionHandle)
        and not is_text(mass),
        mass_of_state=state is None or option(state) != "none",
        max_order=5 if order is None else min(max(int(scalar(order, "MaxOrder")), 1), 5),
    )


def _tolerance(value: Any) -> float:
    a = to_numpy(value)
    if a.size != 1 or a.dtype.kind == "c" or not a.flat[0] > 0:
        raise MatlabError(
            "MATLAB:odearguments:RelTolNotPosScalar", "RelTol must be a positive scalar."
        )
    return float(a.flat[0])
