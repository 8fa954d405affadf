"""``runmat info``: the machine, the providers, the configuration and the caches, in one report."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from runmat_core import __version__
from runmat_core.accel.devices import checks
from runmat_core.api import threads
from runmat_core.api.errors import MatlabError
from runmat_core.cli.config import cache_folders, files, files_text, size_text, variables
from runmat_core.cli.run import print_configuration_error
from runmat_core.session import config as configuration
from runmat_core.session.config import Config


def info(options: argparse.Namespace) -> int:
    try:
        settings = configuration.load()
    except MatlabError as error:
        print_configuration_error(error)
        return 1
    report = gather(settings)
    if options.json:
        print(json.dumps(report, indent=2))
    else:
        sys.stdout.write("".join(f"{line}\n" for line in render(report)))
    return 0


def gather(settings: Config) -> dict[str, Any]:
    """Return the report as plain data."""
    return {
        "runmat": __version__,
        "python": {
            "version": platform.python_version(),
            "implementation": platform.python_implementation(),
            "executable": sys.executable,
        },
        "machine": machine(),
        "numpy": numpy_report(),
        **acceleration(settings),
        "configuration": {
            "files": [{"path": str(path), "there": path.is_file()} for path in files()],
            "variables": variables(),
            "problems": [f"{p.message} {p.hint}".rstrip() for p in checks.problems(settings)],
        },
        "caches": [
            {"folder": folder, "bytes": size, "files": count, "limit": _limit(folder)}
            for folder, size, count in cache_folders()
        ],
    }


def _limit(folder: str) -> str:
    """How large a cache on disk becomes at most."""
    from runmat_core.compiler.cache import MOST_ENTRIES

    return {
        "code": f"at most {MOST_ENTRIES} files",
        "accel": "one file for each device",
        "providers": "as each provider says",
    }[os.path.basename(folder)]


def machine() -> dict[str, Any]:
    return {
        "system": f"{platform.system()} {platform.release()}",
        "processor": processor(),
        "cores": os.cpu_count(),
        "threads": threads.available(),
        "memory": memory(),
    }


def processor() -> str:
    """Return the name of the CPU as the system tells it."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def memory() -> int | None:
    """Bytes of memory, None where the system does not tell."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None


def numpy_report() -> dict[str, Any]:
    """Return the versions of NumPy and SciPy, and the BLAS that NumPy was built with."""
    from importlib.metadata import version

    import numpy as np

    # asked for as data: an older NumPy would print it
    built: Any = np.show_config(mode="dicts")
    blas = built.get("Build Dependencies", {}).get("blas", {})
    return {
        "version": np.__version__,
        "scipy": version("scipy"),
        "blas": " ".join(filter(None, (blas.get("name"), blas.get("version")))) or "unknown",
    }


# -- providers ------------------------------------------------------------------------------------


def acceleration(settings: Config) -> dict[str, Any]:
    """Return the installed providers, which of them are chosen, and how they were measured."""
    from runmat_core.accel import caches
    from runmat_core.accel.devices import calibrate, providers

    folder = caches.folder("accel")
    chosen: dict[str, Any] = {"device": None, "host": None, "warning": ""}
    measured = []
    found = []
    for name, origin in providers.installed().items():
        entry: dict[str, Any] = {"name": name, "package": origin.package, "version": origin.version}
        try:
            own = caches.folder("providers", name) or ""
            provider = providers.start(name, settings.options(name), own)
        except MatlabError as problem:
            reason = f"{problem.message} {problem.hint}".rstrip()
            found.append({**entry, "status": "unavailable", "reason": reason})
            continue
        capabilities = capabilities_of(provider.capabilities)
        found.append({**entry, "status": "available", "capabilities": capabilities})
        kept = calibrate.load(calibrate.key_of(provider), folder)
        measured.append(calibration_of(name, kept))
        provider.close()
    try:
        choice = providers.choose(settings, caches.base() or "")
        for place, taken in (("device", choice.device), ("host", choice.host)):
            chosen[place] = None if taken is None else taken.installed.name
        chosen["warning"] = choice.warning
        emulated = {} if settings["accel.provider"] != "auto" else emulation(found)
        chosen["notes"] = [
            {"name": note.name, "reason": emulated.get(note.name, note.reason)}
            for note in choice.notes
        ]
        choice.close()
    except MatlabError as problem:
        chosen["warning"] = problem.message
    measured.append(calibration_of("rules", calibrate.load(calibrate.key_of(None), folder)))
    return {
        "providers": found,
        "chosen": {
            "provider": settings["accel.provider"],
            # by default it names no provider but the preferred one
            "fallback": settings["accel.fallback"] if "accel.fallback" in settings.given() else "",
            "force": settings["accel.offload.force"],
            **chosen,
        },
        "calibration": measured,
    }


def emulation(found: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return why ``auto`` passes over providers that start where they are named.

    Their devices are no hardware, which they may answer by saying that there is none.
    """
    from runmat_core.accel.devices.providers import emulated

    return {
        entry["name"]: emulated(entry["name"], entry["capabilities"]["name"])
        for entry in found
        if entry["status"] == "available" and entry["capabilities"]["software"]
    }


