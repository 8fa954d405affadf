"""Records of what a session does: diary, profile, echo."""

from __future__ import annotations

import os
from typing import Any

import attrs

from runmat_core import values as v
from runmat_core.api import MatlabError, builtin
from runmat_core.api.folders import expand_home
from runmat_core.values.struct import struct_array


@attrs.define
class _Diary:
    """The file that output is copied to, and whether it is."""

    path: str = ""
    on: bool = False

    def copy(self, text: str) -> None:
        with open(self.path, "a", encoding="utf-8", newline="") as stream:
            stream.write(text)


def _word(value: Any, function: str) -> str:
    if not v.is_text(value):
        raise MatlabError(f"MATLAB:{function}:InvalidInput", "The argument must be text.")
    return v.text(value)


@builtin("diary", family="lang/records", nargin=(0, 1), nargout=0, needs=("interp",))
def diary(what: Any = None, *, interp: Any) -> None:
    """Copy what is printed to a file.

    diary(FILE) adds it to a file, diary off stops, diary on goes on; diary alone changes between
    the two. The file is 'diary' where none was named.

    What is typed at a prompt is not copied.

    Examples:
        >> f = tempname; diary(f); diary off
        >> isfile(f)
        ans =
          logical
           1

    See also: evalc, disp.
    """
    state: _Diary = interp.state("lang.diary", _Diary)
    word = "" if what is None else _word(what, "diary")
    if word.lower() in ("on", "off"):
        state.on = word.lower() == "on"
    elif word:
        state.path = os.path.join(interp.current_directory(), expand_home(word))
        state.on = True
    else:
        state.on = not state.on
    if state.on:
        state.path = state.path or os.path.join(interp.current_directory(), "diary")
        try:
            state.copy("")
        except OSError as problem:
            state.on = False
            raise MatlabError(
                "MATLAB:diary:CannotOpen", f"Unable to write '{state.path}': {problem.strerror}."
            ) from None
    interp.output.copy = state.copy if state.on else None


@builtin("echo", family="lang/records", nargin=(0, 2), nargout=0, needs=("interp",))
def echo(*args: Any, interp: Any) -> None:
    """Print statements as they run: not supported, but may be turned off.

    echo off does nothing; echo on and echo(FUNCTION, 'on') warn.

    Examples:
        >> echo off

    See also: diary, profile, dbstack.
    """
    words = [_word(arg, "echo").lower() for arg in args]
    if "off" not in words:
        interp.warn("RunMat:echo:notSupported", "Statements are not printed as they run.")


# -- profile ------------------------------------------------------------------------------------


class _Profile:
    """Calls of .m functions, counted and timed by Python's profiler."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        import cProfile

        self.profiler = cProfile.Profile(builtins=False)
        self.on = False

    def start(self) -> None:
        try:
            self.profiler.enable(builtins=False)
        except ValueError:
            raise MatlabError(
                "MATLAB:profile:Busy", "Another profiler is active in this process."
            ) from None
        self.on = True

    def stop(self) -> None:
        if self.on:
            self.profiler.disable()
        self.on = False

    def rows(self) -> list[tuple[str, str, int, float, float]]:
        """Return function, file, calls and times of each function, the longest first."""
        found = []
        for entry in self.profiler.getstats():
            code: Any = entry.code
            file = getattr(code, "co_filename", "")
            if not file.endswith(".m"):
                continue
            name = code.co_name.strip("<>")
            if name in ("script", "module"):
                name = os.path.basename(file).removesuffix(".m")
            total, own = float(entry.totaltime), float(entry.inlinetime)
            found.append((name, file, int(entry.callcount), total, own))
        return sorted(found, key=lambda row: -row[3])


@builtin("profile", family="lang/records", nargin=(0, None), needs=("nargout", "interp"))
def profile(*args: Any, nargout: int, interp: Any) -> Any:
    """Measure how long functions take.

    profile on starts anew, profile off stops, profile resume goes on, profile clear forgets;
    profile viewer stops and prints the functions that took longest
    P = profile('info') stops and gives a struct: P.FunctionTable has FunctionName, FileName,
    NumCalls, TotalTime and SelfTime (seconds) for each function of a .m file
    S = profile('status') tells whether it is on

    Examples:
        >> profile on; profile off
        >> s = profile('status'); s.ProfilerStatus
        ans =
            'off'

    See also: tic, timeit, diary.
    """
    state: _Profile = interp.state("lang.profile", _Profile)
    word = _word(args[0], "profile").lower() if args else "viewer"
    if word == "status":
        return v.struct(
            {
                "ProfilerStatus": v.char("on" if state.on else "off"),
                "DetailLevel": v.char("mmex"),
                "Timer": v.char("performance"),
                "HistoryTracking": v.char("off"),
            }
        )
    if word in ("on", "-history", "-timestamp", "-timer", "-detail", "-memory"):
        state.stop()
        state.clear()
        state.start()
    elif word == "resume":
        state.start()
    elif word == "off":
        state.stop()
    elif word == "clear":
        state.stop()
        state.clear()
    elif word == "info":
        state.stop()
        return _information(state)
    elif word in ("viewer", "report"):
        state.stop()
        interp.write(_report(state))
    else:
        raise MatlabError("MATLAB:profile:UnknownInputOption", f"Unknown option '{word}'.")
    return None


def _information(state: _Profile) -> Any:
    records = [
        {
            "CompleteName": v.char(f"{file}>{name}"),
            "FunctionName": v.char(name),
            "FileName": v.char(file),
            "Type": v.char("M-function"),
            "NumCalls": float(calls),
            "TotalTime": total,
            "SelfTime": own,
        }
        for name, file, calls, total, own in state.rows()
    ]
    names = ("CompleteName", "FunctionName", "FileName", "Type", "NumCalls", "TotalTime")
    table = struct_array(records, (len(records), 1), (*names, "SelfTime"))
    return v.struct({"FunctionTable": table, "ClockPrecision": 1e-9, "Name": v.char("MATLAB")})


def _report(state: _Profile) -> str:
    lines = [f"{'Function':<40}{'Calls':>8}{'Total (s)':>12}{'Self (s)':>12}"]
    for name, _, calls, total, own in state.rows()[:30]:
        lines.append(f"{name:<40}{calls:>8}{total:>12.4f}{own:>12.4f}")
    return "\n".join(lines) + "\n"
