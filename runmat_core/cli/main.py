"""Entry point of the `runmat` command: arguments to a subcommand, faults to exit codes.

Exit codes: 0 success, 1 a MATLAB error or a problem found by `check`, 2 wrong usage, 130 Ctrl-C,
141 the reader of standard output went away; ``exit(n)`` in a program gives n.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress

from runmat_core import __version__

EXIT_INTERRUPTED = 130
EXIT_PIPE_CLOSED = 141

COMMANDS = tuple("run repl check explain info calibrate config builtins bench docs".split())

EPILOG = """\
examples:
  runmat program.m                 run a script, or call the function of a function file
  runmat -e "disp(magic(4))"       run code from the command line
  echo "x = 1:3" | runmat          run code from standard input
  runmat check src/*.m             report syntax problems, one line each
  runmat explain program.m         tell what was fused, where it ran, and why
  runmat builtins --family linalg  list builtins, with what accelerates them
  runmat info                      tell which devices there are, and which are used
  runmat                           start the interactive prompt

Without a command, FILE means "run FILE". `runmat COMMAND --help` tells more about a command.
"""


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="runmat",
        description="Run MATLAB-syntax programs.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"runmat {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")

    run = commands.add_parser("run", help="run a program (the default)")
    source = run.add_mutually_exclusive_group()
    source.add_argument("-e", "--eval", metavar="CODE", help="run CODE instead of a file")
    source.add_argument(
        "file", nargs="?", metavar="FILE", help="an .m file, or - for standard input"
    )
    run.add_argument(
        "args",
        nargs="*",
        metavar="ARG",
        help="char arguments of a function file; argv in a script, options after FILE included",
    )
    run.add_argument(
        "--telemetry", metavar="JSON", help="write what acceleration did (docs/telemetry.md)"
    )
    run.add_argument("--trace", metavar="JSON", help="write a time line for chrome://tracing")
    add_dialect(run)

    explain = commands.add_parser(
        "explain", help="run a program and tell what was fused, where it ran, and why"
    )
    explain.add_argument("file", metavar="FILE", help="an .m file")
    explain.add_argument("args", nargs="*", default=[], metavar="ARG", help="as for run")
    form = explain.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="the whole record (docs/telemetry.md)")
    form.add_argument("--mermaid", action="store_true", help="the kernels as a Mermaid flowchart")
    form.add_argument("--kernels", action="store_true", help="the code of each kernel")
    explain.add_argument("--output", action="store_true", help="print what the program prints, too")
    add_dialect(explain)

    repl = commands.add_parser("repl", help="start the interactive prompt")
    add_dialect(repl)

    check = commands.add_parser("check", help="report syntax problems in .m files")
    check.add_argument("files", nargs="+", metavar="FILE", help="an .m file or a folder of them")
    add_dialect(check)

    listing = commands.add_parser(
        "builtins",
        help="list the builtins",
        description="List every builtin of the core and of installed packages: its family, how it "
        "is accelerated, the first line of its help. docs/builtins.md tells what the words mean.",
    )
    listing.add_argument("names", nargs="*", metavar="NAME", help="only these")
    listing.add_argument(
        "--family", metavar="F", help="only those of a family, such as math or math/rounding"
    )
    listing.add_argument("--json", action="store_true", help="as data (docs/builtins.md)")

    add_machine(commands)
    commands.add_parser("bench", help="measure beside NumPy, PyTorch, JAX and Octave")
    commands.add_parser("docs", help="make the pages of the documentation")
    return parser


def add_machine(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The commands about the machine and its configuration."""
    info = commands.add_parser(
        "info",
        help="tell about the machine, its devices and the configuration",
        description="Tell about Python, NumPy and the processor; which acceleration providers are "
        "installed, what they can do or why they cannot be used, and which are chosen; where the "
        "configuration and the caches are.",
    )
    info.add_argument("--json", action="store_true", help="as data")

    calibrate = commands.add_parser(
        "calibrate",
        help="measure what work costs on each device",
        description="Measure launches, transfers and each family of work on devices and by host "
        "rules (NumPy), about two seconds each, and keep the results: they decide where programs "
        "run. Better on an idle machine.",
    )
    calibrate.add_argument(
        "providers", nargs="*", metavar="NAME", help="a provider, or rules (default: all)"
    )
    calibrate.add_argument(
        "--show", action="store_true", help="show what is known without measuring"
    )
    calibrate.add_argument(
        "--tune",
        nargs="?",
        type=float,
        const=60.0,
        metavar="SECONDS",
        help="first let each provider find its fastest kernels, for a minute or so long",
    )
    calibrate.add_argument("--json", action="store_true", help="as data")

    config = commands.add_parser(
        "config",
        help="show, check or start a configuration",
        description="Settings come from the nearest runmat.toml here or above, from the user's "
        "own file, and from variables RUNMAT_..., which win.",
    )
    config.add_argument(
        "action",
        nargs="?",
        default="show",
        choices=("show", "validate", "paths", "generate"),
        help="show (the default): every key, its value, its origin; validate: everything that is "
        "wrong, with file and line; paths: the files looked at and the folders of caches; "
        "generate: a runmat.toml with every key commented out",
    )


def add_dialect(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--dialect",
        choices=("matlab", "octave"),
        help="language accepted (default: the configuration's, which starts as matlab)",
    )


def normalise(argv: Sequence[str]) -> list[str]:
    """Put the default command in front: ``FILE …`` and ``-e CODE`` mean ``run …``."""
    words = list(argv)
    if not words:
        return ["repl"] if sys.stdin is not None and sys.stdin.isatty() else ["run", "-"]
    if words[0] in COMMANDS or words[0] in ("-h", "--help", "--version"):
        return words
    return ["run", *words]


def main(argv: Sequence[str] | None = None) -> int:
    words = normalise(sys.argv[1:] if argv is None else argv)
    replace_closed_streams()
    try:
        code = _done(words)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        return pipe_closed()
    except OSError as problem:
        if problem.filename is not None:
            raise
        return not_written(problem)  # the disk is full, say
    except KeyboardInterrupt:
        return interrupted()


def _done(words: list[str]) -> int:
    """Run a command; its exit status."""
    if words[0] in ("bench", "docs"):
        # packages of their own, with arguments of their own
        from runmat_core.cli.packages import hand_over

        return hand_over(words[0], words[1:])
    if words[0] == "run" and "--" not in words:
        words = protect_arguments(words)
    options = build_parser().parse_args(words)
    return command(options.command)(options)


def protect_arguments(words: list[str]) -> list[str]:
    """Keep options that follow FILE for the program: ``runmat f.m -v`` passes ``-v`` on."""
    skip = False
    for k, word in enumerate(words[1:], 1):
        if skip:
            skip = False
        elif word in ("-e", "--eval"):
            return words
        elif word in ("--dialect", "--telemetry", "--trace"):
            skip = True
        elif not word.startswith("-") or word == "-":
            return [*words[:k], "--", *words[k:]]
    return words


def command(name: str) -> Callable[[argparse.Namespace], int]:
    """The function behind a subcommand; imported here so that each pays only for itself."""
    if name == "run":
        from runmat_core.cli.run import run

        return run
    if name == "repl":
        from runmat_core.cli.repl import repl

        return repl
    if name == "explain":
        from runmat_core.cli.explain import explain

        return explain
    if name == "check":
        from runmat_core.cli.check import check

        return check
    if name == "builtins":
        from runmat_core.cli.builtins import builtins

        return builtins
    if name == "info":
        from runmat_core.cli.info import info

        return info
    if name == "calibrate":
        from runmat_core.cli.calibrate import calibrate

        return calibrate
    from runmat_core.cli.config import config

    return config


def interrupted() -> int:
    """Say that Ctrl-C ended the program; the exit status."""
    with suppress(OSError):
        sys.stderr.write("\nOperation terminated by user.\n")
    return EXIT_INTERRUPTED


def replace_closed_streams() -> None:
    """Give a process whose standard streams were closed empty ones (``runmat f.m >&-``)."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            stream = open(os.devnull, "w" if number else "r", encoding="utf-8")  # noqa: SIM115
            setattr(sys, name, stream)


def not_written(problem: OSError) -> int:
    """Say that the output could not be written, and drop what of it is left."""
    with suppress(OSError):
        sys.stderr.write(f"runmat: the output cannot be written: {problem.strerror or problem}.\n")
        sys.stderr.flush()
    discard_output()
    return 1


def pipe_closed() -> int:
    """Nobody reads any more (``| head``): leave quietly, and keep the interpreter's own flush at
    exit from complaining."""
    discard_output()
    return EXIT_PIPE_CLOSED


def discard_output() -> None:
    """Send what the output stream still holds nowhere."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
