"""What graphics functions do where no installed package draws: a warning, and a placeholder.

A program that draws goes on without its pictures. Its handles are placeholders that keep what is
set on them. A package that offers a name of these comes before the placeholder.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

import numpy as np

from runmat_core.api.builtin import BuiltinSpec
from runmat_core.api.errors import MatlabError, undefined_for
from runmat_core.api.interp import Interp
from runmat_core.values import (
    NUMERIC_CLASSES,
    cell,
    char,
    class_of,
    from_numpy,
    horzcat,
    is_text,
    numel_of,
    share,
    struct,
    text,
    to_double,
)
from runmat_core.values.base import COLON, Subscripts
from runmat_core.values.object import HandleObject, ObjectValue, method

_WARNING = (
    "RunMat:graphics:notInstalled",
    "Nothing is drawn: no installed package offers graphics. To draw: pip install runmat-plot",
)

#: Functions that draw, or show something that was drawn.
_DRAWS = frozenset(
    """
    plot plot3 plotyy fplot fplot3 ezplot ezsurf ezmesh ezcontour ezpolar line text image imagesc
    imshow pcolor surf surfc surfl surface mesh meshc meshz contour contourf contour3 bar barh bar3
    bar3h pie pie3 histogram histogram2 scatter scatter3 bubblechart swarmchart stem stem3 stairs
    errorbar quiver quiver3 feather compass fill fill3 patch polar polarplot polaraxes
    polarscatter rose semilogx semilogy loglog ribbon waterfall trisurf trimesh triplot tetramesh
    slice streamline streamslice coneplot contourslice comet comet3 plotmatrix spy treeplot gplot
    boxplot boxchart gscatter heatmap stackedplot wordcloud parallelplot geoplot animatedline
    addpoints rectangle annotation light print saveas savefig exportgraphics copygraphics movie
    getframe frame2im fsurf fmesh fcontour fimplicit fimplicit3 xline yline hggroup hgtransform
    imtool implay montage refreshdata openfig hgsave hgload plotregression bubblechart3 swarmchart3
    polarbubblechart polarhistogram binscatter pareto violinplot histfit normplot qqplot lsline
    refline scatterhistogram piechart donutchart xregion yregion surfnorm streamtube isocaps ezplot3
    ezsurfc ezmeshc ezcontourf etreeplot triplot
    """.split()
)
#: Classes of objects that are data, as numbers are.
_DATA = frozenset({"datetime", "duration", "calendarDuration", "categorical", "table", "timetable"})
#: Functions that ask a person.
_ASKS = frozenset(
    """
    ginput waitforbuttonpress uigetfile uiputfile uigetdir inputdlg listdlg questdlg uisetcolor
    uisetfont
    """.split()
)
#: Functions that make windows and controls, or change what is not drawn anyway.
_QUIET = frozenset(
    """
    figure axes subplot tiledlayout nexttile hold axis grid box title xlabel ylabel zlabel legend
    colorbar colormap caxis clim view shading lighting material camlight camorbit camzoom camroll
    campos camtarget camup camva camproj camdolly camlookat daspect pbaspect xlim ylim zlim rlim
    thetalim xticks yticks zticks xticklabels yticklabels zticklabels xtickangle ytickangle
    xtickformat ytickformat gcf gca gco gcbf gcbo clf cla close closereq drawnow refresh shg newplot
    ishold rotate3d zoom pan brush datacursormode linkaxes linkprop linkdata copyobj findobj
    findall findfigs allchild ancestor gobjects groot uicontrol uimenu uipanel uitable
    uibuttongroup uicontextmenu uitoolbar uipushtool uitoggletool uifigure uigridlayout uiaxes
    uibutton uilabel uieditfield uislider uidropdown uicheckbox uitab uitabgroup uitree uialert
    uiconfirm uiprogressdlg uiwait uiresume waitfor waitbar warndlg errordlg msgbox helpdlg guidata
    guihandles getappdata setappdata rmappdata isappdata set get alpha alphamap orient figurepalette
    plotbrowser propertyeditor propedit cameratoolbar axtoolbar disableDefaultInteractivity
    enableDefaultInteractivity movegui makehgtform colororder linestyleorder sgtitle subtitle clabel
    datetick plotedit yyaxis clearpoints getpoints im2frame hidden
    """.split()
)


class Placeholder(HandleObject):
    """A graphics object that nothing shows; `data` is what was set on it, by name in lower case."""

    __slots__ = ("application", "elements", "extents")
    data: dict[str, Any]
    class_name = "matlab.graphics.GraphicsPlaceholder"
    properties = ()

    def __init__(self, extents: tuple[int, ...] = (1, 1)) -> None:
        self.data = {}
        #: what `setappdata` and `guidata` keep
        self.application: dict[str, Any] = {}
        self.extents = extents
        self.elements: dict[tuple[Any, ...], Any] = {}

    @property
    def shape(self) -> tuple[int, ...]:
        return self.extents

    def share(self) -> Placeholder:
        return self

    def field(self, name: str) -> Any:
        found = self.method(name)
        return found(1) if found is not None else self.read(name)

    def set_field(self, name: str, rhs: Any) -> Any:
        self.data[name.lower()] = share(rhs)
        return self

    def writable(self, name: str) -> Any:
        return self.read(name)

    def read(self, name: str) -> Any:
        """Return what was set as a property, else what a new object has."""
        found = self.data.get(name.lower())
        if found is None:
            made = _DEFAULTS.get(name.lower())
            found = horzcat() if made is None else made()
            if isinstance(found, Placeholder):
                self.data[name.lower()] = found
        return share(found)

    def paren(self, subs: Subscripts) -> Any:
        if all(sub is COLON for sub in subs):
            return self
        key = tuple(sub if sub.__class__ is float else None for sub in subs)
        if None in key:
            return self
        return self.elements.setdefault(key, self if key == (1.0,) * len(key) else Placeholder())

    def set_paren(self, subs: Subscripts, rhs: Any) -> Any:
        key = tuple(sub if sub.__class__ is float else None for sub in subs)
        self.elements[key] = share(rhs)
        at = [int(sub) for sub in key if sub is not None]
        if len(at) == 1 and at[0] > int(np.prod(self.extents)):
            self.extents = (1, at[0]) if self.extents[0] <= 1 else (at[0], 1)
        return self

    def blank(self) -> Placeholder:
        return Placeholder((0, 0))

    def full(self) -> Any:
        """Return the numbers that older programs keep handles as."""
        return np.full(self.extents, 1.0)

    @staticmethod
    def concatenation() -> Callable[[list[Any], int], Any]:
        return _joined

    @method("delete")
    def delete(self, nargout: int) -> None:
        """Nothing shows it anyway."""

    @method("isvalid")
    def isvalid(self, nargout: int) -> bool:
        return True


def _joined(values: list[Any], axis: int) -> Any:
    """``[h1 h2]``; with numbers among them, numbers."""
    if not all(isinstance(value, Placeholder) for value in values):
        arrays = [to_double(value) for value in values if numel_of(value)]
        return from_numpy(np.asfortranarray(np.concatenate(arrays, axis=axis)))
    ones = [value.paren((float(k),)) for value in values for k in range(1, numel_of(value) + 1)]
    made = Placeholder((1, len(ones)) if axis == 1 else (len(ones), 1))
    for k, one in enumerate(ones, 1):
        made.elements[(float(k),)] = one
    return made


def _row(*numbers: float) -> Callable[[], Any]:
    return lambda: from_numpy(np.array([numbers], float))


_DEFAULTS: dict[str, Callable[[], Any]] = {
    "xlim": _row(0, 1),
    "ylim": _row(0, 1),
    "zlim": _row(0, 1),
    "clim": _row(0, 1),
    "view": _row(0, 90),
    "position": _row(0, 0, 560, 420),
    "outerposition": _row(0, 0, 560, 500),
    "screensize": _row(1, 1, 1920, 1080),
    "monitorpositions": _row(1, 1, 1920, 1080),
    "color": _row(0, 0, 0),
    "colororder": lambda: _colours(7),
    "colormap": lambda: _colours(256),
    "xtick": _row(0, 0.5, 1),
    "ytick": _row(0, 0.5, 1),
    "value": lambda: 0.0,
    "linewidth": lambda: 0.5,
    "fontsize": lambda: 10.0,
    "markersize": lambda: 6.0,
    "number": lambda: 1.0,
    "units": lambda: char("pixels"),
    "visible": lambda: char("on"),
    "string": lambda: char(""),
    "tag": lambda: char(""),
    "type": lambda: char(""),
    "name": lambda: char(""),
    "title": Placeholder,
    "xlabel": Placeholder,
    "ylabel": Placeholder,
    "zlabel": Placeholder,
    "parent": Placeholder,
    "currentaxes": Placeholder,
    "currentfigure": Placeholder,
}


def _colours(count: int) -> Any:
    steps = np.linspace(0, 1, count)
    return from_numpy(np.asfortranarray(np.stack([steps, steps, steps], axis=1)))


# -- what the functions do -------------------------------------------------------------------------


def _current(interp: Interp) -> Placeholder:
    """Return the one object that stands for figure, axes and whatever else is current."""
    return interp.state("graphics placeholder", Placeholder)


def warn_once(interp: Interp) -> None:
    """Warn, for the first time in a session, that nothing is drawn."""
    warned: list[bool] = interp.state("graphics warned", list)
    if not warned:
        warned.append(True)
        interp.warn(*_WARNING)


def drawn(name: str, *args: Any, nargout: int, interp: Interp) -> Any:
    """Return a drawing function whose name the core has for something else too, such as ``area``.

    A package offers it as ``graphics.NAME``.
    """
    offered = interp.builtin(f"graphics.{name}")
    if offered is None:
        return called(name, *args, nargout=nargout, interp=interp)
    return offered(nargout, *args)


def called(name: str, *args: Any, nargout: int, interp: Interp) -> Any:
    """Return a graphics function without graphics.

    A method of that name of another object comes first.
    """
    if args and isinstance(args[0], ObjectValue) and not isinstance(args[0], Placeholder):
        bound = args[0].method(name)
        if bound is not None:
            return bound(nargout, *args[1:])
        # times, categories and tables are data, and any object may be drawn
        if name not in _DRAWS and class_of(args[0]) not in _DATA:
            raise undefined_for(name, class_of(args[0]))
    if name not in _QUIET:
        warn_once(interp)
    rule = _RULES.get(name)
    result = rule(args, nargout, interp) if rule is not None else None
    if result is None and nargout:
        result = _handles(args, interp)
    if nargout > 1:
        given = result if isinstance(result, tuple) else (result,)
        return (*given, *(_current(interp) for _ in range(nargout - len(given))))[:nargout]
    return result[0] if isinstance(result, tuple) and result else result


def _handles(args: Sequence[Any], interp: Interp) -> Any:
    return args[0] if args and isinstance(args[0], Placeholder) else _current(interp)


def _target(args: Sequence[Any], interp: Interp) -> tuple[Placeholder, Sequence[Any]]:
    """Return the object that the arguments begin with, the current one where they name none."""
    if args and isinstance(args[0], Placeholder):
        return args[0], args[1:]
    number = bool(args) and not is_text(args[0])  # the number of a figure, or several handles
    return _current(interp), args[1:] if number else args


def numbers(interp: Interp) -> set[float]:
    """Return the numbers that are handles: the root's, and those of figures."""
    made: set[float] = interp.state("graphics numbers", lambda: {0.0})
    return made


