"""``python -m benchmarks.capture.programs``: what the core itself takes of a warm run.

The programs of the benchmark cases run at sizes that make kernels cheap, again and again, with
every plan known. What a provider does is not counted: the clock stands while one of its hooks runs.
The least of many runs is told, and how many Python functions a run calls, which does not depend on
the machine.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any

from runmat_bench.cases import PROGRAMS

from runmat_core.session import Session
from runmat_core.session import config as configuration

SIZES: dict[str, dict[str, Any]] = {
    "elementwise": {"n": 2000},
    "ema": {"M": 64, "T": 32},
    "iir": {"M": 2000, "T": 16},
    "image4k": {"B": 2, "height": 32, "width": 32},
    "pca": {"n": 200, "d": 16, "k": 4},
    "montecarlo": {"M": 2000, "T": 16},
    "nlms": {"p": 32, "C": 64, "T": 16},
}
#: Captured from so few elements on.
THRESHOLD = 1000
HOOKS = ("allocate", "upload", "download", "free", "compile", "execute", "synchronize")


class Clock:
    """Time spent in the hooks of a provider.

    Args:
        now: tells the time.
    """

    def __init__(self, now: Callable[[], float] = perf_counter) -> None:
        self.now = now
        self.seconds = 0.0
        self.inside = False

    def watch(self, provider: Any) -> None:
        """Count what `provider` does from now on."""
        for name in HOOKS:
            setattr(provider, f"_{name}", self._watched(getattr(provider, f"_{name}")))

    def _watched(self, hook: Callable[..., Any]) -> Callable[..., Any]:
        def watched(**request: Any) -> Any:
            self.inside = True
            started = self.now()
            try:
                return hook(**request)
            finally:
                self.seconds += self.now() - started
                self.inside = False

        return watched


def measure(name: str, provider: str, repetitions: int) -> tuple[float, float, int]:
    """Microseconds of the core, of the provider, and calls of Python functions."""
    settings = configuration.load(PROGRAMS).replace(
        accel__provider=provider,
        accel__offload__force="device" if provider == "null" else "host",
        accel__offload__calibrate="never",
        accel__threshold=THRESHOLD,
    )
    path = PROGRAMS / f"{name}.m"
    clock = Clock()
    with Session(config=settings, stdout=lambda text: None) as session:
        for key, value in {**SIZES[name], "cls": "single", "source": "rng"}.items():
            session[key] = float(value) if isinstance(value, int) else value
        for _ in range(5):
            session.run_file(path)
        for store in session.interp.seat.engine.stores.values():  # type: ignore[union-attr]
            clock.watch(store.provider)
        best = kernels = float("inf")
        for _ in range(repetitions):
            clock.seconds = 0.0
            started = perf_counter()
            session.run_file(path)
            taken = perf_counter() - started
            best = min(best, taken - clock.seconds)
            kernels = min(kernels, clock.seconds)
        return best * 1e6, kernels * 1e6, _calls(lambda: session.run_file(path), clock)


def _calls(run: Callable[[], None], clock: Clock) -> int:
    count = 0

    def profile(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call") and not clock.inside

    sys.setprofile(profile)
    try:
        run()
    finally:
        sys.setprofile(None)
    return count


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.capture.programs", description=__doc__
    )
    parser.add_argument("--provider", default="inprocess", help="a name as in the configuration")
    parser.add_argument("--repetitions", type=int, default=300)
    parser.add_argument("programs", nargs="*", help=f"of {', '.join(SIZES)}; default: all")
    options = parser.parse_args()
    for name in options.programs or SIZES:
        core, provider, calls = measure(name, options.provider, options.repetitions)
        print(f"{name:16}{core:10.0f} us{provider:10.0f} us in the provider{calls:10} calls")
    return 0


if __name__ == "__main__":
    sys.exit(main())
