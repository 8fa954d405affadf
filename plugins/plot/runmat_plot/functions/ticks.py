"""Ticks of axes and their labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.rulers import target_of


def _ticks(name: str, args: Sequence[Any], nargout: int, interp: Interp) -> Any:
    """Read or set ticks or their labels, of polar axes by names that begin with R or Theta.

    Raises:
        MatlabError: the axes have no such ticks.
    """
    axes, rest = target_of(args, interp)
    if name.startswith(("R", "Theta")) and axes.kind.name != "polaraxes":
        raise MatlabError("MATLAB:rulerFunctions:InvalidObject", "The axes must be polar axes.")
    if not rest:
        prop = axes.kind.properties[name.lower()]
        return axes.read(prop)
    value = rest[0]
    if isinstance(value, str) and value.lower() in ("auto", "manual", "mode"):
        if value.lower() == "mode":
            return axes[f"{name}Mode"]
        if value.lower() == "auto":
            axes.values.pop(name, None)
        axes.assign(f"{name}Mode", value)
    else:
        axes.assign(name, value)
    return axes.read(axes.kind.properties[name.lower()]) if nargout else None


@builtin("xticks", family="plot/rulers", nargin=(0, 2), needs=("nargout", "interp"))
def xticks(*args: Any, nargout: int, interp: Interp) -> Any:
    """Ticks of the x-axis.

    T = xticks, xticks(T), xticks("auto"), xticks(AX, …)

    Examples:
        >> plot(1:10); xticks([1 5 10]); xticks
        ans =
             1     5    10

    See also: xticklabels, yticks, xlim.
    """
    return _ticks("XTick", args, nargout, interp)


@builtin("yticks", family="plot/rulers", nargin=(0, 2), needs=("nargout", "interp"))
def yticks(*args: Any, nargout: int, interp: Interp) -> Any:
    """Ticks of the y-axis.

    T = yticks, yticks(T), yticks("auto"), yticks(AX, …)

    Examples:
        >> plot([0 10]); yticks
        ans =
             0     1     2     3     4     5     6     7     8     9    10

    See also: yticklabels, xticks, ylim.
    """
    return _ticks("YTick", args, nargout, interp)


@builtin("zticks", family="plot/rulers", nargin=(0, 2), needs=("nargout", "interp"))
def zticks(*args: Any, nargout: int, interp: Interp) -> Any:
    """Ticks of the z-axis.

    T = zticks, zticks(T), zticks("auto"), zticks(AX, …)

    Examples:
        >> surf(peaks); zticks([-5 0 5]); zticks
        ans =
            -5     0     5

    See also: xticks, yticks, zlim.
    """
    return _ticks("ZTick", args, nargout, interp)


@builtin("xticklabels", family="plot/rulers", nargin=(0, 2), needs=("nargout", "interp"))
def xticklabels(*args: Any, nargout: int, interp: Interp) -> Any:
    """Labels of the ticks of the x-axis.

    C = xticklabels, xticklabels(C), xticklabels("auto"), xticklabels(AX, …)

    Examples:
        >> plot(1:2); xticks([1 2]); xticklabels({'one', 'two'}); xticklabels
        ans =
          2×1 cell array
            {'one'}
            {'two'}

    See also: xticks, yticklabels, xtickangle.
    """
    return _ticks("XTickLabel", args, nargout, interp)


@builtin("yticklabels", family="plot/rulers", nargin=(0, 2), needs=("nargout", "interp"))
def yticklabels(*args: Any, nargout: int, interp: Interp) -> Any:
    """Labels of the ticks of the y-axis.

    C = yticklabels, yticklabels(C), yticklabels("auto"), yticklabels(AX, …)

    Examples:
        >> plot(1:2); yticks([1 2]); yticklabels
        ans =
          2×1 cell array
            {'1'}
            {'2'}

    See also: yticks, xticklabels.
    """
    return _ticks("YTickLabel", args, nargout, interp)


@builtin("zticklabels", family="plot/rulers", nargin=(0, 2), needs=("nargout", "interp"))
def zticklabels(*args: Any, nargout: int, interp: Interp) -> Any:
    """Labels of the ticks of the z-axis.

    C = zticklabels, zticklabels(C), zticklabels("auto"), zticklabels(AX, …)

    Examples:
        >> surf(peaks); zticks(0); zticklabels({'sea'}); zticklabels
        ans =
          1×1 cell array
            {'sea'}

    See also: zticks, xticklabels.
    """
    return _ticks("ZTickLabel", args, nargout, interp)


@builtin("xtickangle", family="plot/rulers", nargin=(0, 2), needs=("nargout", "interp"))
def xtickangle(*args: Any, nargout: int, interp: Interp) -> Any:
    """Angle of the labels of the ticks of the x-axis, in degrees.

    A = xtickangle, xtickangle(A), xtickangle(AX, A)

    Examples:
        >> plot(1:3); xtickangle(45); xtickangle
        ans =
            45

    See also: xticklabels, ytickangle.
    """
    return _ticks("XTickLabelRotation", args, nargout, interp)


@builtin("ytickangle", family="plot/rulers", nargin=(0, 2), needs=("nargout", "interp"))
def ytickangle(*args: Any, nargout: int, interp: Interp) -> Any:
    """Angle of the labels of the ticks of the y-axis, in degrees.

    A = ytickangle, ytickangle(A), ytickangle(AX, A)

    Examples:
        >> plot(1:3); ytickangle(90); ytickangle
        ans =
            90

    See also: yticklabels, xtickangle.
    """
    return _ticks("YTickLabelRotation", args, nargout, interp)


@builtin("datetick", family="plot/rulers", nargin=(0, None), nargout=0, needs=("interp",))
def datetick(*args: Any, interp: Interp) -> None:
    """Label an axis of serial date numbers with dates.

    datetick, datetick("x", FORMAT), datetick(…, "keeplimits"), datetick(…, "keepticks")

    Examples:
        >> plot(730000:730030, 0:30); datetick('x', 'yyyy-mm-dd')

    See also: datestr, datenum, xticks.
    """
    axes, rest = target_of(args, interp)
    words = [word for word in rest if not (isinstance(word, str) and word.startswith("keep"))]
    name = words.pop(0).upper() if words and str(words[0]).lower() in ("x", "y", "z") else "X"
    axes.info.setdefault("rulers", {})[name] = "datetime"
    if words:
        made = interp.builtin("datestr")
        at = axes[f"{name}Tick"].ravel()
        if made is not None and at.size:
            texts = [interp.to_python(made(1, float(t), interp.to_matlab(words[0]))) for t in at]
            axes.assign(f"{name}Tick", at.reshape(1, -1))
            axes.assign(f"{name}TickLabel", texts)
    axes.scene.revision += 1


@builtin("rticks", family="plot/rulers", nargin=(0, 2), needs=("nargout", "interp"))
def rticks(*args: Any, nargout: int, interp: Interp) -> Any:
    """Ticks of the radius of polar axes.

    T = rticks, rticks(T), rticks("auto"), rticks(PAX, …)

    Examples:
        >> polarplot(1:3, 1:3); rticks([1 3]); rticks
        ans =
             1     3

    See also: thetaticks, rticklabels, rlim.
    """
    return _ticks("RTick", args, nargout, interp)


@builtin("thetaticks", family="plot/rulers", nargin=(0, 2), needs=("nargout", "interp"))
def thetaticks(*args: Any, nargout: int, interp: Interp) -> Any:
    """Ticks of the angle of polar axes, in degrees.

    T = thetaticks, thetaticks(T), thetaticks("auto"), thetaticks(PAX, …)

    Examples:
        >> polarplot(1:3, 1:3); thetaticks(0:90:270); thetaticks
        ans =
             0    90   180   270

    See also: rticks, thetaticklabels.
    """
    return _ticks("ThetaTick", args, nargout, interp)


@builtin("rticklabels", family="plot/rulers", nargin=(0, 2), needs=("nargout", "interp"))
def rticklabels(*args: Any, nargout: int, interp: Interp) -> Any:
    """Labels of the ticks of the radius of polar axes.

    L = rticklabels, rticklabels(TEXTS), rticklabels("auto"), rticklabels(PAX, …)

    Examples:
        >> polarplot(1:2, 1:2); rticks([1 2]); rticklabels({'a', 'b'}); rticklabels
        ans =
          2×1 cell array
            {'a'}
            {'b'}

    See also: rticks, thetaticklabels.
    """
    return _ticks("RTickLabel", args, nargout, interp)


@builtin("thetaticklabels", family="plot/rulers", nargin=(0, 2), needs=("nargout", "interp"))
def thetaticklabels(*args: Any, nargout: int, interp: Interp) -> Any:
    """Labels of the ticks of the angle of polar axes.

    L = thetaticklabels, thetaticklabels(TEXTS), thetaticklabels("auto"), thetaticklabels(PAX, …)

    Examples:
        >> polarplot(1:2, 1:2); thetaticks([0 90]); thetaticklabels({'E', 'N'}); thetaticklabels
        ans =
          2×1 cell array
            {'E'}
            {'N'}

    See also: thetaticks, rticklabels.
    """
    return _ticks("ThetaTickLabel", args, nargout, interp)
