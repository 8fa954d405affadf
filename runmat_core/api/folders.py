"""The user's folders for caches, settings and state, by the platform's conventions."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from hashlib import blake2b as blake2b
else:
    try:
        from _blake2 import (
            blake2b as blake2b,
        )  # hashlib loads OpenSSL, which takes longer than all of this
    except ImportError:
        from hashlib import blake2b as blake2b

Kind = Literal["cache", "config", "state"]

#: Where the XDG base directory specification puts them: the variable, and the default in the home.
_XDG: dict[Kind, tuple[str, str]] = {
    "cache": ("XDG_CACHE_HOME", ".cache"),
    "config": ("XDG_CONFIG_HOME", ".config"),
    "state": ("XDG_STATE_HOME", os.path.join(".local", "state")),
}


def user_folder(kind: Kind, environ: Mapping[str, str] | None = None) -> str | None:
    """Return the folder of a kind for this program, whether it exists or not.

    None where the user has no home folder: nothing is then kept, rather than in the folder that
    happens to be the current one.
    """
    environ = os.environ if environ is None else environ
    variable, default = _XDG[kind]
    given = environ.get(variable, "")
    if os.path.isabs(given):  # a relative one is to be ignored, by the specification
        return os.path.join(given, "runmat")
    home = home_folder(environ)
    if home is None:
        return None
    if sys.platform not in ("darwin", "win32"):
        # as platformdirs has it; importing that takes a tenth of a start
        return os.path.join(home, default, "runmat")
    import platformdirs

    folders = platformdirs.PlatformDirs("runmat", appauthor=False)
    path: str = getattr(folders, f"user_{kind}_dir")
    return path


def home_folder(environ: Mapping[str, str] | None = None) -> str | None:
    """Return the user's home folder, None where neither the environment nor the system knows one.

    An empty HOME counts as none, which `os.path.expanduser` takes for the root folder.
    """
    if os.name != "posix":
        home = os.path.expanduser("~")
        return home if os.path.isabs(home) else None
    home = (os.environ if environ is None else environ).get("HOME", "")
    if not home:
        import pwd

        try:
            home = pwd.getpwuid(os.getuid()).pw_dir
        except KeyError:  # a user without an entry, as in containers
            return None
    return home if os.path.isabs(home) and os.path.isdir(home) else None


def expand_home(name: str) -> str:
    """Return a file name with a leading ``~`` replaced; as it is where there is no home folder."""
    if name[:1] != "~":
        return name
    if name == "~" or name[1] in ("/", os.sep):
        home = home_folder()
        return name if home is None else home + name[1:]
    return os.path.expanduser(name)


def own_folder(path: str) -> str | None:
    """Return a folder, made if need be; None where there is none that is only the user's.

    What lies in a cache is run or believed, so a folder that others may write to is not used.
    """
    try:
        os.makedirs(path, mode=0o700, exist_ok=True)
        status = os.stat(path)
    except OSError:
        return None
    if hasattr(os, "getuid") and (
        status.st_uid != os.getuid() or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    ):
        return None
    return path


def read_own(path: str) -> bytes | None:
    """Return the contents of a file; None where it is another user's.

    Raises:
        OSError: it cannot be read.
    """
    with open(path, "rb") as file:
        if hasattr(os, "getuid") and os.fstat(file.fileno()).st_uid != os.getuid():
            return None
        return file.read()


def write_whole(path: str, data: bytes) -> bool:
    """Put a file in its place, whole or not at all; return whether it is there."""
    draft = f"{path}.{os.getpid()}.tmp"
    try:
        with open(draft, "wb") as file:
            file.write(data)
        os.replace(draft, path)
    except OSError:
        with suppress(OSError):
            os.remove(draft)
        return False
    return True
