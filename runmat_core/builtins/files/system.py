"""The operating system: system, unix, getpid, type."""

from __future__ import annotations

import os
import subprocess
from typing import Any

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.files.formatted import read_text
from runmat_core.builtins.files.table import find_readable
from runmat_core.builtins.text.support import maybe_text, scalar_text
from runmat_core.values import char


@builtin(
    "system",
    "unix",
    family="files/system",
    nargin=(1, 3),
    nargout=2,
    needs=("nargout", "interp"),
)
def system(command: Any, *options: Any, nargout: int, interp: Interp) -> Any:
    """Run a command of the operating system.

    status = system(command) prints what the command prints and returns its exit status.
    [status, output] = system(command) returns what it prints; with '-echo' it is printed too.
    A command that ends in & runs in the background.

    Examples:
        >> [status, output] = system('echo hello'); strtrim(output)
        ans =
            'hello'

    See also: getenv, setenv.
    """
    error = MatlabError("MATLAB:system:InvalidInput", "The command must be text.")
    line = scalar_text(command, error).strip()
    folder = interp.current_directory()
    if line.endswith("&"):
        subprocess.Popen(line[:-1], shell=True, cwd=folder, start_new_session=True)
        return 0.0 if nargout < 2 else (0.0, char(""))
    done = subprocess.run(
        line,
        shell=True,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    output = done.stdout.decode("utf-8", "replace")
    if nargout < 2 or any(maybe_text(option) == "-echo" for option in options):
        interp.write(output)
    if nargout == 0:
        return None
    status = float(done.returncode)
    return status if nargout < 2 else (status, char(output))


@builtin("getpid", family="files/system")
def getpid() -> float:
    """The number of this process.

    pid = getpid

    Examples:
        >> getpid > 0
        ans =
          logical
           1

    See also: system.
    """
    return float(os.getpid())


@builtin("type", family="files/system", nargout=0, needs=("interp",))
def type_(name: Any, *, interp: Interp) -> None:
    """Print a file.

    type filename prints a text file, or the .m file of a function.

    Examples:
        >> name = tempname; fid = fopen(name, 'w'); fprintf(fid, 'x = 1;\\n'); fclose(fid);
        >> type(name)
        x = 1;

    See also: which, fileread.
    """
    file_name = scalar_text(name, MatlabError("MATLAB:type:InvalidInput", "The name must be text."))
    path = find_readable(interp, file_name)
    if not os.path.isfile(path):
        path = interp.find_file(file_name) or ""
    if not path:
        raise MatlabError("MATLAB:type:fileNotFound", f"File '{file_name}' not found.")
    text = read_text(path, file_name)
    interp.write("\n" + text + ("" if text.endswith("\n") else "\n") + "\n")
