"""From a name to a builtin, and from a builtin to a function that compiled code calls.

`find` imports the module that holds a name on its first use. `bind` wraps the host rule in an
adapter with the calling convention ``fn(nargout, *args)``: it checks the number of arguments
against the signature, hands the host rule what it needs from the evaluator, and turns a Python
exception in the host rule into an internal error that names the builtin.
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

from runmat_core.api import errors
from runmat_core.api.builtin import BuiltinSpec
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp, MatlabFunction
from runmat_core.builtins import index

ENTRY_POINT_GROUP = "runmat.builtins"

_specs: dict[str, BuiltinSpec] = {}


def find(name: str) -> BuiltinSpec | None:
    """The builtin called `name`, or None. Plugins are asked when the core has no such name."""
    spec = _specs.get(name)
    if spec is not None:
        return spec
    module = _modules().get(name)
    if module is not None:
        _adopt(import_module(module))
    else:
        _adopt_plugins()
    return _specs.get(name)


def names() -> list[str]:
    """All names of all builtins, aliases and plugins included, sorted."""
    _adopt_plugins()
    return sorted(_modules().keys() | _specs.keys())


def suggest(name: str, also: tuple[str, ...] = ()) -> list[str]:
    """Up to three known names, of builtins or in `also`, that `name` may be a misspelling of."""
    import difflib

    known = {*_modules(), *_specs, *also}
    same_but_case = sorted(k for k in known if k.lower() == name.lower() and k != name)
    close = difflib.get_close_matches(name, known - {name}, n=3, cutoff=0.75)
    return [*same_but_case, *(k for k in close if k not in same_but_case)][:3]


def bind(spec: BuiltinSpec, interp: Interp) -> MatlabFunction:
    """The function ``fn(nargout, *args)`` that calls `spec` on behalf of `interp`."""
    if spec.lift is None:
        host = spec.host
    else:
        from runmat_core.builtins.lift import lifted

        host = lifted(spec)
    least, most = arity(spec)
    scalars = 0 if spec.scalar is None else len(inspect.signature(spec.scalar).parameters)
    return _adapter(least, most, spec.nargout, spec.needs, scalars)(
        host,
        interp,
        _Refusal(spec.name, least, most, spec.nargout),
        _Failure(spec.name),
        _MISSING,
        spec.scalar,
    )


def arity(spec: BuiltinSpec) -> tuple[int, int | None]:
    """Fewest and most inputs of a builtin, None when any number will do."""
    if spec.nargin is not None:
        return spec.nargin
    least, most = 0, 0
    for parameter in inspect.signature(spec.host).parameters.values():
        if parameter.kind is parameter.VAR_POSITIONAL:
            return least, None
        if parameter.kind is not parameter.KEYWORD_ONLY and parameter.name not in spec.needs:
            most += 1
            least += parameter.default is parameter.empty
    return least, most


# -- finding ------------------------------------------------------------------------------------


@cache
def _modules() -> dict[str, str]:
    return index.load()


def _adopt(module: ModuleType) -> None:
    """Take over every marked function of a module, those it imported from others left out."""
    for member in vars(module).values():
        spec = getattr(member, "__runmat_builtin__", None)
        if isinstance(spec, BuiltinSpec) and member.__module__ == module.__name__:
            for name in spec.names:
                _specs.setdefault(name, spec)


@cache
def _adopt_plugins() -> None:
    """Load the modules that installed packages name in the entry point group, once a process."""
    if not _plugins_installed():
        return
    from importlib.metadata import entry_points

    for point in entry_points(group=ENTRY_POINT_GROUP):
        try:
            module = point.load()
        except Exception as problem:
            package = point.dist.name if point.dist else point.value
            raise MatlabError(
                "RunMat:plugin",
                f"The package '{package}' offers builtins that cannot be loaded: {problem}",
            ) from problem
        _adopt(module)


def _plugins_installed() -> bool:
    """Whether any installed package declares the group.

    Looks for the group's name in the metadata files themselves: importing `importlib.metadata`
    takes longer than everything else that an unknown name costs.
    """
    wanted = f"[{ENTRY_POINT_GROUP}]".encode()
    for folder in sys.path:
        try:
            listing = os.listdir(folder or ".")
        except OSError:
            continue
        for name in listing:
            if name.endswith((".dist-info", ".egg-info")):
                try:
                    with open(os.path.join(folder, name, "entry_points.txt"), "rb") as file:
                        if wanted in file.read():
                            return True
                except OSError:
                    continue
    return False


# -- binding ------------------------------------------------------------------------------------


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


class _Failure:
    """What an exception that leaves a host rule becomes."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, problem: Exception) -> Exception:
        if isinstance(problem, MatlabError | RecursionError) or _raised_by_user_code(problem):
            return problem
        if errors.asks_too_much(problem):
            return errors.out_of_memory()
        text = f"{type(problem).__name__}: {problem}"
        return MatlabError("RunMat:internal", f"Internal error in '{self.name}': {text}")

    def check(self, nargout: int, result: Any) -> None:
        """Raises MATLAB:unassignedOutputs when a call gave fewer outputs than were asked for."""
        given = len(result) if isinstance(result, tuple) else result is not None
        if given < nargout:
            raise MatlabError(
                "MATLAB:unassignedOutputs",
                f'One or more output arguments not assigned during call to "{self.name}".',
            )


