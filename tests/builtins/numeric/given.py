"""Running a statement on arrays of NumPy."""

from __future__ import annotations

import numpy as np

from runmat_core.session import Session


def given(session: Session, code: str, names: str = "r", **data: np.ndarray) -> list[np.ndarray]:
    """The variables of these names, of one letter each, after `code` has run on the data."""
    for name, value in data.items():
        session[name] = value
    session.run(code)
    return [np.asarray(session[name]) for name in names]
