"""``python -m benchmarks.capture``: microseconds for each operation that becomes a node.

Every case is a function of many times the same statement, compiled and called with arrays that are
pending, on the provider or on the host. Nothing is computed meanwhile but what a case asks for
itself; the rows that did are marked, and those that host rules did. Times are the least of several
calls, and the number of Python calls that a statement takes does not depend on the machine.

Some statements are several operations (``corrcoef``, ``sum(x .* y)``): what is held against the
bound is a statement's time for each node that it appends to the graph. Nodes that only hold an
array of the host do not count, nor does what host rules take for operands (``x(1:256)`` of an array
on the host), which is told beside it.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.capture.cases import OPERANDS, PENDING, SCALARS, VARIABLES, statements
from runmat_core import MatlabError
from runmat_core.accel.graph.node import SOURCE, Node
from runmat_core.session import Session
from runmat_core.session import config as configuration
from runmat_core.values.deferred import Deferred

#: How often a function has its statement.
TIMES = 24
#: Microseconds that capturing an operation may take.
LIMIT = 5.0
#: Seconds that calls of a case are repeated for.
SECONDS = 0.005
#: How often rows above the bound are measured again.
AGAIN = 2
STATES = ("pending", "resident", "host")


class Bench:
    """A session with compiled cases.

    Args:
        provider: a name as in the configuration.
    """

    def __init__(self, provider: str) -> None:
        side = "device" if provider == "null" else "host"
        settings = configuration.load().replace(
            accel__provider=provider,
            accel__offload__force=side,
            accel__offload__calibrate="never",
            accel__loops=False,
            accel__threshold=1 << 15,
        )
        self._folder = tempfile.TemporaryDirectory()
        self.session = Session(config=settings, path=[self._folder.name])
        self.session.run("".join(f"{name} = {value}; " for name, value in SCALARS.items()))
        self._made = 0

    def variables(self, state: str) -> list[Any]:
        """The arguments of cases."""
        run = self.session.run
        run("".join(f"{name} = {value} + 0; " for name, value in VARIABLES.items() if name != "m"))
        run(f"m = {VARIABLES['m']};")
        if state != "host":
            # what is computed of arrays on the host stays with the provider
            run("".join(f"{name} = {value}; " for name, value in PENDING.items()))
        if state == "resident":
            run("t = tic; elapsed = toc(t);")
        if state == "host":
            for name in VARIABLES:
                run(f"{name}(1);")
                self.session.interp.variables[name].data  # noqa: B018 - brings it to the host
        return [self.session.interp.variables[name] for name in (*VARIABLES, *SCALARS)]

    def compiled(self, statement: str) -> Any:
        """The function with `statement`."""
        self._made += 1
        name = f"case{self._made}"
        parameters = ", ".join((*VARIABLES, *SCALARS))
        body = f"  {statement}\n" * TIMES
        path = Path(self._folder.name, f"{name}.m")
        path.write_text(f"function z = {name}({parameters})\n{body}end\n")
        self.session.run("rehash;")
        function = self.session.interp.function(name)
        assert function is not None
        # a run of statements that is remembered as a whole captures none of them by itself
        own = function.__globals__
        own.update({name: False for name in own if name.startswith("_passage")})
        return function

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """Have the session's code run directly."""
        from runmat_core.accel.context import running

        with running(self.session.interp.seat):
            yield

    def row(self, call: str, statement: str, state: str, repetitions: int) -> dict[str, Any]:
        """What a case costs, and what of that its operands cost that host rules make."""
        made = self._alone(call, statement, state, repetitions)
        parts = [
            self._alone(one, f"z = {one};", state, repetitions) for one in OPERANDS.get(call, [])
        ]
        by_host = sum(part["us"] for part in parts if part["by_rules"])
        return made if "error" in made else {**made, "host": by_host}

    def _alone(self, call: str, statement: str, state: str, repetitions: int) -> dict[str, Any]:
        try:
            function = self.compiled(statement)
            arguments = self.variables(state)
            before = self._runs()
            with self.running():
                function(1, *arguments)
                result = function(1, *arguments)
                times = _times(function, arguments, repetitions)
                calls, nodes = _counted(function, arguments)
        except MatlabError as problem:
            return {"case": call, "state": state, "error": problem.message}
        waits = all(a.__class__ is Deferred and a.promise.node.data is None for a in arguments[:8])
        return {
            "case": call,
            "state": state,
            "us": min(times) / TIMES * 1e6,
            "calls": calls,
            "nodes": nodes,
            "runs": self._runs() > before or (state == "pending" and not waits),
            "by_rules": not (result.__class__ is Deferred and result.promise.node.data is None),
        }

    def _runs(self) -> int:
        seat = self.session.interp.seat
        return int(seat.engine.counters.runs) if seat is not None and seat.made else 0

    def close(self) -> None:
        self.session.close()
        self._folder.cleanup()


