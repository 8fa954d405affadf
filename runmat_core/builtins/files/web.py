"""urlread, urlwrite, webread, websave: files named by URLs."""

from __future__ import annotations

import os
import urllib.error
import urllib.parse
import urllib.request
from typing import Any

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.api.progress import Progress
from runmat_core.builtins.arguments import scalar
from runmat_core.builtins.files.json import decode_json
from runmat_core.builtins.files.table import resolve_path
from runmat_core.builtins.text.support import maybe_text, row, scalar_text
from runmat_core.values import char

_TIMEOUT = 60.0  # seconds
_CHUNK = 1 << 18  # bytes


def _fetch(function: str, url: Any) -> tuple[bytes, str]:
    """Return what a URL names, and its content type."""
    address = scalar_text(
        url, MatlabError(f"MATLAB:{function}:InvalidInput", "The URL must be text.")
    )
    try:
        with urllib.request.urlopen(address, timeout=_TIMEOUT) as response:
            return _read(response, address), response.headers.get_content_type()
    except (urllib.error.URLError, OSError, ValueError) as problem:
        reason = getattr(problem, "reason", problem)
        raise MatlabError(
            f"MATLAB:{function}:ConnectionFailed", f"Could not read '{address}': {reason}."
        ) from None


def _read(response: Any, address: str) -> bytes:
    """All that comes, with progress in a terminal."""
    size = response.headers.get("Content-Length", "")
    octets = bytearray()
    name = urllib.parse.urlsplit(address).path.rpartition("/")[2]
    with Progress("Downloading", float(size) if size.isdecimal() else None) as progress:
        while chunk := response.read(_CHUNK):
            octets += chunk
            progress.show(float(len(octets)), name)
    return bytes(octets)


def _query_text(item: Any) -> str:
    text = maybe_text(item)
    return f"{scalar(item):g}" if text is None else text


def _with_query(url: Any, pairs: tuple[Any, ...]) -> Any:
    """Return a URL with name-value arguments as its query."""
    texts = [_query_text(item) for item in pairs]
    if not texts or len(texts) % 2:
        return url
    query = urllib.parse.urlencode(list(zip(texts[::2], texts[1::2], strict=True)))
    address = maybe_text(url) or ""
    return row(f"{address}{'&' if '?' in address else '?'}{query}")


@builtin("urlread", family="files/web", nargin=(1, None), nargout=2, needs=("nargout",))
def urlread(url: Any, *options: Any, nargout: int) -> Any:
    """The text that a URL names.

    str = urlread(url) is an error where that cannot be read.
    [str, status] = urlread(url) returns status 0 instead.

    Examples:
        >> name = tempname; writelines("hello", name); strtrim(urlread(['file://' name]))
        ans =
            'hello'

    See also: urlwrite, webread, fileread.
    """
    try:
        octets, _ = _fetch("urlread", url)
    except MatlabError:
        if nargout < 2:
            raise
        return char(""), False
    text = char(octets.decode("utf-8", "replace"))
    return text if nargout < 2 else (text, True)


@builtin("urlwrite", family="files/web", nargin=(2, None), nargout=2, needs=("nargout", "interp"))
def urlwrite(url: Any, name: Any, *options: Any, nargout: int, interp: Interp) -> Any:
    """Save what a URL names as a file.

    path = urlwrite(url, filename) is an error where the URL cannot be read.
    [path, status] = urlwrite(url, filename) returns status 0 instead.

    Examples:
        >> name = tempname; writelines("hello", name); f = urlwrite(['file://' name], tempname);
        >> isfile(f)
        ans =
          logical
           1

    See also: urlread, websave.
    """
    try:
        path = _save("urlwrite", url, name, interp)
    except MatlabError:
        if nargout < 2:
            raise
        return char(""), False
    return row(path) if nargout < 2 else (row(path), True)


def _save(function: str, url: Any, name: Any, interp: Interp) -> str:
    octets, _ = _fetch(function, url)
    file_name = scalar_text(
        name, MatlabError(f"MATLAB:{function}:InvalidInput", "The file name must be text.")
    )
    path = os.path.abspath(resolve_path(interp, file_name))
    with open(path, "wb") as stream:
        stream.write(octets)
    return path


@builtin("webread", family="files/web", nargin=(1, None))
def webread(url: Any, *query: Any) -> Any:
    """The content of a web page or service.

    data = webread(url) is text, or for JSON what jsondecode makes of it.
    data = webread(url, name1, value1, ...) adds a query to the URL.

    Examples:
        >> name = tempname; writelines("hello", name); strtrim(webread(['file://' name]))
        ans =
            'hello'

    See also: websave, urlread, jsondecode.
    """
    octets, kind = _fetch("webread", _with_query(url, query))
    text = octets.decode("utf-8", "replace")
    return decode_json(text) if kind == "application/json" else char(text)


@builtin("websave", family="files/web", nargin=(2, None), needs=("interp",))
def websave(name: Any, url: Any, *query: Any, interp: Interp) -> Any:
    """Save the content of a web page or service as a file.

    path = websave(filename, url, name1, value1, ...)

    Examples:
        >> name = tempname; writelines("hello", name);
        >> isfile(websave(tempname, ['file://' name]))
        ans =
          logical
           1

    See also: webread, urlwrite.
    """
    return row(_save("websave", _with_query(url, query), name, interp))
