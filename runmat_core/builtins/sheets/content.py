"""The text of a file as bytes: finding it, its encoding, its lines, its comments."""

from __future__ import annotations

import codecs
import os
import re
from pathlib import Path
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from runmat_core.api.errors import MatlabError, invalid_file_name
from runmat_core.api.interp import Interp
from runmat_core.builtins.files.table import find_readable, known_encoding
from runmat_core.builtins.text.decimals import MARGIN

Octets = NDArray[np.uint8]

#: Bytes that are looked at together, so that what is made of them stays in the cache.
BLOCK = 1 << 18

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
#: The encodings whose bytes need no conversion.
_PLAIN = ("utf-8", "ascii")


@attrs.frozen(eq=False)
class Content:
    """Text in UTF-8 between margins of zeros; places count from the first margin on.

    Attributes:
        raw: the bytes with their margins.
        octets: the same bytes as an array.
        ascii: whether all characters are ASCII.
    """

    raw: bytearray
    octets: Octets
    ascii: bool
    _seen: dict[str, bool] = attrs.field(factory=dict, init=False)

    @property
    def begin(self) -> int:
        return MARGIN

    @property
    def end(self) -> int:
        return len(self.raw) - MARGIN

    def has(self, characters: str) -> bool:
        """Whether a text is anywhere in this one."""
        if characters not in self._seen:
            found = self.raw.find(characters.encode(), MARGIN, self.end)
            self._seen[characters] = found >= 0
        return self._seen[characters]

    def places(self, characters: str) -> NDArray[np.intp]:
        """Where any of some ASCII characters is."""
        found = []
        codes = [ord(c) for c in characters]
        for at in range(MARGIN, self.end, BLOCK):
            part = self.octets[at : min(at + BLOCK, self.end)]
            mask = part == codes[0]
            for code in codes[1:]:
                mask |= part == code
            found.append(np.flatnonzero(mask) + at)
        return np.concatenate(found) if found else np.zeros(0, np.intp)

    def text(self, start: int, end: int) -> str:
        """Return the text between two places."""
        return str(memoryview(self.raw)[start:end], "utf-8", "replace")

    def head(self, size: int, lines: int = 0) -> Content:
        """Return the first `size` bytes, up to the end of a line where there is one.

        Args:
            lines: how many lines it has at least, however long they are.
        """
        if self.end - MARGIN <= size:
            return self
        stop = MARGIN + size
        mark = b"\n" if self.raw.find(b"\n", MARGIN, stop) >= 0 or not self.has("\r") else b"\r"
        for _ in range(lines - self.raw.count(mark, MARGIN, stop)):
            found = self.raw.find(mark, stop, self.end)
            if found < 0:
                return self
            stop = found + 1
        at = max(self.raw.rfind(b"\n", MARGIN, stop), self.raw.rfind(b"\r", MARGIN, stop))
        return of_bytes(bytes(self.raw[MARGIN : at + 1 if at >= 0 else stop]))


def of_bytes(text: bytes) -> Content:
    """Bytes in UTF-8 as content."""
    return _of_raw(bytearray(MARGIN).join((b"", text, b"")))


def _of_raw(raw: bytearray) -> Content:
    return Content(raw, np.frombuffer(raw, np.uint8), raw.isascii())


def file_not_found(name: str) -> MatlabError:
    return MatlabError(
        "MATLAB:textio:textio:FileNotFound",
        f"Unable to find or open '{name}'. Check the path and filename or file permissions.",
    )


def find(interp: Interp, name: str) -> str:
    """Return the path of a file; names without extension are tried with those of text.

    Raises:
        MatlabError: MATLAB:textio:textio:FileNotFound.
    """
    if "\0" in name:
        raise invalid_file_name()
    if not name:
        raise file_not_found(name)
    for ending in ("",) if Path(name).suffix else ("", ".txt", ".dat", ".csv"):
        path = find_readable(interp, name + ending)
        if os.path.isfile(path):
            return path
    raise file_not_found(name)


