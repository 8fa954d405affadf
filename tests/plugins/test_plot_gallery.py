"""Pictures of the gallery beside small references, and what such a comparison finds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.plugins import pictures

#: Pictures are wrong where a spot differs by more; the tests below show that faults differ by more,
#: and the text of another version of matplotlib by less.
MOST = 4.0
SAMPLE = set(
    """show_line show_bars show_scatters show_peaks3 show_texts show_images show_contours show_polar
    show_dates show_bars3 show_legends show_heat show_stacked show_implicit""".split()
)
PROGRAMS = [
    pytest.param(path, id=path.stem, marks=() if path.stem in SAMPLE else pytest.mark.slow)
    for path in sorted(pictures.GALLERY.glob("*.m"))
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_pictures_are_those_of_the_references(program: Path, tmp_path: Path) -> None:
    picture = pictures.small(pictures.shown(program, tmp_path))
    assert pictures.difference(picture, pictures.reference(program.stem)) < MOST
    assert np.ptp(picture) > 100, "an empty picture"


def test_every_program_has_a_reference_and_the_references_are_small() -> None:
    names = {path.stem for path in pictures.GALLERY.glob("*.m")}
    files = list(pictures.REFERENCES.glob("*.png"))
    assert {path.stem for path in files} == names
    assert sum(path.stat().st_size for path in files) < 1_500_000


def _child(axes: Any) -> Any:
    return axes.children[0]


def _color(axes: Any) -> None:
    child = _child(axes)
    name = next(n for n in ("Color", "FaceColor", "CData") if n.lower() in child.kind.properties)
    child.values[name] = np.array([[0.9, 0.4, 0.3]])


def _limit(axes: Any) -> None:
    low, high = axes["XLim"].ravel()
    axes.assign("XLim", np.array([[low, high + 0.05 * (high - low)]]))


def _tick(axes: Any) -> None:
    axes.assign("XTick", axes["XTick"][:, :-1])


def _label(axes: Any) -> None:
    texts = list(axes["XTickLabel"])
    axes.assign("XTick", axes["XTick"])
    texts[1] = "7" if texts[1] != "7" else "4"
    axes.assign("XTickLabel", texts)


def _title(axes: Any) -> None:
    axes.label("Title").assign("String", "t")


def _size(axes: Any) -> None:
    axes.assign("FontSize", axes["FontSize"] + 1)


def _box(axes: Any) -> None:
    axes.assign("Box", "off" if axes["Box"] == "on" else "on")


def _grid(axes: Any) -> None:
    axes.assign("XGrid", "off" if axes["XGrid"] == "on" else "on")


def _gone(axes: Any) -> None:
    axes.children[-1].delete()


@pytest.mark.parametrize(
    "name",
    ["show_line", "show_bars", "show_stems", pytest.param("show_areas", marks=pytest.mark.slow)],
)
@pytest.mark.parametrize(
    "change", [_color, _limit, _tick, _label, _title, _size, _box, _grid, _gone]
)
def test_what_is_wrong_is_found(name: str, change: Callable[[Any], None], tmp_path: Path) -> None:
    figure = pictures.shown(pictures.GALLERY / f"{name}.m", tmp_path)
    change(next(node for node in figure.below() if node.kind.name == "axes"))
    figure.scene.revision += 1
    assert pictures.difference(pictures.small(figure), pictures.reference(name)) > MOST
