"""Python frames that run .m code: their variables, their errors.

Functions keep their variables in CPython's fast locals; whatever reaches them from outside
(`evalin`, `exist`, `who`, scripts, a debugger) goes through `frame_workspace`. A name that the text
does not declare goes to a side table in the frame, which name look-up consults before it gives up.
"""

from __future__ import annotations

import ctypes
import dis
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Any

from runmat_core.api import errors
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import GLOBAL_NAMES
from runmat_core.compiler.host import RENAMED, FunctionInfo
from runmat_core.values.base import Value

_WRITE_THROUGH = sys.version_info >= (3, 13)
#: The variable that a message of Python's names.
_QUOTED = re.compile("'([^']*)'")


def frame_info(frame: FrameType) -> FunctionInfo | None:
    """Return the description of the .m code that `frame` runs; None for Python's own frames."""
    infos = frame.f_globals.get("_infos")
    return None if infos is None else infos.get(frame.f_code.co_name)


def matlab_frames(frame: FrameType | None) -> Iterator[FrameType]:
    """Yield the frames of .m code from `frame` outwards."""
    while frame is not None:
        if frame_info(frame) is not None:
            yield frame
        frame = frame.f_back


def frame_nargin(frame: FrameType) -> float:
    """How many inputs the function in `frame` was given."""
    variables = frame.f_locals
    if "_nargin" in variables:
        return float(variables["_nargin"])
    info = frame_info(frame)
    assert info is not None
    mangled = dict(info.mangled)
    given = [name for name in info.inputs if name is None or mangled.get(name, name) in variables]
    return float(len(given) + len(variables.get("_rest", ())))


def frame_nargout(frame: FrameType) -> float:
    """How many outputs the function in `frame` was asked for."""
    return float(frame.f_locals.get("_nout", 0))


def frame_workspace(frame: FrameType) -> FrameWorkspace:
    """Return the variables of the .m code that `frame` runs."""
    info = frame_info(frame)
    assert info is not None, "not a frame of .m code"
    return FrameWorkspace(frame, info)


