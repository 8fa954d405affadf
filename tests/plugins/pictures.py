"""Small pictures of figures, and how far two of them differ.

``python tests/plugins/pictures.py`` draws the references of the gallery anew.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from runmat_plot.render import matplot
from runmat_plot.render.figure import drawing_of

from runmat_core import Session

GALLERY = Path(__file__).parents[2] / "plugins/plot/gallery"
REFERENCES = Path(__file__).parent / "data" / "gallery"
SIZE = (160, 120)
#: Pixels of a picture that come to one of the small one, along each side.
_FINER = 4


def shown(program: Path, folder: Path) -> Any:
    """The figure that a program of the gallery draws."""
    session = Session(cwd=folder, stdout=len)
    session.run(f"run('{program}'); thisfigure = gcf;")
    return session["thisfigure"]


def small(figure: Any) -> np.ndarray:
    """A small picture of a figure, in the font that every machine has."""
    matplot._family[:] = ["DejaVu Sans"]
    figure.values["Position"] = np.array([[0.0, 0.0, 560.0, 420.0]])
    dpi = 96 * _FINER * SIZE[0] / 560
    pixels = matplot.Page(drawing_of(figure, dpi)).pixels()
    matplot._family.clear()
    wide, high = SIZE
    whole = pixels[: high * _FINER, : wide * _FINER, :3].astype(float)
    return whole.reshape(high, _FINER, wide, _FINER, 3).mean(axis=(1, 3))


def difference(a: np.ndarray, b: np.ndarray) -> float:
    """By how many of 255 steps the most different nine pixels differ: in a square or in a line."""
    apart = np.abs(a - b).max(axis=2)
    most = 0.0
    for shape in ((3, 3), (1, 9), (9, 1)):
        windows = np.lib.stride_tricks.sliding_window_view(apart, shape)
        most = max(most, float(windows.mean(axis=(2, 3)).max()))
    return most


def reference(name: str) -> np.ndarray:
    with Image.open(REFERENCES / f"{name}.png") as image:
        return np.asarray(image.convert("RGB")).astype(float)


def main(names: list[str]) -> None:
    REFERENCES.mkdir(parents=True, exist_ok=True)
    for program in sorted(GALLERY.glob("*.m")):
        if names and program.stem not in names:
            continue
        picture = small(shown(program, REFERENCES))
        image = Image.fromarray(np.round(picture).astype(np.uint8))
        image.save(REFERENCES / f"{program.stem}.png", optimize=True)


if __name__ == "__main__":
    main(sys.argv[1:])
