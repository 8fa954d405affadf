"""``runmat calibrate``: measure what work costs on each device, and show it."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence

from runmat_core.accel import caches
from runmat_core.accel.devices import providers
from runmat_core.accel.devices.calibrate import Calibration, Mode, calibration
from runmat_core.accel.devices.provider import Provider
from runmat_core.accel.placement import costs
from runmat_core.accel.placement.work import FAMILIES
from runmat_core.api.device import DeviceFault
from runmat_core.api.errors import MatlabError
from runmat_core.cli.run import print_configuration_error
from runmat_core.session import config as configuration
from runmat_core.session.config import Config

#: How a rate is shown: by family the unit, and how many of it a second count as one.
SHOWN = {
    "stream": ("GB/s", 1e9),
    "light": ("G additions/s", 1e9),
    "heavy": ("G exp/s", 1e9),
    "reduce": ("G elements/s", 1e9),
    "scan": ("G elements/s", 1e9),
    "random": ("G numbers/s", 1e9),
    "gather": ("G elements/s", 1e9),
    "matmul": ("GFLOP/s", 1e9),
    "sort": ("G comparisons/s", 1e9),
}


def calibrate(options: argparse.Namespace) -> int:
    try:
        settings = configuration.load()
        names = options.providers or [*providers.installed(), "rules"]
        mode: Mode = "never" if options.show else "always"
        found, problems = measured(names, settings, mode, options.tune or 0.0)
    except MatlabError as error:
        print_configuration_error(error)
        return 1
    for problem in problems:
        print(f"runmat: {problem}", file=sys.stderr)
    if options.json:
        data = {
            name: {
                "for": made.key,
                "when": made.when,
                "seconds": made.seconds,
                "measured": made.rates.measured,
                "busy": made.busy,
                "rates": costs.to_json(made.rates),
            }
            for name, made in found.items()
        }
        print(json.dumps(data, indent=2))
    else:
        sys.stdout.write("".join(f"{line}\n" for line in table(found)))
        if not options.show and caches.folder("accel") is None:
            print("runmat: there is no cache folder to keep this in", file=sys.stderr)
    if not options.show and any(made.busy for made in found.values()):
        print(
            "runmat: the machine was busy meanwhile: rates may be too slow, and are measured again "
            "when it is quiet",
            file=sys.stderr,
        )
    # what cannot be used matters only to those who asked for it
    return 1 if problems and options.providers else 0


def measured(
    names: Sequence[str], settings: Config, mode: Mode, tune: float = 0.0
) -> tuple[dict[str, Calibration], list[str]]:
    """Return the calibration of each provider, and what kept others from having one.

    Args:
        tune: seconds for which each provider may first look for its fastest kernels.

    Raises:
        MatlabError: a name that no package offers.
    """
    folder = caches.folder("accel")
    found: dict[str, Calibration] = {}
    problems: list[str] = []
    for name in names:
        provider: Provider | None = None
        try:
            if name != "rules":
                own = caches.folder("providers", name) or ""
                provider = providers.start(name, settings.options(name), own)
                if tune:
                    provider.warmup(tune=tune)
            found[name] = calibration(provider, mode, folder)
        except (providers.ProviderUnavailable, DeviceFault) as problem:
            problems.append(problem.message)
        finally:
            if provider is not None:
                provider.close()
    return found, problems


def table(found: dict[str, Calibration]) -> Iterator[str]:
    """Rates side by side: for each family single and double precision."""
    for name, made in found.items():
        told = f"measured in {made.seconds:.1f} s" if made.rates.measured else "typical rates"
        if made.busy:
            told += f" on a busy machine, the best of {made.attempts}"
        yield f"{name}: {made.key} ({told})"
    if not found:
        return
    width = max(14, *(len(name) + 2 for name in found))
    yield ""
    yield f"{'':<26}" + "".join(f"{name:>{width}}" for name in found)
    launches = (f"{made.rates.launch * 1e6:.1f} us" for made in found.values())
    yield f"{'launch':<26}" + "".join(f"{text:>{width}}" for text in launches)
    for link in ("upload", "download"):
        if any(getattr(made.rates, link).per_byte for made in found.values()):
            texts = (link_text(getattr(made.rates, link)) for made in found.values())
            yield f"{link:<26}" + "".join(f"{text:>{width}}" for text in texts)
    for family in FAMILIES:
        unit, one = SHOWN[family]
        for wide, label in (
            (("", ""),) if family == "stream" else ((".f32", "single"), (".f64", "double"))
        ):
            rates = (made.rates.seconds.get(family + wide, 0.0) for made in found.values())
            texts = (f"{1 / (rate * one):.3g}" if rate else "-" for rate in rates)
            title = f"{family} {label}".strip()
            yield f"{title:<26}" + "".join(f"{text:>{width}}" for text in texts) + f"  {unit}"


def link_text(link: costs.Link) -> str:
    if not link.per_byte:
        return "-"
    return f"{1e-9 / link.per_byte:.1f} GB/s"
