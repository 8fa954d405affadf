"""spparms: the settings of a session that tune sparse solvers in MATLAB."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import real, scalar
from runmat_core.builtins.named import choice
from runmat_core.values import from_numpy, is_text
from runmat_core.values.char import char_rows

_DEFAULT = {
    "spumoni": 0.0, "thr_rel": 1.1, "thr_abs": 1.0, "exact_d": 0.0, "supernd": 3.0,
    "rreduce": 3.0, "wh_frac": 0.5, "autommd": 1.0, "autoamd": 1.0, "piv_tol": 0.1,
    "bandden": 0.5, "umfpack": 1.0, "sym_tol": 0.001,
}  # fmt: skip

_TIGHT = {"thr_rel": 1.0, "thr_abs": 0.0, "exact_d": 1.0, "supernd": 1.0, "rreduce": 1.0}


@attrs.define
class _Settings:
    values: dict[str, float] = attrs.field(factory=lambda: dict(_DEFAULT))


@builtin("spparms", family="linalg/systems", nargin=(0, 2), nargout=2, needs=("nargout", "interp"))
def spparms(key: Any = None, value: Any = None, *, nargout: int, interp: Interp) -> Any:
    """Settings of sparse solvers: kept for programs that ask for them, and read by none here.

    spparms("KEY", VALUE) sets one of spumoni, thr_rel, thr_abs, exact_d, supernd, rreduce,
    wh_frac, autommd, autoamd, piv_tol, bandden, umfpack, and sym_tol
    VALUE = spparms("KEY")
    VALUES = spparms, [KEYS, VALUES] = spparms; spparms(VALUES) sets all of them, in this order
    spparms("default"), spparms("tight")
    spparms shows them

    Examples:
        >> spparms('piv_tol')
        ans =
            0.1000

    See also: lu, chol, colamd, symamd, mldivide.
    """
    values = interp.state("linalg.spparms", _Settings).values
    if key is None:
        if nargout == 0:
            interp.write("".join(f"{name:>8}: {v:g}\n" for name, v in values.items()))
            return None
        column = from_numpy(np.array([*values.values()]).reshape(-1, 1))
        if nargout < 2:
            return column
        return char_rows([*values]), column
    if is_text(key):
        word = choice(key, [*values, "default", "tight"], "spparms")
        if word in ("default", "tight"):
            values.update(_DEFAULT if word == "default" else _TIGHT)
            return None
        if value is None:
            return values[word]
        values[word] = scalar(value, "The value")
        return None
    given = real(key, "spparms").ravel(order="F").astype(float).tolist()
    if len(given) > len(values):
        raise MatlabError("MATLAB:spparms:tooManyValues", f"There are {len(values)} settings.")
    values.update(zip(values, given, strict=False))
    return None
