"""Values that are unusual but allowed: none of them may stop a program."""

from __future__ import annotations

from pathlib import Path

import pytest

from runmat_core import Session

PROGRAMS = {
    "shading of coloured faces": """
        h = mesh(peaks(5));
        shading faceted
        g = surf(peaks(5), 'FaceColor', [1 0 0]);
        shading flat
        assert(strcmp(g.FaceColor, 'flat') && strcmp(g.EdgeColor, 'none'))
    """,
    "contours in one colour": "[~, h] = contour(peaks(9)); h.FaceColor = [1 0 0];",
    "limits that a logarithm has not": """
        loglog([0 1 10], [1 10 100])
        xlim([0 10])
        assert(isequal(xlim, [0 10]))
        ylim([-5 0])
        grid on
    """,
    "charts in groups": """
        g = hgtransform;
        image([1 2], [1 2], ones(3), 'Parent', g)
        surf(peaks(4), 'Parent', g)
        h = scatter(1:3, 1:3, 'Parent', hggroup('Parent', g));
        assert(isequal(h.Parent.Parent, g) && numel(g.Children) == 3)
    """,
    "properties of former releases": """
        warning('off', 'MATLAB:hg:PropertyRemoved')
        h = line([1 2], [3 4], 'EraseMode', 'xor', 'Color', 'r');
        set(gca, 'DrawMode', 'fast', 'XLim', [0 3])
        assert(isequal(h.Color, [1 0 0]) && isequal(xlim, [0 3]))
    """,
    "a width and a layout": """
        b = bar([1 2; 3 4], 0.5, 'stacked', 'EdgeColor', 'r');
        assert(b(2).BarWidth == 0.5 && strcmp(b(1).BarLayout, 'stacked'))
        assert(isequal(size(matlab.graphics.chart.primitive.Line.empty(0, 2)), [0 2]))
    """,
    "faces of a surface": """
        [f, v, c] = surf2patch([1 2 3; 4 5 6]);
        assert(isequal(f, [1 3 4 2; 3 5 6 4]) && isequal(c', [1 4 2 5 3 6]))
        assert(isequal(v, [1 1 1; 1 2 4; 2 1 2; 2 2 5; 3 1 3; 3 2 6]))
        s = surf2patch(5:6, 7:8, [1 2; 3 4], 'triangles');
        assert(isequal(s.faces, [1 3 4; 1 4 2]) && isequal(s.vertices(3, :), [6 7 2]))
        patch(surf2patch(surf(peaks(4))), 'FaceColor', 'g')
    """,
    "logarithmic axes without positive data": "loglog([0 NaN], [-1 NaN]); text(NaN, 0, 'a')",
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_picture_is_made(tmp_path: Path, program: str) -> None:
    picture = tmp_path / "made.png"
    Session().run(f"{program}\nprint('{picture}', '-dpng', '-r50')")
    assert picture.stat().st_size > 500
