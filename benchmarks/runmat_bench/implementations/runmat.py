"""The programs in runmat, through the provider that the configuration chooses or a named one.

Times are taken with nothing recorded; what a run did is read from one more run under telemetry.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from runmat_bench.cases import PROGRAMS
from runmat_bench.implementations import Metric, Options, Run, metrics, variables

from runmat_core import Session, __version__
from runmat_core.session import config

#: Counters of a provider whose growth over one run is told.
GROWING = ("kernel_seconds", "compiles", "compile_seconds")


class Runmat:
    """A session for each case that is prepared.

    Args:
        provider: by name; empty: as configured.
        settings: keys of the configuration with their values as text.
    """

    warms = True

    def __init__(self, provider: str, settings: Mapping[str, str]) -> None:
        self.config = config.load(PROGRAMS, {**os.environ, **variables(settings, provider)})
        self.provider = provider if provider not in ("auto", "none") else ""
        self.session: Session | None = None

    def describe(self) -> dict[str, Any]:
        session = Session(config=self.config)
        telemetry = session.telemetry
        session.run("x = rand(2000, 2000, 'single'); y = sum(sum(exp(x)));")
        session["y"]  # asks for it, which starts providers
        providers = {} if telemetry is None else telemetry.as_dict()["providers"]
        session.close()
        if self.provider and self.provider not in {name.partition("#")[0] for name in providers}:
            # what ran instead must not stand under its name
            raise RuntimeError(f"the provider {self.provider} is not installed, or not usable here")
        for told in sorted(providers.values(), key=lambda one: one["kind"] != "device"):
            return {
                "version": __version__,
                "device": told["device"],
                "driver": told["driver"],
                "threads": told["threads"],
                "providers": sorted(providers),
            }
        return {"version": __version__, "device": "host rules (NumPy)", "providers": []}

    def prepare(self, case: str, parameters: Mapping[str, Any]) -> Run:
        if self.session is not None:
            self.session.close()
        self.session = session = Session(config=self.config)
        for name, value in parameters.items():
            session[name] = float(value) if isinstance(value, int) else value
        path = PROGRAMS / f"{case}.m"

        def run() -> Metric:
            session.run("rng(0)")
            return metrics(session.capture_file(path))

        return run

    def counts(self, run: Run) -> dict[str, Any]:
        assert self.session is not None
        telemetry = self.session.telemetry
        if telemetry is None:
            return {}
        before = telemetry.providers()
        telemetry.clear()
        started = telemetry.totals()["session"]
        run()
        after = telemetry.providers()
        record = telemetry.as_dict()
        telemetry.stop()
        totals = record["totals"]
        grown = {
            name: sum(
                getattr(now, name) - getattr(before.get(provider), name, 0)
                for provider, now in after.items()
            )
            for name in GROWING
        }
        devices = [after[name] for name, told in record["providers"].items() if on_device(told)]
        return {
            **{
                name: totals[name]
                for name in (
                    "kernels",
                    "calls",
                    "by_rules",
                    "upload_bytes",
                    "download_bytes",
                    "written_bytes",
                )
            },
            **grown,
            "refused": sum(len(now.refused) for now in after.values()),
            "plan_hits": totals["session"]["plan_hits"] - started["plan_hits"],
            "plans_made": totals["session"]["plans_made"] - started["plans_made"],
            "peak_device_bytes": max((one.peak_bytes for one in devices), default=None),
            "decisions": decisions(record),
        }


def on_device(told: Mapping[str, Any]) -> bool:
    """Whether a provider has memory of its own."""
    return bool(told["kind"] == "device")


def decisions(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What ran where and why, equal ones counted together, the most expensive first."""
    found: dict[tuple[str, ...], dict[str, Any]] = {}
    for run in record["runs"]:
        for step in run["steps"]:
            step = {**step, "provider": step["provider"].partition("#")[0]}  # any of that name
            key = tuple(step[name] for name in ("label", "kind", "target", "provider", "reason"))
            entry = found.setdefault(
                key,
                {
                    **dict(
                        zip(("label", "kind", "target", "provider", "reason"), key, strict=True)
                    ),
                    "count": 0,
                    "seconds": 0.0,
                    "device_estimate": step["device_estimate"],
                    "host_estimate": step["host_estimate"],
                },
            )
            entry["count"] += 1
            entry["seconds"] += step["seconds"]
    return sorted(found.values(), key=lambda entry: -entry["seconds"])[:40]


def load(variant: str, options: Options) -> Runmat:
    return Runmat(variant, options.settings)
