"""How good singular values and eigenvalues of the adapter at hand are, beside LAPACK's.

    python -m benchmarks.wgpu.spectra [--save FILE] [--sizes 8 60 100 200 256 512] [--seconds 110]

Residuals are ``norm(A - U*S*V')`` and ``norm(A*V - V*D)`` over ``norm(A)``, and ``norm(Q'*Q - I)``
tells how orthogonal vectors are, all in units of the precision. LAPACK is NumPy's, in the same
precision. Rows that host rules computed, because the device declined, are marked.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from runmat_wgpu import WgpuProvider

from benchmarks.wgpu.records import save
from runmat_core.api.device import StartRequest
from runmat_core.session import Session
from runmat_core.session import config as configuration

Matrix = NDArray[Any]
KINDS = ("uniform", "graded", "deficient", "repeated")
CLASSES = {"single": np.float32, "double": np.float64}


def matrix(kind: str, n: int, rng: np.random.Generator) -> Matrix:
    """A square matrix in double precision."""
    a: Matrix = rng.random((n, n)) - 0.5
    if kind == "graded":
        return a * np.logspace(0, -5, n)
    if kind == "deficient":
        rank = max(1, n // 3)
        return a[:, :rank] @ a[:rank]
    if kind == "repeated":
        q, _ = np.linalg.qr(a)
        a = q * np.where(np.arange(n) % 2, 1.0, 2.0) @ q.T
    return a


def apart(q: Matrix) -> float:
    """How far columns are from orthonormal."""
    q = q.astype(np.float64)
    return float(np.linalg.norm(q.T @ q - np.eye(q.shape[1]), 2))


def residual(a: Matrix, left: Matrix, right: Matrix) -> float:
    """The difference of two products over the norm of `a`."""
    return float(np.linalg.norm(left - right, 2) / np.linalg.norm(a.astype(np.float64), 2))


class Bench:
    """A session whose work runs on the device wherever that takes it."""

    def __init__(self) -> None:
        settings = configuration.load().replace(
            accel__provider="wgpu",
            accel__offload__force="device",
            accel__offload__calibrate="never",
            accel__threshold=1,
        )
        self.session = Session(config=settings)
        self.record = self.session.telemetry

    def run(self, code: str, given: Matrix, names: str) -> tuple[list[Matrix], float, bool]:
        """Variables after the second run, its seconds, and whether host rules took part."""
        self.session["A"] = given
        self.session.run(code)
        before = self._by_rules()
        started = time.perf_counter()
        self.session.run(code)
        spent = time.perf_counter() - started
        found = [np.asarray(self.session[name], np.float64) for name in names]
        return found, spent, self._by_rules() > before

    def _by_rules(self) -> int:
        assert self.record is not None
        return int(self.record.as_dict()["totals"]["by_rules"])

    def svd(self, a: Matrix) -> dict[str, Any]:
        (u, s, v), spent, rules = self.run("[U,S,V] = svd(A); gather(V);", a, "USV")
        p, d, q = (x.astype(np.float64) for x in np.linalg.svd(a))
        mine = {"residual": residual(a, a, u @ s @ v.T), "left": apart(u), "right": apart(v)}
        other = {"residual": residual(a, a, p * d @ q), "left": apart(p), "right": apart(q.T)}
        return told(mine, other, a, spent, rules)

    def eig(self, a: Matrix) -> dict[str, Any]:
        a = (a + a.T) / 2
        (v, d), spent, rules = self.run("[V,D] = eig(A); gather(V);", a, "VD")
        e, q = (x.astype(np.float64) for x in np.linalg.eigh(a))
        mine = {"residual": residual(a, a @ v, v @ d), "vectors": apart(v)}
        other = {"residual": residual(a, a @ q, q * e), "vectors": apart(q)}
        return told(mine, other, a, spent, rules)


def told(
    mine: dict[str, float], other: dict[str, float], a: Matrix, spent: float, rules: bool
) -> dict[str, Any]:
    """A record: both in units of the precision."""
    unit = float(np.finfo(a.dtype).eps)
    record: dict[str, Any] = {name: round(value / unit, 3) for name, value in mine.items()}
    record |= {f"lapack {name}": round(value / unit, 3) for name, value in other.items()}
    return {**record, "ms": round(spent * 1e3, 2), "host rules": rules}


def measured(bench: Bench, sizes: list[int], end: float) -> Iterator[dict[str, Any]]:
    rng = np.random.default_rng(3)
    for cls, dtype in CLASSES.items():
        for n in sizes:
            for kind in KINDS:
                a = matrix(kind, n, rng).astype(dtype)
                for name, call in (("svd", bench.svd), ("eig", bench.eig)):
                    if time.perf_counter() < end:
                        yield {"call": name, "class": cls, "n": n, "matrix": kind, **call(a)}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--save", help="write all records to this file, as JSON")
    parser.add_argument("--sizes", type=int, nargs="+", default=[8, 60, 100, 200, 256, 512])
    parser.add_argument("--seconds", type=float, default=110.0)
    chosen = parser.parse_args()
    bench = Bench()
    records = []
    for record in measured(bench, chosen.sizes, time.perf_counter() + chosen.seconds):
        records.append(record)
        head = "{call} {class} {n:4} {matrix:10}".format(**record)
        print(head, *(f"{k} {v}" for k, v in list(record.items())[4:]), flush=True)
    if chosen.save:
        found = WgpuProvider().capabilities(StartRequest(name="wgpu"))
        assert found is not None, "no adapter"
        save(chosen.save, found, records=records)


if __name__ == "__main__":
    main()