class _Unset:
    """What a parameter or capture holds that was not given."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "<unset>"


UNSET = _Unset()


class FrameWorkspace:
    """A `Workspace` over a frame: its fast locals, or its dict ``_w`` where it has one."""

    def __init__(self, frame: FrameType, info: FunctionInfo) -> None:
        self.frame = frame
        self.info = info
        self._dict: dict[str, Any] | None = frame.f_locals.get("_w") if info.dynamic else None
        #: the dicts of enclosing functions, by the variables that this one has from them
        self._around: dict[str, dict[str, Any]] = {}
        if info.inherited:
            self._around = {name: frame.f_locals[place] for name, place in info.inherited}

    def get(self, name: str) -> Any | None:
        kind, table, key = self._find(name)
        value = table.get(key) if kind != "unset" else None
        # an anonymous function that captured no variable of that name
        return None if value is UNSET else value

    def set(self, name: str, value: Any) -> None:
        kind, table, key = self._find(name)
        if kind == "local":
            _write_local(self.frame, key, value)
        elif kind in ("unset", "captured"):
            extra = self._extra() or {}
            extra[name] = value
            _write_local(self.frame, "_extra", extra)
        else:
            table[key] = value

    def delete(self, name: str) -> None:
        kind, table, key = self._find(name)
        if kind == "local":
            _delete_local(self.frame, key)
        elif kind == "global":
            # others still share it; it is only no longer a variable here
            if self._dict is not None:
                self._dict.get(GLOBAL_NAMES, set()).discard(name)
        elif kind == "captured":
            self.set(name, UNSET)
        elif kind != "unset":
            table.pop(key, None)

    def names(self) -> list[str]:
        declared = set(self.info.variables) | set(self.info.global_names)
        if self._dict is not None:
            declared |= {name for name in self._dict if name != GLOBAL_NAMES}
        declared |= set(self._extra() or ())
        return sorted(name for name in declared if self.get(name) is not None)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.get(name) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    @property
    def global_names(self) -> frozenset[str]:
        """The variables declared global in the text or, in a dict, by code that ran over it."""
        names = set(self.info.global_names)
        if self._dict is not None:
            names |= self._dict.get(GLOBAL_NAMES, set())
        return frozenset(names)

    @contextmanager
    def namespace(self) -> Iterator[dict[str, Any]]:
        """Yield a plain dict for code that runs in this workspace.

        What it changes is written back.
        """
        if self._dict is not None and not self._around:
            yield self._dict
            return
        self._own_borrowed()
        variables = {} if self._dict is None else dict(self._dict)
        variables.update({name: self.get(name) for name in self.names()})
        before = dict(variables)
        try:
            yield variables
        finally:
            for name, value in variables.items():
                if before.get(name) is value:
                    continue
                if name != GLOBAL_NAMES:
                    self.set(name, value)
                elif self._dict is not None:
                    self._dict[name] = value
            for name in before.keys() - variables.keys():
                self.delete(name)

    def _own_borrowed(self) -> None:
        """Give the variables that the frame borrows from its caller wrappers of their own.

        The text of a function says which inputs it writes into, and only those are its own from
        the start; code from outside may write into any. So may code in the workspace of an
        anonymous function, whose captures belong to the handle.
        """
        info = self.info
        names = info.variables if info.kind == "anonymous" else info.inputs
        for name in names:
            if name is not None and isinstance(value := self.get(name), Value):
                self.set(name, value.share())

    def _extra(self) -> dict[str, Any] | None:
        return self.frame.f_locals.get("_extra")

    def _find(self, name: str) -> tuple[str, Any, str]:
        """Where `name` lives: a kind, the table that holds it, its key there."""
        info = self.info
        if name in info.global_names:
            return "global", self.frame.f_globals["_g"], name
        if name in info.persistent_names:
            return "persistent", self.frame.f_globals["_p"], f"{info.key}.{name}"
        if name in self._around:
            return "dict", self._around[name], name
        if self._dict is not None:
            if name in self._dict.get(GLOBAL_NAMES, ()):
                return "global", self.frame.f_globals["_g"], name
            return "dict", self._dict, name
        extra = self._extra()
        if extra is not None and name in extra:
            return "extra", extra, name
        if name in info.variables:
            key = dict(info.mangled).get(name, name) if info.mangled else name
            # what a handle captured stays as it was, whatever is written during a call
            captured = info.kind == "anonymous" and key in self.frame.f_code.co_freevars
            return "captured" if captured else "local", self.frame.f_locals, key
        return "unset", None, name


def _write_local(frame: FrameType, name: str, value: Any) -> None:
    """Bind a fast local, cell or free variable of a running frame."""
    frame.f_locals[name] = value
    if not _WRITE_THROUGH:
        _locals_to_fast(frame, 0)


def _delete_local(frame: FrameType, name: str) -> None:
    if _WRITE_THROUGH:
        # PEP 667 offers no way to unbind a variable from outside
        from runmat_core.values import horzcat

        frame.f_locals[name] = horzcat()
        return
    frame.f_locals.pop(name, None)
    _locals_to_fast(frame, 1)


def _locals_to_fast(frame: FrameType, clear: int) -> None:
    ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), ctypes.c_int(clear))


# -- errors ---------------------------------------------------------------------------------------


def translate(error: BaseException) -> MatlabError | None:
    """Return the MATLAB error that a Python exception raised by .m code itself stands for.

    None when its innermost frame is not .m code: then it is a fault of whatever raised it.
    """
    if isinstance(error, RecursionError):
        return MatlabError(
            "MATLAB:recursionLimit",
            "Maximum recursion limit reached. The likely cause is an infinite recursion within "
            "the program.",
        )
    innermost = _innermost(error)
    info = frame_info(innermost.tb_frame) if innermost is not None else None
    if info is None or innermost is None:
        return None
    if isinstance(error, NameError | KeyError):
        name = unbound_name(error)
        if name is None:
            return None
        return errors.not_enough_inputs() if name in info.inputs else errors.undefined(name)
    if isinstance(error, IndexError) and innermost.tb_frame.f_code.co_name == info.key:
        size = str(error).rpartition(" ")[2]
        return errors.index_exceeds(int(size)) if size.isdigit() else errors.bad_index()
    return None


def unbound_name(error: BaseException) -> str | None:
    """Return the variable whose reading raised `error`, told from the instruction that failed."""
    if isinstance(error, KeyError):
        key = error.args[0] if error.args else None
        return key.rpartition(".")[2] if isinstance(key, str) else None
    found = _unbound_at(error)
    value = found.argval if found is not None else None
    return value.removeprefix(RENAMED) if isinstance(value, str) else None


def line_of(error: BaseException, traceback: TracebackType) -> int:
    """Return the line on which `error` passed through a frame."""
    if traceback.tb_next is None and isinstance(error, UnboundLocalError):
        found = _unbound_at(error)
        if found is not None and found.positions is not None:
            return found.positions.lineno or traceback.tb_lineno
    return traceback.tb_lineno


def innermost_outputs(error: BaseException) -> tuple[str, ...]:
    """Return the outputs of the function whose own code raised `error`."""
    innermost = _innermost(error)
    info = frame_info(innermost.tb_frame) if innermost is not None else None
    return info.outputs if info is not None else ()


def _innermost(error: BaseException) -> TracebackType | None:
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    return traceback


def _unbound_at(error: BaseException) -> dis.Instruction | None:
    """Return the instruction that read a variable without a value.

    CPython 3.11 runs some pairs of instructions as one once code is warm, and says then that the
    first of a pair failed where it was the second; the name in the message is the right one.
    """
    innermost = _innermost(error)
    if innermost is None:
        return None
    code, offset = innermost.tb_frame.f_code, innermost.tb_lasti
    pair = [one for one in dis.get_instructions(code) if one.offset >= offset][:2]
    if not pair or pair[0].offset != offset:
        return None
    said = _QUOTED.search(str(error)) if isinstance(error, UnboundLocalError) else None
    return next((one for one in pair if said is not None and one.argval == said[1]), pair[0])