def capabilities_of(capabilities: Any) -> dict[str, Any]:
    """Capabilities as plain data."""
    import attrs

    def plain(value: Any) -> Any:
        if isinstance(value, frozenset):
            return sorted(value)
        return dict(value) if isinstance(value, tuple) else value

    return {key: plain(value) for key, value in attrs.asdict(capabilities, recurse=False).items()}


def calibration_of(name: str, kept: Any) -> dict[str, Any]:
    if kept is None:
        return {"name": name, "measured": None}
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(kept.when))
    told = {"name": name, "measured": when, "seconds": round(kept.seconds, 2)}
    if kept.busy or kept.doubtful:
        counts = {"doubtful": kept.doubtful, "times": len(kept.rates.samples)}
        told |= {"busy": kept.busy, "attempts": kept.attempts, **counts}
    return told


# -- text -----------------------------------------------------------------------------------------


def render(report: Mapping[str, Any]) -> Iterator[str]:
    """Yield the report for people."""
    python, numpy, host = report["python"], report["numpy"], report["machine"]
    yield f"runmat {report['runmat']}"
    yield f"  Python     {python['implementation']} {python['version']}, {python['executable']}"
    yield f"  NumPy      {numpy['version']} with {numpy['blas']}; SciPy {numpy['scipy']}"
    yield f"  system     {host['system']}"
    size = "" if host["memory"] is None else f", {size_text(host['memory'])} of memory"
    yield f"  processor  {host['processor']}, {host['threads']} of {host['cores']} threads{size}"
    yield ""
    yield "providers"
    for provider in report["providers"]:
        yield from render_provider(provider)
    if not report["providers"]:
        yield "  none installed; pip install runmat-inprocess brings one for the CPU"
    yield ""
    chosen = report["chosen"]
    fallback = chosen["fallback"] or "unset"
    yield f"chosen (accel.provider is {chosen['provider']}, accel.fallback {fallback})"
    yield f"  device  {chosen['device'] or 'none'}"
    yield f"  host    {chosen['host'] or 'none: host rules alone'}"
    if chosen["force"] != "auto":
        there = chosen["force"] == "rules" or chosen[chosen["force"]]
        missing = "" if there else ", which is not there: the next one down has the work"
        yield f"  everything runs by accel.offload.force: {chosen['force']}{missing}"
    if chosen["warning"]:
        yield f"  warning: {chosen['warning']}"
    for note in chosen.get("notes", ()):
        if note["reason"] not in chosen["warning"]:
            yield f"  not {note['name']}: {note['reason']}"
    yield ""
    yield "calibration (runmat calibrate)"
    for entry in report["calibration"]:
        told = entry["measured"] and f"measured {entry['measured']} in {entry['seconds']} s"
        told = f"{told}{doubt_text(entry)}" if "attempts" in entry else told
        yield f"  {entry['name']:<10}  {told or 'not measured: typical rates'}"
    yield ""
    yield "configuration"
    for entry in report["configuration"]["files"]:
        yield f"  {entry['path']}  ({'there' if entry['there'] else 'not there'})"
    for name, value in report["configuration"]["variables"].items():
        yield f"  {name}={value}"
    for text in report["configuration"]["problems"]:
        yield f"  wrong: {text}"
    yield ""
    yield "caches"
    for entry in report["caches"]:
        size = f"{files_text(entry['files'])}, {size_text(entry['bytes'])}"
        yield f"  {entry['folder']}  ({size}; {entry['limit']})"
    if not report["caches"]:
        yield "  none: RUNMAT_CACHE_DIR is empty"


def doubt_text(entry: Mapping[str, Any]) -> str:
    """Return what becomes of rates that other work may have made slower."""
    busy = ", on a busy machine" if entry["busy"] else ""
    if entry["doubtful"]:
        again = f"{entry['doubtful']} of {entry['times']} times are to be taken again"
        return f"{busy}: {again} when it is quiet"
    return f"{busy}, the best of {entry['attempts']}: runmat calibrate measures anew"


def render_provider(provider: Mapping[str, Any]) -> Iterator[str]:
    yield f"  {provider['name']} ({provider['package']} {provider['version']})"
    if provider["status"] == "unavailable":
        yield f"    {provider['reason']}"
        return
    can = provider["capabilities"]
    kind = {"host": "on the memory of NumPy", "device": "with memory of its own"}[can["kind"]]
    emulated = ", emulated on the CPU" if can["software"] else ""
    yield f"    {can['name']}, {kind}{emulated}"
    if can["driver"]:
        yield f"    driver {can['driver']}"
    yield f"    types {' '.join(can['dtypes'])}"
    if "f64" not in can["dtypes"]:
        yield "    no double precision: singles run there, doubles on the CPU"
    yield f"    library calls {' '.join(can['libraries']) or 'none'}"
    if can["memory_bytes"] is not None:
        yield f"    up to {size_text(can['memory_bytes'])} of memory"
    for name, value in can["details"].items():
        yield f"    {name} {value}"
