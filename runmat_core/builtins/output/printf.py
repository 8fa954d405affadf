"""``sprintf`` and ``fprintf``, and Octave's relatives of them."""

from __future__ import annotations

from typing import Any

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError, not_enough_inputs
from runmat_core.api.interp import Interp
from runmat_core.builtins.files.table import write_to
from runmat_core.builtins.output.show import setting
from runmat_core.values import (
    DTYPE,
    char,
    class_of,
    disp,
    from_numpy,
    is_text,
    string,
    text,
    to_numpy,
)
from runmat_core.values.char import decode, units_of
from runmat_core.values.printf import sprintf as format_values


def format_text(value: Any) -> str:
    """Return a format argument as text; numbers stand for character codes."""
    if is_text(value):
        return text(value)
    if class_of(value) not in DTYPE:
        raise MatlabError("MATLAB:printf:InvalidFormat", "Invalid format.")
    return decode(units_of(from_numpy(to_numpy(value).real)).ravel(order="F"))


@builtin("sprintf", family="output/printf", nargin=(1, None), effects="pure")
def sprintf(formatSpec: Any, *A: Any) -> Any:
    r"""Format data as text.

    str = sprintf(formatSpec, A1, ..., An) fills the conversions of formatSpec with the elements of
    the arrays in column order, and starts over as long as data are left. The result is a string
    when formatSpec is one, else a character vector.

    Examples:
        >> sprintf('%d: %s', 3, 'abc')
        ans =
            '3: abc'
        >> sprintf('%.2f ', [1 2.5; 3 4])
        ans =
            '1.00 3.00 2.50 4.00 '

    See also: fprintf, num2str, compose.
    """
    result = format_values(format_text(formatSpec), A)
    return string(result) if class_of(formatSpec) == "string" else char(result)


@builtin(
    "fprintf",
    family="output/printf",
    nargin=(0, None),
    needs=("interp", "nargout"),
    effects="io",
)
def fprintf(*args: Any, interp: Interp, nargout: int) -> Any:
    r"""Write formatted data to the screen or to a file.

    fprintf(formatSpec, A1, ..., An) writes to the screen.
    fprintf(fileID, formatSpec, A1, ..., An) writes to an open file; 1 is the screen and 2 the
    error output.
    nbytes = fprintf(...) returns the number of bytes written.

    Examples:
        >> fprintf('%d and %d\n', 1, 2)
        1 and 2
        >> fprintf('%5.1f|', [1 2 3]), fprintf('\n')
          1.0|  2.0|  3.0|

    See also: sprintf, disp, fopen.
    """
    if not args:
        raise not_enough_inputs()
    if len(args) == 1 or is_text(args[0]):
        output = format_values(format_text(args[0]), args[1:])
        interp.write(output)
        count = len(output.encode("utf-8", "surrogatepass")) if nargout else 0
    else:
        count = write_to(interp, args[0], format_values(format_text(args[1]), args[2:]))
    return float(count) if nargout else None


@builtin(
    "printf", family="output/printf", nargin=(1, None), nargout=0, needs=("interp",), effects="io"
)
def printf(formatSpec: Any, *A: Any, interp: Interp) -> None:
    r"""Write formatted data to the screen, as in Octave.

    printf(formatSpec, A1, ..., An) is fprintf without a file.

    Examples:
        >> printf('%d\n', 5)
        5

    See also: fprintf.
    """
    interp.write(format_values(format_text(formatSpec), A))


@builtin(
    "puts",
    "fputs",
    family="output/printf",
    nargin=(1, 2),
    nargout=0,
    needs=("interp",),
    effects="io",
)
def puts(*args: Any, interp: Interp) -> None:
    """Write text as it is, as in Octave.

    puts(str) writes to the screen, fputs(fileID, str) to a file.

    Examples:
        >> puts(['abc' newline])
        abc

    See also: fprintf, disp.
    """
    if len(args) == 1:
        interp.write(format_text(args[0]))
    else:
        write_to(interp, args[0], format_text(args[1]))


@builtin("fdisp", family="output/printf", nargin=(2, 2), nargout=0, needs=("interp",), effects="io")
def fdisp(fileID: Any, X: Any, *, interp: Interp) -> None:
    """Write what disp shows to a file, as in Octave.

    fdisp(fileID, X) writes to an open file; 1 is the screen.

    Examples:
        >> fdisp(1, [1 2])
             1     2

    See also: disp, fprintf.
    """
    write_to(interp, fileID, disp(X, setting(interp).current))
