"""SciPy, loaded no further than a call needs.

A package of SciPy takes from a tenth of a second to most of one to import, nearly all of it for
Python modules around a few compiled ones: helpers for other array libraries, the parts of NumPy
for tests, every other package of SciPy. A program that solves one system of equations needs a
single extension module, which takes some milliseconds. So rules ask for that (`extension`), and
where they need a package in full, the parts of NumPy that it merely names are left to be loaded
when somebody uses them (`package`).

Extension modules that are not public may change with a release of SciPy. Each is asked for beside
the public module with the same functions, which is imported where the extension is not there.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import LazyLoader, find_spec, module_from_spec
from threading import RLock
from types import ModuleType
from typing import Any

from runmat_core.api import threads

#: Packages of NumPy that SciPy's helpers name (``from numpy import *``) and do not use.
_UNUSED = ("numpy.testing", "numpy.f2py", "numpy.ma", "numpy.ctypeslib", "numpy.polynomial")

_lock = RLock()


@cache
def extension(name: str, instead: str) -> Any:
    """Return an extension module of SciPy without importing the packages that it is in.

    Args:
        name: of the extension module, such as ``scipy.linalg._flapack``.
        instead: the public module with its functions, such as ``scipy.linalg.lapack``.
    """
    parent = name.rpartition(".")[0]
    with _lock:
        if name in sys.modules:
            return sys.modules[name]
        try:
            # where the package is there already, Python's own way costs nothing
            found = import_module(name) if parent in sys.modules else _alone(name)
        except (ImportError, AttributeError):
            return package(instead)
        threads.settle()  # it may bring a BLAS
        return found


def _alone(name: str) -> ModuleType:
    """Load an extension module of a package that is not imported.

    Raises:
        ImportError: there is none of this name, or it needs its package.
    """
    spec = PathFinder.find_spec(name, [_folder(name.rpartition(".")[0])])
    if spec is None or spec.loader is None:
        raise ImportError(f"no module {name}")
    module = module_from_spec(spec)
    # the package finds it here, when somebody imports that
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _folder(parent: str) -> str:
    """Return the folder of a package of SciPy.

    Raises:
        ImportError: SciPy is not installed.
    """
    if sys.platform == "win32":
        import_module("scipy")  # which says where the libraries are that extensions are linked with
    root = find_spec("scipy")
    if root is None or not root.submodule_search_locations:
        raise ImportError("SciPy is not installed")
    return "/".join([root.submodule_search_locations[0], *parent.split(".")[1:]])


@cache
def special() -> Any:
    """Return the module that has the ufuncs of ``scipy.special``, and nothing else of that.

    It names others of its package, so a bare package stands for it meanwhile.
    """
    name = "scipy.special"
    with _lock:
        if name in sys.modules:
            return sys.modules[name]
        try:
            import_module("scipy")
            bare = ModuleType(name)
            bare.__path__ = [_folder(name)]
            sys.modules[name] = bare
            try:
                return import_module("scipy.special._ufuncs")
            finally:
                # whoever imports the package next gets it in full, around the same modules
                del sys.modules[name]
        except (ImportError, AttributeError):
            return package(name)


@cache
def package(name: str) -> Any:
    """Import a package of SciPy, without what it only names."""
    with _lock:
        if "scipy._lib._array_api" not in sys.modules:
            for unused in _UNUSED:
                _postpone(unused)
        found = import_module(name)
        threads.settle()
        return found


def _postpone(name: str) -> None:
    """Have a module loaded when an attribute of it is first asked for."""
    spec = find_spec(name) if name not in sys.modules else None
    if spec is None or spec.loader is None:
        return
    spec.loader = LazyLoader(spec.loader)
    module = module_from_spec(spec)
    sys.modules[name] = module
    parent, _, attribute = name.rpartition(".")
    setattr(sys.modules[parent], attribute, module)
    spec.loader.exec_module(module)


@cache
def function(name: str, instead: str) -> Any:
    """Return a function of an extension module of SciPy.

    Args:
        name: with that of its module, such as ``scipy.signal._sigtools._linear_filter``.
        instead: the public function that takes the same arguments, with the name of its package.
    """
    module, _, attribute = name.rpartition(".")
    public, _, other = instead.rpartition(".")
    found = getattr(extension(module, public), attribute, None)
    return getattr(package(public), other) if found is None else found
