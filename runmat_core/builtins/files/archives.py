"""zip, unzip, gzip, gunzip, tar and untar."""

from __future__ import annotations

import glob
import gzip as gzip_module
import os
import shutil
import tarfile
import zipfile
from typing import Any

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.files.table import find_readable, resolve_path
from runmat_core.builtins.text.support import (
    row,
    scalar_text,
    text_list,
)
from runmat_core.values.construct import cell as cell_of


def _text_error(function: str) -> MatlabError:
    return MatlabError(f"MATLAB:{function}:InvalidInput", "File names must be text.")


def _sources(function: str, names: Any, interp: Interp) -> list[tuple[str, str]]:
    """Return the files to put into an archive: where each is, and its name there."""
    found = []
    for pattern in text_list(names, _text_error(function)):
        paths = sorted(glob.glob(resolve_path(interp, pattern)))
        if not paths:
            raise MatlabError(f"MATLAB:{function}:entryNotFound", f"No file matches '{pattern}'.")
        for path in paths:
            base = os.path.dirname(path.rstrip(os.sep))
            members = [path]
            for folder, _, inside in os.walk(path):
                members += [os.path.join(folder, name) for name in inside]
            found += [(p, os.path.relpath(p, base)) for p in members if os.path.isfile(p)]
    return found


def _folder(function: str, folder: Any, interp: Interp) -> str:
    name = "." if folder is None else scalar_text(folder, _text_error(function))
    path = resolve_path(interp, name)
    os.makedirs(path, exist_ok=True)
    return path


def _archive(function: str, name: Any, extension: str, interp: Interp) -> str:
    file_name = scalar_text(name, _text_error(function))
    path = find_readable(interp, file_name)
    if not os.path.isfile(path):
        path = _with_extension(path, extension)
    if not os.path.isfile(path):
        raise MatlabError(f"MATLAB:{function}:fileNotFound", f"File '{file_name}' not found.")
    return path


def _listing(nargout: int, names: list[str]) -> Any:
    return cell_of(map(row, names)) if nargout else None


def _with_extension(path: str, extension: str) -> str:
    return path if os.path.splitext(path)[1] else path + extension


@builtin("zip", family="files/archives", nargin=(2, 2), needs=("nargout", "interp"))
def zip_files(name: Any, files: Any, *, nargout: int, interp: Interp) -> Any:
    """Put files into a zip archive.

    zip(zipname, files) takes text or a cell array, with * too; folders go in whole.
    names = zip(...) returns the names in the archive.

    Examples:
        >> f = [tempname '.txt']; fclose(fopen(f, 'w')); z = [tempname '.zip']; zip(z, f);
        >> isfile(z)
        ans =
          logical
           1

    See also: unzip, gzip, tar.
    """
    path = resolve_path(interp, scalar_text(name, _text_error("zip")))
    sources = _sources("zip", files, interp)
    with zipfile.ZipFile(_with_extension(path, ".zip"), "w", zipfile.ZIP_DEFLATED) as archive:
        for source, inside in sources:
            archive.write(source, inside)
    return _listing(nargout, [inside for _, inside in sources])


@builtin("unzip", family="files/archives", nargin=(1, 2), needs=("nargout", "interp"))
def unzip(name: Any, folder: Any = None, *, nargout: int, interp: Interp) -> Any:
    """Take the files out of a zip archive.

    unzip(zipname, folder) puts them into a folder, by default the current one.
    names = unzip(...) returns where they are.

    Examples:
        >> f = [tempname '.txt']; fclose(fopen(f, 'w')); z = [tempname '.zip']; zip(z, f);
        >> names = unzip(z, tempname); isfile(names{1})
        ans =
          logical
           1

    See also: zip, gunzip, untar.
    """
    path, target = _archive("unzip", name, ".zip", interp), _folder("unzip", folder, interp)
    try:
        with zipfile.ZipFile(path) as archive:
            archive.extractall(target)
            names = [n for n in archive.namelist() if not n.endswith("/")]
    except zipfile.BadZipFile:
        raise MatlabError("MATLAB:unzip:invalidZipFile", f"Invalid zip file '{path}'.") from None
    return _listing(nargout, [os.path.join(target, n) for n in names])


