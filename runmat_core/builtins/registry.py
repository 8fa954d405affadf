"""From a name to a builtin, and from a builtin to a function that compiled code calls.

`find` imports the module that holds a name on its first use. `bind` wraps the host rule in an
adapter with the calling convention ``fn(nargout, *args)`` (`adapters`).
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from functools import cache, partial
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from runmat_core.api.builtin import BuiltinSpec
from runmat_core.api.interp import Interp, MatlabFunction
from runmat_core.builtins import index
from runmat_core.builtins.adapters import adapted

if TYPE_CHECKING:
    from runmat_core.builtins.plugins import Offer, Plugins

_specs: dict[str, BuiltinSpec] = {}


def find(name: str) -> BuiltinSpec | None:
    """Return the builtin called `name`, or None. Plugins are asked when the core has no such name.

    Raises:
        MatlabError: RunMat:plugin:duplicate, several packages declare it; RunMat:plugin:mark, its
            mark cannot be used.
    """
    if name not in _specs:
        module = _modules().get(name)
        if module is None:
            found = _plugins().find(name)
            return _placeholder(name) if found is None else found
        _adopt(import_module(module))
    return _specs.get(name)


def warn_of_shadowed(name: str) -> None:
    """Warn, once a process, of a package that has a builtin by a name of the core's in use."""
    if name in _shadowed() or (_plugins.cache_info().currsize and name in _plugins().shadowed):
        _plugins().warn_of_shadowed(name)


def _placeholder(name: str) -> BuiltinSpec | None:
    """Return the placeholder of a graphics function, which no installed package offers."""
    from runmat_core.builtins.graphics import placeholders

    return placeholders.spec(name)


def names() -> list[str]:
    """All names of all builtins, aliases and plugins included, sorted."""
    return sorted({*_modules(), *_specs, *_plugins().offers})


def package_of(name: str) -> str:
    """Return the package that a builtin comes from; empty for the core's own."""
    if _plugins.cache_info().currsize == 0:
        return ""  # nothing of a package was ever called
    offer = _plugins().loaded.get(name)
    return "" if offer is None else offer.package


def overloaded_with(name: str) -> frozenset[str]:
    """Return the functions of the classes that come with the package of a builtin.

    None of the core's.
    """
    package = package_of(name)
    return _plugins().functions.get(package, frozenset()) if package else frozenset()


def offers() -> Mapping[str, Offer]:
    """Return the builtins of installed packages by name, aliases included."""
    return _plugins().offers


def installed_plugins() -> Plugins:
    """Return what the installed packages offer, and what is wrong with them.

    Their modules are loaded.
    """
    return _plugins()


def broken_packages() -> list[str]:
    """Return what is wrong with packages that may have had a missing name, in sentences."""
    return list(_plugins().broken)


def suggest(name: str, also: tuple[str, ...] = ()) -> list[str]:
    """Up to three known names, of builtins or in `also`, that `name` may be a misspelling of."""
    import difflib

    plugins = _plugins()
    known = {*_modules(), *_specs, *plugins.names(), *plugins.refused, *also}
    same_but_case = sorted(k for k in known if k.lower() == name.lower() and k != name)
    close = difflib.get_close_matches(name, known - {name}, n=3, cutoff=0.75)
    return [*same_but_case, *(k for k in close if k not in same_but_case)][:3]


def hint_for(name: str, also: tuple[str, ...] = ()) -> str:
    """Return what to say of an unknown name; empty if there is nothing to say.

    It is the package that has the name, or what it may be a misspelling of, and what is wrong with
    packages that may have had it.
    """
    from runmat_core.builtins import absent, catalog, toolboxes

    broken = broken_packages()
    package = catalog.package_offering(name)
    if package and not any(f"'{package} " in told for told in broken):
        newer = "--upgrade " if package in _plugins().packages else ""
        command = f"pip install {newer}{package}"
        which = toolboxes.belongs(name)
        return f"{which}; {command} brings it." if which else f"It is in {package}: {command}"
    why = absent.reason(name)
    if why:
        return why
    which = "" if package else toolboxes.absence(name, catalog.packages_of_toolboxes())
    if which:
        return " ".join([*_similar(name, also), which, *broken])
    close = suggest(name, also)
    hints = [f"Did you mean {' or '.join(close)}?"] if close else []
    if not close and not package:
        elsewhere = suggest_offered(name)
        if elsewhere:
            hints.append(elsewhere)
    return " ".join([*hints, *broken])


def _similar(name: str, variables: tuple[str, ...]) -> list[str]:
    """Return a question about the variable that a name may be a misspelling of.

    None where none is.
    """
    import difflib

    close = difflib.get_close_matches(name, set(variables) - {name}, n=1, cutoff=0.75)
    return [f"Did you mean {match}?" for match in close]


def suggest_offered(name: str) -> str:
    """Return a question about a name that a package which is not installed has; empty where none is
    close."""
    import difflib

    from runmat_core.builtins import catalog

    packages = {n: entry.package for entry in catalog.offered() for n in entry.names}
    for match in difflib.get_close_matches(name, packages, n=1, cutoff=0.75):
        package = packages[match]
        return f"Did you mean {match}, which is in {package}: pip install {package}"
    return ""


def bind(spec: BuiltinSpec, interp: Interp) -> MatlabFunction:
    """Return the function ``fn(nargout, *args)`` that calls `spec` on behalf of `interp`."""
    host = host_rule(spec)
    least, most = arity(spec)
    scalars = 0 if spec.scalar is None else len(inspect.signature(spec.scalar).parameters)
    made = adapted(spec, host, interp, least, most, scalars)
    made.__runmat_spec__ = spec  # type: ignore[attr-defined]
    return made


def host_rule(spec: BuiltinSpec) -> MatlabFunction:
    """Return the host rule of `spec` as a function of MATLAB values."""
    if spec.lift is None and not package_of(spec.name):
        host: MatlabFunction = spec.host
    else:
        from runmat_core.builtins.lift import lifted

        host = lifted(spec)
    if spec.compose is None:
        return host
    from runmat_core.builtins import composed

    return composed.composed(partial(spec.compose, composed.ARRAYS))(host)


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
def _shadowed() -> frozenset[str]:
    from runmat_core.builtins import shadowing

    return shadowing.names(_modules().keys())


@cache
def _plugins() -> Plugins:
    """Return the builtins of installed packages, whose modules are loaded on the first use."""
    from runmat_core.builtins import catalog
    from runmat_core.builtins.plugins import Plugins

    return Plugins(_modules().keys(), catalog.names_offered())
