"""``runmat docs build``: the pages of a checkout."""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from runmat_docs import site, support

#: Marks a folder that a build may replace.
MARK = "names.js"


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    root, output = Path(options.root).resolve(), Path(options.output)
    if not (root / "docs").is_dir() or not (root / "README.md").is_file():
        print(f"runmat docs: {root} is no checkout of runmat", file=sys.stderr)
        return 2
    if output.exists() and any(output.iterdir()) and not (output / MARK).is_file():
        print(f"runmat docs: {output} holds something else", file=sys.stderr)
        return 2
    started = time.perf_counter()
    wanted = options.provider or []
    on = [] if wanted == ["none"] else support.devices(wanted)
    made = site.build(root, on, run_examples=options.strict)
    if output.exists():
        shutil.rmtree(output)
    problems = made.write(output)
    for problem in problems:
        print(f"runmat docs: {problem}", file=sys.stderr)
    print(f"{len(made.pages)} pages in {output}, {time.perf_counter() - started:.0f} s")
    return 1 if problems and options.strict else 0


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="runmat docs", description="The documentation as pages.")
    commands = made.add_subparsers(dest="command", metavar="COMMAND", required=True)
    build = commands.add_parser("build", help="make the pages")
    build.add_argument(
        "--root", default=".", metavar="DIR", help="the checkout (default: this folder)"
    )
    build.add_argument(
        "--output", default="build/docs", metavar="DIR", help="where to (default: build/docs)"
    )
    build.add_argument(
        "--strict",
        action="store_true",
        help="run the examples; fail where one prints something else, a link leads nowhere, or "
        "a help text lacks its first line",
    )
    build.add_argument(
        "--provider",
        action="append",
        metavar="NAME",
        help="measure support on this provider; again for more; none for none (default: those "
        "that a session here chooses)",
    )
    return made


if __name__ == "__main__":
    sys.exit(main())
