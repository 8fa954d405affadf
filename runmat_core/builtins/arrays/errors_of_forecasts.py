"""How far forecasts are off: root mean square and mean absolute percentage errors."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.builtins.arguments import as_float, numeric
from runmat_core.builtins.arrays.statistics import mean
from runmat_core.builtins.lift import expand
from runmat_core.values import from_numpy, to_numpy


@builtin("rmse", family="arrays/statistics", nargin=(2, None), effects="pure")
def rmse(f: Any, a: Any, *args: Any) -> Any:
    """Root mean square error of a forecast.

    E = rmse(F, A) is sqrt(mean(abs(F - A).^2)) of the forecast F of the actual A
    E = rmse(F, A, DIM), E = rmse(F, A, VECDIM), E = rmse(F, A, "all"), E = rmse(…, "omitnan")
    E = rmse(…, "Weights", W)

    Examples:
        >> rmse([1 2 3], [1 2 5])
        ans =
            1.1547

    See also: mape, rms, mean.
    """
    first, second = expand([as_float(numeric(f, "rmse")), as_float(numeric(a, "rmse"))])
    with np.errstate(all="ignore"):
        found = mean(from_numpy(np.abs(first - second) ** 2), *args)
        return from_numpy(np.sqrt(to_numpy(found)))


@builtin("mape", family="arrays/statistics", nargin=(2, None), effects="pure")
def mape(f: Any, a: Any, *args: Any) -> Any:
    """Mean absolute percentage error of a forecast.

    E = mape(F, A) is 100*mean(abs((F - A)./A)) of the forecast F of the actual A
    E = mape(F, A, DIM), E = mape(F, A, VECDIM), E = mape(F, A, "all"), E = mape(…, "omitnan")
    E = mape(…, "Weights", W)

    Examples:
        >> mape([1 2 3], [1 4 3])
        ans =
           16.6667

    See also: rmse, mean.
    """
    first, second = expand([as_float(numeric(f, "mape")), as_float(numeric(a, "mape"))])
    with np.errstate(all="ignore"):
        return mean(from_numpy(np.abs((first - second) / second) * 100), *args)
