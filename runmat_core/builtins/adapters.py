"""Adapters: from a host rule to the function ``fn(nargout, *args)`` that compiled code calls.

An adapter checks the number of arguments against the signature, tries the scalar rule, sees to
arguments that are large or still to be computed, hands the host rule what it needs from the
evaluator, and turns a Python exception in the host rule into an internal error that names the
builtin.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from runmat_core.accel import context
from runmat_core.accel.capture.starting import seconds_of
from runmat_core.api import errors
from runmat_core.api.builtin import BuiltinSpec
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp, MatlabFunction
from runmat_core.builtins import overloads
from runmat_core.values.array import Array
from runmat_core.values.array_object import OBJECTS
from runmat_core.values.deferred import Deferred, all_settled, settled
from runmat_core.values.hooks import HOOKS
from runmat_core.values.object import miscounted
from runmat_core.values.stand_in import Refused


def adapted(
    spec: BuiltinSpec,
    host: Callable[..., Any],
    interp: Interp,
    least: int,
    most: int | None,
    scalars: int,
) -> MatlabFunction:
    """Return the adapter of a builtin.

    Args:
        host: the host rule, lifted where the mark says so.
        least, most: how many inputs it takes; None: any number.
        scalars: how many floats its scalar rule takes, 0 without one.
    """
    accelerated = spec.fusion is not None or spec.gpu is not None
    captures = accelerated or spec.pending == "view"
    looks = "capture" if captures else spec.pending
    overloaded = not overloads.NAMES.isdisjoint(spec.names)
    return _adapter(least, most, spec.nargout, spec.needs, scalars, looks, overloaded)(
        host,
        interp,
        _Refusal(spec.name, least, most, spec.nargout),
        Failure(spec.name),
        _MISSING,
        spec.scalar,
        _capture(spec) if captures else None,
        _overloads(spec.name) if overloaded else None,
        _ahead(spec.name),
    )


def _ahead(name: str) -> Callable[..., Any]:
    """``ahead(asked, nargout, *args)``: what a stand-in among the arguments makes of the call."""

    def ahead(asked: Refused, nargout: int, *args: Any) -> Any:
        if asked.value is None or nargout > 1:
            raise asked
        given = [value for value in args if value is not _MISSING]
        return asked.value.as_argument(name, given, _captured)

    return ahead


def _captured(name: str, *args: Any) -> Any:
    """Return a call of a builtin as nodes of the graph, or NotImplemented."""
    from runmat_core.builtins import fusing, registry

    spec = registry.find(name)
    assert spec is not None
    return fusing.capture(spec, args, 1)


def _overloads(name: str) -> Callable[..., Any]:
    """``overload(adapter, nargout, args)``: what an object among `args` makes of the call."""

    def overload(adapter: MatlabFunction, nargout: int, args: tuple[Any, ...]) -> Any:
        given = [value for value in args if value is not _MISSING]
        return overloads.dispatch(adapter, name, nargout, given)

    return overload


def _capture(spec: BuiltinSpec) -> Callable[..., Any]:
    """``capture(nargout, *args)``: the call as a node of the graph, or NotImplemented."""
    made: Any = None

    def capture(nargout: int, *args: Any) -> Any:
        nonlocal made
        # large arrays come here in code that captures nothing, too
        if context.starts_later() and context.before_start(seconds_of(spec, args)):
            return NotImplemented
        seat = context.get()
        if seat is None or (seat.at_once and context.calls_at_once(args)):
            return NotImplemented
        count = len(args)
        while count and args[count - 1] is _MISSING:
            count -= 1
        if made is None:
            made = _capturing(spec)
        return made(args if count == len(args) else args[:count], nargout)

    return capture


def _capturing(spec: BuiltinSpec) -> Callable[..., Any]:
    """``capture(args, nargout)``; what it takes is imported with the first large array."""
    if spec.fusion is not None or spec.gpu is not None:
        from runmat_core.builtins import fusing

        return fusing.capturing(spec)
    from runmat_core.accel.capture.composed_calls import calling

    return calling(spec.name)


class _Missing:
    """The value of an argument that was not passed."""

    __slots__ = ()


_MISSING = _Missing()
#: Functions that MATLAB has as files, and that refuse a call as any function file does.
_FILES = frozenset(
    "angle bin2dec cell2mat circshift compan cond corr corrcoef cov cross cumtrapz deal "
    "dec2base dec2bin dec2hex deblank dot expm factor factorial fieldnames fliplr flipud gallery "
    "gcd getfield hadamard hankel hex2dec hilb histc idivide inputname int2str interp1 interp2 "
    "intersect invhilb ismember isprime kron lcm linspace logm logspace magic mat2str "
    "mean median meshgrid mode nchoosek ndgrid null "
    "num2str nthroot orderfields orth pascal perms pinv poly polyder polyfit polyint polyval "
    "primes rank repmat rmfield rosser rot90 roots setdiff setfield setxor sortrows sqrtm "
    "std str2num strjoin strjust strsplit structfun swapbytes toeplitz trace trapz "
    "union unique validatestring vander var wilkinson".split()
)
_UNROLLED = 4  # adapters name their parameters up to this many inputs


class _Refusal:
    """Says why a call does not fit a signature."""

    __slots__ = ("is_file", "least", "most", "outputs")

    def __init__(self, name: str, least: int, most: int | None, outputs: int | None) -> None:
        self.least, self.most, self.outputs = least, most, outputs
        self.is_file = name in _FILES

    def __call__(self, nargout: int, count: int) -> MatlabError:
        if self.most is not None and count > self.most:
            if self.is_file:
                return errors.too_many_inputs()
            return errors.too_many_builtin_inputs()
        if self.outputs is not None and nargout > self.outputs:
            if self.is_file:
                return errors.too_many_outputs()
            return errors.too_many_builtin_outputs()
        return errors.not_enough_inputs()


#: What a rule for NumPy arrays raises that is given MATLAB values.
_OF_VALUES = (TypeError, AttributeError, ValueError)


class Failure:
    """What an exception that leaves a host rule becomes."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, problem: BaseException) -> BaseException:
        if isinstance(problem, MatlabError | RecursionError) or _raised_by_user_code(problem):
            return problem
        if isinstance(problem, SystemExit) and _is_exit(problem):
            return problem
        if errors.asks_too_much(problem):
            return errors.out_of_memory()
        if isinstance(problem, OSError) and problem.errno is not None:
            return errors.unusable_file(problem)
        if isinstance(problem, ValueError) and str(problem).startswith("embedded null"):
            return errors.invalid_file_name()
        counted = miscounted(problem)
        if counted is not None:
            return counted
        text = f"{type(problem).__name__}: {problem}"
        from runmat_core.builtins import registry

        package = registry.package_of(self.name)
        if not package:
            return MatlabError("RunMat:internal", f"Internal error in '{self.name}': {text}")
        spec = registry.find(self.name)
        if isinstance(problem, _OF_VALUES) and spec is not None and spec.lift is None:
            text += (
                '. Its mark has no lift, so it is given MATLAB values; with lift="map" or '
                'lift="arrays" it is given NumPy arrays.'
            )
        return MatlabError(
            "RunMat:plugin:error",
            f"Error in '{self.name}' of the package '{package}': {text}",
            hint="RUNMAT_DEBUG=1 shows where it happened.",
        )

    def check(self, nargout: int, result: Any) -> None:
        """Raise MATLAB:unassignedOutputs when a call gave fewer outputs than were asked for."""
        given = len(result) if isinstance(result, tuple) else result is not None
        if given < nargout:
            raise MatlabError(
                "MATLAB:unassignedOutputs",
                f'One or more output arguments not assigned during call to "{self.name}".',
            )


