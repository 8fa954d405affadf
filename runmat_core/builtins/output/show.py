"""``disp``, ``display``, ``format`` and what goes with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.values import class_of, is_text, string, struct, text, truth
from runmat_core.values import disp as disp_text
from runmat_core.values.display_format import DisplayFormat, FormatSetting, Spacing


def setting(interp: Interp) -> FormatSetting:
    """Return the display settings of the session."""
    return interp.state("format", FormatSetting)


@builtin("disp", family="output/show", nargin=(1, 1), nargout=0, needs=("interp",), effects="io")
def disp(X: Any, *, interp: Interp) -> None:
    """Print a value without its name.

    disp(X) prints X as a statement without a semicolon does, but for the name and what describes
    the class. Text is printed without quotes.

    Examples:
        >> disp('done')
        done
        >> disp([1 2; 3 4.5])
            1.0000    2.0000
            3.0000    4.5000

    See also: display, fprintf, format.
    """
    interp.write(disp_text(X, setting(interp).current))


@builtin(
    "display",
    family="output/show",
    nargin=(1, 2),
    nargout=0,
    needs=("interp", "argument_text"),
    effects="io",
)
def display(
    X: Any, name: Any = None, *, interp: Interp, argument_text: Sequence[str | None]
) -> None:
    """Print a value with its name.

    display(X) prints X as a statement without a semicolon does.
    display(X, name) calls it by another name.

    Examples:
        >> x = 3;
        >> display(x)
        x =
             3

    See also: disp, format.
    """
    if name is not None:
        label = text(name)
    else:
        source = (argument_text or (None,))[0] or ""
        label = source if source.isidentifier() else ""
    interp.display(label, X)


@builtin(
    "format",
    family="output/show",
    nargin=(0, 2),
    nargout=1,
    needs=("interp", "nargout"),
    effects="state",
)
def format(*style: Any, interp: Interp, nargout: int) -> Any:
    """Set how numbers are shown.

    format STYLE selects short, long, shortE, longE, shortG, longG, shortEng, longEng, bank, hex,
    rational or + for numbers, or loose or compact for the blank lines around values.
    format alone goes back to short and loose.
    fmt = format returns the settings, and format(fmt) restores them.

    Examples:
        >> format long
        >> pi
        ans =
           3.141592653589793
        >> format short
        >> pi
        ans =
            3.1416

    See also: disp, fprintf, num2str.
    """
    state = setting(interp)
    before = state.current
    if style:
        state.current = _after(before, style)
    elif not nargout:
        state.current = DisplayFormat()
    if not nargout:
        return None
    return struct({"NumericFormat": string(before.style), "LineSpacing": string(before.spacing)})


def _after(current: DisplayFormat, style: Sequence[Any]) -> DisplayFormat:
    if class_of(style[0]) == "struct":
        names = [text(style[0].field(key)) for key in ("NumericFormat", "LineSpacing")]
        return current.changed(names[0]).changed(names[1])
    if not all(is_text(word) for word in style):
        raise MatlabError("MATLAB:format:InvalidInput", "Format style must be text.")
    return current.changed(*[text(word) for word in style])


@builtin("formattedDisplayText", family="output/show", nargin=(1, None), needs=("interp",))
def formattedDisplayText(X: Any, *options: Any, interp: Interp) -> Any:
    """What disp prints, as a string.

    str = formattedDisplayText(X) gives the text.
    str = formattedDisplayText(X, Name, Value) takes NumericFormat, LineSpacing, SuppressMarkup and
    UseTrueFalseForLogical.

    Examples:
        >> s = formattedDisplayText([1 2])
        s =
            "     1     2
             "

    See also: disp, format.
    """
    current = setting(interp).current
    style, spacing, true_false = current.style, current.spacing, False
    if len(options) % 2:
        raise MatlabError("MATLAB:InputParser:ParamMissingValue", "Option without a value.")
    for key, value in zip(options[::2], options[1::2], strict=True):
        option = text(key).lower()
        if option == "numericformat":
            style = current.changed(text(value)).style
        elif option == "linespacing":
            spacing = _spacing(current, text(value))
        elif option == "usetruefalseforlogical":
            true_false = truth(value)
        elif option != "suppressmarkup":
            raise MatlabError(
                "MATLAB:InputParser:UnmatchedParameter", f"'{text(key)}' is no option."
            )
    fmt = DisplayFormat(style, spacing, true_false)
    shown = disp_text(X, fmt)
    # the blank line that separates values on the screen is not part of the text
    return string(shown[:-1] if shown.endswith("\n\n") else shown)


def _spacing(current: DisplayFormat, name: str) -> Spacing:
    return current.changed(name).spacing
