"""What runs where, found by calling: which classes a builtin takes, which provider computes it.

Nothing is a list kept by hand. A builtin without side effects is called with arguments of each
class in a few shapes; the first call that succeeds shows that it takes the class. Where its mark
says that it is accelerated, the same calls are made on each provider, and the record of the session
says what ran there.
"""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

from runmat_core.accel import caches
from runmat_core.accel.devices import providers
from runmat_core.api.builtin import BuiltinSpec
from runmat_core.api.errors import MatlabError
from runmat_core.builtins import catalog, registry
from runmat_core.session import Session
from runmat_core.session.config import load

#: Arguments of each class: a matrix, a vector, a scalar.
SAMPLES: Mapping[str, tuple[str, ...]] = {
    "double": ("[4 1; 1 3]", "[1 2]", "[0.5 0.25]", "2"),
    "single": ("single([4 1; 1 3])", "single([1 2])", "single([0.5 0.25])", "single(2)"),
    "integer": ("int32([4 1; 1 3])", "int32([1 2])", "int32(2)"),
    "logical": ("logical([1 0; 1 1])", "[true false]", "true"),
    "complex": ("[4 1i; -1i 3]", "[1 2i]", "2i"),
    "sparse": ("sparse([4 1; 1 3])", "sparse([1 0])"),
    "char": ("'ab'", "'1'"),
    "string": ('["a" "b"]', '"a"'),
    "cell": ("{'a', 'b'}", "{1, 2}"),
    "struct": ("struct('a', {1, 2})", "struct('a', 1)"),
    "datetime": ("datetime(2020, 1, [1 2])",),
    "duration": ("hours([1 2])",),
    "categorical": ("categorical({'a', 'b'})",),
    "table": ("table([1; 2])",),
}
#: Families whose functions reach outside of the session unless their marks say otherwise.
OUTSIDE = frozenset({"device", "files", "lang", "output", "sheets", "testing"})
#: Classes in which kernels and library calls compute.
COMPUTED = ("double", "single", "integer", "logical")


@attrs.frozen
class Device:
    """A provider that support was measured on.

    Attributes:
        name: what ``accel.provider`` calls it.
        package: with its version.
        runs_on: the name of the hardware.
        kind: ``host`` on the memory of NumPy, ``device`` with memory of its own.
    """

    name: str
    package: str
    runs_on: str
    kind: str


@attrs.frozen
class Support:
    """What was found of a builtin.

    Attributes:
        calls: by class, the call that succeeded; arguments are named for entries of `SAMPLES`.
        computed: by provider, the classes that it computes in kernels or library calls.
    """

    calls: Mapping[str, str]
    computed: Mapping[str, tuple[str, ...]]


def devices(wanted: Sequence[str]) -> list[Device]:
    """The providers named, as far as they can be used; those that a session here chooses where
    there are no names."""
    names = list(wanted) or _chosen()
    found = []
    for name, origin in providers.installed().items():
        if name not in names:
            continue
        try:
            started = providers.start(
                name, load().options(name), caches.folder("providers", name) or ""
            )
        except MatlabError:
            continue
        package, can = f"{origin.package} {origin.version}", started.capabilities
        found.append(Device(name, package, can.name, can.kind))
        started.close()
    return found


def _chosen() -> list[str]:
    choice = providers.choose(load(), caches.base() or "")
    names = [taken.name for taken in (choice.host, choice.device) if taken is not None]
    choice.close()
    return names


def measure(specs: Iterable[BuiltinSpec], on: Sequence[Device]) -> dict[str, Support]:
    """What each builtin takes, and which devices compute it, by name."""
    with warnings.catch_warnings(), tempfile.TemporaryDirectory() as folder:
        warnings.simplefilter("ignore")
        # a folder of its own, should a builtin write after all
        session = _session("none", "rules", folder)
        calls = {spec.name: dict(accepted(spec, session)) for spec in specs}
        session.close()
        fused = {
            name: found
            for name, found in calls.items()
            if found and acceleration(name) not in ("host", "")
        }
        computed: dict[str, dict[str, tuple[str, ...]]] = {name: {} for name in calls}
        for device in on:
            for name, classes in on_device(device, fused, folder):
                computed[name][device.name] = classes
    return {name: Support(calls[name], computed[name]) for name in calls}


def acceleration(name: str) -> str:
    spec = registry.find(name)
    return "" if spec is None else catalog.acceleration_of(spec)


def accepted(spec: BuiltinSpec, session: Session) -> Iterator[tuple[str, str]]:
    """The classes that a builtin takes, each with a call; nothing of one with side effects."""
    outside = spec.effects is None and spec.family.partition("/")[0] in OUTSIDE
    if outside or spec.effects in ("io", "state"):
        return
    for kind in SAMPLES:
        for call in calls_of(spec, kind):
            if _succeeds(session, call):
                yield kind, call
                break


def calls_of(spec: BuiltinSpec, kind: str) -> Iterator[str]:
    """Calls with arguments of one class, as many as the builtin needs and one more."""
    least, most = registry.arity(spec)
    counts = [n for n in (1, 2, 3) if least <= n and (most is None or n <= most)][:2]
    for count in counts:
        for k in range(len(SAMPLES[kind])):
            yield f"r = {spec.name}({', '.join([f'{kind}_{k}'] * count)})"


def on_device(
    device: Device, taken: Mapping[str, Iterable[str]], folder: str
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The classes in which a device computes each builtin, of those that it takes."""
    session = _session(device.name, device.kind, folder)
    for name, kinds in taken.items():
        spec = registry.find(name)
        assert spec is not None
        yield (
            name,
            tuple(
                kind
                for kind in COMPUTED
                if kind in kinds
                and any(_computes(session, call, device) for call in calls_of(spec, kind))
            ),
        )
    session.close()


def _computes(session: Session, call: str, device: Device) -> bool:
    """Whether a device has a part in a call."""
    telemetry = session.telemetry
    assert telemetry is not None
    telemetry.clear()
    _succeeds(session, call)
    steps = [step for run in telemetry.as_dict()["runs"] for step in run["steps"]]
    # providers of one name are numbered from the second one in a process
    names = {step["provider"].partition("#")[0] for step in steps if step["kind"] != "rules"}
    return device.name in names


def _session(provider: str, place: str, folder: str) -> Session:
    """A session that puts off whatever it can, and runs it in one place whatever it costs."""
    config = load().replace(
        accel__provider=provider,
        accel__fallback="none",
        accel__threshold=1,
        accel__offload__force=place,
        accel__offload__calibrate="never",
    )
    session = Session(config=config, cwd=folder)
    for kind, samples in SAMPLES.items():
        for k, sample in enumerate(samples):
            session.run(f"{kind}_{k} = {sample};")
            session.capture(f"{kind}_{k}")  # computed, not part of what is measured
    session.run("warning off all")
    return session


def _succeeds(session: Session, statement: str) -> bool:
    """Whether a call gives a value, which is computed to be shown."""
    try:
        session.capture(statement)
    except MatlabError:
        return False
    return True