def _raised_by_user_code(problem: Exception) -> bool:
    """Whether the innermost frame is compiled MATLAB code, reached through a callback.

    Such exceptions (an unset variable, say) are the evaluator's to translate. Compiled code is
    known by its globals, which hold the evaluator as ``_s``.
    """
    innermost = problem.__traceback__
    if innermost is None:
        return False
    while innermost.tb_next is not None:
        innermost = innermost.tb_next
    return "_s" in innermost.tb_frame.f_globals


@cache
def _adapter(
    least: int, most: int | None, outputs: int | None, needs: tuple[str, ...], scalars: int
) -> Callable[..., MatlabFunction]:
    """A maker of adapters for one shape of signature.

    Written out for each shape, because a call through ``*args`` and counting costs more than many
    a host rule on a scalar. For ``(1, 2, 1, (), 1)``, where `scalars` is the number of floats that
    the scalar rule takes, the adapter reads::

        def adapter(nargout=1, a0=missing, a1=missing, *rest):
            if rest or nargout > 1 or a0 is missing:
                raise refusal(nargout, ...)
            try:
                if a0.__class__ is float and a1 is missing:
                    result = scalar(a0)
                    if result is not NotImplemented:
                        return result
                if a1 is missing:
                    return host(a0)
                else:
                    return host(a0, a1)
            except Exception as problem:
                ...

    A builtin that learns how many outputs are wanted is held to giving them.
    """
    several = "nargout" in needs and outputs != 1
    if most is not None and most <= _UNROLLED:
        lines = _unrolled(least, most, outputs, _keywords(needs), scalars, several)
    else:
        lines = _counting(least, most, outputs, _keywords(needs), several)
    source = "\n".join(
        [
            "def make(host, interp, refusal, failure, missing, scalar):",
            *(f"    {line}" for line in lines),
            "            if result is None or nargout > 1:" if several else "",
            "                failure.check(nargout, result)" if several else "",
            "            return result" if several else "",
            "        except Exception as problem:",
            "            raised = failure(problem)",
            "            if raised is problem:",
            "                raise",
            "            raise raised from problem",
            "    return adapter",
        ]
    )
    scope: dict[str, Any] = {}
    exec(compile(source, f"<builtin {least}..{most}>", "exec"), scope)
    maker: Callable[..., MatlabFunction] = scope["make"]
    return maker


def _keywords(needs: tuple[str, ...]) -> str:
    """The keyword arguments of the host call."""
    value = {
        "nargout": "nargout",
        "interp": "interp",
        "workspace": "interp.workspace()",
        "argument_text": "interp.argument_text()",
    }
    return "".join(f", {need}={value[need]}" for need in needs)


def _unrolled(
    least: int, most: int, outputs: int | None, keywords: str, scalars: int, several: bool
) -> list[str]:
    parameters = "".join(f", a{i}=missing" for i in range(most))
    unfit = ["rest"]
    if outputs is not None:
        unfit.append(f"nargout > {outputs}")
    if least:
        unfit.append(f"a{least - 1} is missing")
    keep = "result =" if several else "return"
    given = " + ".join([f"(a{i} is not missing)" for i in range(most)] + ["len(rest)"])
    lines = [
        f"def adapter(nargout=1{parameters}, *rest):",
        f"    if {' or '.join(unfit)}:",
        f"        raise refusal(nargout, {given})",
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
    for count in range(least, most + 1):
        call = f"host({_arguments(count)}{keywords})".replace("(, ", "(")
        if count < most:
            test = "if" if count == least else "elif"
            lines += [f"        {test} a{count} is missing:", f"            {keep} {call}"]
        else:
            lines += [f"        {'else: ' if most > least else ''}{keep} {call}"]
    return lines


def _arguments(count: int) -> str:
    return ", ".join(f"a{i}" for i in range(count))


def _counting(
    least: int, most: int | None, outputs: int | None, keywords: str, several: bool
) -> list[str]:
    unfit = ["False"]
    if outputs is not None:
        unfit.append(f"nargout > {outputs}")
    if least:
        unfit.append(f"len(args) < {least}")
    if most is not None:
        unfit.append(f"len(args) > {most}")
    return [
        "def adapter(nargout=1, *args):",
        f"    if {' or '.join(unfit)}:",
        "        raise refusal(nargout, len(args))",
        "    try:",
        f"        {'result =' if several else 'return'} host(*args{keywords})",
    ]
