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
    "logarithmic axes without positive data": "loglog([0 NaN], [-1 NaN]); text(NaN, 0, 'a')",
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_picture_is_made(tmp_path: Path, program: str) -> None:
    picture = tmp_path / "made.png"
    Session().run(f"{program}\nprint('{picture}', '-dpng', '-r50')")
    assert picture.stat().st_size > 500
