"""Eigenvalues, singular values and their like, on as many threads as serve their order."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from typing import Any

import numpy as np

from runmat_core.api.interrupts import stoppable
from runmat_core.api.libraries import package
from runmat_core.api.threads import by_steps

#: Multiplications by order and elements: eigenvalues take some ten times a factorization.
STEPS = 10


def _measured(rule: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(rule)
    def limited(a: Any, *args: Any, **options: Any) -> Any:
        order = min(a.shape[-2:])
        with by_steps(order):
            return stoppable(STEPS * a.size * order, rule, a, *args, **options)

    return limited


eig = _measured(np.linalg.eig)
eigvals = _measured(np.linalg.eigvals)
eigh = _measured(np.linalg.eigh)
eigvalsh = _measured(np.linalg.eigvalsh)
svd = _measured(np.linalg.svd)


@cache
def of_scipy(name: str) -> Callable[..., Any]:
    """Return a rule of ``scipy.linalg``, which takes long to load and is imported on first use."""
    return _measured(getattr(package("scipy.linalg"), name))
