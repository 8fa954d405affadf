"""What each map operation means: element types, edge values, and the same in NumPy.

The page of operations (`docs/ir.md`) and failures of the conformance kit are made from this table;
tests hold it against `ops.OPS` and its NumPy forms against the kit's own results.
"""

from __future__ import annotations

from runmat_core.api.tuples import NamedTuple


class Meaning(NamedTuple):
    """One operation.

    Attributes:
        types: real element types that it takes: ``floats``, ``integers``, ``reals`` (both),
            ``bool``; what else there is in words.
        numpy: an expression of ``x``, ``y`` and ``c``, with ``np`` and ``special`` (SciPy's).
        edges: what holds at special values; empty where it is what IEEE 754 and NumPy have.
    """

    types: str
    numpy: str
    edges: str = ""


MEANINGS: dict[str, Meaning] = {
    "neg": Meaning("floats", "-x", "-0 of 0, and 0 of -0"),
    "conj": Meaning("complex types", "np.conj(x)"),
    "sign": Meaning("floats", "np.sign(x)", "NaN of NaN"),
    "sqrt": Meaning("floats", "np.sqrt(x)", "NaN below 0, -0 of -0"),
    "exp": Meaning("floats", "np.exp(x)"),
    "expm1": Meaning("floats", "np.expm1(x)", "exact near 0; -0 of -0"),
    "log": Meaning("floats", "np.log(x)", "-Inf of 0 and -0, NaN below"),
    "log1p": Meaning("floats", "np.log1p(x)", "exact near 0; -Inf of -1, NaN below"),
    "log2": Meaning("floats", "np.log2(x)", "-Inf of 0, NaN below"),
    "log10": Meaning("floats", "np.log10(x)", "-Inf of 0, NaN below"),
    "sin": Meaning("floats", "np.sin(x)", "NaN of infinities; right for large arguments"),
    "cos": Meaning("floats", "np.cos(x)", "NaN of infinities; right for large arguments"),
    "tan": Meaning("floats", "np.tan(x)", "NaN of infinities; right for large arguments"),
    "asin": Meaning("floats", "np.arcsin(x)", "NaN outside of [-1, 1]"),
    "acos": Meaning("floats", "np.arccos(x)", "NaN outside of [-1, 1]"),
    "atan": Meaning("floats", "np.arctan(x)"),
    "sinh": Meaning("floats", "np.sinh(x)"),
    "cosh": Meaning("floats", "np.cosh(x)"),
    "tanh": Meaning("floats", "np.tanh(x)", "1 of Inf, -1 of -Inf"),
    "asinh": Meaning("floats", "np.arcsinh(x)"),
    "acosh": Meaning("floats", "np.arccosh(x)", "NaN below 1"),
    "atanh": Meaning("floats", "np.arctanh(x)", "infinite at 1 and -1, NaN outside"),
    "floor": Meaning("floats", "np.floor(x)"),
    "ceil": Meaning("floats", "np.ceil(x)", "-0 of numbers in (-1, 0)"),
    "trunc": Meaning("floats", "np.trunc(x)"),
    "round": Meaning("floats", "np.trunc(x) + np.sign(x) * (abs(x - np.trunc(x)) >= 0.5)",
                     "halves away from zero; not NumPy's `round`"),
    "cbrt": Meaning("floats", "np.cbrt(x)", "real of negative numbers"),
    "erf": Meaning("floats", "special.erf(x)"),
    "erfc": Meaning("floats", "special.erfc(x)", "without cancellation for large arguments"),
    "erfinv": Meaning("floats", "special.erfinv(x)", "infinite at 1 and -1, NaN outside"),
    "gamma": Meaning("floats", "np.where((x <= 0) & (np.floor(x) == x), np.inf, special.gamma(x))",
                     "Inf at its poles"),
    "gammaln": Meaning("floats", "special.gammaln(x)",
                       "Inf of 0; below 0 of the absolute value of gamma; -Inf is never asked"),
    "bitnot": Meaning("integers", "~x"),
    "add": Meaning("reals", "x + y", "of integers, what does not fit is the caller's to prevent"),
    "sub": Meaning("reals", "x - y", "as `add`"),
    "mul": Meaning("floats", "x * y"),
    "div": Meaning("floats", "x / y", "infinite by 0, NaN of 0 by 0"),
    "quot": Meaning("integers", "np.where(y == 0, 0, (x - np.fmod(x, y + (y == 0))) // "
                    "(y + (y == 0)))",
                    "towards zero; 0 by 0; the least number of a signed type by -1 wraps around"),
    "pow": Meaning("floats", "x ** y", "1 for an exponent of 0; NaN of a negative base and a "
                   "fraction"),
    "min": Meaning("reals", "np.fmin(x, y)", "the number beside a NaN; NaN of two"),
    "max": Meaning("reals", "np.fmax(x, y)", "the number beside a NaN; NaN of two"),
    "mod": Meaning("reals", "x - np.floor(x / y) * y",
                   "x by 0; the sign of y; 0 where y is no whole number and x / y is one up to "
                   "round-off; NaN of an infinite x"),
    "rem": Meaning("reals", "np.fmod(x, y)",
                   "NaN by 0, of integers 0; the sign of x; 0 where x / y is whole up to "
                   "round-off"),
    "atan2": Meaning("floats", "np.arctan2(x, y)", "x is the opposite side; signs of zeros count"),
    "hypot": Meaning("floats", "np.hypot(x, y)", "without overflow; Inf beside a NaN"),
    "bitand": Meaning("integers", "x & y"),
    "bitor": Meaning("integers", "x | y"),
    "bitxor": Meaning("integers", "x ^ y"),
    "shl": Meaning("integers", "x << y", "0 for a shift by all bits or more"),
    "shr": Meaning("integers", "x >> y", "0 for a shift by all bits or more"),
    "eq": Meaning("reals and bool", "x == y", "False beside a NaN; -0 equals 0"),
    "ne": Meaning("reals and bool", "x != y", "True beside a NaN"),
    "lt": Meaning("reals", "x < y", "False beside a NaN"),
    "le": Meaning("reals", "x <= y", "False beside a NaN"),
    "gt": Meaning("reals", "x > y", "False beside a NaN"),
    "ge": Meaning("reals", "x >= y", "False beside a NaN"),
    "and": Meaning("bool", "x & y"),
    "or": Meaning("bool", "x | y"),
    "xor": Meaning("bool", "x ^ y"),
    "not": Meaning("bool", "~x"),
    "isnan": Meaning("floats", "np.isnan(x)"),
    "isinf": Meaning("floats", "np.isinf(x)"),
    "isfinite": Meaning("floats", "np.isfinite(x)"),
    "abs": Meaning("floats", "abs(x)", "0 of -0; of complex elements the modulus, without "
                   "overflow"),
    "real": Meaning("complex types", "x.real"),
    "imag": Meaning("complex types", "x.imag"),
    "complex": Meaning("floats", "x + 1j * y", "the parts as they are, infinities and NaN too"),
    "cast": Meaning("all", "x.astype(T)",
                    "to an integer type: halves away from zero, saturating, 0 of NaN; to bool: "
                    "x != 0; from a real to a complex type: imaginary part 0; from a complex type "
                    "to complex types alone"),
    "select": Meaning("a bool and two of any type", "np.where(c, x, y)",
                      "the side that is not taken is not looked at"),
}  # fmt: skip
