"""The cases: their programs, the sizes of each profile, and how near results must be.

The program of a case is ``programs/NAME.m``; its parameters are the sizes, ``cls`` (``single`` or
``double``) and, where it draws numbers, ``source``: ``rng`` is each library's own generator,
``lcg`` the congruential sequence of ``programs/uniform.m``, the same for every implementation.
A program runs by itself, too (``runmat pca.m``): parameters that are not there have defaults, which
the environment replaces (``PCA_N=5000``, ``PCA_CLASS=double``).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

import attrs

PROGRAMS = Path(__file__).parent / "programs"

#: smoke: seconds for all on two cores; small, standard: sweeps for such a machine and for a GPU;
#: target: the one size of each case that speed is promised for; full: the whole sweep.
PROFILES = ("smoke", "small", "standard", "target", "full")
CLASSES = ("single", "double")
SOURCES = ("rng", "lcg")
ITEM_BYTES = {"single": 4, "double": 8}

Sizes = Mapping[str, int]


@attrs.frozen
class Case:
    """A benchmark case.

    Attributes:
        name: of its program.
        title: a phrase.
        sizes: by profile, ascending within each series.
        swept: the size that grows along a curve; the others tell its curves apart.
        steps: the sizes that count steps in time, so that arrays do not grow with them.
        rtol: tolerance of the metric where every implementation has the same input.
        proof: the size at which every implementation is compared on the same input: large enough
            that its operations are deferred and planned.
        noise: standard deviation of the metric times the root of the number of samples, relative
            to the metric: results of different generators may differ by four of these.
        samples: the sizes whose product is the number of samples.
    """

    name: str
    title: str
    sizes: Mapping[str, tuple[Sizes, ...]]
    swept: str
    rtol: float
    steps: tuple[str, ...] = ()
    proof: Sizes = attrs.Factory(dict)
    noise: float = 0.0
    samples: tuple[str, ...] = ()

    @property
    def draws(self) -> bool:
        """Whether it draws numbers; otherwise the input is the same for all anyway."""
        return self.noise > 0

    def tolerance(self, sizes: Sizes, source: str) -> float:
        """Relative difference that the metrics of two implementations may have."""
        if source == "lcg" or not self.draws:
            return self.rtol
        count = math.prod(sizes[name] for name in self.samples)
        return max(self.rtol, 4 * math.sqrt(2) * self.noise / math.sqrt(count))

    def work(self, sizes: Sizes) -> int:
        """Elements times steps: what curves are drawn over."""
        return math.prod(sizes[name] for name in sizes if name not in ("k",))

    def elements(self, sizes: Sizes) -> int:
        """Elements of its largest array."""
        return math.prod(sizes[name] for name in sizes if name not in ("k", *self.steps))

    def series(self, sizes: Sizes) -> str:
        """Which curve the sizes belong to."""
        return " ".join(f"{name}={sizes[name]}" for name in sizes if name != self.swept)


def _grid(**ranges: tuple[int, ...]) -> tuple[Sizes, ...]:
    """Every combination, the last name changing fastest."""
    found: list[dict[str, int]] = [{}]
    for name, values in ranges.items():
        found = [{**sizes, name: value} for sizes in found for value in values]
    return tuple(found)


PCA = Case(
    name="pca",
    title="PCA by subspace iteration",
    swept="n",
    rtol=1e-3,
    proof={"d": 128, "k": 8, "n": 2000},
    noise=1.2,
    samples=("n",),
    sizes={
        "smoke": _grid(d=(64,), k=(8,), n=(2000,)),
        "small": _grid(d=(128,), k=(8,), n=(2000, 5000, 20000)),
        "standard": _grid(d=(512,), k=(8,), n=(10000, 20000, 80000)),
        "target": _grid(d=(512,), k=(8,), n=(80000,)),
        "full": _grid(d=(512, 1024), k=(8,), n=(10000, 20000, 40000, 80000, 200000)),
    },
)
IMAGE4K = Case(
    name="image4k",
    title="images normalised, with gain and gamma",
    swept="B",
    rtol=1e-4,
    proof={"height": 540, "width": 960, "B": 1},
    noise=2.0,
    samples=("B", "height", "width"),
    sizes={
        "smoke": _grid(height=(180,), width=(320,), B=(2,)),
        "small": _grid(height=(540,), width=(960,), B=(1, 2, 4, 8)),
        "standard": _grid(height=(2160,), width=(3840,), B=(4, 8, 16)),
        "target": _grid(height=(2160,), width=(3840,), B=(16,)),
        "full": _grid(height=(2160,), width=(3840,), B=(4, 8, 16, 32, 64)),
    },
)
MONTECARLO = Case(
    name="montecarlo",
    title="Monte Carlo price of a European call",
    swept="M",
    rtol=1e-3,
    steps=("T",),
    # the sequence has no randomness from path to path: with other M the price can be nought
    proof={"T": 32, "M": 100_000},
    noise=1.7,
    samples=("M",),
    sizes={
        "smoke": _grid(T=(16,), M=(40000,)),
        "small": _grid(T=(32,), M=(50000, 100000, 200000)),
        "standard": _grid(T=(256,), M=(250_000, 500_000, 1_000_000)),
        "target": _grid(T=(256,), M=(1_000_000,)),
        "full": _grid(T=(256, 1024), M=(250_000, 500_000, 1_000_000, 2_000_000, 5_000_000)),
    },
)
NLMS = Case(
    name="nlms",
    title="normalised least mean squares filters",
    swept="C",
    rtol=1e-3,
    steps=("T",),
    proof={"p": 64, "T": 50, "C": 1024},
    noise=1.5,
    samples=("C",),
    sizes={
        "smoke": _grid(p=(32,), T=(20,), C=(2048,)),
        "small": _grid(p=(64,), T=(50,), C=(1024, 2048, 4096)),
        "standard": _grid(p=(128,), T=(200,), C=(512, 1024, 4096)),
        "target": _grid(p=(128,), T=(200,), C=(4096,)),
        "full": _grid(p=(128,), T=(200,), C=(512, 1024, 2048, 4096)),
    },
)
IIR = Case(
    name="iir",
    title="first-order recursive filter",
    swept="M",
    rtol=1e-3,
    steps=("T",),
    proof={"T": 128, "M": 50_000},
    noise=0.1,
    samples=("M",),
    sizes={
        "smoke": _grid(T=(32,), M=(40000,)),
        "small": _grid(T=(128,), M=(50000, 100000, 200000)),
        "standard": _grid(T=(2048,), M=(250_000, 500_000, 1_000_000)),
        "target": _grid(T=(4096,), M=(1_000_000,)),
        "full": _grid(T=(2048, 4096), M=(250_000, 500_000, 1_000_000)),
    },
)
HELD = Case(
    name="held",
    title="first-order recursive filter of an input that stays",
    swept="M",
    rtol=1e-3,
    steps=("T",),
    proof={"T": 128, "M": 50_000},
    noise=0.6,
    samples=("M",),
    sizes=IIR.sizes,
)
ELEMENTWISE = Case(
    name="elementwise",
    title="chain of elementwise functions, and its sum",
    swept="n",
    rtol=1e-4,
    sizes={
        "smoke": _grid(n=(100_000,)),
        "small": _grid(n=(100_000, 1_000_000, 4_000_000)),
        "standard": _grid(n=(1_000_000, 10_000_000, 2**27)),
        "target": _grid(n=(2**27,)),
        "full": _grid(n=(1_000_000, 10_000_000, 100_000_000, 2**27, 1_000_000_000)),
    },
)
EMA = Case(
    name="ema",
    title="exponential moving averages",
    swept="M",
    rtol=1e-3,
    steps=("T",),
    sizes={
        "smoke": _grid(T=(20,), M=(40000,)),
        "small": _grid(T=(100,), M=(50000, 100000, 200000)),
        "standard": _grid(T=(400,), M=(250_000, 500_000, 1_000_000)),
        "target": _grid(T=(4000,), M=(1_000_000,)),
        "full": _grid(T=(4000,), M=(250_000, 500_000, 1_000_000)),
    },
)

CASES: Mapping[str, Case] = {
    case.name: case for case in (PCA, IMAGE4K, MONTECARLO, NLMS, IIR, HELD, ELEMENTWISE, EMA)
}


def proof_sizes(case: Case, profile: str) -> Sizes:
    """The size at which every implementation is compared on the same input."""
    return case.sizes["smoke"][0] if profile == "smoke" else case.proof