def read(interp: Interp, name: str, encoding: str = "") -> Content:
    """Return the text of a file; an encoding that is not given is found by its bytes.

    Raises:
        MatlabError: MATLAB:textio:textio:FileNotFound, or an encoding that is not known.
    """
    path = find(interp, name)
    encoding = "" if encoding.lower() == "auto" else encoding
    if encoding and encoding.lower() != "system" and not known_encoding(encoding):
        raise MatlabError(
            "MATLAB:textio:textio:UnknownEncoding", f"Unknown or unsupported encoding '{encoding}'."
        )
    try:
        with open(path, "rb") as stream:
            size = os.fstat(stream.fileno()).st_size
            raw = bytearray(size + 2 * MARGIN)
            count = stream.readinto(memoryview(raw)[MARGIN : MARGIN + size]) if size else 0
            rest = stream.read()  # of a file that is no plain one, or grows
    except OSError:
        raise file_not_found(name) from None
    if rest or count < size:
        return _decoded(bytes(raw[MARGIN : MARGIN + count]) + rest, encoding)
    start = bytes(raw[MARGIN : MARGIN + 4])
    marked = any(start.startswith(mark) for mark, _ in _MARKS)
    if not marked and codecs_name(encoding or "utf-8") in _PLAIN and raw.isascii():
        return _of_raw(raw)
    return _decoded(bytes(raw[MARGIN : MARGIN + size]), encoding)


def codecs_name(encoding: str) -> str:
    if encoding.lower() == "system":
        return "utf-8"
    return codecs.lookup(encoding).name


def _decoded(raw: bytes, encoding: str) -> Content:
    """Bytes in any encoding: a mark at their beginning decides, then what is given."""
    for mark, name in _MARKS:
        if raw.startswith(mark):
            return of_bytes(raw[len(mark) :].decode(name, "replace").encode())
    if encoding and codecs_name(encoding) != "utf-8":
        return of_bytes(raw.decode(encoding, "replace").encode("utf-8", "replace"))
    try:
        raw.decode()
    except UnicodeDecodeError:
        raw = raw.decode("utf-8", "replace").encode() if encoding else _latin(raw)
    return of_bytes(raw)


def _latin(raw: bytes) -> bytes:
    return raw.decode("latin-1").encode()


# -- comments ------------------------------------------------------------------------------------


def without_comments(content: Content, marks: tuple[str, ...]) -> tuple[Content, NDArray[np.intp]]:
    """Text without its comments, and the lines, from zero, that held nothing else.

    One mark begins a comment that ends with its line, two enclose one. Marks between quotes count
    as text. The ends of lines within comments stay.
    """
    raw = bytes(content.raw[content.begin : content.end])
    first = marks[0].encode()
    if first not in raw:
        return content, np.zeros(0, np.intp)
    ending = (
        rb".*?(?:" + re.escape(marks[1].encode()) + rb"|\Z)" if len(marks) > 1 else rb"[^\r\n]*"
    )
    pattern = re.compile(rb'"(?:[^"]|"")*+"|(' + re.escape(first) + ending + rb")", re.DOTALL)
    at, kept, touched = 0, [], set()
    line = 0
    for match in pattern.finditer(raw):
        if match[1] is None:
            continue
        before = raw[at : match.start()]
        kept.append(before)
        line += before.count(b"\n")
        touched.add(line)
        breaks = match[1].count(b"\n")
        for _ in range(breaks):
            line += 1
            touched.add(line)
        kept.append(b"\n" * breaks)
        at = match.end()
    kept.append(raw[at:])
    cleaned = b"".join(kept)
    lines = cleaned.split(b"\n")
    blank = [k for k in sorted(touched) if k < len(lines) and not lines[k].strip()]
    return of_bytes(cleaned), np.array(blank, np.intp)


def read_lines(content: Content, endings: tuple[str, ...]) -> list[str]:
    """Return the lines of a text; what stands behind the last end is a line, too."""
    text = content.text(content.begin, content.end)
    ordered = sorted(endings, key=len, reverse=True)
    if set(ordered) == {"\n", "\r", "\r\n"} and "\r" not in text:
        return text.split("\n")
    return re.split("|".join(map(re.escape, ordered)), text)


def suffix_of(name: Any) -> str:
    return Path(name).suffix.lower()
