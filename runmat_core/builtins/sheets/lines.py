"""readlines and writelines."""

from __future__ import annotations

from typing import Any

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.files.table import known_encoding, resolve_path
from runmat_core.builtins.named import pairs
from runmat_core.builtins.sheets import content as contents
from runmat_core.builtins.sheets.fields import LINE_ENDINGS
from runmat_core.builtins.sheets.properties import OF_PLAN, OF_VARIABLES
from runmat_core.builtins.text.support import scalar_text, string_of, text_list
from runmat_core.values import is_text, text
from runmat_core.values.printf_format import unescape

_BLANKS = " \t\b\v\f"
_CUT = {"trim": str.strip, "trimleading": str.lstrip, "trimtrailing": str.rstrip}


@builtin("readlines", family="sheets/lines", nargin=(1, None), needs=("interp",))
def readlines(name: Any, *options: Any, interp: Interp) -> Any:
    """The lines of a text file as a string column.

    S = readlines(filename) ends with "" where the file ends in a newline.
    S = readlines(filename, name, value): 'EmptyLineRule' ("read", "skip" or "error"),
    'WhitespaceRule' ("preserve", "trim", "trimleading" or "trimtrailing"), 'LineEnding', 'Encoding'

    Examples:
        >> name = tempname; writelines(["a" "b"], name); readlines(name)
        ans =
          3×1 string array
            "a"
            "b"
            ""

    See also: writelines, fileread, fgetl, readmatrix.
    """
    error = MatlabError("MATLAB:readlines:InvalidInput", "Arguments must be text.")
    file = scalar_text(name, error)
    known = ("EmptyLineRule", "WhitespaceRule", "LineEnding", "Encoding")
    given, _ = pairs(options, known, "readlines")
    encoding = scalar_text(given["Encoding"], error) if "Encoding" in given else ""
    endings = LINE_ENDINGS
    if "LineEnding" in given:
        endings = OF_PLAN["LineEnding"].read(given["LineEnding"], "LineEnding")
    lines = contents.read_lines(contents.read(interp, file, encoding), endings)
    rule = "preserve"
    if "WhitespaceRule" in given:
        rule = OF_VARIABLES["WhitespaceRule"].read(given["WhitespaceRule"], "WhitespaceRule")
    if rule != "preserve":
        cut = _CUT[rule]
        lines = [cut(line, _BLANKS) for line in lines]
    if "EmptyLineRule" in given:
        rule = OF_PLAN["EmptyLineRule"].read(given["EmptyLineRule"], "EmptyLineRule")
        filled = [line for line in lines if line.strip()]
        # what stands behind the last end of a line is no line
        if rule == "error" and len(filled) < len(lines) - (not lines[-1]):
            raise MatlabError("MATLAB:textio:io:EmptyLine", "The file has an empty line.")
        lines = filled if rule == "skip" else lines
    return string_of(lines, (len(lines), 1))


@builtin("writelines", family="sheets/lines", nargin=(2, None), nargout=0, needs=("interp",))
def writelines(lines: Any, name: Any, *options: Any, interp: Interp) -> None:
    """Write text to a file, each element as a line.

    writelines(lines, filename) takes a string array, char vector or cell array.
    writelines(…, name, value): 'WriteMode' ("overwrite" or "append"), 'LineEnding', 'Encoding',
    'TrailingLineEndingRule' ("auto" and "always" end the last line, too; "never" does not)

    Examples:
        >> name = tempname; writelines({'a', 'b'}, name); numel(fileread(name))
        ans =
             4

    See also: readlines, fprintf.
    """
    error = MatlabError("MATLAB:writelines:InvalidInput", "Arguments must be text.")
    known = ("WriteMode", "Encoding", "LineEnding", "TrailingLineEndingRule")
    given, _ = pairs(options, known, "writelines")
    chosen = {key: scalar_text(value, error) for key, value in given.items()}
    ending = unescape(chosen.get("LineEnding", "\n"))
    file = scalar_text(name, error)
    codec = chosen.get("Encoding", "UTF-8")
    if not known_encoding(codec):
        raise MatlabError(
            "MATLAB:FileIO:InvalidEncoding", f"The encoding '{codec}' is not supported."
        )
    texts = [text(lines)] if is_text(lines) else text_list(lines, error)
    last = "" if chosen.get("TrailingLineEndingRule", "").lower() == "never" else ending
    mode = "a" if chosen.get("WriteMode", "").lower() == "append" else "w"
    with open(
        resolve_path(interp, file), mode, encoding=codec, errors="replace", newline=""
    ) as stream:
        stream.write(ending.join(texts) + (last if texts else ""))
