"""The programs: their sizes, and how close results of different libraries have to be.

A program ``NAME.m`` is a function of a size, a number of steps and a class that returns a few
numbers. ``NAME.py`` beside it has the same algorithm as a user of each peer would write it:
``with_numpy``, ``with_torch`` and ``with_jax`` return a function without arguments that returns the
same numbers.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

FOLDER = Path(__file__).parent
PROFILES = ("test", "small", "large")


class Case(NamedTuple):
    """A program.

    Attributes:
        sizes: size and number of steps in each profile.
        tolerance: relative distance between results that are the same; wide where random numbers
            or the precision of the input decide.
    """

    name: str
    half: str
    sizes: dict[str, tuple[int, int]]
    tolerance: float

    @property
    def folder(self) -> Path:
        return FOLDER / self.half

    def twins(self) -> ModuleType:
        """Return the module with the same program for the peers."""
        path = self.folder / f"{self.name}.py"
        spec = importlib.util.spec_from_file_location(f"benchmarks_arrays_{self.name}", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module


def _case(name: str, test: str, small: str, large: str, tolerance: float = 5e-3) -> Case:
    half = "looked_at" if (FOLDER / "looked_at" / f"{name}.m").exists() else "held_out"
    texts = dict(zip(PROFILES, (test, small, large), strict=True))
    sizes = {key: tuple(int(part) for part in text.split("x")) for key, text in texts.items()}
    return Case(name, half, sizes, tolerance)  # type: ignore[arg-type]


CASES = (
    _case("diffusion", "40x10", "512x50", "2048x400"),
    _case("escape", "40x20", "400x40", "2048x200"),
    _case("lattice", "40x10", "160x20", "768x100"),
    _case("particles", "4000x10", "50000x30", "1000000x100", 0.1),
    _case("gradients", "40x80", "300x100", "1024x400", 2e-2),
    _case("forces", "60x5", "600x10", "4096x40"),
    _case("options", "500x6", "200000x8", "4000000x10"),
    _case("automaton", "60x10", "512x40", "2048x200"),
    _case("clusters", "500x5", "30000x10", "500000x20", 5e-2),
    _case("network", "200x10", "3000x30", "20000x200", 2e-2),
    _case("reaction", "40x20", "400x50", "2048x200"),
    _case("filtering", "40x6", "400x8", "2048x20"),
    _case("wave", "40x20", "400x50", "2048x200"),
    _case("spins", "40x10", "300x30", "2048x100", 0.1),
    _case("relaxation", "40x300", "200x200", "1024x1000"),
    _case("equalization", "60x3", "500x5", "2048x10", 2e-2),
    _case("ranking", "80x60", "1000x40", "8192x60"),
    _case("ridge", "400x6", "5000x10", "200000x40", 5e-2),
    _case("morphology", "40x4", "500x10", "2048x40"),
    _case("paths", "60x60", "200x200", "1024x1024"),
    _case("transport", "60x20", "800x40", "4096x200"),
    _case("american", "4000x10", "50000x20", "500000x50", 0.1),
    _case("neighbours", "200x3", "800x3", "4096x5", 5e-2),
    _case("solitons", "128x30", "4096x60", "262144x200"),
)


def named(names: list[str], half: str = "") -> list[Case]:
    """Return the programs of these names, or all of a half, or all.

    Raises:
        SystemExit: there is no such program.
    """
    known = {case.name: case for case in CASES if half in ("", case.half)}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise SystemExit(f"no program {', '.join(unknown)}; there are {', '.join(known)}")
    return [known[name] for name in names or known]