def _raised_by_user_code(problem: BaseException) -> bool:
    """Whether the innermost frame is compiled MATLAB code, reached through a callback.

    Such exceptions (an unset variable, say) are the evaluator's to translate, and so is a lack of
    memory anywhere below such code. It is known by its globals, which hold the evaluator as ``_s``.
    """
    *others, innermost = _left(problem)
    return "_s" in innermost or (errors.asks_too_much(problem) and any("_s" in o for o in others))


def _is_exit(problem: SystemExit) -> bool:
    """Whether the program ends because it said so: a package must not end it."""
    return str(_left(problem)[-1].get("__name__")).startswith("runmat_core.")


def _left(problem: BaseException) -> list[dict[str, Any]]:
    """Return the globals of the frames that an exception left, the one that raised it last."""
    at, found = problem.__traceback__, []
    while at is not None:
        found.append(at.tb_frame.f_globals)
        at = at.tb_next
    return found or [{}]


@cache
def _adapter(
    least: int,
    most: int | None,
    outputs: int | None,
    needs: tuple[str, ...],
    scalars: int,
    looks: str,
    overloaded: bool,
) -> Callable[..., MatlabFunction]:
    """Return a maker of adapters for one shape of signature.

    Written out for each shape, because a call through ``*args`` and counting costs more than many
    a host rule on a scalar. For ``(1, 2, 1, (), 1, "compute")``, where `scalars` is the number of
    floats that the scalar rule takes, the adapter reads::

        def adapter(nargout=1, a0=missing, a1=missing, *rest):
            if rest or nargout > 1 or a0 is missing:
                raise refusal(nargout, ...)
            try:
                if a0.__class__ is float and a1 is missing:
                    result = scalar(a0)
                    if result is not NotImplemented:
                        return result
                if a0.__class__ is Deferred or a1.__class__ is Deferred:
                    a0, a1 = all_settled((a0, a1))
                if a1 is missing:
                    return host(a0)
                else:
                    return host(a0, a1)
            except Refused as asked:
                return ahead(asked, nargout, a0, a1)
            except (Exception, SystemExit) as problem:
                ...

    A builtin that learns how many outputs are wanted is held to giving them. One that classes
    overload looks for objects after the scalar rule.
    """
    several = "nargout" in needs
    unrolled = most is not None and most <= _UNROLLED
    given = "".join(f", a{i}" for i in range(most or 0)) if unrolled else ", *args"
    if most is not None and most <= _UNROLLED:
        lines = _unrolled(
            least, most, outputs, _keywords(needs), scalars, several, looks, overloaded
        )
    else:
        lines = _counting(least, most, outputs, _keywords(needs), several, looks, overloaded)
    source = "\n".join(
        [
            "def make(host, interp, refusal, failure, missing, scalar, capture, overload, ahead):",
            *(f"    {line}" for line in lines),
            "            if result is None or nargout > 1:" if several else "",
            "                failure.check(nargout, result)" if several else "",
            "            return result" if several else "",
            "        except Refused as asked:",
            f"            return ahead(asked, nargout{given})",
            "        except (Exception, SystemExit) as problem:",
            "            raised = failure(problem)",
            "            if raised is problem:",
            "                raise",
            "            raise raised from problem",
            "    return adapter",
        ]
    )
    scope: dict[str, Any] = {
        "Array": Array,
        "Deferred": Deferred,
        "HOOKS": HOOKS,
        "OBJECTS": OBJECTS,
        "Refused": Refused,
        "all_settled": all_settled,
        "settled": settled,
    }
    exec(compile(source, f"<builtin {least}..{most}>", "exec"), scope)
    maker: Callable[..., MatlabFunction] = scope["make"]
    return maker


