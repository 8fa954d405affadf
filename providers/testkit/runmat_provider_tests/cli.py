"""``runmat-provider-tests NAME``: the conformance tests against an installed provider.

pytest runs in a process of its own: a package that is already imported loses the rewriting of its
assertions, and with it the explanation of failures.
"""

from __future__ import annotations

import argparse
import difflib
import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

from runmat_core.api.hookspecs import ENTRY_POINT_GROUP


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="runmat-provider-tests",
        description="Hold an acceleration provider to what it declares.",
        epilog="Further arguments go to pytest: runmat-provider-tests NAME -x -k reduce",
    )
    parser.add_argument("name", metavar="NAME", help="an installed provider")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="an option of [accel.NAME], any number of times",
    )
    parser.add_argument(
        "--xfails", metavar="FILE", help="TOML: test name -> reason, for known gaps; strict"
    )
    parser.add_argument(
        "--support",
        metavar="FILE",
        help="write what is declared, passed and declined: .html, any other text, or - to print",
    )
    parser.add_argument(
        "--jobs",
        type=int,
        metavar="N",
        help="processes that share the tests; as many as processors, four at most, where no tests "
        "are chosen",
    )
    options, rest = parser.parse_known_args()
    there = sorted({point.name for point in entry_points(group=ENTRY_POINT_GROUP)})
    if options.name not in there:
        close = difflib.get_close_matches(options.name, there, 1, 0.6)
        meant = f" Did you mean {close[0]}?" if close else ""
        sys.stderr.write(
            f"runmat-provider-tests: no installed package offers the provider '{options.name}'; "
            f"installed: {', '.join(there) or 'none'}.{meant}\n"
        )
        return 2
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-rfE"]
    command += ["--import-mode=importlib", str(Path(__file__).parent / "conformance")]
    command += [f"--runmat-provider={options.name}"]
    command += [f"--runmat-option={option}" for option in options.option]
    if options.support:
        command.append(f"--runmat-support={options.support}")
    jobs = options.jobs
    if jobs is None:  # a few tests are done before more processes have started
        chosen = any(argument in ("-k", "-x", "no:xdist", "--pdb") for argument in rest)
        jobs = 1 if chosen else min(os.cpu_count() or 1, 4)
    if jobs > 1:
        # a file's kernels are compiled in one process
        command += ["-n", str(jobs), "--dist", "loadfile"]
    if options.xfails:
        command += [f"--runmat-xfails={options.xfails}"]
    return subprocess.run([*command, *rest]).returncode


if __name__ == "__main__":
    raise SystemExit(main())
