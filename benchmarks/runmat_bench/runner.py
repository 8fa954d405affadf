"""A run of the benchmark: every case on every implementation, one process after the other.

Cases are taken one by one, so that times that are compared were measured close together. Each
implementation runs a case in a process of its own, sizes ascending; one that dies or hangs is
started again for what is left. Nothing is dropped: what could not be measured says why.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import attrs
from runmat_bench import machine
from runmat_bench.cases import CASES, ITEM_BYTES, Case, Sizes, proof_sizes
from runmat_bench.implementations import Options, missing
from runmat_bench.parity import References, among_themselves, same_input
from runmat_bench.processes import Worker, WorkerGoneError
from runmat_bench.records import Counts, Entry, Parity, Record, Timing
from runmat_bench.timing import REPETITIONS, SETTLE

#: Arrays of the largest size that a straight implementation holds at once.
ARRAYS_HELD = 6
#: Seconds beyond its limit that an entry has for preparing and compiling.
PREPARING = 180.0

Tell = Callable[[Entry], None]


def _say_nothing(entry: Entry) -> None: ...


class Asked(Protocol):
    """What answers jobs (`runmat_bench.worker`): a process, or in tests this one."""

    def ask(self, job: Mapping[str, Any], patience: float) -> dict[str, Any]: ...

    def close(self) -> None: ...


Start = Callable[[str, Options, int], Asked]


@attrs.frozen
class Plan:
    """What is to be measured.

    Attributes:
        sources: of random numbers in timed entries; results are compared with ``lcg`` anyway.
        limit: seconds for the runs of an entry.
        budget: seconds after which nothing more is started; 0 is no bound.
        memory: bytes that there are; 0: as the system tells.
        threads: of CPU libraries; 0 leaves it to them.
        prove: whether to compare results on the same input, too.
    """

    profile: str
    cases: Sequence[str]
    implementations: Sequence[str]
    classes: Sequence[str]
    sources: Sequence[str] = ("rng",)
    options: Options = attrs.Factory(Options)
    repetitions: int = REPETITIONS
    limit: float = 20.0
    settle: float = SETTLE
    budget: float = 0.0
    memory: int = 0
    threads: int = 0
    prove: bool = True

    @property
    def names(self) -> list[str]:
        """The implementations, NumPy first: it is what the others are compared with."""
        return ["numpy", *(name for name in self.implementations if name != "numpy")]

    def blanks(self, case: Case, name: str) -> list[Entry]:
        """A case's entries for an implementation before anything is measured, in order."""
        found: list[Entry] = []
        for cls in self.classes:
            if self.prove and case.draws:
                sizes = proof_sizes(case, self.profile)
                found.append(Entry(case.name, name, cls, "lcg", sizes, "skipped", "proof"))
            for source in self.sources if case.draws else ("rng",):
                found += [
                    Entry(case.name, name, cls, source, sizes, "skipped")
                    for sizes in case.sizes[self.profile]
                ]
        return found

    def count(self) -> int:
        return len(self.names) * sum(len(self.blanks(CASES[case], "")) for case in self.cases)


def parameters(case: Case, cls: str, source: str, sizes: Sizes) -> dict[str, Any]:
    """What the program of a case takes."""
    return {**sizes, "cls": cls, **({"source": source} if case.draws else {})}


class Runner:
    """Runs a plan.

    Args:
        record: is filled; entries that it has already, and that are right, are not measured again.
        tell: is called with each entry.
        begin: is called with each entry before it is measured.
        start: makes what runs an implementation, of its name, the options and a count of threads.
    """

    def __init__(
        self,
        plan: Plan,
        record: Record,
        tell: Tell,
        start: Start = Worker,
        begin: Tell = _say_nothing,
    ) -> None:
        self.plan = plan
        self.start = start
        self.record = record
        self.tell = tell
        self.begin = begin
        self.references = References()
        self._started = time.monotonic()
        self._kept = {
            (*entry.place, entry.implementation): entry
            for entry in record.entries
            if entry.status in ("ok", "parity")
        }
        record.entries.clear()

    def run(self) -> None:
        """Measure everything. Entries are in the record as soon as they are there."""
        for name in self.plan.names:
            how = missing(name)
            if how:
                self.record.implementations[name] = {"status": "missing", "reason": how}
            elif self.record.implementations.get(name, {}).get("status") != "ok":
                self.record.implementations.pop(name, None)  # told when it first runs
        for name in self.plan.cases:
            self._case(CASES[name])

    def _case(self, case: Case) -> None:
        start = len(self.record.entries)
        for name in self.plan.names:
            for entry in Series(self, case, name).entries():
                self.record.entries.append(entry)
                self.references.add(entry)
                self.tell(entry)
        self._compare_rest(start)

    def _compare_rest(self, start: int) -> None:
        """Compare with each other what NumPy has no result for."""
        entries = self.record.entries
        for place in dict.fromkeys(entry.place for entry in entries[start:]):
            numbers = [n for n in range(start, len(entries)) if entries[n].place == place]
            if any(entries[n].parity.ok is not None for n in numbers):
                continue
            found = among_themselves([entries[n] for n in numbers])
            for n, parity in found.items():
                entries[numbers[n]] = judged(entries[numbers[n]], parity)

    def kept(self, entry: Entry) -> Entry | None:
        return self._kept.get((*entry.place, entry.implementation))

    @property
    def out_of_time(self) -> bool:
        return 0 < self.plan.budget < time.monotonic() - self._started