def _keywords(needs: tuple[str, ...]) -> str:
    """Return the keyword arguments of the host call."""
    value = {
        "nargout": "nargout",
        "interp": "interp",
        "workspace": "interp.workspace()",
        "argument_text": "interp.argument_text()",
    }
    return "".join(f", {need}={value[need]}" for need in needs)


def _unrolled(
    least: int,
    most: int,
    outputs: int | None,
    keywords: str,
    scalars: int,
    several: bool,
    looks: str,
    overloaded: bool,
) -> list[str]:
    parameters = "".join(f", a{i}=missing" for i in range(most))
    unfit = ["rest"]
    if outputs is not None:
        unfit.append(f"nargout > {outputs}")
    if least:
        unfit.append(f"a{least - 1} is missing")
    keep = "result =" if several else "return"
    given = " + ".join([f"(a{i} is not missing)" for i in range(most)] + ["len(rest)"])
    refusal = f"raise refusal(nargout, {given})"
    wrong = " or ".join(unfit)
    if overloaded and most:
        # an overload may take more inputs than the builtin
        fits = f" and nargout <= {outputs}" if outputs is not None else ""
        wrong = f"({wrong}) and not (rest and a0.__class__ in OBJECTS{fits})"
    lines = [
        f"def adapter(nargout=1{parameters}, *rest):",
        f"    if {wrong}:",
        f"        {refusal}",
        "    try:",
    ]
    if scalars:
        tests = [f"a{i}.__class__ is float" for i in range(scalars)]
        if scalars < most:
            tests.append(f"a{scalars} is missing")
        lines += [
            f"        if {' and '.join(tests)}:",
            f"            result = scalar({_arguments(scalars)})",
            "            if result is not NotImplemented:",
            "                return result",
        ]
    if overloaded:
        tests = [f"a{i}.__class__ in OBJECTS" for i in range(min(most, 2))]
        names = "".join(f"a{i}, " for i in range(most))
        objects = _overloading(" or ".join(tests), f"({names}*rest)")
        lines += [f"        {line}" for line in objects]
        lines += ["            if rest:", f"                {refusal}"]
    lines += [f"        {line}" for line in _looking([f"a{i}" for i in range(most)], looks)]
    for count in range(least, most + 1):
        call = f"host({_arguments(count)}{keywords})".replace("(, ", "(")
        if count < most:
            test = "if" if count == least else "elif"
            lines += [f"        {test} a{count} is missing:", f"            {keep} {call}"]
        else:
            lines += [f"        {'else: ' if most > least else ''}{keep} {call}"]
    return lines


