"""Entry point of the `runmat` command: arguments to a subcommand, faults to exit codes.

Exit codes: 0 success, 1 a MATLAB error, a failed test or a problem found by `check`, 2 wrong usage,
130 Ctrl-C, 141 the reader of standard output went away; ``exit(n)`` in a program gives n.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from runmat_core.cli import COMMANDS, PlainRun, interrupted

if TYPE_CHECKING:
    import argparse

EXIT_PIPE_CLOSED = 141


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
    if argv is None and words[0] == "run":
        # nothing that is loaded at the start is ever garbage; `run` goes on collecting
        gc.disable()
    replace_closed_streams()
    code = _guarded(words)
    threads = sys.modules.get("runmat_core.api.threads")
    if argv is None and threads is not None and threads.left():
        # a library call that was interrupted goes on, and Python would wait for its end
        with suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)
    return code


def _guarded(words: list[str]) -> int:
    """Run a command, whatever happens to its streams; return its exit status."""
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
    options: Any = plain_run(words)
    if options is None:
        from runmat_core.cli.parser import build_parser

        options = build_parser().parse_args(words)
    return command(options.command)(options)


def plain_run(words: list[str]) -> PlainRun | None:
    """Return the options of ``run -e CODE`` and ``run [--] FILE ARG …``; None for anything else."""
    if len(words) == 3 and words[:2] == ["run", "-e"] and not words[2].startswith("-"):
        return PlainRun(eval=words[2])
    if len(words) >= 3 and words[:2] == ["run", "--"]:
        return PlainRun(file=words[2], args=tuple(words[3:]))
    return None


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
    """Return the function behind a subcommand; imported here so that each pays only for itself."""
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
    if name == "test":
        from runmat_core.cli.test import test

        return test
    if name == "builtins":
        from runmat_core.cli.builtins import builtins

        return builtins
    if name in ("test-plugin", "check-plugin"):
        from runmat_core.cli.plugin import plugin

        return plugin
    if name == "new":
        from runmat_core.cli.new import new

        return new
    if name == "info":
        from runmat_core.cli.info import info

        return info
    if name == "calibrate":
        from runmat_core.cli.calibrate import calibrate

        return calibrate
    from runmat_core.cli.config import config

    return config


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
    """Leave quietly, because nobody reads any more (``| head``).

    Keep the interpreter's own flush at exit from complaining.
    """
    discard_output()
    return EXIT_PIPE_CLOSED


def discard_output() -> None:
    """Send what the output stream still holds nowhere."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
