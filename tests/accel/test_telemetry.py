"""The record of acceleration: its schema is what its page says; what commands make of it."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from runmat_core.accel.report.explain import REASON, explain
from runmat_core.cli.main import main
from runmat_core.session import Session
from runmat_core.session import config as configuration

PAGE = (Path(__file__).parents[2] / "docs" / "telemetry.md").read_text()
#: A chain, a loop, a product, a guard that fires, host rules and several sinks.
PROGRAM = """\
x = rand(200, 300); y = sum(sqrt(x) .* 2 + 1, 1);
fprintf('%g\\n', mean(y));
s = zeros(500, 1); r = ones(500, 1);
for k = 1:20
    s = s .* 0.5 + r .* k;
end
z = sqrt(x - 0.5); disp(isreal(z))
A = x(1:200, 1:200); B = A * A + 1; disp(sum(B(:)) > 0); disp(sum(sort(s)) > 0)
"""
#: What names things of the program rather than of the schema.
OPEN = {"providers", "kernels", "counters", "caches", "decisions"}


@pytest.fixture(scope="module")
def record() -> dict[str, Any]:
    settings = configuration.load().replace(
        accel__provider="inprocess", accel__threshold=100, accel__offload__calibrate="never"
    )
    with Session(config=settings, stdout=lambda text: None) as session:
        telemetry = session.telemetry
        assert telemetry is not None
        session.run(PROGRAM)
        made: dict[str, Any] = json.loads(json.dumps(telemetry.as_dict()))
        return made


def keys(value: Any, inside: str = "") -> Iterator[str]:
    """The keys of the schema in a record, not the names of kernels, providers and counters."""
    if isinstance(value, list):
        for item in value:
            yield from keys(item, inside)
    elif isinstance(value, dict):
        for key, item in value.items():
            if inside not in OPEN:
                yield key
            yield from keys(item, "" if inside in OPEN else key)


def test_every_key_is_documented(record: dict[str, Any]) -> None:
    words = set(re.findall(r"`([^`\s]+)`", PAGE))
    assert set(keys(record)) <= words, sorted(set(keys(record)) - words)
    assert record["schema"] in words


def test_what_the_page_says_is_in_a_record(record: dict[str, Any]) -> None:
    table = PAGE[PAGE.index("| `schema`") : PAGE.index("`totals`:")]
    for line in table.splitlines():
        for key in re.findall(r"`([a-z_]+)`", line.split("|")[1] if "|" in line else ""):
            assert key in record, key
    totals = PAGE[PAGE.index("`totals`:") : PAGE.index("The counters of a provider")]
    named = set(re.findall(r"`([a-z_]+)`", totals)) - {"totals"}
    assert named <= set(record["totals"]) | set(record["totals"]["session"])


def test_reasons_are_those_of_the_page(record: dict[str, Any]) -> None:
    table = PAGE[PAGE.index("| reason |") :]
    told = set(re.findall(r"^\| `([a-z-]+)` \|", table, re.MULTILINE))
    assert told == set(REASON)
    assert {step["reason"] for run in record["runs"] for step in run["steps"]} <= told


def test_totals_are_the_sums_of_runs(record: dict[str, Any]) -> None:
    totals, runs = record["totals"], record["runs"]
    steps = [step for run in runs for step in run["steps"]]
    assert totals["runs"] == len(runs) > 3
    assert totals["kernels"] == sum(step["kind"] == "kernel" for step in steps)
    assert totals["written_bytes"] == sum(run["written_bytes"] for run in runs)
    assert {run["outcome"] for run in runs} >= {"done", "guard"}
    assert any(loop["trips"] == 19 for loop in record["loops"])


#: Transfers in runs, outside of runs, of runs within runs, of host rules and of writes.
MOVING = {
    "gathered": "x = gpuArray(rand(1000)); y = gather(x);",
    "computed before": "x = rand(1000) + 1; m = mean(x(:)); disp(m); y = gather(x); disp(y(7) > 1)",
    "read by elements": "x = rand(500) * 2; disp(sum(x(:)) > 0); s = 0;\n"
    "for k = 1:50, s = s + x(k); end, disp(s > 0)",
    "given": "a = 1:1e5; b = gpuArray(a); c = b .* 2; disp(gather(sum(c)));",
    "given again": "a = (1:1e5) / 7; for k = 1:3, b = gpuArray(a); disp(gather(sum(b) * k)); end",
    "guards": "x = rand(300) - 0.5; y = sqrt(x); disp(isreal(y)); z = y + 1; disp(abs(z(3)) > 0)",
    "complex": "z = complex(rand(200), rand(200)); w = z .* conj(z); disp(isreal(w)); disp(w(3))",
    "host rules": "x = rand(400); y = sortrows(x + 1); z = y * 2; disp(sum(z(:)) > 0)",
    "selected": "x = rand(1e5, 1); y = x(x > 0.5); disp(numel(y) > 1); disp(sum(y) > 0)",
    "written": "x = rand(1000); x(3, :) = 7; disp(sum(x(3, :))); x(x > 6) = 0; disp(max(x(:)) < 6)",
    "written in a loop": "x = zeros(200); for k = 1:20, x(:, k) = k; end, disp(sum(x(:)))",
    "a loop": "s = zeros(1e4, 1); for k = 1:20, s = s * 0.5 + k; end, disp(s(1)); disp(s(2))",
    "products": "A = rand(200); B = A * A'; C = B \\ A; disp(size(C)); disp(C(1) ~= 0)",
    "errors": "x = rand(300); try, y = x + 1; z = y(1e9); catch e, disp(e.identifier), end",
    "cells": "c = {rand(300), rand(300)}; d = cellfun(@(x) sum(x(:)), c); disp(all(d > 0))",
    "singles": "x = rand(500, 'single'); y = x + 1; disp(y(1) > 0); z = double(y); disp(z(2) > 0)",
    "integers": "x = uint8(200 * rand(500)); y = x + 100; disp(class(y)); disp(max(y(:)))",
    "functions": "f = @(x) x.^2 + 1; y = f(rand(400)); disp(y(1) >= 1); disp(min(y(:)) >= 1)",
    "displayed": "x = repmat([1 2; 3 4], 100, 100); y = x + 1; y(1:2, 1:3)",
    "structures": "s.a = rand(300); s.b = s.a * 2; s.b(5) = 1; disp(s.b(5)); disp(sum(s.a(:)) > 0)",
}


@pytest.mark.parametrize("name", ["null", "wgpu"])
@pytest.mark.parametrize("program", MOVING)
def test_all_bytes_that_a_provider_counted_are_in_the_record(program: str, name: str) -> None:
    settings = configuration.load().replace(
        accel__provider=name,
        accel__threshold=100,
        accel__offload__force="device",
        accel__offload__calibrate="never",
    )
    with Session(config=settings, stdout=lambda text: None) as session:
        telemetry = session.telemetry
        assert telemetry is not None
        session.run(MOVING[program])
        if session.interp.seat.engine.choice.device is None:  # type: ignore[union-attr]
            pytest.skip(f"{name} finds no device")
        record = telemetry.as_dict()
    totals, told = record["totals"], record["providers"].values()
    assert totals["download_bytes"] > 0
    for key in ("upload_bytes", "download_bytes"):
        assert totals[key] == sum(provider[key] for provider in told)
        parts = [run[key] for run in record["runs"]] + [r.get(key, 0) for r in record["reads"]]
        assert totals[key] == sum(parts)
    assert totals["peak_bytes"] > 0
    assert totals["compiles"] == sum(provider["compiles"] for provider in told)
    assert totals["session"]["warmup_seconds"] > 0
    steps = [step["reason"] for run in record["runs"] for step in run["steps"]]
    assert totals["decisions"] == {reason: steps.count(reason) for reason in steps}
    plans = record["caches"]["plans"]
    assert (plans["hits"], plans["misses"]) == (
        totals["session"]["plan_hits"],
        totals["session"]["plans_made"],
    )
    assert plans["entries"] <= min(plans["limit"], plans["misses"])
    if name == "wgpu":
        forms = dict(next(iter(told))["configurations"])
        assert all(text.startswith("workgroup ") for text in forms.values())
        assert forms or not totals["kernels"]


def test_estimates_of_both_sides_are_told(record: dict[str, Any]) -> None:
    steps = [step for run in record["runs"] for step in run["steps"] if step["kind"] == "kernel"]
    assert steps
    assert all({"device_estimate", "host_estimate", "reason"} <= step.keys() for step in steps)


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RUNMAT_ACCEL_PROVIDER", "inprocess")
    monkeypatch.setenv("RUNMAT_ACCEL_THRESHOLD", "100")
    path = tmp_path / "program.m"
    path.write_text(PROGRAM)
    return path


def test_a_run_writes_its_record_and_its_time_line(program: Path, tmp_path: Path) -> None:
    record, trace = tmp_path / "record.json", tmp_path / "trace.json"
    arguments = ["run", "--telemetry", str(record), "--trace", str(trace), str(program)]
    assert main(arguments) == 0
    assert json.loads(record.read_text())["schema"] == "runmat-telemetry/1"
    events = json.loads(trace.read_text())["traceEvents"]
    whole = [event for event in events if event["ph"] == "X"]
    assert any("sqrt" in event["name"] for event in whole)
    assert all(event["ts"] >= 0 and event["dur"] >= 0 for event in whole)
    assert all({"pid", "tid", "name"} <= event.keys() for event in events)


@pytest.mark.parametrize("tail", ["s = sum(y(:));", "s = sum(y(:) > 1 & y(:) < 2);"])
def test_doubles_are_fused_on_the_host_where_the_device_has_none(
    tail: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RUNMAT_CACHE_DIR", "")  # rates that were measured here may say otherwise
    load = configuration.load
    options: dict[str, Any] = {"accel__null__dtypes": "f32 i32 u32 bool", "accel__threshold": 1000}
    options["accel__fallback"] = "inprocess"
    settings = load().replace(accel__provider="null", accel__offload__calibrate="never", **options)
    made, plain = Session(config=settings), Session(config=load().replace(accel__provider="none"))
    record = made.telemetry
    assert record is not None
    for session in (made, plain):
        session.run(f"x = linspace(0, 1, 3e5); y = exp(sin(x) .* x) + 1; {tail}")
    assert made["s"] == pytest.approx(plain["s"], rel=1e-12)
    (run,) = record.as_dict()["runs"]
    (step,) = run["steps"]
    assert (step["provider"].partition("#")[0], step["reason"]) == ("inprocess", "precision")


def test_a_record_of_nothing_is_told(
    program: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("RUNMAT_ACCEL_PROVIDER", "none")
    monkeypatch.delenv("RUNMAT_ACCEL_THRESHOLD")
    assert main(["run", "--telemetry", str(tmp_path / "record.json"), str(program)]) == 1
    assert "acceleration is off (accel.provider is none)" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "beginning", "within"),
    [
        ("", "program.m\n", "asks for a value"),
        ("--json", "{\n", '"schema": "runmat-telemetry/1"'),
        ("--mermaid", "flowchart TD\n", "-->"),
        ("--kernels", "# ", "store %"),
    ],
)
def test_a_program_is_explained(
    option: str, beginning: str, within: str, program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", str(program), *filter(None, [option])]) == 0
    text = capsys.readouterr().out
    assert text.startswith(beginning)
    assert within in text


def test_a_flowchart_has_the_operations_of_each_kernel(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", "--mermaid", str(program)]) == 0
    text = capsys.readouterr().out
    fused = text[: text.index("    end\n")]
    assert "kernel 1 on inprocess" in fused
    drawn = re.findall(r'(k1n\d+)\["(\w+)<br/>([^"]*)"', text)
    named = {key: (name, size) for key, name, size in drawn}
    assert ("sqrt", "200x300 double") in named.values()
    assert ("sum", "1x300 double") in named.values()
    flows = {(named[a][0], named[b][0]) for a, b in re.findall(r"(k1n\d+) --> (k1n\d+)", text)}
    assert {("sqrt", "times"), ("times", "plus"), ("plus", "sum")} <= flows
    # every end of an arrow is drawn
    ends = set(re.findall(r"^ +(\w+) --> ", text, re.M)) | set(
        re.findall(r"--> (\w+)$", text, re.M)
    )
    assert ends <= set(re.findall(r"^ +(?:subgraph )?(\w+)(?:\[|\(\[)", text, re.M))


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        (
            {"accel__threshold": "auto"},
            "0 of 1 ran there, of the rest\n  1: too little work to be worth a plan (too-little); "
            'accel.offload.force = "device" changes that\n',
        ),
        ({"accel__offload__force": "rules"}, "(disabled); accel.offload.force changes that\n"),
        (
            {"accel__null__dtypes": "f32 bool u32"},
            "1: the device has no double precision, and doubles are not narrowed (precision); "
            "no key changes that",
        ),
        ({"accel__null__fail": "capabilities"}, "was told to fail"),
        ({"accel__offload__force": "device"}, ""),
    ],
)
def test_explain_tells_what_kept_work_from_a_named_provider(
    settings: dict[str, Any], says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RUNMAT_ACCEL_THRESHOLD", raising=False)
    values: dict[str, Any] = {"accel__threshold": 1000, "accel__provider": "null", **settings}
    config, quiet = configuration.load().replace(**values), io.StringIO()
    with Session(config=config, stdout=quiet, stderr=quiet) as made:
        record = made.telemetry
        assert record is not None
        made.run("x = 1:1e5; y = sum(exp(-x)); z = y + 1; disp(z > 0)")
        text = explain(record, "program.m", [])
    about = text.partition("accel.provider names 'null': ")[2]
    assert says in about
    assert bool(about) == bool(says)
    # what host rules computed is no kernel
    kernels = int(re.search(r"^(\d+) kernel", text, re.MULTILINE)[1])  # type: ignore[index]
    assert ("in kernel" in text) == (kernels > 0)
    assert ("by host rules\n" in text) or kernels


def test_a_kernel_that_a_device_refuses_is_told_once_and_named() -> None:
    config, out, told = configuration.load(), io.StringIO(), io.StringIO()
    config = config.replace(accel__threshold=1, accel__provider="null", accel__null__refuse="exp")
    with Session(config=config, stdout=out, stderr=told) as made:
        record = made.telemetry
        assert record is not None
        made.run("x = rand(300); disp(sum(exp(x(:))) > 0)")
        made.run("y = exp(-x).*x; disp(sum(y(:)) > 0)")
        text = explain(record, "program.m", [])
        (provider,) = [p for p in record.as_dict()["providers"].values() if p["refused"]]
    assert out.getvalue().split() == ["1", "1"]
    assert told.getvalue().count("is not valid: refused. Host rules are used") == 1
    names = [name for name, _ in provider["refused"]]
    about = text.partition("kernels refused by a device's own compiler")[2]
    assert names
    assert all(f"  {name}: the kernel '{name}' is not valid: refused\n" in about for name in names)


def test_a_page_shows_source_kernels_operations_and_time(program: Path, tmp_path: Path) -> None:
    """The page is one file of balanced elements, whose parts name the same kernels."""
    target = tmp_path / "page.html"
    assert main(["explain", "--html", str(target), str(program)]) == 0
    text = target.read_text(encoding="utf-8")
    assert not re.search(r"(src|href)=|url\(|@import|https?://(?!www\.w3\.org/2000/svg)", text)
    drawing = text[text.index("<svg") : text.index("</svg>") + 6]
    boxes = ElementTree.fromstring(drawing)
    words = [part.text for part in boxes.iter("{http://www.w3.org/2000/svg}text")]
    assert {"sqrt", "200×300 double"} <= {*words}
    where = r"(kernel|call) \d+ on \w+|host rules"
    assert any(re.fullmatch(where, word or "") for word in words)
    named = {*re.findall(r'data-kernel="(\d+)"', text)}
    assert named == {*re.findall(r'<details data-kernel="(\d+)"', text)}
    source = text[: text.index("<h2>Kernels")]
    lines = program.read_text().splitlines()
    assert source.count("<td class=source>") == len(lines)
    assert "asks for a value" in source
    assert '<rect class="bar part"' in text[text.index("<h2>Time") :]
    assert main(["explain", "--html", str(tmp_path), str(program)]) == 1


@pytest.mark.skipif(not shutil.which("chromium"), reason="needs a browser")
def test_a_page_works_in_a_browser(program: Path, tmp_path: Path) -> None:
    """A click on a kernel's button marks its boxes and opens its code."""
    target = tmp_path / "page.html"
    assert main(["explain", "--html", str(target), str(program)]) == 0
    click = "<script>document.querySelector('button.part').click();</script></body>"
    target.write_text(target.read_text("utf-8").replace("</body>", click), "utf-8")
    found = subprocess.run(
        ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", str(target)],
        capture_output=True, text=True, timeout=250, check=False,
    ).stdout  # fmt: skip
    assert re.search(r'<g class="part chosen"', found)
    assert re.search(r'<details data-kernel="1" class="chosen" open', found)
