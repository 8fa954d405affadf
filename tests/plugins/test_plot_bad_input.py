"""Calls that fail leave a figure as it was, and counts that cannot be drawn are refused."""

from __future__ import annotations

import pytest

from runmat_core import MatlabError, Session


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    return Session(cwd=tmp_path_factory.mktemp("plots"))


@pytest.mark.parametrize(
    ("call", "identifier"),
    [
        ("hgtransform('Nothing', 1)", "MATLAB:hg:InvalidProperty"),
        ("polarscatter(1:2, 1:3)", "MATLAB:polarscatter:InvalidXYSizes"),
        ("polarscatter(1:2, 1:2, 'Nothing', 1)", "MATLAB:hg:InvalidProperty"),
        ("polarhistogram(1:3, 'Nothing', 1)", "MATLAB:hg:InvalidProperty"),
        ("polarbubblechart(1:3, 1:3, 1:2)", "MATLAB:polarbubblechart:InvalidSizeData"),
        ("bubblechart(1:3, 1:3, 1:2)", "MATLAB:bubblechart:InvalidSizeData"),
        ("ezpolar('nothing(t)')", "MATLAB:UndefinedFunction"),
        ("violinplot([1 2 2], 1:4)", "MATLAB:samelen"),
        ("comet(1:3, 1:4)", "MATLAB:samelen"),
        ("xregion(1:3, 1:2)", "MATLAB:samelen"),
        ("refline([])", "MATLAB:refline:InvalidSize"),
        ("piechart(table([1;2]), 'Nothing')", "MATLAB:table:UnrecognizedVarName"),
        ("histfit(1:9, 1e9)", "MATLAB:array:SizeLimitExceeded"),
        ("polarhistogram(1:9, 1e9)", "MATLAB:array:SizeLimitExceeded"),
        ("rose(1:9, 1e9)", "MATLAB:array:SizeLimitExceeded"),
        ("contour(magic(4), 1e9)", "MATLAB:array:SizeLimitExceeded"),
        ("fsurf(@(x, y) x, 1e9)", "MATLAB:array:SizeLimitExceeded"),
        ("montage({1, 2}, 'BorderSize', 1e9)", "MATLAB:array:SizeLimitExceeded"),
        ("streamslice(magic(4), magic(4), 1e9)", "MATLAB:streamslice:InvalidDensity"),
        ("streamline(magic(4), magic(4), 2, 2, [0.1 1e9])", "MATLAB:array:SizeLimitExceeded"),
    ],
)
def test_a_call_that_fails_changes_nothing(session: Session, call: str, identifier: str) -> None:
    session.run("close all; h = plot(1:3, 'Tag', 'kept'); before = findall(gcf); ax = gca;")
    with pytest.raises(MatlabError) as caught:
        session.run(f"{call};")
    assert caught.value.identifier == identifier
    session.run("same = isequal(findall(gcf), before) && isequal(gca, ax) && isvalid(h);")
    assert session["same"] is True


@pytest.mark.parametrize("data", ["[1e300 1e300]", "5", "[-1.7e308 1.7e308]", "[1 1 + eps]"])
def test_bins_of_any_data_are_distinct(session: Session, data: str) -> None:
    session.run(f"close all; h = histfit({data}, 7); n = sum(h(1).YData); x = h(1).XData;")
    session.run("ok = all(diff(x(:)) > 0) && n == numel({data});".replace("{data}", data))
    assert session["ok"] is True
