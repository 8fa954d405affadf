"""Reductions of what masks select in loops, against runs step by step."""

from __future__ import annotations

import numpy as np
import pytest

from tests.accel.loops import Outcome, same

SETUP = """
X = reshape(sin((1:{m}*{n})*1.7), {m}, {n}); x = X(:, 2); r = X(3, :); c = 0.3*ones(1, {n});
L = X > 0.2; S = single(X); X(4, 2) = NaN; s = 0;
"""
#: Reductions of selections; ``m`` selects rows, ``q`` columns, ``e`` elements.
FORMS = (
    "sum(X(m, :), 1)", "mean(X(m, :), 1)", "max(X(m, :), [], 1)", "any(L(m, :), 1)", "sum(x(m))",
    "mean(S(m, :).^2 + 1, 1)", "sum(X(:, q), 2)", "mean(X(:, q), 2)", "min(x(m))", "nnz(L(m, :))",
    "numel(x(m))", "numel(X(m, :))", "all(L(e))", "sum(X(e))", "max(S(e))", "sum(r(q))",
    "prod(x(m))",
    "sum((X(m, :) - c).^2, 1)", "sum(sum(S(m, :), 2))", "mean(r(q)*2)", "sum(X(m, :))",
    "sum(X(:, q))", "mean(max(S(m, :), [], 2))",
)  # fmt: skip
PROGRAM = """
for t = 1:9
    m = x*{sign} > {level} + t*{slope}; q = r > {level} - t/20; e = X > {level} + t/30;
    {lines}
end
"""


def run(seed: int, level: float, slope: float) -> tuple[Outcome, str]:
    rng = np.random.default_rng(seed)
    m, n = (int(k) for k in rng.integers(8, 20, 2))
    lines, names = [], []
    for number, k in enumerate(rng.permutation(len(FORMS))[:5]):
        names.append(f"a{number}")
        lines.append(f"a{number} = {FORMS[k]};")
    # what is selected goes into what is selected next
    lines.append("X = X*0.97 + 1e-3*a0(1); x = X(:, 2);")
    program = PROGRAM.format(
        sign=rng.choice([-1, 1]), level=level, slope=slope, lines="\n    ".join(lines)
    )
    setup = SETUP.format(m=m, n=n) + " ".join(f"{name} = 0;" for name in names)
    found = Outcome(program, "null", True, setup)
    same(found, Outcome(program, "none", False, setup), False)
    found.close()
    return found, program


@pytest.mark.parametrize("seed", range(8))
def test_reductions(seed: int) -> None:
    run(seed, 0.1, 0.01)


@pytest.mark.parametrize("seed", range(8))
def test_masks_that_select_one_row_or_none_in_later_iterations(seed: int) -> None:
    run(seed, 0.4, 0.06)


@pytest.mark.parametrize("form", FORMS)
def test_each_form_is_captured(form: str) -> None:
    setup = SETUP.format(m=40, n=30) + "y = zeros(40, 30);"
    program = f"""
    for t = 1:9
        m = x > 0.1 + t/100; q = r > 0.1 - t/100; e = X > 0.2 + t/30;
        y = y + sum({form});
    end
    """
    found = Outcome(program, "null", True, setup)
    assert found.captured == 1, found.reasons
    same(found, Outcome(program, "none", False, setup), False)
    found.close()


def test_rows_that_a_mask_selects_are_stored_where_it_selects() -> None:
    setup = SETUP.format(m=40, n=30) + "Y = X;"
    program = "for t = 1:9, m = x > t/20; Y(m, :) = X(m, :)*t - c; x = x*0.9; end"
    found = Outcome(program, "null", True, setup)
    assert found.captured == 1, found.reasons
    same(found, Outcome(program, "none", False, setup), True)
    found.close()
