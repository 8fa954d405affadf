"""Placement by minimum cut, against trying every assignment."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product

import pytest

from runmat_core.accel.placement.mincut import DEVICE, HOST, NEVER, Move, Transfer, Trip, assign


def cost(labels: Sequence[bool], device: list[int], host: list[int], moves: list[Move]) -> int:
    """What an assignment costs, computed as the words say it."""

    def on_device(number: int) -> bool:
        return number == DEVICE or (number != HOST and labels[number])

    total = sum(device[g] if label else host[g] for g, label in enumerate(labels))
    for move in moves:
        if isinstance(move, Trip):
            total += move.price if any(map(on_device, move.producers)) else 0
            continue
        here = on_device(move.producer)
        if any(on_device(consumer) != here for consumer in move.consumers):
            total += move.down if here else move.up
    return total


def draw(rng: random.Random) -> tuple[list[int], list[int], list[Move]]:
    count = rng.randint(1, 8)

    def amount() -> int:
        return NEVER if rng.random() < 0.1 else rng.choice((0, rng.randint(0, 30)))

    device = [amount() for _ in range(count)]
    host = [rng.randint(0, 30) for _ in range(count)]
    moves: list[Move] = []
    for producer in (DEVICE, HOST, *range(count)):
        for _ in range(rng.randint(0, 2)):
            later = [g for g in range(count) if g > producer]
            readers = [g for g in later if rng.random() < 0.5]
            ends = [place for place in (HOST, DEVICE) if rng.random() < 0.2]
            if readers or ends:
                consumers = (*readers, *ends)
                moves.append(Transfer(producer, consumers, rng.randint(0, 20), rng.randint(0, 20)))
    if rng.random() < 0.5:
        together = tuple(g for g in range(count) if rng.random() < 0.4)
        moves.append(Trip(together, rng.randint(0, 20)))
    return device, host, moves


@pytest.mark.parametrize("seed", range(4))
def test_no_assignment_is_cheaper(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(50):
        device, host, moves = draw(rng)
        labels, total = assign(device, host, moves)
        every = product((False, True), repeat=len(device))
        best = min(cost(choice, device, host, moves) for choice in every)
        assert cost(labels, device, host, moves) == best == total, (device, host, moves)


def test_an_array_is_brought_over_once_for_all_that_read_it() -> None:
    readers = (1, 2, 3)
    transfers = [Transfer(0, readers, up=0, down=5)]
    # on the host the three readers save 2 each: 6 together pay one transfer of 5, not three
    labels, total = assign([0, 2, 2, 2], [NEVER, 0, 0, 0], transfers)
    assert labels == [True, False, False, False]
    assert total == 5


def test_what_is_asked_for_at_the_end_comes_together() -> None:
    # group 0 is on the device and wanted; 1 and 2 read it and are wanted, too
    chain: list[Move] = [Transfer(0, (1, 2), up=0, down=9), Trip((0, 1, 2), 9)]
    labels, total = assign([0, 2, 2], [NEVER, 0, 0], chain)
    assert labels == [True, True, True]
    assert total == 2 + 2 + 9


def test_what_is_resident_draws_work_to_it() -> None:
    assert assign([3], [1], [Transfer(DEVICE, (0,), up=9, down=9)])[0] == [True]
    assert assign([1], [3], [Transfer(HOST, (0,), up=9, down=9)])[0] == [False]


def test_equal_costs_stay_on_the_host() -> None:
    assert assign([4, 4], [4, 4], [Transfer(0, (1,), 1, 1)])[0] == [False, False]


def test_a_long_chain_takes_no_recursion() -> None:
    count = 3000
    chain = [Transfer(k, (k + 1,), 7, 7) for k in range(count - 1)]
    labels, total = assign([1] * count, [2] * count, [Transfer(HOST, (0,), 7, 7), *chain])
    assert all(labels)
    assert total == count + 7