class Series:
    """The entries of one implementation on one case, in one process where nothing goes wrong."""

    def __init__(self, runner: Runner, case: Case, name: str) -> None:
        self.runner = runner
        self.plan = runner.plan
        self.case = case
        self.name = name
        self.worker: Asked | None = None
        #: by class and source: seconds for a unit of work in the largest size so far
        self.pace: dict[tuple[str, str], float] = {}
        self.hung: set[tuple[str, str]] = set()

    def entries(self) -> Iterator[Entry]:
        try:
            for blank in self.plan.blanks(self.case, self.name):
                self.runner.begin(blank)
                yield self.runner.kept(blank) or self._entry(blank)
        finally:
            self._close()

    def _entry(self, blank: Entry) -> Entry:
        told = self.runner.record.implementations.get(self.name)
        if told is not None and told["status"] != "ok":
            return attrs.evolve(blank, status=told["status"], reason=told["reason"])
        reason = self._why_not(blank)
        if reason:
            return attrs.evolve(blank, reason=reason)
        proof = blank.purpose == "proof"
        job = {
            "do": "measure",
            "case": self.case.name,
            "parameters": parameters(self.case, blank.cls, blank.source, blank.sizes),
            "repetitions": 2 if proof else self.plan.repetitions,
            "limit": self.plan.limit,
            "settle": 0 if proof else self.plan.settle,
            "counts": not proof,
        }
        try:
            answer = self._running().ask(job, self.plan.limit * 2 + PREPARING)
        except WorkerGoneError as problem:
            self._close()
            if problem.status == "timeout":
                self.hung.add((blank.cls, blank.source))
            return attrs.evolve(blank, status=problem.status, reason=str(problem))
        if "error" in answer:
            self._close()  # memory that an error holds must not be missing in the next entry
            return attrs.evolve(blank, status="error", reason=answer["error"])
        return self._measured(blank, answer)

    def _running(self) -> Asked:
        """The worker; the first of an implementation is asked what it is.

        Raises:
            WorkerGoneError: it cannot be started; then it is not tried again.
        """
        if self.worker is not None:
            return self.worker
        implementations = self.runner.record.implementations
        try:
            worker = self.runner.start(self.name, self.plan.options, self.plan.threads)
            self.worker = worker
            if self.name not in implementations:
                told = worker.ask({"do": "describe"}, PREPARING)
                if "error" in told:
                    raise WorkerGoneError("error", told["error"])
                implementations[self.name] = {"status": "ok", **told["description"]}
        except WorkerGoneError as problem:
            implementations[self.name] = {"status": problem.status, "reason": str(problem)}
            raise
        return worker

    def _measured(self, blank: Entry, answer: Mapping[str, Any]) -> Entry:
        results = [tuple(result) for result in answer["results"]]
        counts = dict(answer["counts"])
        counts["decisions"] = tuple(counts.get("decisions", ()))
        timing = Timing(tuple(answer["times"]), answer["first"])
        entry = attrs.evolve(
            blank,
            status="ok",
            reason=answer["uncounted"],
            timing=timing,
            metric=results[-1],
            counts=Counts(**counts),
        )
        if entry.purpose == "time":
            self.pace[entry.cls, entry.source] = timing.median / self.case.work(entry.sizes)
        if self.name == "numpy":
            self.runner.references.add(entry)
        return judged(entry, self.runner.references.check(entry, results))

    def _why_not(self, blank: Entry) -> str:
        """Why an entry is not even tried; empty where it is."""
        if self.runner.out_of_time:
            return "the run's time was used up"
        place = (blank.cls, blank.source)
        if place in self.hung:
            return "a smaller size took too long"
        needed = ARRAYS_HELD * self.case.elements(blank.sizes) * ITEM_BYTES[blank.cls]
        room = self.plan.memory or machine.memory()
        if room and needed > 0.8 * room:
            return f"needs about {needed / 2**30:.0f} GiB of memory"
        pace = self.pace.get(place, 0.0)
        # at least the first run and one that counts
        expected = 2 * pace * self.case.work(blank.sizes)
        if expected > 2 * self.plan.limit:
            return f"would take about {expected / 2:.0f} s a run"
        return ""

    def _close(self) -> None:
        if self.worker is not None:
            self.worker.close()
            self.worker = None


def judged(entry: Entry, parity: Parity) -> Entry:
    """The entry with its parity, which decides its status."""
    if parity.ok is False:
        error = math.inf if parity.error is None else parity.error
        kind = "" if same_input(entry) else " (each draws its own numbers)"
        reason = f"differs by {error:.2g} from {parity.against}{kind}"
        return attrs.evolve(entry, parity=parity, status="parity", reason=reason)
    return attrs.evolve(entry, parity=parity)


def new_record(plan: Plan, command: str) -> Record:
    """An empty record of this machine."""
    return Record(
        date=time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        command=command,
        profile=plan.profile,
        machine=machine.describe(),
        versions=machine.versions(),
        settings={**plan.options.settings, "device": plan.options.device},
    )
