"""Builtins that tell where a program runs: version, computer, licence."""

from __future__ import annotations

import os
import sys
from typing import Any

from runmat_core import values as v
from runmat_core.api import MatlabError, builtin, threads
from runmat_core.api.errors import not_enough_inputs
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import scalar
from runmat_core.builtins.named import choice
from runmat_core.values.struct import struct_array

#: The MATLAB release whose language is followed; programs compare with it.
RELEASE = "R2023b"
VERSION = "23.2.0.2365128"
RELEASE_DATE = "Aug 01, 2023"


@builtin("version", family="lang/platform", nargout=2, needs=("nargout",))
def version(option: Any = None, *, nargout: int) -> Any:
    """Version of the MATLAB language that this runtime follows.

    V = version is the version number followed by the release name in parentheses.
    version('-release'), version('-date') and version('-description') are its parts;
    [V, D] = version gives the date too.

    Examples:
        >> version('-release')
        ans =
            '2023b'

    See also: ver, verLessThan.
    """
    text = f"{VERSION} ({RELEASE})"
    if option is not None:
        kind = v.text(option).lower()
        parts = {"-release": RELEASE[1:], "-date": RELEASE_DATE, "-description": "", "-java": ""}
        if kind not in parts:
            raise MatlabError("MATLAB:version:InvalidInputArg", f"Unknown option '{kind}'.")
        text = parts[kind]
    return (v.char(text), v.char(RELEASE_DATE)) if nargout > 1 else v.char(text)


@builtin("ver", family="lang/platform", needs=("nargout", "interp"))
def ver(product: Any = None, *, nargout: int, interp: Any) -> Any:
    """Version information of the language and its toolboxes.

    ver prints it; S = ver returns a structure with fields Name, Version, Release and Date.
    ver(PRODUCT) is about one product, and empty when there is no such product.

    Examples:
        >> s = ver('matlab');
        >> s.Name
        ans =
            'MATLAB'

    See also: version, verLessThan.
    """
    known = product is None or v.text(product).lower() == "matlab"
    short = ".".join(VERSION.split(".")[:2])
    fields = {"Name": "MATLAB", "Version": short, "Release": f"({RELEASE})", "Date": RELEASE_DATE}
    if nargout == 0:
        if known:
            interp.write(f"{fields['Name']:<50}Version {short:<10}{fields['Release']}\n")
        return None
    if not known:
        return interp.call(
            v.char("struct"),
            [
                v.char(name) if k % 2 == 0 else v.cell([], (0, 0))
                for name in fields
                for k in range(2)
            ],
        )
    return v.struct({name: v.char(text) for name, text in fields.items()})


@builtin("verLessThan", family="lang/platform")
def verLessThan(toolbox: Any, wanted: Any) -> bool:
    """Whether a product is older than a version.

    TF = verLessThan('matlab', '9.1') compares part by part.

    Examples:
        >> verLessThan('matlab', '7.12')
        ans =
          logical
           0

    See also: isMATLABReleaseOlderThan, ver, version.
    """
    name = v.text(toolbox)
    if name.lower() != "matlab":
        raise MatlabError("MATLAB:verLessThan:missingToolbox", f"Toolbox '{name}' not found.")
    parts = [int(part) for part in v.text(wanted).split(".") if part.isdigit()]
    return [int(part) for part in VERSION.split(".")[:3]] < parts


@builtin("isMATLABReleaseOlderThan", family="lang/platform", nargin=(1, 3))
def isMATLABReleaseOlderThan(release: Any, *stage: Any) -> bool:
    """Whether this release is older than the one named.

    Examples:
        >> isMATLABReleaseOlderThan('R2016a')
        ans =
          logical
           0

    See also: verLessThan, version.
    """
    return RELEASE.lower() < v.text(release).lower()


@builtin("argv", family="lang/platform", needs=("interp",))
def argv(*, interp: Interp) -> Any:
    """Arguments of the program that runs.

    C = argv is a cell row of what followed the name of the file on the command line, or of what
    Session.run_file was given. Elsewhere it is empty.

    Examples:
        >> numel(argv)
        ans =
             0

    See also: nargin, getenv.
    """
    given: list[Any] = interp.state("argv", list)
    return v.cell([v.share(value) for value in given], (1 if given else 0, len(given)))


@builtin("computer", family="lang/platform", nargout=3, needs=("nargout",))
def computer(option: Any = None, *, nargout: int) -> Any:
    """Kind of computer this runs on.

    C = computer is 'GLNXA64', 'MACA64', 'MACI64' or 'PCWIN64'; computer('arch') the same in the
    spelling of folder names. [C, MAXSIZE, ENDIAN] = computer also gives the largest number of
    elements of an array and 'L' or 'B'.

    Examples:
        >> [~, n] = computer;
        >> n == 2^48-1
        ans =
          logical
           1

    See also: ispc, isunix, ismac.
    """
    if sys.platform == "win32":
        names = ("PCWIN64", "win64")
    elif sys.platform == "darwin":
        names = ("MACA64", "maca64") if os.uname().machine == "arm64" else ("MACI64", "maci64")
    else:
        names = ("GLNXA64", "glnxa64")
    if option is not None:
        return v.char(names[1])
    order = v.char("L" if sys.byteorder == "little" else "B")
    return (v.char(names[0]), 2.0**48 - 1, order)[:nargout] if nargout > 1 else v.char(names[0])


