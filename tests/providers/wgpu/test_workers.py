"""Threads that compile: order, results and faults, and that none outlives what it is for."""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import monotonic, sleep

import pytest
from runmat_wgpu.device.workers import Workers


def wait_for(test: Callable[[], bool]) -> None:
    end = monotonic() + 60
    while not test():
        assert monotonic() < end
        sleep(0)


def test_jobs_run_beside_each_other() -> None:
    """Each waits for all others, so they end only if all of them run at the same time."""
    meeting = threading.Barrier(4, timeout=60)
    workers = Workers(3)
    jobs = [workers.begin(lambda: meeting.wait() >= 0) for _ in range(4)]
    # who waits does one of them
    assert [workers.finish(job) for job in jobs] == [True] * 4
    workers.close()
    assert not workers._threads


@pytest.mark.parametrize("most", [0, 1, 4])
def test_results_and_faults_are_those_of_the_job(most: int) -> None:
    workers = Workers(most)
    good = [workers.begin(lambda k=k: k * k) for k in range(20)]  # type: ignore[misc]
    bad = workers.begin(lambda: [][1])
    assert [workers.finish(job) for job in reversed(good)] == [k * k for k in reversed(range(20))]
    with pytest.raises(IndexError):
        workers.finish(bad)
    workers.close()


def test_one_job_needs_no_thread() -> None:
    workers = Workers(4)
    job = workers.begin(threading.get_ident)
    assert not workers._threads
    assert workers.finish(job) == threading.get_ident()


def test_what_nobody_waits_for_is_done_last_and_in_time() -> None:
    workers = Workers(1)
    order: list[str] = []
    hold = threading.Event()
    first = workers.begin(hold.wait, monotonic() + 60)
    wait_for(lambda: first.begun)
    late = workers.begin(lambda: order.append("late"), monotonic())
    idle = workers.begin(lambda: order.append("idle"), monotonic() + 60)
    others = [workers.begin(lambda: order.append("waited for")) for _ in range(2)]
    hold.set()
    for job in (first, *others, idle):
        workers.finish(job)
    workers.close()
    assert order == ["waited for", "waited for", "idle"]
    assert not late.done.is_set()
    workers.finish(late)  # somebody needs it after all
    assert order[-1] == "late"


def test_none_begins_when_closed() -> None:
    workers = Workers(2)
    hold = threading.Event()
    running = [workers.begin(hold.wait, monotonic() + 60) for _ in range(2)]
    wait_for(lambda: all(job.begun for job in running))
    left = [workers.begin(threading.get_ident) for _ in range(3)]
    closing = threading.Thread(target=workers.close)
    closing.start()
    wait_for(lambda: workers._closed)
    hold.set()
    closing.join()
    assert all(job.done.is_set() for job in running)
    assert not any(job.done.is_set() for job in left)
    assert {workers.finish(job) for job in left} == {threading.get_ident()}
