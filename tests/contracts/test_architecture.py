"""The page about architecture: as long as one reads at once, its picture as the code goes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "architecture.md"
TEXT = PAGE.read_text(encoding="utf-8")
#: A function in the picture: its module below ``runmat_core`` or ``accel``, and its name there.
BOX = re.compile(r'\["([\w.]+) ([\w.]+)<br/>')
#: Most lines of the page.
LONGEST = 250


def test_it_can_be_read_at_once() -> None:
    assert len(TEXT.splitlines()) <= LONGEST


#: Runs the program and prints the functions that it calls, in the order of their first calls.
PROGRAM = """
import sys
from runmat_core import Session
from runmat_core.session import config

settings = config.load().replace(
    accel__provider="null", accel__threshold=1000, accel__offload__force="device"
)
made = Session(config=settings)
made.run("x = rand(300, 200); z = x(3);")
called = {}

def note(frame, event, _):
    if event == "call":
        module = frame.f_globals.get("__name__", "")
        called.setdefault((module, frame.f_code.co_qualname))

sys.setprofile(note)
made.run("y = x .* 2 + 1; s = sum(y(:)); fprintf('%g', s * 0)")
sys.setprofile(None)
for module, name in called:
    print(module, name)
"""


def test_an_array_goes_the_way_of_the_picture(tmp_path: Path) -> None:
    boxes = BOX.findall(TEXT.split("```mermaid")[1].split("```")[0])
    # a process of its own: others know forms of calls and plans, and take short ways
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "RUNMAT_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
        timeout=250,
    )
    called = [line.split() for line in done.stdout.splitlines() if line.startswith("runmat_core.")]
    short = [
        (module.removeprefix("runmat_core.").removeprefix("accel."), name)
        for module, name in called
    ]
    assert [one for one in short if one in boxes] == boxes