@builtin("ispc", family="lang/platform")
def ispc() -> bool:
    """True on Windows.

    Examples:
        >> ispc && isunix
        ans =
          logical
           0

    See also: isunix, ismac, computer.
    """
    return sys.platform == "win32"


@builtin("isunix", family="lang/platform")
def isunix() -> bool:
    """True on Linux and macOS.

    Examples:
        >> isunix || ispc
        ans =
          logical
           1

    See also: ispc, ismac.
    """
    return sys.platform != "win32"


@builtin("ismac", family="lang/platform")
def ismac() -> bool:
    """True on macOS.

    Examples:
        >> ismac && ispc
        ans =
          logical
           0

    See also: ispc, isunix.
    """
    return sys.platform == "darwin"


@builtin("isstudent", family="lang/platform")
def isstudent() -> bool:
    """Whether this is MATLAB's student edition: never.

    Examples:
        >> isstudent
        ans =
          logical
           0

    See also: license.
    """
    return False


@builtin("isdeployed", family="lang/platform")
def isdeployed() -> bool:
    """Whether the program runs as a compiled application: never.

    Examples:
        >> isdeployed
        ans =
          logical
           0

    See also: ismcc.
    """
    return False


@builtin("ismcc", family="lang/platform")
def ismcc() -> bool:
    """Whether the program is being compiled into an application: never.

    Examples:
        >> ismcc
        ans =
          logical
           0

    See also: isdeployed.
    """
    return False


@builtin("usejava", family="lang/platform")
def usejava(feature: Any) -> bool:
    """Whether a Java feature ('jvm', 'awt', 'swing', 'desktop') can be used: there is no Java.

    Examples:
        >> usejava('jvm')
        ans =
          logical
           0

    See also: javachk, computer.
    """
    if v.text(feature) not in ("jvm", "awt", "swing", "desktop"):
        raise MatlabError("MATLAB:usejava:UnknownFeature", f"Unknown feature: {v.text(feature)}.")
    return False


@builtin("javachk", family="lang/platform", nargin=(1, 2))
def javachk(feature: Any, component: Any = None) -> Any:
    """An error structure that says that a Java feature is missing.

    MSG = javachk(FEATURE, COMPONENT) can be given to error.

    Examples:
        >> s = javachk('jvm');
        >> s.identifier
        ans =
            'MATLAB:javachk:thisFeatureNotAvailable'

    See also: usejava, error.
    """
    who = v.text(component) if component is not None else "This function"
    text = f"{who} is not supported because: Java {v.text(feature)} is not currently available."
    return v.struct(
        {
            "message": v.char(text),
            "identifier": v.char("MATLAB:javachk:thisFeatureNotAvailable"),
        }
    )


@builtin("license", family="lang/platform", nargin=(0, None), nargout=2, needs=("nargout",))
def license(*args: Any, nargout: int) -> Any:
    """Licence queries: programs that ask whether a toolbox is licensed are told no.

    license is the licence number, here 'runmat'. license('test', FEATURE) and
    license('checkout', FEATURE) are 1 for 'matlab' alone; [TF, MSG] = license('checkout', FEATURE)
    says why not. license('inuse') lists features in use, license('inuse', FEATURE) that one.

    Examples:
        >> license('test', 'matlab')
        ans =
             1

    See also: ver, version.
    """
    if not args:
        return v.char("runmat")
    action = v.text(args[0]).lower()
    if action in ("test", "checkout"):
        if len(args) < 2:
            raise not_enough_inputs()
        if len(args) > 2:
            choice(args[2], ("enable", "disable"), "license")
        held = float(v.text(args[1]).lower() == "matlab")
        return (held, v.char("" if held else "No such feature exists.")) if nargout > 1 else held
    if action == "inuse":
        if len(args) > 1 and v.text(args[1]).lower() != "matlab":
            return struct_array([], (0, 0), ("feature", "user"))
        return v.struct({"feature": v.char("matlab"), "user": v.char(os.environ.get("USER", ""))})
    raise MatlabError(
        "MATLAB:license:InvalidOption", f"Unknown option '{v.text(args[0])}' of license."
    )


@builtin("maxNumCompThreads", family="lang/platform", nargin=(0, 1))
def maxNumCompThreads(count: Any = None) -> float:
    """Most threads that computations of this process take.

    N = maxNumCompThreads
    LASTN = maxNumCompThreads(N) takes N threads at most from now on, and tells how many before;
    never more than there are
    LASTN = maxNumCompThreads("automatic") takes as many as the process may use

    Examples:
        >> last = maxNumCompThreads(1);
        >> maxNumCompThreads('automatic')
        ans =
             1

    See also: computer.
    """
    if count is None:
        return float(threads.limit())
    if v.is_text(count):
        choice(count, ("automatic",), "maxNumCompThreads")
        return float(threads.limit_to(None))
    wanted = scalar(count)
    if not wanted >= 1 or wanted % 1:
        raise MatlabError(
            "MATLAB:maxNumCompThreads:invalidInput", "The number of threads is a positive integer."
        )
    return float(threads.limit_to(int(min(wanted, 1 << 16))))


@builtin("exit", "quit", family="lang/platform", nargin=(0, 2), nargout=0, needs=("interp",))
def exit(code: Any = 0.0, option: Any = None, *, interp: Any) -> None:
    """End the program.

    exit ends it with exit status 0, exit(CODE) with another one. Cleanup objects run first.

    Examples:
        >> exist('exit')
        ans =
             5

    See also: return.
    """
    interp.flush()
    raise SystemExit(0 if v.is_text(code) else int(code))
