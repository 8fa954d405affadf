"""Properties of graphics objects, driven by the tables that declare them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from runmat_plot.scene import tables
from runmat_plot.scene.node import LABELS, Node, Scene
from runmat_plot.scene.properties import Property, WrongValueError, stored, table

from runmat_core import MatlabError, Session
from runmat_core.builtins import registry

KINDS = [kind for kind in tables.KINDS if kind != "root"]


@pytest.fixture(scope="module")
def world() -> Scene:
    session = Session()
    session.run("r = groot;")
    root: Any = session["r"]
    return root.scene


def wrong_value(prop: Property) -> Any:
    """A value that a property must not take; None where it takes anything."""
    return {
        "number": "word", "positive": -1.0, "row": np.zeros((1, 7)), "point": np.zeros((1, 7)),
        "limits": np.array([[2.0, 1.0]]), "ticks": np.array([[2.0, 1.0]]), "vector": "word",
        "data": "word", "cdata": "word", "colormap": np.array([[2.0, 0.0, 0.0]]),
        "color": "nosuchcolour", "choice": "nosuchword", "onoff": "maybe", "text": 5.0,
        "strings": {"a": 1.0}, "node": "word",
    }.get(prop.kind)  # fmt: skip


def right_values(prop: Property) -> list[Any]:
    if prop.kind == "onoff":
        return ["on", "OFF", True]
    if prop.kind in ("choice", "color"):
        return [*prop.words, *([word.upper() for word in prop.words])]
    return []


@pytest.mark.parametrize("kind", KINDS)
def test_tables(kind: str, world: Scene) -> None:
    """Every property of a class has a default that it takes, every word of it is taken in any
    case, and what is wrong is refused with the names of property and class."""
    for prop in tables.KINDS[kind].properties.values():
        value = prop.default
        if prop.kind not in ("any", "node") and value is not None and np.size(value):
            kept = stored(prop, value, kind)
            assert np.array_equal(kept, value) or kept == value, (kind, prop)
        for good in right_values(prop):
            assert stored(prop, good, kind) in (*prop.words, "on", "off")
        bad = wrong_value(prop)
        if bad is None:
            continue
        with pytest.raises(MatlabError) as caught:
            stored(prop, bad, "Thing")
        assert f"Error setting property '{prop.name}' of class 'Thing'" in caught.value.message
        assert caught.value.identifier.startswith("MATLAB:")


@pytest.mark.parametrize("kind", KINDS)
def test_a_new_object_of_every_class_tells_all_its_properties(kind: str, world: Scene) -> None:
    figure = Node(world, "figure", world.root)
    parent = figure if kind != "figure" else world.root
    axes = Node(world, "axes", figure)
    node = Node(world, kind, axes if tables.KINDS[kind].class_name.count("primitive") else parent)
    node.info["owner"] = axes
    for name in node.property_names():
        if kind in ("legend", "colorbar") and name == "Axes":
            continue
        node.get_property(name)
    for name in LABELS.get(kind, ()):
        assert node.label(name).kind.type == "text"
    figure.delete()
    assert not node.is_valid() or kind == "figure"


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_set_is_kept_and_what_is_unknown_names_the_nearest(kind: str, world: Scene) -> None:
    """Words, switches, numbers and texts of every class come back as they were set."""
    figure = Node(world, "figure", world.root)
    axes = Node(world, "axes", figure)
    inside = tables.KINDS[kind].class_name.count("primitive")
    node = Node(world, kind, axes if inside else figure if kind != "figure" else world.root)
    node.info["owner"] = axes
    values: dict[str, Any] = {"number": 0.25, "positive": 2.5, "text": "word", "onoff": "off"}
    for prop in node.kind.properties.values():
        if prop.read_only or prop.kind not in (*values, "choice"):
            continue
        good = prop.words[-1] if prop.kind == "choice" else values[prop.kind]
        node.write(prop, world.interp.to_matlab(good))
        assert world.interp.to_python(node.get_property(prop.name)) == good, prop.name
        if prop.name.endswith("Mode"):  # what a mode is for would set it again
            node.values.pop(prop.name)
        wrong = prop.name[:-1] + ("x" if prop.name[-1] != "x" else "y")
        if wrong.lower() not in node.kind.properties and len(prop.name) > 4:
            with pytest.raises(MatlabError) as caught:
                node.find_property(wrong)
            assert "Did you mean" in caught.value.message, wrong
    figure.delete()


DOCUMENTED = [
    line.split("\t")
    for line in (Path(__file__).parent / "data/properties.tsv").read_text().splitlines()
    if not line.startswith("#")
]
EACH_PROPERTY = """
for k = 1:numel(names)
    name = names{k};
    try
        v = get(h, name);
        if k <= writable
            set(h, lower(name), v); u = get(h, name);
            if ~isequaln(u, v) && ~isa(v, 'function_handle'), wrong{end+1} = [name ' changes']; end
        else
            try, set(h, name, 12345); wrong{end+1} = [name ' can be set'];
            catch e, if ~contains(e.message, ['''' name '''']), wrong{end+1} = e.message; end
            end
        end
    catch e, wrong{end+1} = [name ': ' e.message];
    end
end
"""


@pytest.mark.parametrize(("call", "names"), DOCUMENTED, ids=[row[0] for row in DOCUMENTED])
def test_documented_properties_are_there(call: str, names: str) -> None:
    writable, _, others = names.partition(" | ")
    session = Session(stdout=len)
    session["names"] = [*writable.split(), *others.split()]
    session["writable"] = float(len(writable.split()))
    session.run(f"{call}; wrong = {{}};")
    session.run(EACH_PROPERTY)
    assert list(np.ravel(session["wrong"])) == []


def test_a_table_is_read_line_by_line() -> None:
    found = table("A number 2\n!B choice(x y z) y\nC row 1 2 3\nD onoff off\nE any ''")
    assert [(p.name, p.kind, p.read_only) for p in found.values()] == [
        ("A", "number", False), ("B", "choice", True), ("C", "row", False), ("D", "onoff", False),
        ("E", "any", False),
    ]  # fmt: skip
    assert found["b"].words == ("x", "y", "z")
    assert found["b"].default == "y"
    assert found["c"].default.tolist() == [[1.0, 2.0, 3.0]]
    assert issubclass(WrongValueError, Exception)


@pytest.mark.parametrize(
    ("code", "identifier", "words"),
    [
        ("h = plot(1:3); set(h, 'LineWidht', 2)", "MATLAB:hg:InvalidProperty", "'LineWidth'"),
        ("h = plot(1:3); h.Linewidth = 2;", "MATLAB:noSuchMethodOrField", "'LineWidth'"),
        ("h = plot(1:3); h.LineStyle = 'wavy';", "MATLAB:datatypes:InvalidEnumValueFor", "'-.'"),
        ("h = plot(1:3); delete(h); h.Color", "MATLAB:class:InvalidHandle", "deleted"),
        ("h = plot(1:3); delete(h); set(h, 'Color', 'r')", "MATLAB:class:InvalidHandle", "deleted"),
        ("h = plot(1:3); h.Type = 'x';", "MATLAB:class:SetProhibited", "read-only"),
        ("set(99, 'Color', 'r')", "MATLAB:class:InvalidHandle", "Invalid"),
        ("get(gca, 'Nothing')", "MATLAB:hg:InvalidProperty", "Nothing"),
        ("h = plot(1:3); set(h, 'Line', 2)", "MATLAB:class:AmbiguousProperty", "LineWidth"),
        ("set(gca, 'XLim', [2 1])", "MATLAB:hg:shaped_arrays:LimitsWithInfsPredicate", "XLim"),
        ("set(gca, 'XLim')", None, ""),
        ("figure(-1)", "MATLAB:Figure:InvalidHandle", "positive"),
        ("close(7)", "MATLAB:class:InvalidHandle", "Invalid"),
        ("plot(1:3, 1:4)", "MATLAB:samelen", "same length"),
        ("plot({1})", "MATLAB:plot:InvalidDataType", "numeric"),
        ("plot(1:3, 'qq')", "MATLAB:plot:InvalidLineSpec", "color/linetype"),
        ("plot(1:3, 'LineWidth', -1)", "MATLAB:datatypes:InvalidValue", "positive"),
        ("surf(1:3)", "MATLAB:surf:InvalidZData", "matrix"),
        ("subplot(2, 2, 5)", "MATLAB:subplot:SubplotIndexOutOfRange", "exceeds"),
        ("axis([1 2 3])", "MATLAB:axis:WrongNumberElements", "4, 6, or 8"),
        ("colormap('nosuchmap')", "MATLAB:colormap:invalidInput", "nosuchmap"),
        ("scatter(1:3, 1:4)", "MATLAB:scatter:InvalidXYSizes", "same length"),
        ("pie([-1 2])", "MATLAB:pie:NonPositiveData", "non-negative"),
        (
            "plot(1:3); legend('a'); set(legend, 'Location', 'up')",
            "MATLAB:datatypes:InvalidEnumValueFor",
            "'northeast'",
        ),
        ("imagesc(1); colorbar('up')", "MATLAB:datatypes:InvalidEnumValueFor", "'eastoutside'"),
        ("hold maybe", "MATLAB:hold:UnknownOption", "on"),
        ("print('-dnothing', 'x')", "MATLAB:print:InvalidDevice", "-dnothing"),
        ("print('-dpng', '/nosuchfolder/x.png')", "MATLAB:print:CannotCreateOutputFile", "x.png"),
        ("ginput(1)", "RunMat:graphics:noWindow", "window"),
        ("inputdlg('x')", "RunMat:graphics:noTerminal", "terminal"),
    ],
)
def test_bad_input(code: str, identifier: str | None, words: str) -> None:
    session = Session(stdout=len)
    if identifier is None:
        session.run(code)
        return
    with pytest.raises(MatlabError) as caught:
        session.run(code)
    assert caught.value.identifier == identifier
    assert words in caught.value.message


@pytest.mark.parametrize(
    "code",
    ["plot(1:3, 1:4)", "plot(1:3, 'LineWidth', -1)", "bar(1:3, 'FaceColor', 'nosuch')", "surf(1:3)",
     "scatter(1:3, 1:3, 'Marker', 'q')", "imagesc({1})", "errorbar(1:3, 1:2, 1:3)"],
)  # fmt: skip
def test_nothing_is_half_drawn(code: str) -> None:
    session = Session()
    session.run("h = plot(1:5); ax = gca;")
    with pytest.raises(MatlabError):
        session.run(code)
    assert session.eval("isvalid(h) && numel(ax.Children) == 1") is True


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("h = plot(1:3); set(h, 'linew', 3); h.LineWidth", 3.0),
        ("h = plot([1 2; 3 4]); set(h, {'Color'}, {[1 0 0]; [0 1 0]}); h(2).Color", [[0, 1, 0]]),
        ("h = plot([1 2; 3 4]); set(h, struct('LineWidth', 4)); h(2).LineWidth", 4.0),
        ("set(groot, 'defaultLineLineWidth', 2); h = plot(1:3); h.LineWidth", 2.0),
        ("set(0, 'DefaultAxesFontSize', 18); get(gca, 'FontSize')", 18.0),
        ("set(0, 'defaultfigurecolor', 'w'); f = figure; f.Color", [[1, 1, 1]]),
        ("figure(3); h = gcf; h == 3", True),
        ("figure(3); close(3); isempty(findobj('Type', 'figure'))", True),
        ("f = figure(5); double(f)", 5.0),
        ("h = zeros(1, 2); h(1) = line(1:2, 1:2); set(h(1), 'Tag', 'q'); get(h(1), 'Tag')", "q"),
        ("h = zeros(1, 2); h(1) = line(1:2, 1:2); delete(h(1)); ishandle(h(1))", False),
        ("h = plot(1:3); isprop(h, 'LineWidth') && ~isprop(h, 'Nothing')", True),
        ("h = plot(1:3); a = copyobj(h, gca); numel(get(gca, 'Children'))", 2.0),
        ("plot(1:3); numel(findobj(gcf, 'Type', 'line', '-or', 'Type', 'axes'))", 2.0),
        ("plot(1:3, 'Tag', 'abc'); h = findobj('-regexp', 'Tag', '^a'); h.Tag", "abc"),
        ("h = plot(1:3); a = ancestor(h, 'axes'); a == gca", True),
        ("plot(1:3); ax = gca; ax.XLim(2) = 9; ax.XLim", [[1, 9]]),
        ("ax = gca; ax.XLim = [0 4]; ax.XLimMode", "manual"),
        ("ax = gca; ax.XLim = [0 4]; ax.XLimMode = 'auto'; ax.XLim", [[0, 1]]),
        ("ax = gca; ax.Title.String = 'a'; ax.Title.Parent == ax", True),
        ("h = plot(1:3); h.UserData.k = 5; h.UserData.k", 5.0),
        ("h = plot(1:3); h.Visible = false; h.Visible", "off"),
        ("plot(1:3); f = gcf; f.CurrentAxes == gca", True),
        ("class(plot(1:3))", "matlab.graphics.chart.primitive.Line"),
        ("class([plot(1:3), gca])", "matlab.graphics.Graphics"),
        (
            "a = subplot(1, 2, 1); b = subplot(1, 2, 2); linkaxes([a b]); plot(a, 1:9); a == b",
            False,
        ),
        (
            "a = subplot(1, 2, 1); b = subplot(1, 2, 2); linkaxes([a b]); xlim(a, [0 7]); b.XLim",
            [[0, 7]],
        ),
        ("f = figure; guidata(f, 7); guidata(f)", 7.0),
        ("h = legend(plot(1:3), 'a'); h.String", ["a"]),
        ("h = bar([1 2; 3 4]); h(2).YData", [[2, 4]]),
        ("s = get(gcf); isstruct(s) && isfield(s, 'Color')", True),
        ("h = plot(1:3, 'k'); reset(h); h.Marker", "none"),
        ("h = trimesh([1 2 3], 1:3, [1 3 2], 1:3); h.FaceColor", [[1, 1, 1]]),
        ("n = 0; f = figure('DeleteFcn', 'n = n + 1;'); delete(f); n", 1.0),
        ("f = figure('CreateFcn', @(h, e) set(h, 'Name', 'made')); f.Name", "made"),
        ("f = figure('CloseRequestFcn', ''); close(f); isvalid(f)", False),
        ("f = figure('CloseRequestFcn', @(h, e) 0); s = close(f); [s isvalid(f)]", [[False, True]]),
        ("f = figure('CloseRequestFcn', @(h, e) 0); close(f, 'force'); isvalid(f)", False),
        ("f = figure('CloseRequestFcn', @(h, e) delete(h)); close(f); isvalid(f)", False),
        (
            "h = plot(1:3); h.DeleteFcn = {@(s, e, k) setappdata(0, 'k', k), 7}; cla; "
            "getappdata(0, 'k')",
            7.0,
        ),
        ("h = plot(1:3, 'DeleteFcn', 'z = gcbo;'); delete(gcf); isempty(gcbo) && z == h", True),
        (
            "h = plot(1:3); h.ButtonDownFcn = @(s, e) set(s, 'Tag', 'hit'); "
            "feval(h.ButtonDownFcn, h, []); h.Tag",
            "hit",
        ),
        (
            "h = line(1:2, 1:2, 'DeleteFcn', 'error(''no'')'); delete(h); [~, id] = lastwarn; id",
            "MATLAB:callback:error",
        ),
        (
            "set(0, 'defaultLineLineWidth', 2); h = line; set(h, 'LineWidth', 'factory'); "
            "h.LineWidth",
            0.5,
        ),
        ("h = line('LineWidth', 3); set(h, 'LineWidth', 'default'); h.LineWidth", 0.5),
        ("get(0, 'factoryLineMarkerSize')", 6.0),
        ("set(0, 'defaultAxesBox', 'on'); d = get(0, 'default'); d.defaultAxesBox", "on"),
        ("plot(1:3); numel(findobj(gcf, '-function', @(h) strcmp(h.Type, 'line')))", 1.0),
        ("h = fmesh(@(x, y) x); h.EdgeColor", "flat"),
        ("h = boxplot([1 2 3]'); h.BoxMedianLineColor", [[1, 0, 0]]),
    ],
)
def test_handles(code: str, value: Any) -> None:
    session = Session()
    *before, last = code.split("; ")
    session.run("; ".join(before) + ";")
    found = session.eval(last)
    if isinstance(value, list) and not isinstance(value[0], str):
        assert np.array_equal(found, value)
    else:
        assert found == value


QUIET = """
import sys
from runmat_core import Session
def loaded(*names):
    print(*(name for name in names if name in sys.modules))
s = Session(stdout=len)
s.run("x = 1 + 1; disp(x), fprintf('%d', numel(x))")
loaded("runmat_plot", "runmat_plot.functions", "matplotlib", "PIL")
s.run("close all; clear; clc; h = plot(1:3); set(h, 'LineWidth', 2); get(gca); gcf; surf(peaks);")
loaded("runmat_plot.render.figure", "runmat_plot.toolkit", "matplotlib", "PIL", "plotly")
s.run("print -dpng a")
loaded(*("matplotlib." + name for name in ("pyplot", "figure", "axes", "dates")), "mpl_toolkits")
"""


def test_what_a_program_does_not_draw_loads_no_module(tmp_path: Path) -> None:
    """Programs that draw nothing load no graphics, handles no renderer, files no axes."""
    done = subprocess.run(
        [sys.executable, "-c", QUIET], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert done.stdout.splitlines() == ["", "", ""]
    assert (tmp_path / "a.png").exists()


def test_builtins_are_of_this_package() -> None:
    for name in ("plot", "figure", "set", "print"):
        assert registry.find(name) is not None
        assert registry.package_of(name).startswith("runmat-plot ")


#: Calls that are wrong in their last part, so that all else has been read by then.
WRONG = """
    quiver(1:2, 1:2, [1 0], [0 1], 'Nothing', 1)
    quiver(1:2, 1:2, [1 0], [0 1], magic(3))
    polarplot(1:3, 1:4)
    polarplot({{1}, []})
    feather({{1}, []})
    stairs(1:3, {1})
    boxchart(1:3, 1:4)
    boxchart(magic(3), 'Nothing', 1)
    boxchart(magic(3), @sin, 1)
    heatmap(magic(3), 'Nothing', 1)
    errorbar(1:3, 1:3, struct('a', 1))
    imshow(magic(3), 1:5)
    imshow(magic(3), {1})
    imagesc(magic(3), [2 1])
    contour(magic(3), NaN)
    trisurf([1 2 3], 1:3, 1:4, 1:3)
    trisurf([1 2], 1:3, 1:3, 1:3)
    plotmatrix({})
    plotmatrix(magic(3), magic(4))
    fsurf(@(x, y) x, [1 2 3])
    scatter(1:3, 1:3, {{1}, 2})
    spy({{1}, []})
    gplot(1, {1})
    x = clabel(1)
    x = set(gca, 'XLim', [0 9])
    x = print('a.png')
    colororder(zeros(0, 3))
    colororder({1})
    sgtitle(@sin)
    colorbar('Nothing', 1)
    legend('a', 'Location', 'nowhere')
    legend({'a'}, 'Nothing', 1)
    tiledlayout(5)
    tiledlayout(1, 1, 'Nothing', 1)
    axes('Nothing', 1)
    polaraxes('Nothing', 1)
    figure(7, 'Nothing', 1)
    nexttile(0)
    nexttile(datetime(2020, 1, [1 2]))
    linkaxes(gcf)
    copyobj(gcf, gca)
    set(gcf, 'Parent', gca)
    annotation('textbox', 1:3)
    subplot('Position', 1:3)
    close({5})
    linkprop(gca, 5)
    gobjects(Inf)
"""


def test_errors_leave_graphics_as_they_are() -> None:
    session = Session(stdout=len)
    session.run("figure(1); plot(1:3); r = groot;")
    root: Any = session["r"]

    def drawn() -> str:
        return repr([(node.ident, node.kind.name, node.values) for node in root.below()])

    before = drawn()
    for call in filter(None, map(str.strip, WRONG.splitlines())):
        with pytest.raises(MatlabError) as caught:
            session.run(call + ";")
        assert caught.value.identifier.startswith("MATLAB:"), call
        assert drawn() == before, call


def test_tiles_take_no_time_by_their_sizes() -> None:
    session = Session(stdout=len)
    session.run("""
        t = tiledlayout(1e9, 4); nexttile([5e8 2]); nexttile([1 3]); nexttile([5e8 2]);
        nexttile; nexttile([2 3]);
    """)
    # the second is below the first, where three columns are empty; the third is beside the first
    below = 4 * 500_000_000
    numbers = [node.info["tile"] for node in session["t"].children]
    assert sorted(numbers) == [1, 3, below + 1, below + 4, below + 5]