def _figure(args: Sequence[Any], nargout: int, interp: Interp) -> Any:
    if args and args[0].__class__ is float:
        numbers(interp).add(args[0])


def _close(args: Sequence[Any], nargout: int, interp: Interp) -> Any:
    known = numbers(interp)
    if args and args[0].__class__ is float:
        known.discard(args[0])
    elif args and is_text(args[0]) and text(args[0]) == "all":
        known.clear()
    known.add(0.0)
    return True if nargout else None


def _need_handles(value: Any, interp: Interp) -> None:
    """Refuse what is no handle; 1 is what placeholders are in an array of numbers."""
    if is_text(value) or isinstance(value, Placeholder):
        return
    known = numbers(interp) | {1.0}
    if class_of(value) not in NUMERIC_CLASSES or not known.issuperset(to_double(value).flat):
        raise MatlabError("MATLAB:class:InvalidHandle", "Invalid or deleted object.")


def _set(args: Sequence[Any], nargout: int, interp: Interp) -> Any:
    if args:
        _need_handles(args[0], interp)
    target, rest = _target(args, interp)
    if len(rest) == 1 and hasattr(rest[0], "field_names"):
        for name in rest[0].field_names():
            target.set_field(name, rest[0].field(name))
    for name, value in zip(rest[::2], rest[1::2], strict=False):
        if is_text(name):
            target.set_field(text(name), value)
    return horzcat() if nargout else None


