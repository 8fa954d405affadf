"""What figures come to: limits, ticks, shapes, files, and the gallery."""

from __future__ import annotations

import base64
import importlib.util
import json
import sys
import types
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from runmat_plot import figures, notebooks
from runmat_plot.render import shapes
from runmat_plot.render.decimate import decimated
from runmat_plot.render.figure import drawing_of
from runmat_plot.render.interactive import description
from runmat_plot.render.texts import mathtext
from runmat_plot.scene import extents, ticks
from runmat_plot.scene.colors import line_spec

from runmat_core import MatlabError, Session


def opened(path: Path) -> Any:
    """An image, with its file closed again."""
    with Image.open(path) as image:
        image.load()
        return image


def drawn(code: str) -> shapes.Drawing:
    session = Session(stdout=len)
    session.run(f"{code}\nthisfigure = gcf;")
    figure: Any = session["thisfigure"]
    return drawing_of(figure, 100)


# -- limits and ticks ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("plot(1:10); axis", [1, 10, 1, 10]),
        ("x = linspace(0, 2*pi); plot(x, sin(x)); axis", [0, 7, -1, 1]),
        ("plot(1:100); axis", [0, 100, 0, 100]),
        ("plot([5 5 5]); ylim", [4, 6]),
        ("plot(5, 5); axis", [4, 6, 4, 6]),
        ("plot([]); axis", [0, 1, 0, 1]),
        ("plot([NaN 1 Inf 3]); ylim", [1, 3]),
        ("axes; axis", [0, 1, 0, 1]),
        ("bar(1:5); xlim", [0, 6]),
        ("imagesc(ones(3, 4)); axis", [0.5, 4.5, 0.5, 3.5]),
        ("semilogy(1:3, [3 50 700]); ylim", [1, 1000]),
        ("loglog([0 1 10], [-1 1 10]); xlim", [1, 10]),
        ("surf(peaks); axis", [0, 50, 0, 50, -10, 10]),
        ("contour(peaks); axis", [1, 49, 1, 49]),
        ("plot(1:10); axis tight; xlim([2 Inf]); xlim", [2, 10]),
        ("plot(1:10); hold on; plot(1:20); ylim", [0, 20]),
        ("histogram([1 2 2 3], [0.5 1.5 2.5 3.5]); xlim", [0.5, 3.5]),
        ("plot(1:3); get(gca, 'XTick')", [1, 1.2, 1.4, 1.6, 1.8, 2, 2.2, 2.4, 2.6, 2.8, 3]),
        ("plot(0:5:20); yticks", [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20]),
    ],
)
def test_limits(code: str, expected: list[float]) -> None:
    session = Session(stdout=len)
    *before, last = code.split("; ")
    session.run("; ".join(before) + ";")
    found = np.ravel(session.eval(last))
    assert found.tolist() == pytest.approx(expected)


finite = st.floats(-1e12, 1e12, allow_nan=False)


@given(finite, finite, st.integers(2, 10))
@settings(max_examples=300)
def test_limits_hold_the_data_and_end_on_ticks(a: float, b: float, most: int) -> None:
    low, high = min(a, b), max(a, b)
    if high - low < 1e-9 * max(abs(low), abs(high), 1e-300):
        return
    first, last = ticks.aligned(low, high, most)
    slack = 1e-6 * (high - low)
    assert first <= low + slack
    assert last >= high - slack
    found = ticks.linear_ticks(first, last, most)
    assert 2 <= found.size <= most + 1
    assert found[0] == pytest.approx(first, abs=slack)
    assert found[-1] == pytest.approx(last, abs=slack)
    assert np.allclose(np.diff(found), found[1] - found[0])
    texts = ticks.labels(found).texts
    assert len(set(texts)) == found.size or high - low < 1e-4 * max(abs(low), abs(high))


def test_labels() -> None:
    assert ticks.labels([0, 0.1, 0.2]).texts == ["0", "0.1", "0.2"]
    assert ticks.labels([0, 10000]) == (["0", "10000"], 0)
    assert ticks.labels([0, 20000]) == (["0", "2"], 4)
    assert ticks.log_labels([0.1, 1, 100]) == ["10^{-1}", "10^{0}", "10^{2}"]


