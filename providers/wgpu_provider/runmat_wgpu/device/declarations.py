"""wgpu's declarations of C, parsed once for all processes.

wgpu parses its header whenever it is imported, and the name of every type of C at its first use,
with a parser written in Python: half a second or more of each process, longer than everything else
until the first result. cffi can write down what it parsed, as tables for its loader in C. They are
kept in the cache folder, and wgpu is imported with them. They are literals, and never run.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import io
import os
import platform
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from runmat_wgpu import files

_LAYER = "wgpu.backends.wgpu_native"


def load(cache_folder: str = "") -> None:
    """Import what wgpu has of C; by tables where the folder has them, which come there otherwise.

    Raises:
        ImportError, OSError, RuntimeError: wgpu cannot be imported.
    """
    if _LAYER in sys.modules:
        return
    path = _path(cache_folder)
    declared = _declared(path)
    if declared is not None:
        with _in_place_of_the_parser(declared):
            importlib.import_module(_LAYER)
        return
    layer = importlib.import_module(_LAYER)
    if path:
        text = _tables(layer.ffi)
        files.replace(path, f"{_digest(text)}\n{text}")


class Declared:
    """Stands for a ``cffi.FFI`` that was told its header.

    Args:
        ffi: cffi's own, made of tables; it parses names of types in C.
    """

    def __init__(self, ffi: Any) -> None:
        self._ffi = ffi
        # its methods are called for every command: they are found at once
        for name in dir(ffi):
            if not name.startswith("_") and name != "errno":
                setattr(self, name, getattr(ffi, name))

    def cdef(self, source: str) -> None:
        """Nothing is left to be parsed."""

    def set_source(self, name: str, source: None) -> None:
        """Nothing is to be written down."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ffi, name)


@contextmanager
def _in_place_of_the_parser(declared: Declared) -> Iterator[None]:
    """Give wgpu an `FFI`, which it asks cffi for while it is imported."""
    import cffi

    parser = cffi.FFI
    cffi.FFI = lambda: declared
    try:
        yield
    finally:
        cffi.FFI = parser


# -- tables ---------------------------------------------------------------------------------------


def _path(cache_folder: str) -> str:
    """Return the file of the tables for this header and this cffi; empty without a folder."""
    if not cache_folder:
        return ""
    import cffi
    import wgpu
    from wgpu._coreutils import get_header_filename

    with open(get_header_filename("combined_header.h"), "rb") as file:
        header = file.read()
    made_for = (wgpu.__version__, cffi.__version__, sys.version, sys.platform, platform.machine())
    key = hashlib.sha256(header + repr(made_for).encode()).hexdigest()[:20]
    return os.path.join(cache_folder, f"declarations-{key}.txt")


def _tables(ffi: Any) -> str:
    """Return what cffi has parsed, as a literal: the arguments of its `_cffi_backend.FFI`."""
    from cffi.recompiler import make_py_source

    module = io.StringIO()
    make_py_source(ffi, "wgpu", module)
    # one assignment of a call whose arguments are literals
    call = next(
        node.value for node in ast.parse(module.getvalue()).body if isinstance(node, ast.Assign)
    )
    assert isinstance(call, ast.Call)
    return repr({word.arg: ast.literal_eval(word.value) for word in call.keywords})


def _declared(path: str) -> Declared | None:
    """Return what the tables in a file declare; None where there are none, or none that fit."""
    try:
        with open(path, encoding="utf-8") as file:
            digest, _, text = file.read().partition("\n")
        if _digest(text) != digest:
            return None
        import _cffi_backend

        return Declared(_cffi_backend.FFI("wgpu", **ast.literal_eval(text)))
    except (OSError, ValueError, SyntaxError, TypeError, ImportError):
        return None


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
