"""Where the runtime is, and what the machine has: matlabroot, mexext, prefdir, memory."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from runmat_core import values as v
from runmat_core.api import builtin
from runmat_core.api.folders import user_folder


@builtin("matlabroot", family="lang/installation")
def matlabroot() -> Any:
    """Folder in which the runtime is installed.

    D = matlabroot

    There are no toolbox folders of MATLAB in it.

    Examples:
        >> isfolder(matlabroot)
        ans =
          logical
           1

    See also: prefdir, version, computer.
    """
    return v.char(str(Path(__file__).resolve().parents[2]))


@builtin("mexext", family="lang/installation")
def mexext() -> Any:
    """Ending of the names of compiled functions on this kind of machine.

    E = mexext

    Programs look for such files with it; they cannot be called here.

    Examples:
        >> strncmp(mexext, 'mex', 3)
        ans =
          logical
           1

    See also: computer, matlabroot.
    """
    if sys.platform == "win32":
        return v.char("mexw64")
    if sys.platform == "darwin":
        return v.char("mexmaca64" if os.uname().machine == "arm64" else "mexmaci64")
    return v.char("mexa64")


def preference_folder() -> str:
    """Return the folder of settings that outlive a session; it need not be there."""
    given = os.environ.get("MATLAB_PREFDIR")
    if given:
        return given
    folder = user_folder("config")
    if folder is not None:
        return folder
    import tempfile

    return os.path.join(tempfile.gettempdir(), "runmat")


@builtin("prefdir", family="lang/installation", nargin=(0, 1))
def prefdir(create: Any = None) -> Any:
    """Folder of preferences.

    D = prefdir, D = prefdir(1) makes it where it is not there

    It is what the environment variable MATLAB_PREFDIR names, or runmat in the user's folder of
    settings.

    Examples:
        >> ischar(prefdir)
        ans =
          logical
           1

    See also: getpref, setpref, matlabroot.
    """
    folder = preference_folder()
    if create is not None and v.truth(create):
        os.makedirs(folder, exist_ok=True)
    return v.char(folder)


def _kilobytes() -> dict[str, float]:
    """Return the entries of the kernel's table of memory, in bytes; empty where there is none."""
    found = {}
    try:
        with open("/proc/meminfo", encoding="ascii") as table:
            for line in table:
                name, _, rest = line.partition(":")
                found[name] = float(rest.split()[0]) * 1024
    except OSError:
        pass
    return found


def _used() -> float:
    """Return the bytes of memory that this process has."""
    try:
        with open("/proc/self/statm", encoding="ascii") as table:
            return float(table.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        import resource

        most = float(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
        return most if sys.platform == "darwin" else most * 1024


@builtin("memory", family="lang/installation", nargout=2, needs=("nargout", "interp"))
def memory(*, nargout: int, interp: Any) -> Any:
    """Memory of the machine and of this process, in bytes.

    memory prints it; USER = memory is a struct with MaxPossibleArrayBytes, MemAvailableAllArrays
    and MemUsedMATLAB; [USER, SYSTEM] = memory tells of the machine too

    Examples:
        >> m = memory; m.MemUsedMATLAB > 0
        ans =
          logical
           1

    See also: whos, clear.
    """
    table = _kilobytes()
    total = float(os.sysconf("SC_PAGE_SIZE")) * os.sysconf("SC_PHYS_PAGES")
    free = table.get("MemAvailable", total)
    used = _used()
    user = {"MaxPossibleArrayBytes": free, "MemAvailableAllArrays": free, "MemUsedMATLAB": used}
    if not nargout:
        for label, amount in (
            ("Maximum possible array", free),
            ("Memory available for all arrays", free),
            ("Memory used by MATLAB", used),
            ("Physical Memory (RAM)", total),
        ):
            interp.write(f"{label + ':':<36}{amount / 2**20:>9.0f} MB ({amount:.3e} bytes)\n")
        return None
    if nargout < 2:
        return v.struct(user)
    swap = table.get("SwapFree", 0.0)
    system = {
        "VirtualAddressSpace": v.struct({"Available": 2.0**47, "Total": 2.0**47}),
        "SystemMemory": v.struct({"Available": free + swap}),
        "PhysicalMemory": v.struct({"Available": free, "Total": total}),
    }
    return v.struct(user), v.struct(system)