@pytest.mark.parametrize(
    ("text", "style", "color", "marker"),
    [
        ("r--o", "--", (1, 0, 0), "o"), ("k", None, (0, 0, 0), None), (":", ":", None, None),
        ("s-.b", "-.", (0, 0, 1), "square"), ("*", None, None, "*"), ("-+g", "-", (0, 1, 0), "+"),
        ("p", None, None, "pentagram"), ("", None, None, None), ("bo", None, (0, 0, 1), "o"),
    ],
)  # fmt: skip
def test_line_specs(text: str, style: Any, color: Any, marker: Any) -> None:
    assert line_spec(text) == (style, color, marker)


@pytest.mark.parametrize("text", ["rr", "q", "o+", "----", "hello"])
def test_what_is_no_line_spec(text: str) -> None:
    assert line_spec(text) is None


# -- shapes ----------------------------------------------------------------------------------------


def test_lines_are_where_the_data_is() -> None:
    drawing = drawn("plot([0 1 2], [0 10 20], 'r--', 'LineWidth', 2); title('T'), xlabel('x')")
    (line,) = drawing.of("line")
    assert line.color == (1, 0, 0)
    assert (line.style, line.width) == ("--", 2.0)
    box = 0.13 * drawing.width, 0.905 * drawing.width
    assert line.points[[0, -1], 0].tolist() == pytest.approx(box, abs=1)
    assert [label.text for label in drawing.of("title")] == ["T"]
    assert [label.text for label in drawing.of("xticklabel")] == [
        "0", "0.2", "0.4", "0.6", "0.8", "1", "1.2", "1.4", "1.6", "1.8", "2"
    ]  # fmt: skip
    heights = [label.y for label in drawing.of("yticklabel")]
    assert heights == sorted(heights)


def test_negative_data_on_logarithmic_axes_is_told_of() -> None:
    session = Session(stdout=len)
    session.run("semilogy([0 1 10]); f = getframe(gcf); [~, none] = lastwarn;")
    session.run("semilogy([-1 1 10]); f = getframe(gcf); [~, id] = lastwarn;")
    assert session["none"] == ""
    assert session["id"] == "MATLAB:Axes:NegativeDataInLogAxis"


def test_negative_data_on_logarithmic_axes_leaves_gaps() -> None:
    (line,) = drawn("semilogy(1:4, [1 -1 10 100]);").of("line")
    assert np.isnan(line.points[:, 1]).tolist() == [False, True, False, False]


@pytest.mark.parametrize(
    ("code", "tag", "count"),
    [
        ("plot(magic(4))", "line", 4), ("bar(1:3)", "bar", 1), ("scatter(1:3, 1:3)", "scatter", 1),
        ("surf(peaks(9))", "surface", 1), ("contour(peaks(20), 3)", "contour", None),
        ("fill([0 1 1], [0 0 1], 'r')", "patch", 1), ("imagesc(magic(4)), colorbar", "image", 1),
        ("imagesc(magic(4)), colorbar", "colorbar", 2), ("plot(1:3), legend('a')", "legendtext", 1),
        ("stem(1:3)", "stem", 2), ("errorbar(1:3, 1:3, 1:3)", "errorbar", 2),
        ("histogram([1 2 2])", "histogram", 1), ("pie([1 2])", "patch", 2),
        ("text(0.5, 0.5, 'a')", "text", 1), ("plot(1:3), grid on", "xgrid", 1),
        ("xline(0.5, 'r', 'q')", "constantline", 2), ("area([1 2; 3 4])", "area", 2),
        ("polarplot(0:3, 0:3)", "thetagrid", 12), ("plot(NaN, NaN)", "xticklabel", 11),
        ("plot(1:3), axis off", "xticklabel", 0), ("plot(1:3, 'Visible', 'off')", "line", 0),
        ("quiver(1:3, 1:3, 1:3, 1:3)", "quiver", 1), ("heatmap([1 2; 3 4])", "heatmap", 1),
        ("rectangle('Position', [0 0 1 1])", "rectangle", 1), ("sgtitle('all')", "sgtitle", 1),
        ("annotation('textbox', [0 0 1 1], 'String', 'n')", "annotation", 2),
        ("boxchart([1 2 3 4]')", "median", 1), ("waterfall(peaks(5))", "surface", None),
        ("plot3(1:3, 1:3, 1:3), grid on", "zgrid", 1),
        ("trisurf([1 2 3], 1:3, [1 3 2], 1:3)", "patch", 1),
        ("compass([1 2], [0 3])", "line", 2), ("feather([1 2], [0 3])", "line", 3),
        ("rose([1 2 3])", "line", 1), ("meshc(peaks(9))", "contour", None),
        ("bar3(magic(3))", "surface", 1), ("bar3h(magic(3))", "surface", 1),
        ("bar3(magic(3), 'stacked')", "surface", 1), ("ribbon(magic(4))", "surface", 1),
        ("pie3([1 2])", "text", 2), ("slice(rand(3, 4, 5), 2, 1, [1 3])", "surface", 1),
        ("[x, y] = meshgrid(-2:2); streamslice(x, y, -y, x)", "line", None),
        ("streamline(ones(4), zeros(4), [1 1], [1 3])", "line", 2),
        ("bubblechart(1:3, 1:3, 1:3)", "scatter", 1), ("swarmchart([1 1 2], 1:3)", "scatter", 1),
        ("polarscatter(1:3, 1:3)", "scatter", 1), ("violinplot([1 2 3; 4 5 9])", "violin", 3),
        ("pareto([1 2 3])", "bar", 1), ("histfit([1 2 2 3])", "line", 1),
        ("xregion(1, 2)", "constantregion", 1), ("fimplicit(@(x, y) x - y)", "contour", None),
        ("wordcloud({'a', 'b'}, [1 2])", "wordcloud", 2), ("piechart([1 2 3])", "slice", 3),
        ("donutchart([1 2 3])", "slicelabel", 3), ("stackedplot(magic(4))", "line", 4),
        ("parallelplot(magic(4))", "line", 1), ("scatterhistogram(1:4, 1:4)", "histogram", 2),
        ("treeplot([0 1 1])", "line", 2), ("tetramesh([1 2 3 4], [0 0 0; eye(3)])", "patch", 1),
        ("plot(table([1; 2], [3; 4]), 'Var1', 'Var2')", "line", 1),
        ("gscatter(1:4, 1:4, [1 1 2 2])", "legendtext", 2),
    ],
)  # fmt: skip
def test_charts_are_drawn(code: str, tag: str, count: int | None) -> None:
    found = drawn(f"{code};").of(tag)
    assert found if count is None else len(found) == count


