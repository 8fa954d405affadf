"""Functions of values that a kernel makes itself: their bounds are known, so they have short forms.

Device compilers fold expressions of literals, and refuse some of them; a shader that is refused
leaves the device without a word, so it is the counter of these that is looked at.
"""

from __future__ import annotations

from typing import Any

import pytest

from runmat_core.session import Session
from runmat_core.session.config import load
from tests.providers.wgpu.machine import adapter_device

#: Operations that have forms for arguments within bounds, and such of one of these.
FORMS = ("sin(%s)", "cos(%s)", "tan(%s)", "exp(%s)", "tanh(%s)", "1./(2 + %s)", "sin(3*%s + 1)")
SOURCES = ("rand(n,1,c)", "randn(n,1,c)", "linspace(cast(-1,c),1,n)'", "cast(1:n,c)'/n")
PLACES = (
    "y = {0}; r = sum(y.*y + z);",
    "y = {0} + z; r = y(5);",
    "y = cumsum({0} + z); r = y(end);",
    "r = 0; for k = 1:4, r = r + mean({0} + z); end",
)


@pytest.fixture
def session() -> Any:
    adapter_device()
    config = load().replace(
        accel__provider="wgpu",
        accel__fallback="none",
        accel__threshold=1,
        accel__offload__force="device",
        accel__offload__calibrate="never",
    )
    session = Session(config=config)
    yield session
    session.close()


@pytest.mark.parametrize("kind", ["double", "single"])
def test_no_shader_is_refused(session: Session, kind: str) -> None:
    session.run(f"c = '{kind}'; n = 300; z = zeros(n, 1, c);")
    for k, form in enumerate(FORMS):
        for at, source in enumerate(SOURCES):
            session.run(PLACES[(k + at) % 4].format(form % source))
            session.capture("r")
    assert session.telemetry is not None
    # providers of one name are numbered from the second one in a process
    (report,) = session.telemetry.as_dict()["providers"].values()
    counters = dict(report["counters"])
    assert counters["invalid_shaders"] == 0
    if kind == "single" or not counters["declined"]:
        assert report["launches"] >= len(FORMS) * len(SOURCES)
