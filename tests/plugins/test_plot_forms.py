"""Call forms of graphics functions as programs use them: each runs, and what it makes is drawn.

A line of ``data/plot_forms.txt`` is a program of its own: functions that go together, in the forms
of MathWorks' documentation and of programs for old versions.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.mathtext import MathTextParser
from runmat_plot.render.figure import drawing_of
from runmat_plot.render.texts import mathtext

from runmat_core import Session

FORMS = [
    line
    for line in (Path(__file__).parent / "data" / "plot_forms.txt").read_text().splitlines()
    if line.strip()
]


@pytest.mark.sweep
@pytest.mark.parametrize("line", FORMS, ids=lambda line: line[:30])
def test_forms(line: str, tmp_path: Path) -> None:
    session = Session(cwd=tmp_path, stdout=len)
    session.run(f"{line};")
    for figure in session.figures:
        drawing_of(figure, 96)


def figure_of(code: str) -> tuple[Session, Any]:
    session = Session(stdout=len)
    session.run(f"{code};")
    return session, drawing_of(session.figures[0], 96) if session.figures else None


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("plot(1:3); legend('a', 2); v = get(legend, 'Location')", "northwest"),
        ("surf(peaks(5)); ylabel(colorbar, 'm'); c = colorbar; v = c.Label.String", "m"),
        ("h = plot(1:2); h.Color(4) = 0.5; v = h.Color", [0, 0.447, 0.741, 0.5]),
        ("h = plot(1:2); h.Annotation.LegendInformation.IconDisplayStyle = 'off'; hold on; "
         "plot(2:3, 'DisplayName', 'b'); l = legend; v = l.String{1}", "b"),
        ("x = datetime(2020, 1, 1:3); plot(x, 1:3, 'DatetimeTickFormat', 'dd.MM'); "
         "xticks(x); l = xticklabels; v = l{2}", "02.01"),
        ("h = plot(digraph([1 2], [2 3]), 'Layout', 'layered'); v = h.YData", [2, 1, 0]),
        ("h = plot(graph({'a' 'b'}, {'b' 'c'})); v = h.NodeLabel{3}", "c"),
        ("surf(peaks(5)); zoom(2); zoom out; v = xlim", [1, 5]),
        ("theme dark; plot(1:2); v = get(gca, 'Color') < 0.2", [1, 1, 1]),
        ("[f, x] = ksdensity([1 2 3 4], 'Support', 'positive'); v = all(x > 0)", 1),
        ("f = ksdensity([1 2 3 4], 2.5, 'Function', 'cdf'); v = abs(f - 0.5) < 1e-9", 1),
        ("h = histogram([1 2 2 3 3 3], 3); h.NumBins = 2; v = h.Values", [1, 5]),
        ("h = histogram([1 2 2 3 3 3], 3); h.BinEdges = [0 2 4]; h.Data = [1 3 3]; v = h.Values",
         [1, 2]),
        ("h = histogram([1 2 2 3], 3); h.Normalization = 'probability'; v = h.Values",
         [0.25, 0.5, 0.25]),
        ("h = histogram(1:9, 4); h.BinLimits = [2 5]; v = [h.BinLimits h.NumBins sum(h.Values)]",
         [2, 5, 4, 4]),
        ("h = histogram(1:9, 'BinWidth', 3); h.BinWidth = 2; v = diff(h.BinEdges(1:2))", 2),
        ("h = polarplot([0 1], [2 3]); h.RData = [4 5]; v = [h.ThetaData h.YData]", [0, 1, 4, 5]),
        ("h = geoplot([48 52], [2 13]); v = h.LatitudeData", [48, 52]),
        ("[c, h] = contour(peaks(9), 'Color', 'k'); v = h.LineColor", [0, 0, 0]),
        ("h = surf(peaks(5), 'FaceLighting', 'phong'); v = h.FaceLighting", "gouraud"),
        ("h = arrayfun(@(k) subplot(2, 2, k), (1:3)'); v = [size(h) isgraphics(h)']",
         [3, 1, 1, 1, 1]),
        ("v = size(ishandle({[1 2; 3 4], 'a'}))", [1, 2]),
        ("surf(peaks(5)); d = campos - camtarget; s = [diff(xlim) diff(ylim) diff(zlim)]; "
         "d = d ./ s; v = [atan2d(d(1), -d(2)) atan2d(d(3), hypot(d(1), d(2)))]", [-37.5, 30]),
        ("axes; campos([0.5 -9 0.5]); v = [get(gca, 'View') campos]", [0, 0, 0.5, -9, 0.5]),
        ("axes; campos([9 0.5 0.5]); view(2); v = [campos camup]", [0.5, 0.5, 9.16025, 0, 1, 0]),
        ("axes; set(gca, 'pos', [0 0 0.5 0.5]); v = get(gca, 'Posi')", [0, 0, 0.5, 0.5]),
        ("h = plot(1:2); hold on; g = plot([5 90]); g.YLimInclude = 'off'; v = ylim", [1, 2]),
        ("plot(1:2); hold on; plot(1:3); l = legend('a', 'b', 'Direction', 'reverse'); "
         "v = l.String{1}", "a"),
        ("bar([1 2; 3 4], 0.5, 'stack'); b = findobj('Type', 'bar'); v = b(1).BarWidth", 0.5),
    ],
)  # fmt: skip
def test_values(code: str, expected: Any) -> None:
    session, _ = figure_of(code)
    found = session["v"]
    if isinstance(expected, str):
        assert found == expected
    else:
        assert np.ravel(found).tolist() == pytest.approx(np.ravel(expected).tolist())


def test_properties_of_decoration_are_seen() -> None:
    _, whole = figure_of("contour(peaks(20), 'ShowText', 'on')")
    _, some = figure_of(
        "contour(peaks(20), 'ShowText', 'on', 'TextList', [0 2], 'LabelFormat', '%.1f m')"
    )
    texts = {shape.text for shape in some.shapes if shape.tag == "contourtext"}
    assert texts == {"0.0 m", "2.0 m"}
    assert len([shape for shape in whole.shapes if shape.tag == "contourtext"]) > 2
    _, polar = figure_of(
        "polarplot([0 1], [0 2]); a = gca; a.RGrid = 'off'; a.ThetaMinorGrid = 'on'; "
        "a.ThetaAxisUnits = 'radians'; a.RTickLabel = {'a' 'b' 'c'}"
    )
    tags = [shape.tag for shape in polar.shapes]
    assert "rgrid" not in tags
    assert tags.count("thetaminorgrid") == 48
    texts = {shape.text for shape in polar.shapes if shape.tag.endswith("ticklabel")}
    assert {"a", "b", "\\pi/6", "\\pi", "0"} < texts
    _, plain = figure_of("plot(1:2); hold on; plot(1:3); legend('a', 'b', 'Direction', 'reverse')")
    assert [s.text for s in plain.shapes if s.tag == "legendtext"] == ["b", "a"]


def test_faces_are_as_opaque_as_their_data() -> None:
    _, drawing = figure_of(
        "s = surf([1 1 1; 1 1 1; 1 1 1]); s.AlphaData = [0 0.5 1; 1 1 1; 1 1 1]; "
        "s.AlphaDataMapping = 'none'; s.FaceAlpha = 'flat'"
    )
    (faces, *_) = drawing.of("surface")
    assert sorted(np.asarray(faces.faces)[:, 3].tolist()) == [0, 0.5, 1, 1]


def test_highlighted_edges_are_wider() -> None:
    _, drawing = figure_of("h = plot(graph([1 2 3], [2 3 4])); highlight(h, [2 3])")
    assert sorted(line.width for line in drawing.of("edge")) == [0.5, 0.5, 2.0]


@pytest.mark.parametrize(
    "text",
    [
        r"$$\frac{a+b}{\sqrt{c}}$$", r"speed $v_x^2$ in $\frac{m}{s}$", r"\textbf{bold} \\%",
        r"$\left[\begin{array}{cc} 1 & 2\\ 3 & 4\end{array}\right]$",
        r"$\begin{pmatrix} a & b \\ c & d \end{pmatrix}$", r"$\text{if } x\in\mathbb{R}$",
        r"$f(x)=\begin{cases} 1 & x>0 \\ 0 & x<0 \end{cases}$", r"\(x\) and \[y\]",
        r"$\dfrac{\partial u}{\partial t}=\mathrm{div}\,\vec{q}$",
    ],
)  # fmt: skip
def test_latex_is_read(text: str) -> None:
    MathTextParser("agg").parse(mathtext(text, "latex"))


@pytest.mark.parametrize("text", [r"a\_b & \{c\} 100% #1 $5", r"\underline{x}_1", "x<y_2 | [m/s]"])
def test_tex_is_read(text: str) -> None:
    MathTextParser("agg").parse(mathtext(text, "tex"))


def test_markup_that_cannot_be_read_is_shown_as_it_is_and_told_once() -> None:
    session = Session(stdout=len)
    session.run(
        r"title('$\frac{a$', 'Interpreter', 'latex'); x = getframe(gcf); [~, first] = lastwarn;"
        r"lastwarn(''); x = getframe(gcf); second = lastwarn;"
    )
    assert session["first"] == "MATLAB:handle_graphics:exceptions:SceneNode"
    assert session["second"] == ""


@pytest.mark.parametrize(
    ("code", "tag"),
    [("scatter(rand(1, 3e5), rand(1, 3e5), 4)", "scatter"), ("plot(rand(3e5, 1), '.')", "line")],
)
def test_many_points_in_one_pixel_are_drawn_once(code: str, tag: str) -> None:
    _, drawing = figure_of(code)
    (points,) = drawing.of(tag)
    cells = {*map(tuple, np.floor(points.points).astype(int).tolist())}
    assert 20000 < len(points.points) < 1.1 * drawing.width * drawing.height
    assert len(cells) > 0.9 * len(points.points) / 2