def test_arrows_of_compass_end_at_their_points() -> None:
    drawing = drawn("compass([0 3], [4 0]);")
    (circle,) = drawing.of("box")
    middle = circle.points.mean(axis=0)
    radius = np.ptp(circle.points[:, 0]) / 2
    tips = [(line.points[1] - line.points[0]) / radius for line in drawing.of("line")]
    assert np.allclose(tips, [[0, 1], [0.75, 0]], atol=0.02)
    assert np.allclose(drawing.of("line")[0].points[0], middle, atol=radius / 50)


def test_light_of_surfl_depends_on_slopes_alone() -> None:
    session = Session()
    session.run(
        "z = peaks(15); a = surfl(z); c = a.CData; b = surfl(z + 5); same = norm(c - b.CData); "
        "flat = surfl(ones(4)); flat = flat.CData; d = surfl(z, [0 0 1], [0 1 0 1]); "
        "[~, ~, nz] = surfnorm(1:15, 1:15, z); off = norm(d.CData - nz);"
    )
    assert session["same"] < 1e-9
    assert session.eval("min(c(:)) >= 0 && max(c(:)) <= 1 && std(flat(:)) == 0") is True
    assert session["off"] < 1e-9


def test_faces_of_several_objects_hide_each_other() -> None:
    code = "surf([0 1], [0 1], [0 1; 0 1]); hold on; surf([0 1], [0 1], [1 0; 1 0]);"
    (whole,) = drawn(f"{code} view(0, 5);").of("surface")
    assert len(whole.corners) == 2
    # of blocks that stand on one plane, the nearer one comes last, however low it is
    (blocks,) = drawn("bar3([1; 9]); view(0, 30);").of("surface")
    feet = [ring[:, 1].min() for ring in blocks.corners]
    assert np.argmin(feet) >= len(feet) // 2


def test_swarms_stay_in_their_width_and_keep_their_heights() -> None:
    session = Session()
    session.run(
        "rng(1); y = randn(1, 300); s = swarmchart(ones(1, 300), y); same = isequal(s.YData, y);"
    )
    node: Any = session["s"]
    x, y = extents.jittered(node)
    assert session["same"] is True
    assert np.array_equal(y, np.ravel(node["YData"]))
    assert 0.3 < np.ptp(x) <= 0.9
    middle = np.abs(y) < 0.5
    assert np.abs(x[middle] - 1).max() > np.abs(x[np.abs(y) > 2] - 1).max()


