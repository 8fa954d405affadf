"""The command line of `runmat` as argparse reads it.

Plain runs (``runmat FILE ARG …``, ``runmat -e CODE``) do not come here: `main` reads those itself,
as loading argparse and building all this takes a tenth of a start.
"""

from __future__ import annotations

import argparse

from runmat_core import __version__

EPILOG = """\
examples:
  runmat program.m                 run a script, or call the function of a function file
  runmat -e "disp(magic(4))"       run code from the command line
  echo "x = 1:3" | runmat          run code from standard input
  runmat test tests                run the tests of a folder and of those below it
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
    form.add_argument("--html", metavar="PAGE", help="write a page for a browser")
    explain.add_argument("--output", action="store_true", help="print what the program prints, too")
    add_dialect(explain)

    repl = commands.add_parser("repl", help="start the interactive prompt")
    add_dialect(repl)

    add_test(commands)
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
    add_plugin(commands)
    commands.add_parser("bench", help="measure beside NumPy, PyTorch, JAX and Octave")
    commands.add_parser("docs", help="make the pages of the documentation")
    return parser


def add_test(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command that runs tests."""
    test = commands.add_parser(
        "test",
        help="run tests",
        description="Run the tests of files and of folders, those below included: classes that "
        "inherit from matlab.unittest.TestCase, files of functions and scripts whose names begin "
        "or end with 'test'. The exit status is 1 where a test fails, or where there is none.",
    )
    test.add_argument("paths", nargs="*", default=["."], metavar="PATH", help="default: .")
    test.add_argument(
        "--name", action="append", metavar="NAME", help="only tests of this name; * for any text"
    )
    test.add_argument("--tag", action="append", metavar="TAG", help="only tests with this tag")
    test.add_argument("--path", action="append", metavar="FOLDER", help="add FOLDER to the path")
    test.add_argument("--junit", metavar="XML", help="write the results in JUnit's format")
    add_dialect(test)


def add_plugin(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the commands for those who write builtins and providers."""
    new = commands.add_parser(
        "new",
        help="make a package with a provider or with builtins, and tests, to begin with",
        description="Write a package that works, with tests that pass: a provider that computes "
        "elementwise kernels, or a plugin with two builtins. Nothing of runmat is changed.",
    )
    new.add_argument("kind", choices=("provider", "plugin"))
    new.add_argument("name", metavar="NAME", help="the package is called runmat-NAME")
    new.add_argument("--folder", metavar="DIR", help="where to write (default: runmat-NAME)")
    test = commands.add_parser(
        "test-plugin",
        help="run generated tests of a package's builtins",
        description="Test the builtins of an installed package: marks, help texts, examples, and "
        "what their fusion gives against the host rule, over classes and shapes. The exit status "
        "is 1 where something is wrong.",
    )
    check = commands.add_parser(
        "check-plugin",
        help="check marks, help texts and fusions of a package's builtins",
        description="Check the builtins of an installed package as test-plugin does, without "
        "running the examples of their help texts.",
    )
    for parser in (test, check):
        parser.add_argument("package", metavar="PACKAGE", help="such as runmat-finance, or finance")
        parser.add_argument("names", nargs="*", metavar="NAME", help="only these builtins")


def add_machine(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the commands about the machine and its configuration."""
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
