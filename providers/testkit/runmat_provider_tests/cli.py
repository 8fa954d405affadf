"""``runmat-provider-tests NAME``: the conformance tests against an installed provider.

pytest runs in a process of its own: a package that is already imported loses the rewriting of its
assertions, and with it the explanation of failures.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path


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
    options, rest = parser.parse_known_args()
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    command += ["--import-mode=importlib", str(Path(__file__).parent / "conformance")]
    command += [f"--runmat-provider={options.name}"]
    command += [f"--runmat-option={option}" for option in options.option]
    if options.xfails:
        command += [f"--runmat-xfails={options.xfails}"]
    return subprocess.run([*command, *rest]).returncode


if __name__ == "__main__":
    raise SystemExit(main())
