"""``runmat bench``: run, report, compare, plot and gate."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from runmat_bench import gate, records, tables, wholes
from runmat_bench.cases import CASES, CLASSES, PROFILES, SOURCES
from runmat_bench.compare import compare
from runmat_bench.implementations import NAMES_TOLD, USUAL, Options, known
from runmat_bench.records import Entry, Process, Record, RecordError
from runmat_bench.runner import Plan, Runner, new_record
from runmat_bench.timing import REPETITIONS

from runmat_core.api.progress import Progress

EPILOG = """\
examples:
  runmat bench run --profile smoke                       everything once, in seconds
  runmat bench run --profile target --save gpu.json      the sizes that speed is promised for
  runmat bench run --cases iir,nlms --implementations numpy,torch,runmat-wgpu --classes single
  runmat bench run --save gpu.json --resume --budget 500 what is missing in gpu.json, for 500 s
  runmat bench plot gpu.json --folder plots              figures and one page of HTML
  runmat bench gate benchmarks/baselines/smoke.json      exit code 1 on a regression
"""


def words(choices: Iterable[str]) -> Callable[[str], list[str]]:
    """A type for comma-separated words of `choices`."""
    allowed = list(choices)

    def split(text: str) -> list[str]:
        found = [word for word in text.split(",") if word]
        for word in found:
            if word not in allowed:
                raise argparse.ArgumentTypeError(f"no {word}; there are {', '.join(allowed)}")
        return found

    return split


def implementation_names(text: str) -> list[str]:
    found = [word for word in text.split(",") if word]
    for word in found:
        try:
            known(word)
        except KeyError as problem:
            raise argparse.ArgumentTypeError(str(problem.args[0])) from None
    return found


def setting(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError("write KEY=VALUE, as accel.max_nodes=1")
    return key, value


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="runmat bench",
        description="Measure the benchmark cases beside NumPy, PyTorch, JAX and Octave.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    add_run(actions)
    show = actions.add_parser("show", help="print the tables of a record")
    show.add_argument("record", metavar="RECORD", help="a file that run --save wrote")
    two = actions.add_parser("compare", help="two records side by side")
    two.add_argument("before", metavar="BEFORE")
    two.add_argument("after", metavar="AFTER")
    plot = actions.add_parser("plot", help="figures as PNG and one page of HTML (needs matplotlib)")
    plot.add_argument("record", metavar="RECORD")
    plot.add_argument("--folder", default="plots", help="where to put them (default: plots)")
    add_gate(actions)
    actions.add_parser("list", help="the cases, their sizes and the implementations")
    return parser


def add_run(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    run = actions.add_parser("run", help="measure")
    run.add_argument("--profile", choices=PROFILES, default="small")
    run.add_argument("--cases", type=words(CASES), default=list(CASES), metavar="CASE,…")
    run.add_argument(
        "--implementations",
        type=implementation_names,
        default=list(USUAL),
        metavar="NAME,…",
        help=f"of {', '.join(NAMES_TOLD)}; numpy runs anyway (default: {','.join(USUAL)})",
    )
    run.add_argument("--classes", type=words(CLASSES), default=list(CLASSES), metavar="CLASS,…")
    run.add_argument(
        "--sources",
        type=words(SOURCES),
        default=["rng"],
        metavar="SOURCE,…",
        help="of random numbers in timed runs: rng (each library's own, the default), lcg",
    )
    run.add_argument(
        "--device",
        choices=("auto", "cpu", "cuda"),
        default="auto",
        help="of PyTorch and JAX (default: the GPU where there is one)",
    )
    run.add_argument("--repetitions", type=int, default=REPETITIONS, help="at least (default: 7)")
    run.add_argument("--limit", type=float, default=20.0, help="seconds for the runs of an entry")
    run.add_argument("--budget", type=float, default=0.0, help="seconds; then nothing is started")
    run.add_argument("--memory", type=float, default=0.0, help="GiB to count on (default: all)")
    run.add_argument("--threads", type=int, default=0, help="of CPU libraries (default: theirs)")
    run.add_argument("--set", type=setting, action="append", default=[], metavar="KEY=VALUE",
                     help="a key of runmat's configuration")  # fmt: skip
    run.add_argument("--no-proof", action="store_true", help="leave out runs on the same input")
    run.add_argument(
        "--whole",
        type=implementation_names,
        nargs="?",
        const=[],
        metavar="NAME,…",
        help="time whole processes, too, of these implementations (default: of all)",
    )
    run.add_argument("--save", metavar="FILE", help="write the record, anew after each entry")
    run.add_argument("--resume", action="store_true", help="keep what is right in FILE already")
    run.add_argument("--quiet", action="store_true", help="no progress")


def add_gate(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    check = actions.add_parser("gate", help="compare with a baseline; exit code 1 on a regression")
    check.add_argument("baseline", metavar="BASELINE")
    check.add_argument("--record", metavar="FILE", help="instead of running the baseline's profile")
    check.add_argument("--counts", action="store_true", help="counts and results, no times")
    check.add_argument("--update", action="store_true", help="write the baseline anew")
    check.add_argument("--implementation", default="", help="whose (default: the baseline's)")
    check.add_argument("--set", type=setting, action="append", default=[], metavar="KEY=VALUE",
                       help="besides the baseline's settings")  # fmt: skip


def main(argv: Sequence[str] | None = None) -> int:
    given = sys.argv[1:] if argv is None else list(argv)
    options = build_parser().parse_args(given)
    options.command = f"runmat bench {shlex.join(given)}"
    try:
        return {
            "run": run,
            "show": show,
            "compare": compare_files,
            "plot": plot,
            "gate": check_gate,
            "list": list_cases,
        }[options.action](options)
    except RecordError as problem:
        print(f"runmat bench: {problem}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def print_lines(lines: Iterable[str]) -> None:
    for line in lines:
        print(line)


def run(options: argparse.Namespace) -> int:
    plan = Plan(
        profile=options.profile,
        cases=options.cases,
        implementations=options.implementations,
        classes=options.classes,
        sources=options.sources,
        options=Options(options.device, dict(options.set)),
        repetitions=options.repetitions,
        limit=options.limit,
        budget=options.budget,
        memory=round(options.memory * 2**30),
        threads=options.threads,
        prove=not options.no_proof,
    )
    record = new_record(plan, options.command)
    if options.resume and options.save and Path(options.save).exists():
        take_over(record, records.read(options.save))
    measure(plan, record, options.save, options.quiet)
    if options.whole is not None:
        time_wholes(plan, record, options)
    print_lines(tables.report(record, plan.repetitions))
    right = all(entry.status not in ("parity", "error", "timeout") for entry in record.entries)
    return 0 if right else 1


def take_over(record: Record, old: Record) -> None:
    """Go on with an older record of this machine.

    Raises:
        RecordError: it is of another machine or other settings.
    """
    for what, now, then in (
        ("machine", record.machine["processor"], old.machine["processor"]),
        ("GPU", record.machine["gpus"], old.machine["gpus"]),
        ("configuration", record.settings, old.settings),
    ):
        if now != then:
            raise RecordError(f"the record to resume is of another {what}: {then}, here {now}")
    record.entries = old.entries
    record.implementations = old.implementations


def measure(plan: Plan, record: Record, save: str | None, quiet: bool) -> None:
    """Run a plan; a terminal shows what is measured and what came of it."""
    count, number = plan.count(), 0
    with Progress("", count) as progress:

        def begin(entry: Entry) -> None:
            if not quiet:
                progress.step(f"{entry.implementation} {tables.what(entry)}")

        def tell(entry: Entry) -> None:
            nonlocal number
            number += 1
            if save:
                record.write(save)
            if not quiet:
                progress.note(tables.progress(entry, number, count))

        Runner(plan, record, tell, begin=begin).run()
    if save:
        record.write(save)


def time_wholes(plan: Plan, record: Record, options: argparse.Namespace) -> None:
    names = options.whole or plan.names
    with Progress("Whole processes", len(plan.cases) * len(plan.classes) * len(names)) as progress:

        def tell(process: Process) -> None:
            if options.save:
                record.write(options.save)
            if not options.quiet:
                told = tables.duration(process.median) if process.times else process.status
                what = f"{process.implementation:<16} {process.case} {process.cls}"
                progress.note(f"whole process: {what} {told}")
                progress.show(progress.done + 1, what)

        wholes.measure(plan, record, tell, names)


def show(options: argparse.Namespace) -> int:
    print_lines(tables.report(records.read(options.record), REPETITIONS))
    return 0


def compare_files(options: argparse.Namespace) -> int:
    print_lines(compare(records.read(options.before), records.read(options.after)))
    return 0


def plot(options: argparse.Namespace) -> int:
    record = records.read(options.record)
    try:
        from runmat_bench import plots
    except ImportError as problem:
        print(f"runmat bench: {problem}; pip install 'runmat-bench[plot]'", file=sys.stderr)
        return 2
    for path in plots.write(record, Path(options.folder)):
        print(path)
    return 0


def check_gate(options: argparse.Namespace) -> int:
    baseline = gate.read(options.baseline)
    name = options.implementation or baseline.implementation
    if options.record:
        record = records.read(options.record)
    else:
        record = gate_record(baseline, name, dict(options.set), options.counts)
    ratios = not options.counts
    if options.update:
        gate.baseline_from(record, name, ratios).write(options.baseline)
        print(f"wrote {options.baseline}")
        return 0
    if ratios and not gate.comparable(baseline, record):
        print("The baseline's speed-ups are not of this machine: counts and results alone.")
        ratios = False
    found = list(gate.regressions(baseline, record, ratios))
    print_lines(found)
    places = f"{len(baseline.entries)} places, {name}, profile {baseline.profile}"
    print(f"{len(found)} regressions in {places}" if found else f"no regression in {places}")
    return 1 if found else 0


def gate_record(
    baseline: gate.Baseline, name: str, changed: dict[str, str], counts: bool
) -> Record:
    """A run of the baseline's profile; for counts alone as short as it can be."""
    plan = Plan(
        profile=baseline.profile,
        cases=list(CASES),
        implementations=[name],
        classes=CLASSES,
        options=Options(settings={**baseline.settings, **changed}),
        repetitions=1 if counts else REPETITIONS,
        settle=0.0 if counts else 0.25,
    )
    record = new_record(plan, "runmat bench gate")
    measure(plan, record, None, quiet=True)
    return record


def list_cases(options: argparse.Namespace) -> int:
    for case in CASES.values():
        print(f"{case.name}: {case.title}")
        for profile, sizes in case.sizes.items():
            told = (" ".join(f"{name}={size}" for name, size in one.items()) for one in sizes)
            print(f"  {profile:<9} {'; '.join(told)}")
    print(f"implementations: {', '.join(NAMES_TOLD)}")
    return 0