def _get(args: Sequence[Any], nargout: int, interp: Interp) -> Any:
    if args:
        _need_handles(args[0], interp)
    target, rest = _target(args, interp)
    if rest and is_text(rest[0]):
        return target.read(text(rest[0]))
    return struct({name: share(value) for name, value in target.data.items()})


def _limits(name: str, args: Sequence[Any], nargout: int, interp: Interp) -> Any:
    named = bool(args) and isinstance(args[0], Placeholder)
    target, rest = _target(args, interp) if named else (_current(interp), args)
    if rest and numel_of(rest[0]) == 2 and not is_text(rest[0]):
        target.set_field(name, rest[0])
    return target.read(name)


def _axis(args: Sequence[Any], nargout: int, interp: Interp) -> Any:
    if args and not is_text(args[-1]) and numel_of(args[-1]) in (4, 6):
        _current(interp).set_field("axis", args[-1])
    found = _current(interp).data.get("axis")
    return found if found is not None else from_numpy(np.array([[0.0, 1.0, 0.0, 1.0]]))


def _colormap(args: Sequence[Any], nargout: int, interp: Interp) -> Any:
    target, rest = _target(args, interp)
    if rest and not is_text(rest[0]):
        target.set_field("colormap", rest[0])
    elif rest:
        made = interp.function(text(rest[0]))
        if made is not None:
            target.set_field("colormap", made(1))
    return target.read("colormap") if nargout else None


