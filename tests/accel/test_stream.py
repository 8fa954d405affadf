"""The session's random stream: positions, reservations, states."""

from __future__ import annotations

import numpy as np
import pytest

from runmat_core.accel.random import philox
from runmat_core.accel.random.stream import RandomStream

KINDS = [(d, t) for d in ("uniform", "normal") for t in ("f32", "f64")]


def position(stream: RandomStream) -> int:
    """Where the stream is, by its state."""
    _, _, low, high, _, _, lane = (int(word) for word in stream.state())
    return (high << 32 | low) * 4 + lane


def test_a_reservation_is_the_draw_that_would_have_been_made() -> None:
    for distribution, dtype in KINDS:
        lazy, eager = RandomStream(seed=5), RandomStream(seed=5)
        for count in (3, 1, 2000):
            reserved = lazy.reserve(distribution, dtype, count)
            assert reserved is not None
            low, high, start = reserved
            later = philox.draw(distribution, dtype, (low, high), start, count)
            draw = eager.uniform if distribution == "uniform" else eager.normal
            assert (later == draw(count, dtype)).all()
        assert position(lazy) == position(eager)


def test_the_twister_cannot_be_reserved() -> None:
    stream = RandomStream("twister")
    before = stream.state()
    assert stream.reserve("uniform", "f64", 3) is None
    assert (stream.state() == before).all()


def test_positions_count_words_and_doubles_start_at_even_ones() -> None:
    stream = RandomStream()
    stream.uniform(3, "f32")
    assert position(stream) == 3
    stream.one()
    assert position(stream) == 6
    stream.normal(1, "f32")
    assert position(stream) == 7
    stream.normal(2)
    assert position(stream) == 12
    stream.uniform(0)
    assert position(stream) == 12


@pytest.mark.parametrize("kind", ["philox", "twister"])
@pytest.mark.parametrize("dtype", ["f32", "f64"])
@pytest.mark.parametrize("distribution", ["uniform", "normal"])
def test_draws_add_up(kind: str, dtype: str, distribution: str) -> None:
    parts, whole = RandomStream(kind, 9), RandomStream(kind, 9)
    draw = parts.uniform if distribution == "uniform" else parts.normal
    pieces = [draw(count, dtype) for count in (5, 5, 0, 700, 1, 3000, 289)]
    draw = whole.uniform if distribution == "uniform" else whole.normal
    assert (np.concatenate(pieces) == draw(4000, dtype)).all()


@pytest.mark.parametrize("kind", ["philox", "twister"])
def test_single_numbers_are_those_of_arrays(kind: str) -> None:
    single, whole = RandomStream(kind, 3), RandomStream(kind, 3)
    assert [single.one() for _ in range(6000)] == whole.uniform(6000).tolist()
    assert [single.one_normal() for _ in range(6000)] == whole.normal(6000).tolist()
    mixed = [single.one(), single.one_normal(), single.one()]
    assert mixed == [whole.one(), whole.one_normal(), whole.one()]


def test_a_few_numbers_do_not_hold_the_memory_of_those_drawn_ahead() -> None:
    stream = RandomStream()
    assert all(draw(10).flags.owndata for draw in (stream.uniform, stream.normal))


@pytest.mark.parametrize("kind", ["philox", "twister"])
def test_a_state_is_gone_back_to(kind: str) -> None:
    stream, other = RandomStream(kind, 11), RandomStream()
    stream.uniform(3, "f32")
    state = stream.state()
    wanted = stream.normal(50)
    assert stream.restore(kind, 11, state)
    assert (stream.normal(50) == wanted).all()
    assert other.restore(kind, 11, state)
    assert (other.kind, other.seed) == (kind, 11)
    assert (other.normal(50) == wanted).all()


def test_what_is_no_state_changes_nothing() -> None:
    stream = RandomStream(seed=4)
    before = stream.state()
    for state in ([1, 2, 3], [0, 0, 0, 0, 0, 0, 4], [0, 0, 0, 0, 1, 0, 0], [0] * 625):
        assert not stream.restore("philox", 0, np.array(state))
    assert not stream.restore("twister", 0, np.array([0] * 624 + [625]))
    assert stream.seed == 4
    assert (stream.state() == before).all()


def test_normal_numbers_do_not_depend_on_uniform_ones_between_them() -> None:
    stream = RandomStream(seed=1)
    pairs = np.array([(stream.one_normal(), stream.one()) for _ in range(20_000)])
    normal, uniform = pairs[:, 0], pairs[:, 1]
    # the angle of a normal number tells its sign
    for quarter in range(4):
        chosen = normal[(uniform > quarter / 4) & (uniform < (quarter + 1) / 4)]
        assert abs(chosen.mean()) < 4 / np.sqrt(chosen.size)
        assert abs((chosen**2).mean() - 1) < 4 * np.sqrt(2 / chosen.size)
