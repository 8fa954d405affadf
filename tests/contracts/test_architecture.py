"""The page about architecture: as long as one reads at once, its picture as the code goes."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import FrameType

from tests.accel.loops import session

PAGE = Path(__file__).resolve().parents[2] / "docs" / "architecture.md"
TEXT = PAGE.read_text(encoding="utf-8")
#: A function in the picture: its module below ``runmat_core`` or ``accel``, and its name there.
BOX = re.compile(r'\["([\w.]+) ([\w.]+)<br/>')
#: Most lines of the page.
LONGEST = 250


def test_it_can_be_read_at_once() -> None:
    assert len(TEXT.splitlines()) <= LONGEST


def test_an_array_goes_the_way_of_the_picture() -> None:
    picture = TEXT.split("```mermaid")[1].split("```")[0]
    boxes = BOX.findall(picture)
    made = session("null", RUNMAT_ACCEL_OFFLOAD_FORCE="device")
    made.run("x = rand(300, 200); z = x(3);")
    called: list[tuple[str, str]] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        module = frame.f_globals.get("__name__", "")
        if event == "call" and module.startswith("runmat_core."):
            short = module.removeprefix("runmat_core.").removeprefix("accel.")
            if (short, frame.f_code.co_qualname) in boxes:
                called.append((short, frame.f_code.co_qualname))

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        made.run("y = x .* 2 + 1; s = sum(y(:)); disp(s)")
    finally:
        sys.setprofile(before)
    assert list(dict.fromkeys(called)) == boxes
