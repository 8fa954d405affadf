"""histcounts of datetimes and durations."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from runmat_core import Session

Same = Callable[[str, str], None]
Failing = Callable[[str, str], None]

SETUP = "d = datetime(2020, 1, [1 2 5 9]); s = days([1 2 5 9]); "

CASES = [
    # arguments, counts, edges
    ("d, 'BinMethod', 'day'", "[1 1 0 0 1 0 0 0 1]", "datetime(2020, 1, 1:10)"),
    ("d, datetime(2020, 1, [1 5 9])", "[2 2]", "datetime(2020, 1, [1 5 9])"),
    ("d, 'BinEdges', datetime(2020, 1, [2 5 8])", "[1 1]", "datetime(2020, 1, [2 5 8])"),
    ("[d datetime(2020, 2, 9)], 'BinMethod', 'month'", "[4 1]", "datetime(2020, 1:3, 1)"),
    ("d, 'BinMethod', 'week'", "[2 2]", "datetime(2019, 12, [29 36 43])"),
    ("d, 'BinWidth', days(3)", "[2 1 1]", "datetime(2020, 1, [1 4 7 10]) - days(1)"),
    ("d, 'BinWidth', calmonths(1)", "4", "datetime(2020, [1 2], 1)"),
    ("[d datetime(2020, 6, 1)], 'BinWidth', calmonths(4)", "[4 1]", "datetime(2020, [1 5 9], 1)"),
    ("datetime(1995:5:2020, 3, 1), 'BinMethod', 'decade'", "[1 2 2 1]",
     "datetime(1990:10:2030, 1, 1)"),
    ("datetime(1995:5:2020, 3, 1), 'BinMethod', 'century'", "[1 5]",
     "datetime(1900:100:2100, 1, 1)"),
    ("d, 3", "[2 1 1]", "datetime(2020, 1, [1 4 7 10])"),
    ("d, 'BinLimits', datetime(2020, 1, [2 6]), 'NumBins', 2", "[1 1]",
     "datetime(2020, 1, [2 4 6])"),
    ("d, 'BinLimits', datetime(2020, 1, [2 6]), 'BinMethod', 'week'", "[1 1]",
     "datetime(2020, 1, [2 5 6])"),
    ("[d NaT], 'BinMethod', 'year', 'Normalization', 'probability'", "0.8",
     "datetime([2020 2021], 1, 1)"),
    ("datetime(2020, 1, 1, 23, 0, 0, 'TimeZone', 'Asia/Tokyo'), 'BinMethod', 'day'", "1",
     "datetime(2020, 1, [1 2], 'TimeZone', 'Asia/Tokyo')"),
    ("s, 'BinWidth', hours(36)", "[1 1 0 1 0 1]", "days(0:1.5:9)"),
    ("s, 'BinMethod', 'day', 'Normalization', 'cumcount'", "[1 2 2 2 3 3 3 3 4]", "days(1:10)"),
    ("s, days([0 5 10])", "[2 2]", "days([0 5 10])"),
    ("seconds([1 2 3 100]), 'BinMethod', 'minute', 'Normalization', 'percentage'", "[75 25]",
     "minutes(0:2)"),
    ("s, 1, 'Normalization', 'cdf'", "1", "days([1 9])"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "counts", "edges"), CASES)
def test_counts_and_edges(
    arguments: str, counts: str, edges: str, session: Session, same: Same
) -> None:
    session.run(f"{SETUP} [n, e] = histcounts({arguments});")
    same("n", counts)
    same("e", edges)


@pytest.mark.parametrize(
    "data",
    [
        "datetime(2020, 1, 1) + seconds(1:50)", "datetime(2020, 1, 1:400)", "hours([1 5 7 200])",
        "datetime(1800:7:2020, 1, 1)", "datetime(2020, 1, [3 3])", "seconds(0.001*(1:9))",
        "days(1:1000)",
    ],
)  # fmt: skip
@pytest.mark.parametrize("method", ["auto", "scott", "fd", "sturges", "sqrt"])
def test_chosen_bins_hold_all(data: str, method: str, session: Session, same: Same) -> None:
    session.run(f"x = {data}; [n, e, b] = histcounts(x, 'BinMethod', '{method}');")
    same("sum(n)", "numel(x)")
    same("[e(1) <= min(x), e(end) >= max(x), issorted(e)]", "true(1, 3)")
    same("accumarray(b(:), 1, [numel(n) 1])'", "n")
    same("numel(n) <= 100", "true")


def test_missing_times_are_in_no_bin(session: Session, same: Same) -> None:
    session.run("[n, e, b] = histcounts([NaT datetime(2020, 1, 1:2)], 'BinMethod', 'day');")
    same("b", "[0 1 2]")
    same("histcounts(NaT(1, 2))", "0")


@pytest.mark.parametrize(
    ("arguments", "identifier"),
    [
        ("d, s", "MATLAB:histcounts:invalidEdges"),
        ("d, 'BinLimits', [1 2]", "MATLAB:histcounts:invalidEdges"),
        ("d, 'BinLimits', d([2 1])", "MATLAB:histcounts:invalidLimits"),
        ("d, d([2 1])", "MATLAB:histcounts:expectedNondecreasing"),
        ("d, d(1)", "MATLAB:histcounts:expectedNondecreasing"),
        ("d, 0", "MATLAB:histcounts:expectedPositive"),
        ("d, 'BinWidth', 3", "MATLAB:histcounts:invalidBinWidth"),
        ("d, 'BinWidth', days(0)", "MATLAB:histcounts:invalidBinWidth"),
        ("s, 'BinWidth', calmonths(1)", "MATLAB:histcounts:invalidBinWidth"),
        ("s, 'BinMethod', 'month'", "MATLAB:histcounts:unrecognizedStringChoice"),
        ("d, 'Normalization', 'pdf'", "MATLAB:histcounts:unrecognizedStringChoice"),
        ("d, 'BinEdge'", "MATLAB:histcounts:ArgNameValueMismatch"),
    ],
)
def test_bad_calls(arguments: str, identifier: str, failing: Failing) -> None:
    failing(f"{SETUP} histcounts({arguments})", identifier)
