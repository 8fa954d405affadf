"""``runmat test-plugin`` and ``runmat check-plugin``: what is wrong with a package's builtins."""

from __future__ import annotations

import argparse
import sys
import textwrap

from runmat_core.api.errors import MatlabError
from runmat_core.api.front import clear_line
from runmat_core.api.progress import Progress
from runmat_core.cli.run import print_configuration_error


def plugin(options: argparse.Namespace) -> int:
    from runmat_core.session import plugin_checks

    examples = options.command == "test-plugin"
    try:
        cases = plugin_checks.cases(options.package)
        if not plugin_checks.can_fuse():
            sys.stderr.write(
                "runmat: no provider is installed, so nothing is fused; "
                "pip install runmat-inprocess\n"
            )
    except LookupError as problem:
        sys.stderr.write(f"runmat: {problem}\n")
        return 2
    except MatlabError as error:
        print_configuration_error(error)
        return 1
    if unknown := set(options.names) - {case.name for case in cases}:
        sys.stderr.write(f"runmat: {options.package} has no builtin {', '.join(sorted(unknown))}\n")
        return 2
    failed = 0
    chosen = [case for case in cases if not options.names or case.name in options.names]
    width = max(len(case.name) for case in chosen)
    with Progress("", len(chosen)) as progress:
        for case in chosen:
            progress.step(case.name)
            found = case.problems(examples)
            failed += bool(found)
            clear_line()
            print(f"{case.name:<{width}}  {'FAILED' if found else 'ok'}", flush=True)
            for text in found:
                print(textwrap.indent(text, "    "))
    print(f"{len(chosen)} builtins of {chosen[0].package}, {failed} failed")
    return 1 if failed else 0