def test_transforms_move_what_is_in_them() -> None:
    drawing = drawn(
        "t = hgtransform; line(0:1, 0:1, 'Parent', t); axis([0 4 0 4]); "
        "t.Matrix = makehgtform('translate', [2 1 0]);"
    )
    (line,) = drawing.of("line")
    plain = drawn("line(2:3, 1:2); axis([0 4 0 4]);").of("line")[0]
    assert np.allclose(line.points, plain.points)


def test_lines_along_a_field_follow_it() -> None:
    session = Session()
    session.run(
        "[x, y] = meshgrid(-2:0.1:2); xy = stream2(x, y, -y, x, 1, 0, [0.1 300]); "
        "r = hypot(xy{1}(:, 1), xy{1}(:, 2)); [x, y, z] = meshgrid(0:4); "
        "c = stream3(x, y, z, 0*x + 1, 0*x + 2, 0*x, 0, 0, 2); e = c{1}(end, :);"
    )
    assert session.eval("max(abs(r - 1)) < 0.01 && numel(r) == 300") is True
    end = np.ravel(session["e"])
    assert np.allclose(end, [2, 4, 2], atol=0.2)


def test_contours_with_holes_leave_them_open() -> None:
    drawing = drawn("[x, y] = meshgrid(-3:0.5:3); contourf(x, y, hypot(x, y), [1 2 3]);")
    assert len(drawing.of("contourfill")) >= 3


@given(st.integers(0, 2**31))
@settings(max_examples=20)
def test_fewer_points_keep_what_is_seen(seed: int) -> None:
    rng = np.random.default_rng(seed)
    y = rng.normal(size=100_000).cumsum()
    points = np.column_stack([np.linspace(0, 400, y.size), y])
    few = decimated(points, 400)
    assert few.shape[0] < 4000
    cell = np.floor(points[:, 0])
    kept = np.floor(few[:, 0])
    for k in rng.integers(0, 400, 20):
        inside, left = y[cell == k], few[kept == k, 1]
        assert (inside.min(), inside.max()) == (left.min(), left.max())
    assert few[0].tolist() == points[0].tolist()
    assert few[-1].tolist() == points[-1].tolist()


@pytest.mark.parametrize(
    "text",
    [r"\alpha^2 + \beta_{ij}", r"\bfbold \rmplain", r"{\it a}b", "50%", "$5", "a_b^c", r"\{x\}",
     "{", "}", r"\nosuchword x", "^", "_", r"\color{red}x", "e^{-x^2/2}", r"\\", "x{y", "α²", ""],
)  # fmt: skip
def test_every_text_is_drawn(text: str) -> None:
    session = Session(stdout=len)
    session.workspace["t"] = text
    session.run(
        "title(t); xlabel(t); text(0, 0, t, 'Interpreter', 'none'); p = print('-RGBImage', '-r50');"
    )
    assert session.eval("size(p, 3)") == 3.0


@pytest.mark.parametrize("bold", [False, True])
def test_plain_words_stay_plain(bold: bool) -> None:
    assert mathtext("plain words", "tex", bold) == "plain words"


PLACE = "[0.13, 0.11, 0.775, 0.815]"


@pytest.mark.parametrize(
    ("code", "moves"),
    [
        ("plot(1:3); ylabel('y')", ()),
        ("plot(1:3); ylabel('y'); set(gca, 'FontSize', 30)", (0, 1)),
        ("plot(1:3); ylabel('y'); xlabel({'a', 'b', 'c', 'd'})", (1,)),
        (f"plot(1:3); set(gca, 'FontSize', 30, 'Position', {PLACE})", ()),
        (f"axes('Position', {PLACE}, 'FontSize', 30); plot(1:3)", ()),
        (f"axes('FontSize', 30); plot(1:3); axes('Position', {PLACE}); plot(3:5)", ()),
    ],
)
def test_axes_give_way_to_their_labels_unless_they_were_placed(
    code: str, moves: tuple[int, ...]
) -> None:
    drawing = drawn(code)
    corners = drawing.of("background")[0].corners[0]
    box = [*corners.min(axis=0), *corners.max(axis=0)]
    size = drawing.width, drawing.height
    whole = [size[0] * 0.13, size[1] * 0.11, size[0] * 0.905, size[1] * 0.925]
    assert tuple(k for k in range(4) if abs(box[k] - whole[k]) > 1) == moves