def _times(function: Any, arguments: list[Any], repetitions: int) -> list[float]:
    """Seconds of calls: at least so many, and of quick ones as many as `SECONDS` take, for a
    neighbour on the machine is seen in a few of them."""
    times: list[float] = []
    while len(times) < repetitions or sum(times) < SECONDS:
        started = perf_counter()
        function(0, *arguments)
        times.append(perf_counter() - started)
    return times


def _counted(function: Any, arguments: list[Any]) -> tuple[float, float]:
    """Python and C functions that a statement calls, and nodes that it appends to the graph."""
    calls = nodes = 0
    made = Node.__init__.__code__

    def profile(frame: Any, event: str, argument: Any) -> None:
        nonlocal calls, nodes
        calls += event in ("call", "c_call")
        if event == "call" and frame.f_code is made:
            nodes += frame.f_locals["op"] is not SOURCE

    sys.setprofile(profile)
    try:
        function(0, *arguments)
    finally:
        sys.setprofile(None)
    return round(calls / TIMES, 1), round(nodes / TIMES, 1)


def measure(provider: str, states: list[str], only: list[str], repetitions: int) -> list[Any]:
    """A row for each case.

    Those above the bound are measured again: what else the machine does only adds.
    """
    bench = Bench(provider)
    rows = []
    try:
        for call, statement in statements().items():
            if only and not any(word in call for word in only):
                continue
            for state in states:
                gc.collect()
                row = bench.row(call, statement, state, repetitions)
                for _ in range(AGAIN if _is_above(row) else 0):
                    row = min(row, bench.row(call, statement, state, repetitions), key=_of_a_node)
                rows.append(row)
    finally:
        bench.close()
    return rows


def _is_above(row: dict[str, Any]) -> bool:
    """Whether a row is a capture that costs more than it may."""
    return not row.get("by_rules", True) and _of_a_node(row) > LIMIT


def show(rows: list[dict[str, Any]]) -> None:
    """The rows, the dearest nodes first."""
    head = f"{'us':>9}{'of host':>9}{'nodes':>7}{'us a node':>11}{'calls':>9}"
    print(f"{'statement':32}{'operands':10}{head}")
    for row in sorted(rows, key=lambda row: -_of_a_node(row)):
        if "error" in row:
            print(f"{row['case']:32}{row['state']:10}{row['error']}")
            continue
        each = _of_a_node(row)
        mark = "  above" if _is_above(row) else ""
        mark = "  by host rules" if row["by_rules"] else "  runs" if row["runs"] else mark
        print(
            f"{row['case']:32}{row['state']:10}{row['us']:9.2f}{row['host']:9.2f}"
            f"{row['nodes']:7.1f}{each:11.2f}{row['calls']:9.1f}{mark}"
        )


def _of_a_node(row: dict[str, Any]) -> float:
    """Microseconds for each node, without operands; for the statement where it appends none."""
    return float((row.get("us", 0.0) - row.get("host", 0.0)) / max(row.get("nodes", 1.0), 1.0))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.capture", description=__doc__)
    parser.add_argument("--provider", default="inprocess", help="a name as in the configuration")
    parser.add_argument("--state", action="append", choices=STATES, help="default: all of them")
    parser.add_argument("--repetitions", type=int, default=15)
    parser.add_argument("--save", type=Path, help="write the measurements as JSON")
    parser.add_argument("words", nargs="*", help="parts of the cases to take (default: all)")
    options = parser.parse_args()
    states = options.state or list(STATES)
    rows = measure(options.provider, states, options.words, options.repetitions)
    show(rows)
    if options.save:
        options.save.write_text(json.dumps(rows, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
