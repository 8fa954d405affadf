"""One number limits the threads of a process: those of our pool, and those of every BLAS."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from runmat_inprocess.pool import Pool

import runmat_core as rm
from runmat_core.api import threads
from runmat_core.values import spectral


class Library:
    """A BLAS of 8 threads that notes what it is asked for."""

    name = "noted"
    most = 8

    def __init__(self) -> None:
        self.count = self.most
        self.asked: list[int] = []

    def read(self) -> int:
        return self.count

    def write(self, count: int) -> None:
        self.count = count
        self.asked.append(count)


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Library:
    noted = Library()
    monkeypatch.setattr(threads._owner, "libraries", [noted])
    monkeypatch.setattr(threads._owner, "unseen", [])
    monkeypatch.setattr(threads, "available", lambda: 4)
    # whatever limit programs of other tests have set
    monkeypatch.setattr(threads._owner, "limit", None)
    threads.settle()
    return noted


def test_a_blas_that_is_loaded_is_found_and_held() -> None:
    rm.Session().eval("eig(magic(4))")
    found = threads.blas_threads()
    if "openblas" in str(np.show_config(mode="dicts")).lower():
        assert found
    assert all(1 <= count <= threads.available() for count in found.values())
    with threads.blas_limited(1):
        assert set(threads.blas_threads().values()) <= {1}
    assert threads.blas_threads() == found


def test_limits_nest(library: Library) -> None:
    assert library.count == 4
    with threads.blas_limited(2):
        with threads.blas_limited(3):
            assert library.count == 2
        with threads.blas_limited(1):
            assert library.count == 1
        assert library.count == 2
    assert library.count == 4


def test_a_library_is_never_given_more_than_it_had(library: Library) -> None:
    library.most = 3
    threads.settle()
    assert library.count == 3


@pytest.mark.parametrize("order", [10, 200, 1024, 3000])
def test_short_steps_take_one_thread(order: int, library: Library) -> None:
    seen = spectral._measured(lambda a: library.count)(np.broadcast_to(0.0, (order, order)))
    assert seen == (1 if 100 < order < 2000 else 4)
    assert library.count == 4


CALLS = [
    "eig(S)", "eig(A)", "eig(A, S)", "svd(A)", "schur(A)", "hess(A)", "qz(A, S)", "cond(A)",
    "norm(A)", "rank(A)", "pinv(A)", "null(A)", "orth(A)", "roots(A(:, 1))",
]  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
def test_builtins_made_of_short_steps(call: str, library: Library) -> None:
    s = rm.Session(provider="none")
    s.run("n = 60; A = reshape(sin(1:n*n), n, n) + eye(n); S = A + A';")
    library.asked.clear()
    s.run(f"x = {call};")
    assert 1 in library.asked
    assert library.count == 4


def test_programs_set_the_limit(library: Library) -> None:
    s = rm.Session(provider="none")
    assert s.eval("maxNumCompThreads") == 4
    assert s.eval("maxNumCompThreads(2)") == 4
    assert library.count == 2
    assert s.eval("maxNumCompThreads('automatic')") == 2
    assert library.count == 4
    for wrong in ("0", "1.5", "NaN"):
        with pytest.raises(rm.MatlabError):
            s.run(f"maxNumCompThreads({wrong});")


def test_the_pool_keeps_to_the_limit(library: Library) -> None:
    pool = Pool(4, 1024)
    seen: set[int] = set()

    def task(worker: Any, number: int) -> None:
        seen.add(threading.get_ident())

    threads.limit_to(1)
    pool.run(64, task)
    pool.close()
    assert seen == {threading.get_ident()}


def test_a_quota_limits_what_is_available(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    quota = tmp_path / "cpu.max"
    monkeypatch.setattr(threads, "_QUOTA", str(quota))
    for text, cores in (("max 100000", None), ("150000 100000\n", 2), ("20000 100000", 1)):
        quota.write_text(text)
        assert threads._quota() == cores


def test_a_program_has_one_thread_but_for_much_work(library: Library) -> None:
    with threads.program():
        assert library.count == 1
        with threads.by_work(threads.MUCH - 1):
            assert library.count == 1
        with threads.by_work(threads.MUCH), threads.program():
            assert library.count == 4
            with threads.by_steps(1000):
                assert library.count == 1
        with threads.by_steps(2000):
            assert library.count == 4
        assert library.count == 1
    assert library.count == 4


def test_products_and_factorizations_ask_for_threads_by_their_work(library: Library) -> None:
    session = rm.Session(provider="none")
    session.run("A = rand(200) + 200*eye(200); b = A(:, 1); B = rand(650) + 650*eye(650);")
    for small in (
        "A*A;",
        "A\\b;",
        "inv(A);",
        "chol(A + A');",
        "[L, U] = lu(A);",
        "[Q, R] = qr(A);",
    ):
        library.asked.clear()
        session.run(small)
        assert set(library.asked[:-1]) == {1}, small
        library.asked.clear()
        session.run(small.replace("A", "B").replace("b", "B(:, 1)"))
        assert 4 in library.asked[:-1], small
