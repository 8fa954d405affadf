"""From a name to a builtin, and from a builtin to a function that compiled code calls.

`find` imports the module that holds a name on its first use. `bind` wraps the host rule in an
adapter with the calling convention ``fn(nargout, *args)`` (`adapters`).
"""

from __future__ import annotations

import inspect
import os
import sys
from functools import cache
from importlib import import_module
from types import ModuleType

from runmat_core.api.builtin import BuiltinSpec
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp, MatlabFunction
from runmat_core.builtins import index
from runmat_core.builtins.adapters import adapted

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
    return adapted(spec, host, interp, least, most, scalars)


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