def _looking(names: list[str], looks: str) -> list[str]:
    """Return the lines for arguments that are pending and, if calls are captured, large."""
    if looks == "keep" or not names:
        return []
    tests = [f"{name}.__class__ is Deferred" for name in names]
    capture = []
    if looks == "capture":
        tests += [
            f"{name}.__class__ is Array and {name}.data.size >= HOOKS.smallest" for name in names
        ]
        if len(names) > 1:
            tests.append(f"a0.__class__ is a1.__class__ is Array and {_expand('a0', 'a1')}")
        capture = [
            f"    result = capture(nargout, {', '.join(names)})",
            "    if result is not NotImplemented:",
            "        return result",
        ]
    return [
        f"if {' or '.join(tests)}:",
        *capture,
        f"    {', '.join(names)} = all_settled(({', '.join(names)}))"
        if len(names) > 1
        else f"    {names[0]} = settled({names[0]})",
    ]


def _expand(a: str, b: str) -> str:
    """Return the test whether two small arrays may expand to a large one."""
    return f"{a}.data.size * {b}.data.size >= HOOKS.smallest and {a}.data.shape != {b}.data.shape"


def _overloading(test: str, args: str) -> list[str]:
    """Return the lines that leave a call to an object among its arguments."""
    return [
        f"if {test}:",
        f"    result = overload(adapter, nargout, {args})",
        "    if result is not NotImplemented:",
        "        return result",
    ]


def _arguments(count: int) -> str:
    return ", ".join(f"a{i}" for i in range(count))


def _counting(
    least: int,
    most: int | None,
    outputs: int | None,
    keywords: str,
    several: bool,
    looks: str,
    overloaded: bool,
) -> list[str]:
    unfit = ["False"]
    if outputs is not None:
        unfit.append(f"nargout > {outputs}")
    if least:
        unfit.append(f"len(args) < {least}")
    if most is not None:
        unfit.append(f"len(args) > {most}")
    objects = _overloading("not OBJECTS.isdisjoint(map(type, args))", "args") if overloaded else []
    return [
        "def adapter(nargout=1, *args):",
        f"    if {' or '.join(unfit)}:",
        "        raise refusal(nargout, len(args))",
        "    try:",
        *(f"        {line}" for line in [*objects, *_looking_at_all(looks)]),
        f"        {'result =' if several else 'return'} host(*args{keywords})",
    ]


def _looking_at_all(looks: str) -> list[str]:
    """Return `_looking` at any number of arguments."""
    if looks == "keep":
        return []
    settle = "args = all_settled(args)"
    if looks == "compute":
        return ["if Deferred in map(type, args):", f"    {settle}"]
    pair = "len(args) == 2 and args[0].__class__ is args[1].__class__"
    large = f"value.data.size >= HOOKS.smallest or ({pair} and {_expand('args[0]', 'args[1]')})"
    return [
        "for value in args:",
        f"    if value.__class__ is Deferred or (value.__class__ is Array and ({large})):",
        "        result = capture(nargout, *args)",
        "        if result is not NotImplemented:",
        "            return result",
        f"        {settle}",
        "        break",
    ]
