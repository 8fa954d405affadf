"""The keys of the configuration: names, defaults, meanings and what values they take."""

from __future__ import annotations

from typing import Any

from runmat_core.api.tuples import NamedTuple

ENVIRONMENT_PREFIX = "RUNMAT_"


class Setting(NamedTuple):
    """One key.

    Attributes:
        key: the dotted name.
        default: whose type is that of all values.
        meaning: a phrase, for ``runmat config generate``.
        choices: the texts it may be; empty: any.
        minimum: of a number.
        numbers: whether a whole number may stand in place of a text.
        fractions: whether it need not be whole.
    """

    key: str
    default: Any
    meaning: str
    choices: tuple[str, ...] = ()
    minimum: int | None = None
    numbers: bool = False
    fractions: bool = False

    @property
    def variable(self) -> str:
        """The environment variable that overrides it."""
        return ENVIRONMENT_PREFIX + self.key.upper().replace(".", "_")


SETTINGS: tuple[Setting, ...] = (
    Setting("accel.provider", "auto", "acceleration provider: its name, auto (the best) or none"),
    Setting(
        "accel.fallback",
        "inprocess",
        "provider for what the first one declines, or none; unset: the preferred one",
    ),
    Setting(
        "accel.threshold",
        "auto",
        "elements from which on an operation is deferred and planned; auto: as measured",
        ("auto",),
        minimum=0,
        numbers=True,
    ),
    Setting(
        "accel.start_after",
        "auto",
        "estimated seconds of work on large arrays after which operations are deferred; auto: 0 "
        "where accel.provider is named, else 0.1 to 2 by what the last search for a device found",
        ("auto",),
        minimum=0,
        numbers=True,
        fractions=True,
    ),
    Setting("accel.loops", True, "capture loops whose iterations can be one kernel"),
    Setting("accel.passages", True, "remember what runs of statements capture"),
    Setting("accel.max_nodes", 256, "deferred operations after which they run", minimum=1),
    Setting(
        "accel.max_bytes",
        "auto",
        "bytes kept alive for deferred operations after which they run; auto: a part of memory",
        ("auto",),
        minimum=0,
        numbers=True,
    ),
    Setting("accel.plan_cache", 1000, "plans that a session keeps", minimum=0),
    Setting("accel.plan_files", 4000, "plans kept on disk for later processes", minimum=0),
    Setting("accel.verify", False, "run every plan by host rules too and compare"),
    Setting(
        "accel.offload.calibrate",
        "kept",
        "when a device is measured: by `runmat calibrate` (kept), at first use (once), or never",
        ("kept", "once", "never", "always"),
    ),
    Setting(
        "accel.offload.force",
        "auto",
        "where plans run: auto (the cheapest place), device, host (the fallback) or rules (NumPy)",
        ("auto", "device", "host", "rules"),
    ),
    Setting(
        "accel.offload.pin",
        False,
        "place by typical costs alone, so that results are the same bits in every run",
    ),
    Setting("help.site", "", "folder of the pages that doc finds; empty: it prints help texts"),
    Setting("language.dialect", "matlab", "the syntax accepted", ("matlab", "octave")),
    Setting("language.rng", "philox", "the first random generator", ("philox", "twister")),
    Setting("language.recursion_limit", 500, "nested calls before an error", minimum=1),
)
