"""Colour maps that have no formula: parula and turbo, as curves through a few of their colours.

Between the knots the curves are cubic splines, which are within 0.001 of the documented maps of 256
colours. Maps of other lengths are interpolated linearly between those 256, as MATLAB does.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.libraries import package
from runmat_core.builtins.graphics.colormaps import LENGTH, Colours, _length
from runmat_core.values import from_numpy

#: For red, green and blue, rows of the map of 256 colours (from zero) and 10000 times their values.
_KNOTS = {
    "parula": (
        "0:2422 8:2576 20:2749 37:2809 47:2726 52:2621 58:2369 62:2128 65:1950 71:1806 75:1773 "
        "79:1740 85:1540 91:1429 96:1288 102:1085 108:789 111:535 115:155 121:46 124:253 126:504 "
        "128:770 135:1532 148:2318 152:2695 157:3301 164:4184 169:4899 179:6297 188:7468 206:9357 "
        "209:9606 214:9946 217:9972 227:9885 233:9720 237:9634 248:9642 255:9769",
        "0:1504 3:1607 8:1814 17:2184 32:2985 58:4437 67:4975 76:5452 84:5854 91:6180 102:6669 "
        "127:7446 139:7699 150:7922 168:8011 192:7554 208:7284 211:7304 217:7569 222:7856 236:8716 "
        "249:9494 255:9839",
        "0:6603 3:6961 8:7501 15:8249 32:9397 51:9935 55:9974 59:9995 63:9926 73:9677 80:9393 "
        "84:9254 91:9022 98:8862 113:8183 133:6881 143:6146 152:5360 157:4876 165:4013 171:3374 "
        "180:2423 186:1924 191:1608 194:1535 198:1587 202:1749 207:2151 210:2373 212:2446 213:2429 "
        "217:2267 223:2012 230:1787 236:1608 241:1480 246:1304 255:805",
    ),
    "turbo": (
        "0:1900 17:2537 31:2758 40:2754 44:2711 85:1034 98:2214 111:4123 123:5865 131:6746 "
        "168:9732 177:9944 210:9102 221:8393 242:6422 255:4796",
        "0:718 19:2849 35:4515 48:5796 75:8296 98:9569 130:9852 167:7552 175:6841 185:5755 "
        "208:3149 221:2065 236:1068 255:158",
        "0:2322 20:7116 40:9659 45:9930 72:8452 81:7524 89:6763 97:5820 123:2685 129:2284 "
        "154:2188 165:2281 193:1233 209:513 220:249 234:70 255:106",
    ),
}


@cache
def _whole(name: str) -> Colours:
    CubicSpline = package("scipy.interpolate").CubicSpline

    columns = []
    for knots in _KNOTS[name]:
        pairs = np.array([knot.split(":") for knot in knots.split()], np.float64)
        columns.append(CubicSpline(pairs[:, 0], pairs[:, 1] / 1e4)(np.arange(LENGTH)))
    return np.asarray(np.round(np.clip(np.stack(columns, axis=1), 0, 1), 4))


def _sampled(name: str, m: Any) -> Any:
    count = _length(m)
    table = _whole(name)
    # MATLAB's linspace: the last colour alone where one is asked for
    at = np.linspace(0, LENGTH - 1, count) if count != 1 else np.array([LENGTH - 1.0])
    columns = [np.interp(at, np.arange(LENGTH), column) for column in table.T]
    return from_numpy(np.stack(columns, axis=1))


@builtin("parula", family="graphics/colormaps", effects="pure")
def parula(m: Any = None) -> Any:
    """Colour map from blue through green and orange to yellow, the default.

    C = parula, C = parula(M) with M colours, 256 by default

    Values are within 0.001 of MATLAB's.

    Examples:
        >> parula(2)
        ans =
            0.2422    0.1504    0.6603
            0.9769    0.9839    0.0805

    See also: turbo, hsv, jet.
    """
    return _sampled("parula", m)


@builtin("turbo", family="graphics/colormaps", effects="pure")
def turbo(m: Any = None) -> Any:
    """Colour map of the rainbow from dark blue to dark red, smoother than jet.

    C = turbo, C = turbo(M) with M colours, 256 by default

    Values are within 0.001 of MATLAB's.

    Examples:
        >> turbo(2)
        ans =
            0.1900    0.0718    0.2322
            0.4796    0.0158    0.0106

    See also: parula, jet, hsv.
    """
    return _sampled("turbo", m)