# -- files -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["png", "jpg", "tif", "bmp", "pdf", "svg", "eps"])
@pytest.mark.parametrize("writer", ["print('-d{}', 'a.{}')", "saveas(gcf, 'a.{1}')"])
def test_formats(ending: str, writer: str, tmp_path: Path) -> None:
    device = {"jpg": "jpeg", "tif": "tiff", "eps": "epsc"}.get(ending, ending)
    Session(cwd=tmp_path).run(f"plot(1:3); {writer.format(device, ending)};")
    start = (tmp_path / f"a.{ending}").read_bytes()[:200]
    magic = {"png": b"\x89PNG", "jpg": b"\xff\xd8", "tif": b"II", "bmp": b"BM", "pdf": b"%PDF",
             "svg": b"<?xml", "eps": b"%!PS"}  # fmt: skip
    assert start.startswith(magic[ending])


def test_sizes(tmp_path: Path) -> None:
    session = Session(cwd=tmp_path)
    session.run(
        "plot(1:3); print -dpng a.png; print('-dpng', '-r96', 'b'); exportgraphics(gca, 'c.png');"
    )
    assert opened(tmp_path / "a.png").size == (875, 656)
    assert opened(tmp_path / "b.png").size == (560, 420)
    assert opened(tmp_path / "c.png").size[0] < 875