@builtin("gzip", family="files/archives", nargin=(1, 2), needs=("nargout", "interp"))
def gzip(files: Any, folder: Any = None, *, nargout: int, interp: Interp) -> Any:
    """Compress files.

    gzip(files, folder) writes name.gz for each file beside it, or into a folder.
    names = gzip(...) returns where they are.

    Examples:
        >> f = tempname; fclose(fopen(f, 'w')); gzip(f); isfile([f '.gz'])
        ans =
          logical
           1

    See also: gunzip, zip.
    """
    written = []
    for source, _ in _sources("gzip", files, interp):
        target = os.path.dirname(source) if folder is None else _folder("gzip", folder, interp)
        path = os.path.join(target, os.path.basename(source) + ".gz")
        with open(source, "rb") as plain, gzip_module.open(path, "wb") as packed:
            shutil.copyfileobj(plain, packed)
        written.append(path)
    return _listing(nargout, written)


@builtin("gunzip", family="files/archives", nargin=(1, 2), needs=("nargout", "interp"))
def gunzip(files: Any, folder: Any = None, *, nargout: int, interp: Interp) -> Any:
    """Decompress files.

    gunzip(files, folder) writes each name.gz as name beside it, or into a folder.
    names = gunzip(...) returns where they are.

    Examples:
        >> f = tempname; fclose(fopen(f, 'w')); gzip(f); delete(f); gunzip([f '.gz']); isfile(f)
        ans =
          logical
           1

    See also: gzip, unzip.
    """
    written = []
    for source, _ in _sources("gunzip", files, interp):
        target = os.path.dirname(source) if folder is None else _folder("gunzip", folder, interp)
        path = os.path.join(target, os.path.basename(source).removesuffix(".gz"))
        try:
            with gzip_module.open(source, "rb") as packed, open(path, "wb") as plain:
                shutil.copyfileobj(packed, plain)
        except gzip_module.BadGzipFile:
            raise MatlabError(
                "MATLAB:gunzip:notGzipFormat", f"The file '{source}' is not in gzip format."
            ) from None
        written.append(path)
    return _listing(nargout, written)


@builtin("tar", family="files/archives", nargin=(2, 2), needs=("nargout", "interp"))
def tar(name: Any, files: Any, *, nargout: int, interp: Interp) -> Any:
    """Put files into a tar archive.

    tar(tarname, files) takes text or a cell array, with * too; a name in .tgz or .gz compresses.
    names = tar(...) returns the names in the archive.

    Examples:
        >> f = [tempname '.txt']; fclose(fopen(f, 'w')); t = [tempname '.tar']; tar(t, f);
        >> isfile(t)
        ans =
          logical
           1

    See also: untar, zip.
    """
    path = _with_extension(resolve_path(interp, scalar_text(name, _text_error("tar"))), ".tar")
    sources = _sources("tar", files, interp)
    with tarfile.open(path, "w:gz" if path.endswith("gz") else "w") as archive:
        for source, inside in sources:
            archive.add(source, inside)
    return _listing(nargout, [inside for _, inside in sources])


@builtin("untar", family="files/archives", nargin=(1, 2), needs=("nargout", "interp"))
def untar(name: Any, folder: Any = None, *, nargout: int, interp: Interp) -> Any:
    """Take the files out of a tar archive.

    untar(tarname, folder) puts them into a folder, by default the current one.
    names = untar(...) returns where they are.

    Examples:
        >> f = [tempname '.txt']; fclose(fopen(f, 'w')); t = [tempname '.tar']; tar(t, f);
        >> names = untar(t, tempname); isfile(names{1})
        ans =
          logical
           1

    See also: tar, unzip.
    """
    path, target = _archive("untar", name, ".tar", interp), _folder("untar", folder, interp)
    try:
        with tarfile.open(path) as archive:
            members = [m for m in archive.getmembers() if m.isfile()]
            # no member may be written outside the folder
            archive.extractall(target, filter="data")
    except tarfile.TarError:
        raise MatlabError("MATLAB:untar:invalidTarFile", f"Invalid tar file '{path}'.") from None
    return _listing(nargout, [os.path.join(target, m.name) for m in members])
