"""Views, gathers, joins and updates of pending arrays, against the same without a graph."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from runmat_core import Session
from runmat_core.accel.graph.node import Node
from runmat_core.session import config
from runmat_core.values.deferred import Deferred

OFF = config.load().replace(accel__provider="none")
RULES = config.load().replace(accel__provider="none", accel__threshold=1)
PLANS = config.load().replace(accel__provider="auto", accel__threshold=1)


@pytest.fixture
def s() -> Iterator[Session]:
    with Session(config=RULES) as session:
        yield session


def node(s: Session, name: str) -> Node:
    value = s.interp.variables[name]
    assert value.__class__ is Deferred
    found: Node = value.promise.node
    return found


# -- what is captured as what ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "offset", "strides"),
    [
        ("y = x';", 0, (3, 1)),
        ("y = x.';", 0, (3, 1)),
        ("y = x(:);", 0, (1, 0)),
        ("y = x(2, :);", 1, (0, 3)),
        ("y = x(:, 2);", 3, (1, 0)),
        ("y = x(1:2:end, 2:end);", 3, (2, 3)),
        ("y = x(end:-1:1, :);", 2, (-1, 3)),
        ("y = x(2:5);", 1, (0, 1)),
        ("y = x(:, [1 3]);", 0, (1, 6)),
        ("y = x(:, [2 2]);", 3, (1, 0)),
        ("y = reshape(x, 4, 3);", 0, (1, 4)),
        ("y = reshape(x, 2, []);", 0, (1, 2)),
        ("y = permute(x, [3 1 2]);", 0, (0, 1, 3)),
        ("y = flip(x, 2);", 9, (1, -3)),
        ("y = flipud(x);", 2, (-1, 3)),
        ("y = repmat(x(:, 1), 1, 4);", 0, (1, 0)),
        ("y = x(1:4:12);", 0, (0, 4)),
        ("y = x'; y = y(2:3, :);", 3, (3, 1)),
        ("y = x(:, 2:4); y = y'; y = y(:, 1);", 3, (3, 0)),
        ("y = x(2:3, :); y = y(:, 2:3); y = y';", 4, (3, 1)),
        ("y = flip(x, 1); y = flip(y, 2); y = y(:);", 11, (-1, 0)),
    ],
)
def test_a_view_of_a_pending_array_is_one_node_over_it(
    s: Session, code: str, offset: int, strides: tuple[int, ...]
) -> None:
    s.run(f"x = (1:3)' + (10:10:40); {code}")
    view = node(s, "y")
    assert view.op.kind == "view"
    assert view.inputs == (node(s, "x"),)
    assert (view.option("offset"), view.option("strides")) == (offset, strides)


@pytest.mark.parametrize(
    "code",
    [
        "y = x'; y = y';",
        "y = x(:, :);",
        "y = reshape(x, 3, 4);",
        "y = x(:); y = reshape(y, 3, 4);",
        "y = flip(flip(x));",
        "y = squeeze(x);",
        "y = repmat(x, 1, 1);",
        "y = permute(permute(x, [2 1]), [2 1]);",
        "y = +x;",
    ],
)
def test_what_changes_nothing_is_the_same_node(s: Session, code: str) -> None:
    s.run(f"x = (1:3)' + (10:10:40); {code}")
    assert node(s, "y") is node(s, "x")


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("y = [x; x];", "cat"),
        ("y = [x x(:, 1)];", "cat"),
        ("y = cat(3, x, x);", "cat"),
        ("y = x(:, [1 2 4]);", "gather"),
        ("y = x([3 1 2], :);", "gather"),
        ("y = x; y(1:2, :) = 0;", "update"),
        ("y = x; y(:, 1:2) = x(:, 3:4);", "update"),
        ("y = x * x';", "call"),
        ("y = zeros(3, 4);", "fill"),
        ("y = true(3, 4);", "fill"),
        ("a = 1; y = a:5;", "range"),
        ("a = 10; y = a:-2:1;", "range"),
        ("y = linspace(0, 4, 5);", "range"),
        ("y = rand(3, 4);", "random"),
        ("y = randn(3, 4, 'single');", "random"),
        ("y = randi(6, 3, 4);", "map"),
    ],
)
def test_what_becomes_which_node(s: Session, code: str, kind: str) -> None:
    s.run(f"x = (1:3)' + (10:10:40); {code}")
    assert node(s, "y").op.kind == kind


def test_reading_a_part_computes_no_more_than_is_read(s: Session) -> None:
    s.run("x = (1:3)' + (10:10:40); y = x(:, 2);")
    assert s["y"].tolist() == [[21], [22], [23]]
    assert node(s, "x").data is None or node(s, "x").held


def test_a_range_as_subscript_is_not_computed(s: Session) -> None:
    s.run("x = (1:3)' + (10:10:40); b = 2; k = b:3; y = x(k, :);")
    assert node(s, "k").data is None
    assert s["y"].tolist() == [[12, 22, 32, 42], [13, 23, 33, 43]]


def test_a_small_part_of_what_is_there_is_read_at_once() -> None:
    session = Session(config=config.load().replace(accel__provider="none", accel__threshold=100))
    session.capture("x = rand(20); disp(x(1)); y = x(:, 1); z = x(:, 1:10);")
    assert session.interp.variables["y"].__class__ is not Deferred
    assert session.interp.variables["z"].__class__ is Deferred


def test_a_conjugate_transpose_conjugates_what_turns_out_complex(s: Session) -> None:
    s.run("x = [1 -4; 9 -16]; y = sqrt(x)'; z = sqrt(x).';")
    assert np.array_equal(s["y"], np.array([[1, 3], [-2j, -4j]]))
    assert np.array_equal(s["z"], np.array([[1, 3], [2j, 4j]]))


def test_a_random_draw_is_that_of_its_place_in_the_program() -> None:
    code = "rng(3); a = rand(4, 5); b = randn(3, 2); c = rand; d = randi(9, 2, 3); e = rand(2);"
    values = []
    for settings in (OFF, RULES, PLANS):
        session = Session(config=settings)
        session.run(code)
        # asked for out of order
        values.append([np.asarray(session[name]) for name in "edcba"])
    for other in values[1:]:
        for mine, theirs in zip(values[0], other, strict=True):
            np.testing.assert_allclose(mine, theirs, rtol=1e-14, atol=0)


@pytest.mark.parametrize("n", [3, 5, 10, 50, 101, 1000])
def test_linspace_ends_where_it_says(n: int) -> None:
    found = []
    for settings in (OFF, RULES):
        session = Session(config=settings)
        session.run(
            f"a = linspace(0, 1, {n}); b = linspace(-0.3, 7.1, {n}); c = linspace(-2, 2, {n});"
            f"d = linspace(single(0), single(4*pi), {n}); e = linspace(5, single(5), {n});"
        )
        found.append([session[name] for name in "abcde"])
    for mine, theirs in zip(*found, strict=True):
        assert np.array_equal(mine, theirs)
        assert mine.dtype == theirs.dtype
    assert found[1][0][0, -1] == 1.0
    assert found[1][1][0, -1] == 7.1


# -- chains of them --------------------------------------------------------------------------------

STEPS = [
    "x = x';",
    "x = x(:);",
    "x = x(end:-1:1, :);",
    "x = x(:, end:-1:1);",
    "x = x(1:2:end, :);",
    "x = x(:, 1:2:end);",
    "x = x(2:end);",
    "x = x(:, 1);",
    "x = x(1, :);",
    "x = reshape(x, [], 2);",
    "x = reshape(x, 1, []);",
    "x = reshape(x, 2, 1, []);",
    "x = squeeze(permute(x, [2 3 1]));",
    "x = permute(x, [2 1]);",
    "x = permute(x, [3 1 2]);",
    "x = repmat(x, 2, 1);",
    "x = repmat(x, 1, 3);",
    "x = repmat(x, [2 2]);",
    "x = flip(x);",
    "x = fliplr(x);",
    "x = [x; x];",
    "x = [x x(:, 1)];",
    "x = [x, x];",
    "x = cat(3, x, x + 1);",
    "x = x(:, [1 end 1]);",
    "x = x([end 1], :);",
    "x = x(x > 5);",
    "x = x(:, :, 1);",
    "x = x + 1;",
    "x = x .* 2 - x;",
    "x(1, :) = 7;",
    "x(:, 1) = x(:, end);",
    "x(2:end, :) = x(1:end-1, :);",
    "x(:) = x(end:-1:1);",
    "x(1) = -1;",
    "x(end+1, :) = 3;",
    "x(:, end) = [];",
    "x(:, 1:end) = int8(5);",
    "y = x; y(1, :) = 100; x = [x; y];",
    "x = x * x';",
    "x = single(x);",
    "x = x > 3;",
    "x = x(:, true(1, size(x, 2)));",
]


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("settings", [RULES, PLANS], ids=["rules", "plans"])
def test_chains_agree_with_the_same_done_at_once(seed: int, settings: config.Config) -> None:
    """Values, classes and errors; a step that fails leaves the array as it was in both."""
    pick = random.Random(seed)
    mine, theirs = Session(config=settings), Session(config=OFF)
    start = f"x = reshape(1:{pick.choice([6, 12, 24])}, {pick.choice([1, 2, 3])}, []) * 1;"
    program = [start]
    for session in (mine, theirs):
        session.run(start)
    for _ in range(12):
        step = pick.choice(STEPS)
        if theirs.eval("numel(x)") > 400:
            break
        program.append(step)
        code = f"f = ''; try, {step} catch e, f = [e.identifier ' ' e.message]; end"
        for session in (mine, theirs):
            session.run(code)
        assert mine["f"] == theirs["f"], program
        if pick.random() < 0.3:
            _same(mine, theirs, program)
    _same(mine, theirs, program)


def _same(mine: Session, theirs: Session, program: list[str]) -> None:
    for session in (mine, theirs):
        session.run("c = class(x);")
    assert mine["c"] == theirs["c"], program
    np.testing.assert_array_equal(mine["x"], theirs["x"], str(program))