@pytest.mark.parametrize("code", ["plot(1:9), title('t')", "subplot(2,2,3); bar(1:3), ylabel('y')"])
def test_a_picture_without_margin_is_all_that_is_drawn(code: str, tmp_path: Path) -> None:
    session = Session(cwd=tmp_path, stdout=len)
    session.run(f"figure, {code}; print -dpng whole.png; exportgraphics(gcf, 'part.png');")
    whole, part = (np.asarray(opened(tmp_path / f"{name}.png")) for name in ("whole", "part"))
    rows, columns = np.nonzero((whole != whole[0, 0]).any(axis=2))
    inked = whole[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
    margin = (part.shape[0] - inked.shape[0]) // 2
    assert 0 < margin < 10
    assert part.shape[:2] == tuple(n + 2 * margin for n in inked.shape[:2])
    inner = part[margin:-margin, margin:-margin].astype(int)
    assert (abs(inner - inked) > 64).mean() < 0.01  # shifted text is hinted anew


def test_pictures_are_the_same_each_time(tmp_path: Path) -> None:
    for name in ("a", "b"):
        Session(cwd=tmp_path).run(
            f"surf(peaks(9)); title('\\alpha'); print('-dpng', '{name}.png');"
        )
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_figures_are_kept(tmp_path: Path) -> None:
    session = Session(cwd=tmp_path)
    session.run(
        "subplot(2, 1, 1); plot(magic(3), '--'); title('T'); legend('a', 'b', 'c'); "
        "subplot(2, 1, 2); surf(peaks(9)); colorbar; savefig('f.fig'); "
        "a = print('-RGBImage'); close all; openfig('f.fig'); b = print('-RGBImage');"
    )
    assert session.eval("isequal(a, b)") is True
    (tmp_path / "bad.fig").write_text("no figure")
    session.run("try, openfig('bad.fig'); catch e, id = e.identifier; end")
    assert session["id"] == "RunMat:graphics:notAFigure"


def test_python_has_the_figures() -> None:
    session = Session()
    assert figures(session) == []
    session.run("figure; plot(1:3); figure(7); bar(1:3);")
    assert [figure.ident for figure in figures(session)] == [7.0, 1.0]


@pytest.mark.parametrize("interactive", [True, False])
def test_notebooks_show_figures(interactive: bool, monkeypatch: Any) -> None:
    there = types.SimpleNamespace(get_plotlyjs=lambda: "SCRIPT('\"');")
    monkeypatch.setitem(sys.modules, "plotly.offline", there)
    monkeypatch.setattr(notebooks, "find_spec", lambda name: interactive or None)
    session = Session()
    session.run("h = bar([1 2]); set(gcf, 'Name', '<a>', 'Position', [0 0 300 200]);")
    (figure,) = session.figures
    assert figure._repr_png_().startswith(b"\x89PNG")
    found = Elements(figure._repr_html_()).found
    (tag, values), *others = found
    assert not others
    assert tag == ("iframe" if interactive else "img")
    if interactive:
        assert "SCRIPT('\"');" in values["srcdoc"]
        assert "<title>" in values["srcdoc"]
    else:
        assert base64.b64decode(values["src"].partition(",")[2]) == figure._repr_png_()
    shown = figure._repr_mimebundle_()
    assert shown["text/html"] == figure._repr_html_()
    assert ("application/vnd.plotly.v1+json" in shown) == interactive
    bar = session["h"]
    assert bar._repr_html_() is None
    assert list(bar._repr_mimebundle_()) == ["text/plain"]
    session.run("close all;")
    assert figure._repr_png_() is None


class Elements(HTMLParser):
    """The elements of HTML: tags and attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, Any]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def test_films(tmp_path: Path) -> None:
    session = Session(cwd=tmp_path)
    session.run(
        "v = VideoWriter('a.gif'); open(v); for k = 1:3, plot(1:k); "
        "writeVideo(v, getframe(gcf)); end, close(v)"
    )
    assert (tmp_path / "a.gif").read_bytes().count(b"\x21\xf9\x04") == 3


# -- pages -----------------------------------------------------------------------------------------

PAGES = """
    plot(1:3, [3 1 2], 'r--o'), title('\\alpha^2'), xlabel('x'), legend('a'), grid on
    surf(peaks(9)), hold on, plot3(1:3, 1:3, 1:3), zlabel('z')
    semilogy(1:3, [1 10 100]), xline(2, 'k', 'here')
    imagesc(magic(4)), colorbar
    bar([1 2; 3 4]), set(gca, 'YDir', 'reverse')
    polarplot(0:3, 0:3)
    pie([1 2 3])
    scatter3(1:3, 1:3, 1:3, 30, 1:3, 'filled'), text(1, 1, 1, 'word')
    trisurf([1 2 3], 1:3, [1 3 2], 1:3)
    stackedplot(magic(4))
    heatmap(magic(3))
    yyaxis left, plot(1:3), yyaxis right, plot([30 10 20])
    quiver3(0, 0, 0, 1, 1, 1), hold on, contour3(peaks(9))
"""


@pytest.mark.parametrize("code", [line.strip() for line in PAGES.strip().splitlines()])
def test_figures_become_pages(code: str) -> None:
    session = Session(stdout=len)
    session.run(f"{code};")
    made = description(session.figures[0])
    text = json.dumps(made, allow_nan=False)
    assert made["data"] or made["layout"]["annotations"]
    assert "Infinity" not in text
    graph_objects = pytest.importorskip("plotly.graph_objects")
    graph_objects.Figure(made)  # raises where plotly.js knows no such property


def test_points_of_a_page_are_the_data() -> None:
    session = Session()
    session.run("semilogy([1 2 4], [1 10 1000], 'LineWidth', 3); ylim([0.1 1e4]);")
    made = description(session.figures[0])
    line = made["data"][0]
    assert np.allclose(line["x"], [1, 2, 4])
    assert np.allclose(line["y"], [1, 10, 1000])
    assert line["line"]["width"] == 4.0
    assert made["layout"]["yaxis"]["type"] == "log"
    assert np.allclose(made["layout"]["yaxis"]["range"], [-1, 4])


def test_pages_are_whole_and_need_a_package(tmp_path: Path, monkeypatch: Any) -> None:
    session = Session(cwd=tmp_path)
    monkeypatch.setitem(sys.modules, "plotly.offline", None)
    with pytest.raises(MatlabError) as caught:
        session.run("plot(1:3); saveas(gcf, 'a.html');")
    assert caught.value.identifier == "RunMat:graphics:noPlotly"
    script = types.SimpleNamespace(get_plotlyjs=lambda: "SCRIPT")
    monkeypatch.setitem(sys.modules, "plotly.offline", script)
    session.run("saveas(gcf, 'a.html'); exportgraphics(gcf, 'b.html');")
    text = (tmp_path / "a.html").read_text()
    assert "SCRIPT" in text
    assert "Plotly.newPlot" in text
    assert (tmp_path / "b.html").read_text() == text


def test_films_without_a_writer_are_refused_at_once(monkeypatch: Any) -> None:
    if importlib.util.find_spec("imageio_ffmpeg") is not None:
        pytest.skip("films can be written here")
    with pytest.raises(MatlabError) as caught:
        Session().run("v = VideoWriter('a.mp4', 'MPEG-4');")
    assert caught.value.identifier == "RunMat:graphics:noFilmWriter"
