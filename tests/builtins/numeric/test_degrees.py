"""Functions of degrees and half turns of complex angles, beside mpmath's; their inverses."""

from __future__ import annotations

from collections.abc import Callable

import mpmath
import numpy as np
import pytest

from runmat_core.session import Session

DEGREE = mpmath.pi / 180
FORMS: list[tuple[str, Callable[..., object]]] = [
    ("sind", lambda z: mpmath.sin(z * DEGREE)),
    ("cosd", lambda z: mpmath.cos(z * DEGREE)),
    ("tand", lambda z: mpmath.tan(z * DEGREE)),
    ("cotd", lambda z: mpmath.cot(z * DEGREE)),
    ("secd", lambda z: mpmath.sec(z * DEGREE)),
    ("cscd", lambda z: mpmath.csc(z * DEGREE)),
    ("sinpi", mpmath.sinpi),
    ("cospi", mpmath.cospi),
    ("acosd", lambda z: mpmath.acos(z) / DEGREE),
    ("asecd", lambda z: mpmath.asec(z) / DEGREE),
    ("acscd", lambda z: mpmath.acsc(z) / DEGREE),
    ("acotd", lambda z: mpmath.acot(z) / DEGREE),
]


@pytest.mark.parametrize(("name", "reference"), FORMS, ids=[name for name, _ in FORMS])
def test_complex_angles(session: Session, name: str, reference: Callable[..., object]) -> None:
    rng = np.random.default_rng(5)
    unit = 1 / 90 if name.endswith("pi") else 1.0
    z = rng.normal(size=20) * 90 + 1j * rng.normal(size=20) * 30
    z = z * unit
    session.workspace["z"] = z.reshape(1, -1)
    found = np.asarray(session.eval(f"{name}(z)")).ravel()
    for value, point in zip(found, z, strict=True):
        wanted = complex(reference(mpmath.mpc(complex(point))))  # type: ignore[arg-type]
        assert abs(value - wanted) <= 4e-15 * abs(wanted), point


def test_tangents_far_from_the_real_axis(same: Callable[[str, str], None]) -> None:
    same("imag(tand([1+1e5i 1-1e5i]))", "[1 -1]")
    same("class(cosd(single(1+2i)))", "'single'")


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("asecd([2 -1 Inf])", "[60 180 90]"),
        ("acscd([1 -1 -Inf])", "[90 -90 0]"),
        ("acotd([1 0 -Inf])", "[45 90 0]"),
        ("asecd(single(2))", "single(60)"),
    ],
)
def test_inverses(session: Session, code: str, expected: str) -> None:
    assert session.eval(f"max(abs({code} - {expected})) < 1e-5")
