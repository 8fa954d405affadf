"""``python -m benchmarks.capture.plans``: microseconds from a known structure to its plan, and of
planning a new one.

A chain of elementwise operations that ends in a sum is captured again and again. With its plan
known, walking over the nodes, finding the plan and binding it to them is told; with a structure
that was never seen, planning it, without what the provider takes to compile.
"""

from __future__ import annotations

import argparse
import sys
from itertools import product
from time import perf_counter, thread_time
from typing import Any

from benchmarks.capture.programs import Clock
from runmat_core.accel.planning import collect
from runmat_core.accel.planning.planner import plan
from runmat_core.session import Session
from runmat_core.session import config as configuration

#: Microseconds that a plan that is known, and one that is not, may take for `NODES` nodes.
HIT, MISS = 20.0, 2000.0
NODES = 20
#: Operations of which structures are made.
TURNS = ("x = sin(x);", "x = x + y;", "x = exp(-x);", "x = x .* y;", "x = abs(x);")


def programs(count: int) -> list[str]:
    """Programs of `NODES` operations each, no two of the same structure."""
    found = []
    for turns in product(TURNS, repeat=4):
        code, nodes = "", 1
        while nodes < NODES:
            for turn in turns:
                step = 2 if "-x" in turn else 1
                if nodes + step <= NODES:
                    code, nodes = code + turn, nodes + step
                elif nodes < NODES:
                    code, nodes = code + "x = tanh(x);", nodes + 1
        found.append(f"{code} r = sum(x);")
        if len(found) == count:
            break
    return found


def measure(provider: str, count: int) -> tuple[float, float, float]:
    """Least microseconds of a known plan, and least and middle ones of new plans."""
    settings = configuration.load().replace(
        accel__provider=provider,
        accel__offload__force="device" if provider == "null" else "host",
        accel__offload__calibrate="never",
        accel__threshold=1000,
    )
    clock = Clock(thread_time)
    misses = []
    with Session(config=settings) as session:
        session.run("x = rand(2000, 1); y = rand(2000, 1); s = sum(x) + sum(y); s + 1;")
        session.run("t = tic; seconds = toc(t);")  # providers are there from here on
        seat: Any = session.interp.seat
        engine = seat.engine
        for store in engine.stores.values():
            clock.watch(store.provider)
        session.run("first = x; second = y;")
        nodes: tuple[Any, ...] = ()
        for code in programs(count):
            session.run(f"x = first; y = second; {code}")
            nodes = (session.interp.variables["r"].promise.node,)
            walked = collect.walk(nodes)
            subgraph, _ = collect.subgraph(walked)
            clock.seconds = 0.0
            started = thread_time()
            plan(subgraph, engine.passes, engine.places.device, engine.places.host, None)
            misses.append(thread_time() - started - clock.seconds)
        engine.run(nodes)
        session.run(f"x = first; y = second; {code}")
        nodes = (session.interp.variables["r"].promise.node,)
        hit = float("inf")
        for _ in range(2000):
            started = perf_counter()
            walked = collect.walk(nodes)
            known = engine._plans.get(walked)
            known.template.bind(walked)
            hit = min(hit, perf_counter() - started)
    misses.sort()
    return hit * 1e6, misses[0] * 1e6, misses[len(misses) // 2] * 1e6


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.capture.plans", description=__doc__)
    parser.add_argument("--provider", default="inprocess", help="a name as in the configuration")
    parser.add_argument("--count", type=int, default=60, help="how many new structures")
    options = parser.parse_args()
    hit, least, middle = measure(options.provider, options.count)
    print(f"known, {NODES} nodes{hit:12.1f} us   limit {HIT:.0f}")
    print(f"new, {NODES} nodes  {least:12.1f} us   limit {MISS:.0f}   middle {middle:.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