def _gobjects(args: Sequence[Any], nargout: int, interp: Interp) -> Any:
    sizes = [int(n) for arg in args for n in to_double(arg).ravel()] or [1, 1]
    return Placeholder(tuple(sizes * 2 if len(sizes) == 1 else sizes))


def _appdata(kind: str, args: Sequence[Any], nargout: int, interp: Interp) -> Any:
    target, rest = _target(args, interp)
    kept = target.application
    if kind == "guidata":
        if rest:
            kept["guidata"] = share(rest[0])
        return share(kept.get("guidata", horzcat()))
    name = text(rest[0]) if rest else ""
    if kind == "set":
        kept[name] = share(rest[1]) if len(rest) > 1 else horzcat()
        return None
    if kind == "is":
        return name in kept
    if kind == "rm":
        kept.pop(name, None)
        return None
    return share(kept.get(name, horzcat())) if name else struct(dict(kept))


def _frame(args: Sequence[Any], nargout: int, interp: Interp) -> Any:
    picture = from_numpy(np.zeros((1, 1, 3), np.uint8, order="F"))
    return struct({"cdata": picture, "colormap": horzcat()})


def _cancelled(count: int, args: Sequence[Any], nargout: int, interp: Interp) -> Any:
    """Return what a dialog gives that a person cancels."""
    return (0.0,) * count


def _findobj(args: Sequence[Any], nargout: int, interp: Interp) -> Any:
    """Nothing of what is drawn; objects of other lists, such as the properties of a class."""
    own = args[0].method("findobj") if args and isinstance(args[0], ObjectValue) else None
    return horzcat() if own is None else own(1, *args[1:])


_Rule = Callable[[Sequence[Any], int, Interp], Any]
_RULES: dict[str, _Rule] = {
    "set": _set,
    "get": _get,
    "axis": _axis,
    "figure": _figure,
    "colormap": _colormap,
    "gobjects": _gobjects,
    "getframe": _frame,
    "ishold": lambda args, nargout, interp: False,
    "close": _close,
    "findobj": _findobj,
    "findall": lambda args, nargout, interp: horzcat(),
    "allchild": lambda args, nargout, interp: horzcat(),
    "view": lambda args, nargout, interp: (0.0, 90.0) if nargout else None,
    "frame2im": lambda args, nargout, interp: from_numpy(np.zeros((1, 1, 3), np.uint8, order="F")),
    "ginput": lambda args, nargout, interp: (horzcat(), horzcat(), horzcat()),
    "inputdlg": lambda args, nargout, interp: cell([], (0, 0)),
    "listdlg": lambda args, nargout, interp: (horzcat(), False),
    "questdlg": lambda args, nargout, interp: char(""),
    "waitforbuttonpress": lambda args, nargout, interp: 0.0,
    "isappdata": partial(_appdata, "is"),
    "getappdata": partial(_appdata, "get"),
    "setappdata": partial(_appdata, "set"),
    "rmappdata": partial(_appdata, "rm"),
    "guidata": partial(_appdata, "guidata"),
    **{name: partial(_cancelled, 3) for name in ("uigetfile", "uiputfile")},
    **{name: partial(_cancelled, 1) for name in ("uigetdir", "uisetcolor", "uisetfont")},
    **{name: partial(_limits, name) for name in ("xlim", "ylim", "zlim", "rlim", "thetalim")},
    **{name: partial(_limits, "clim") for name in ("caxis", "clim")},
}

NAMES = _DRAWS | _ASKS | _QUIET

_HELP = {
    "gobjects": """Array of placeholders for graphics objects.

    G = gobjects(N) is N-by-N, gobjects(M, N, …) and gobjects([M N …]) of those extents; gobjects
    is one placeholder, gobjects(0) none
    """
}


@cache
def spec(name: str) -> BuiltinSpec | None:
    """Return the placeholder of a graphics function; None for a name of something else."""
    if name not in NAMES:
        return None
    host = partial(called, name)
    # what `help` prints, in place of the text of partial
    host.__doc__ = _HELP.get(name, "Graphics function that draws nothing here.")
    return BuiltinSpec(
        names=(name,),
        family="graphics/placeholders",
        host=host,
        nargin=(0, None),
        nargout=None,
        needs=("nargout", "interp"),
    )
