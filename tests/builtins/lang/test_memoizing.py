"""memoize: what is remembered, for how long, and what is told of it."""

from __future__ import annotations

import pytest

from runmat_core import MatlabError, Session


@pytest.fixture
def session() -> Session:
    return Session()


def test_statistics_of_documented_calls(session: Session) -> None:
    session.run(
        "m = memoize(@plus); a = m(13, 42); b = m(7, 33); c = m(13, 42); d = m(5, 120);"
        "e = m(13, 42); f = m(7, 33); s = stats(m);"
    )
    assert session.eval("[a b c d e f]").tolist() == [[55, 40, 55, 125, 55, 40]]
    assert session.eval("s.MostHitCachedInput.Hits") == 2
    assert session.eval("s.MostHitCachedInput.Input") == [13, 42]
    assert session.eval("[s.CacheHitRatePercent s.CacheOccupancyPercent]").tolist() == [[50, 30]]
    assert session.eval("s.Cache.HitCount").tolist() == [[2, 1, 0]]
    assert session.eval("s.Cache.Nargout").tolist() == [[1, 1, 1]]
    assert session.eval("s.Cache.Inputs") == [[13, 42], [7, 33], [5, 120]]
    assert session.eval("s.Cache.Outputs") == [[55], [40], [125]]
    assert session.eval("[s.Cache.TotalHits s.Cache.TotalMisses]").tolist() == [[3, 3]]


def test_objects_of_one_function_share_all(session: Session) -> None:
    session.run("a = memoize(@sin); b = memoize(@sin); x = a(1); y = b(1); a.CacheSize = 3;")
    assert session.eval("b.stats.Cache.TotalHits") == 1
    assert session.eval("b.CacheSize") == 3
    assert session.eval("isequal(a, b) && ~isequal(a, memoize(@cos))") is True
    session.run("b.clearCache;")
    for field in ("Inputs", "Outputs", "Nargout", "HitCount"):
        assert session.eval(f"size(a.stats.Cache.{field})").tolist() == [[0, 0]]
    assert session.eval("isempty(a.stats.MostHitCachedInput)") is True


def test_all_caches_are_cleared(session: Session) -> None:
    session.run("a = memoize(@sin); b = memoize(@cos); x = a(1) + b(1) + a(1);")
    session.run("clearAllMemoizedCaches")
    assert session.eval("[a.stats.Cache.TotalHits a.stats.Cache.TotalMisses]").tolist() == [[0, 0]]
    assert session.eval("numel(b.stats.Cache.Inputs)") == 0


def test_numbers_of_outputs_are_told_apart(session: Session) -> None:
    session.run("m = memoize(@max); a = m([3 9 2]); [b, c] = m([3 9 2]); [d, e] = m([3 9 2]);")
    assert session.eval("[a b c d e]").tolist() == [[9, 9, 2, 9, 2]]
    assert session.eval("m.stats.Cache.Nargout").tolist() == [[1, 2]]
    assert session.eval("m.stats.Cache.HitCount").tolist() == [[0, 1]]
    session.run("g = @(x) m(x); [b, c] = g([1 5]); c2 = cell(1, 2); [c2{:}] = m([8 1]);")
    assert session.eval("{b, c, c2{:}}") == [5, 2, 8, 1]


def test_inputs_equal_as_numbers_with_nan(session: Session) -> None:
    out = session.capture(
        "m = memoize(@(x) fprintf('called ')); m([1 NaN]); m([1 NaN]); m([1 2]); m(':'); m({1});"
    )
    assert out == "called " * 4


def test_random_numbers_stay(session: Session) -> None:
    session.run("m = memoize(@rand); a = m(3); a(1) = 7; b = m(3); c = m(3);")
    assert session.eval("b(1) ~= 7 && isequal(b, c)") is True
    session.run("m.Enabled = false; d = m(3);")
    assert session.eval("isequal(c, d)") is False
    assert session.eval("m.stats.Cache.TotalHits + m.stats.Cache.TotalMisses") == 3
    session.run("m.Enabled = true; e = m(3);")
    assert session.eval("isequal(c, e)") is True


def test_the_oldest_calls_go_first(session: Session) -> None:
    session.run("m = memoize(@abs); m.CacheSize = 2; for k = 1:3, a = m(k); end")
    assert session.eval("m.stats.Cache.Inputs") == [[2], [3]]
    session.run("m.CacheSize = 1;")
    assert session.eval("m.stats.Cache.Inputs") == [[3]]
    assert session.eval("m.stats.CacheOccupancyPercent") == 100


def test_errors_are_not_remembered(session: Session) -> None:
    session.run("m = memoize(@(x) error('a:b', 'no'));")
    for _ in range(2):
        with pytest.raises(MatlabError, match="no"):
            session.run("m(1)")
    assert session.eval("numel(m.stats.Cache.Inputs)") == 0


def test_it_is_an_object(session: Session) -> None:
    session.run("m = memoize(@plus);")
    assert session.eval("class(m)") == "matlab.lang.MemoizedFunction"
    assert session.eval("isa(m, 'handle') && ~isa(m, 'function_handle')") is True
    assert session.eval("func2str(m.Function)") == "plus"
    assert session.eval("feval(m, 1, 2)") == 3


@pytest.mark.parametrize(
    ("code", "identifier"),
    [
        ("memoize('sin')", "MATLAB:memoize:InvalidInput"),
        ("memoize(1)", "MATLAB:memoize:InvalidInput"),
        ("memoize(inline('x'))", "MATLAB:memoize:InvalidInput"),
        ("m.CacheSize = 0;", "MATLAB:memoize:InvalidCacheSize"),
        ("m.CacheSize = 1.5;", "MATLAB:memoize:InvalidCacheSize"),
        ("m.CacheSize = [1 2];", "MATLAB:memoize:InvalidCacheSize"),
        ("m.CacheSize = NaN;", "MATLAB:memoize:InvalidCacheSize"),
        ("m.Enabled = 'no';", "MATLAB:memoize:InvalidEnabled"),
        ("m.Function = @cos;", "MATLAB:class:SetProhibited"),
        ("m.Other", "MATLAB:noSuchMethodOrField"),
        ("stats(1)", "MATLAB:UndefinedFunction"),
        ("clearCache(@sin)", "MATLAB:UndefinedFunction"),
        ("[a, b] = m(1);", "MATLAB:maxlhs"),
    ],
)
def test_what_is_refused(code: str, identifier: str, session: Session) -> None:
    session.run("m = memoize(@sin);")
    with pytest.raises(MatlabError) as caught:
        session.run(code)
    assert caught.value.identifier == identifier
