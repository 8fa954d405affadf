"""Colours by name, code and triplet, texts that name the look of a line, and the colour order."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Color = tuple[float, float, float]

NAMED: dict[str, Color] = {
    "red": (1, 0, 0),
    "green": (0, 1, 0),
    "blue": (0, 0, 1),
    "cyan": (0, 1, 1),
    "magenta": (1, 0, 1),
    "yellow": (1, 1, 0),
    "black": (0, 0, 0),
    "white": (1, 1, 1),
}
SHORT = {"r": "red", "g": "green", "b": "blue", "c": "cyan", "m": "magenta", "y": "yellow"}
SHORT |= {"k": "black", "w": "white"}

#: The colours of successive lines.
ORDER = np.array(
    [
        [0, 0.4470, 0.7410],
        [0.8500, 0.3250, 0.0980],
        [0.9290, 0.6940, 0.1250],
        [0.4940, 0.1840, 0.5560],
        [0.4660, 0.6740, 0.1880],
        [0.3010, 0.7450, 0.9330],
        [0.6350, 0.0780, 0.1840],
    ]
)


#: The colours of successive lines on dark ground.
DARK_ORDER = np.array(
    [
        [0.1490, 0.5490, 0.8660],
        [0.9600, 0.4660, 0.1600],
        [1, 0.9100, 0.3920],
        [0.7520, 0.3600, 0.9840],
        [0.2860, 0.8580, 0.2500],
        [0.4230, 0.9560, 1],
        [0.9490, 0.4030, 0.7720],
    ]
)


def _codes(text: str) -> NDArray[Any]:
    """Colours from codes of six digits, a row for each."""
    return np.array([[int(code[k : k + 2], 16) / 255 for k in (0, 2, 4)] for code in text.split()])


#: Colours of successive lines by name.
PALETTES = {
    "default": ORDER,
    "gem": ORDER,
    "gem12": np.vstack([ORDER, _codes("ffd60a 6582fd ff453a 00a3a3 cb845d")]),
    "glow": DARK_ORDER,
}


def color(value: Any) -> Color | None:
    """The colour that a name, a code or a triplet means; None where it means none."""
    if isinstance(value, str):
        return _named(value.strip())
    numbers = np.asarray(value) if isinstance(value, np.ndarray | float | bool) else None
    if numbers is None or numbers.size != 3 or numbers.dtype.kind not in "biuf":
        return None
    red, green, blue = (float(part) for part in numbers.ravel())
    if not all(0 <= part <= 1 for part in (red, green, blue)):
        return None
    return red, green, blue


def _named(word: str) -> Color | None:
    low = word.lower()
    if low.startswith("#") and len(low) in (4, 7):
        digits = low[1:] if len(low) == 7 else "".join(2 * digit for digit in low[1:])
        try:
            red, green, blue = (int(digits[k : k + 2], 16) / 255 for k in (0, 2, 4))
        except ValueError:
            return None
        return red, green, blue
    if low in SHORT:
        return NAMED[SHORT[low]]
    near = [name for name in NAMED if low and name.startswith(low)]
    if low in NAMED:
        return NAMED[low]
    # "bl" may be blue or black
    return NAMED[near[0]] if len(near) == 1 and len(low) > 1 else None


class LineSpec(NamedTuple):
    """Read a text such as ``r--o``; None for what it leaves out."""

    style: str | None
    color: Color | None
    marker: str | None


_STYLES = ("--", "-.", "-", ":")
MARKERS = {
    **{mark: mark for mark in "+o*.x^v><_|"},
    "s": "square",
    "d": "diamond",
    "p": "pentagram",
    "h": "hexagram",
}


def line_spec(text: str) -> LineSpec | None:
    """The parts of a text that names the look of a line; None where it is no such text."""
    style: str | None = None
    ink: Color | None = None
    marker: str | None = None
    rest = text.strip()
    while rest:
        found = next((word for word in _STYLES if rest.startswith(word)), "")
        long = next(
            (w for w in (*MARKERS.values(), *NAMED) if len(w) > 1 and rest.startswith(w)), ""
        )
        if found and style is None:
            style, rest = found, rest[len(found) :]
        elif long in NAMED and ink is None and long:
            ink, rest = NAMED[long], rest[len(long) :]
        elif long and long not in NAMED and marker is None:
            marker, rest = long, rest[len(long) :]
        elif rest[0] in SHORT and ink is None:
            ink, rest = NAMED[SHORT[rest[0]]], rest[1:]
        elif rest[0] in MARKERS and marker is None:
            marker, rest = MARKERS[rest[0]], rest[1:]
        elif rest[0] == " ":
            rest = rest[1:]
        else:
            return None
    return LineSpec(style, ink, marker)
