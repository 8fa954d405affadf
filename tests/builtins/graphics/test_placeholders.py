"""Programs that draw, where no installed package does."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from runmat_core import MatlabError, Session
from runmat_core.accel import packages
from runmat_core.builtins import registry
from runmat_core.builtins.graphics import placeholders


@pytest.fixture(autouse=True)
def no_packages(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing that draws is installed."""
    monkeypatch.setattr(packages, "points", lambda *args: [])
    registry._plugins.cache_clear()
    yield
    registry._plugins.cache_clear()


PROGRAM = """
clc; close all; clear all; clf
x = linspace(0, 1, 10);
f = figure('Name', 'a'); h = plot(x, x.^2, 'r-'); set(h, 'LineWidth', 2)
hold on; grid on; axis equal; title('t'); legend('a', 'b'); colormap(jet); colorbar
ax = gca; ax.XLim = [0 2]; ax.XLabel.String = 'q'; set(gcf, 'Position', [0 0 1 1])
for k = 1:2, hs(k) = plot(1:3); end, legend(hs, {'a', 'b'})
g = gobjects(1, 3); g(2) = plot(1:3); set(g(2), 'Color', 'k'), n = zeros(1, 2); n(1) = line(1, 2);
subplot(2, 1, 1); imagesc(rand(3)); drawnow; print('-dpng', 'x.png'); hist(rand(1, 10))
[name, folder] = uigetfile('*.m'); w = waitbar(0, 'x'); waitbar(0.5, w); close(w); delete(h)
setappdata(f, 'n', 5); M = getframe(gcf);
fprintf('%d ', get(h, 'LineWidth'), ax.XLim, xlim, size(g), get(gcf, 'Position'), numel(hs), ...
    ishandle(h), isgraphics(5), isequal(name, 0), getappdata(f, 'n'), size(M.cdata), ishold)
fprintf('%s', ax.XLabel.String)
"""


def test_programs_go_on_after_one_warning() -> None:
    printed: list[str] = []
    session = Session(stdout=printed.append, stderr=printed.append)
    session.run(PROGRAM)
    text = "".join(printed)
    assert text.count("Warning: ") == 1
    assert "pip install runmat-plot" in text
    assert text.split("\n")[-1] == "2 0 2 0 2 1 3 0 0 1 1 2 1 0 1 5 1 1 3 0 q"


def test_times_categories_and_tables_are_data() -> None:
    session = Session(stdout=len, stderr=len)
    session.run(
        "t = datetime(2024, 1, 1:3); c = categorical({'a' 'b' 'c'}); T = table(c', [1; 2; 3]);"
    )
    session.run(
        "h = plot(t, 1:3); hold on; plot(hours(1:3), 1:3, 'r'); stairs(t, 1:3); bar(c, 1:3);"
    )
    session.run("histogram(c); histogram(t); heatmap(T, 'Var1', 'Var2'); scatter(t, t); pie(c);")
    session.run("plot(graph([1 2], [2 3])); plot(polyshape([0 1 1], [0 0 1])); xlim(t([1 3]));")
    session.run("title(c(1)); xticks(t); l = xlim; xline(t(2)); legend(c)")
    assert session.eval("isequal(l, t([1 3]))")
    with pytest.raises(MatlabError):
        session.run("close(containers.Map)")


def test_closing_what_is_not_there_says_nothing() -> None:
    assert Session().capture("close all; clf; cla; drawnow; hold off; shg") == ""


def test_every_placeholder_takes_any_arguments() -> None:
    session = Session(stdout=len, stderr=len)
    for name in sorted(placeholders.NAMES):
        session.run(f"{name}; h = {name}(1, 'a', 2, 'Tag', 'b'); [a, b] = {name}(gca, 'on');")


def test_builtins_and_packages_come_first() -> None:
    assert not any(placeholders.spec(name) for name in ("sum", "peaks", "jet", "hist", "nosuch"))
    assert not set(registry.names()) & placeholders.NAMES


@pytest.mark.parametrize("name", ["figure", "plot"])
def test_functions_of_the_user_come_first(name: str, tmp_path) -> None:
    (tmp_path / f"{name}.m").write_text(f"function {name}(varargin), disp('own'), end")
    assert Session(cwd=tmp_path).capture(f"{name}(1)") == "own\n"


@pytest.mark.parametrize(
    "call", ["get(5)", "get(2.5, 'Color')", "set(-1, 'a', 1)", "set([1 7], 'a', 1)", "get({1})"]
)
def test_numbers_that_are_no_handles_are_refused(call: str) -> None:
    code = f"figure(3); try, {call}; catch e, fprintf('%s', e.identifier), end"
    assert Session(stderr=lambda text: None).capture(code) == "MATLAB:class:InvalidHandle"


def test_numbers_of_figures_and_the_root_are_handles() -> None:
    code = "figure(3); set(3, 'Tag', 'x'); fprintf('%s', get(3, 'Tag')), fprintf('%d', "
    code += "get(0, 'ScreenSize'), ishandle([0 3 4 NaN])), close(3), fprintf('%d', ishandle([0 3]))"
    assert Session(stderr=lambda text: None).capture(code) == "x1119201080110010"
