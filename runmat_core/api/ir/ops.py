"""The operations of the kernel IR.

Map operations (`OPS`) take values and give one, element by element. MATLAB's meaning holds:
``min`` and ``max`` ignore NaN, ``sign`` keeps NaN, ``round`` takes halves away from zero, ``mod``
and ``rem`` follow MATLAB at zero, at infinities and where the quotient is a whole number up to
round-off, ``gamma`` is Inf at its poles, ``cast`` to an integer type rounds and saturates (NaN is
0), and ``cast`` to bool is ``x ~= 0``. ``quot`` is the quotient of integers, towards zero; 0 where
the divisor is, and the least number of a signed type by -1 wraps around to itself.

Complex elements take part in `COMPLEX_OPS` alone, all operands of one type. ``abs`` gives the
modulus without overflow, ``cast`` from a real type adds a zero imaginary part, and no cast leads
back. Products are ``(ac - bd) + (ad + bc)i``, whatever is infinite; those of a number and its
conjugate have a zero imaginary part. Quotients are scaled by the larger part of the divisor (Smith
1962); a divisor of two zeros divides the parts by its real one.
Functions of one operand keep to C99, annex G, at infinities, NaN and zeros. ``pow`` of a whole
number below a hundred is made of products; 0^0 is 1, and other powers of zero are 0 where the real
part of the exponent is positive, else NaN.
``isnan`` and ``isinf`` ask for either part, ``isfinite`` for both.

Structural operations:

========  =============================  ==========================================================
op        operands                       attr
========  =============================  ==========================================================
input     —                              the number of a `Fragment`'s input; not in kernels
const     —                              the literal, a float, bool or int
param     —                              index into `Kernel.params`
load      — or (element number)          index into `Kernel.views`; with an operand the element of
                                         that number (i64 or i32, from zero) of the view's buffer,
                                         and 0 where there is none
index     —                              index into `Kernel.views` (without buffer): the element
                                         number i64
extent    —                              "reduce": number of points along all reduced axes (f64)
random    (index, key, key, position,    (distribution, dtype): ``uniform`` or ``normal``, element
          position)                      `index` of the stream at `position`: key and position are
                                         u32 pairs, low word first (params)
reduce    (operands …)                   the `Reducer`; over the reduce axes
item      (reduce or scan)               which of its results, from zero
scan      (operands …)                   (`Reducer`, reverse)
carry     (first)                        the position of the value, further down in the code, that
                                         it takes on after each trip; `first` is its value in the
                                         first trip and does not vary along the serial axis
last      (value)                        —: its value in the last trip
store     (value)                        index into `Kernel.views`
guard     (bool)                         the number of a status bit: set where the value is true
========  =============================  ==========================================================

A ``scan`` by sums should never fall where its operand is not negative: programs search in such
sums, and MATLAB refuses edges that fall. A provider that goes through a slice in parts joins each
element to what stands before it in the way that it finds the start of the next part.
"""

from __future__ import annotations

from typing import Literal

from runmat_core.api.tuples import NamedTuple


class OpInfo(NamedTuple):
    """Arity of a map operation, and the type of its result."""

    arity: int
    result: Literal["same", "bool", "attr", "second", "part", "complex"]


_UNARY = (
    "neg conj sign sqrt exp expm1 log log1p log2 log10 sin cos tan asin acos atan sinh cosh tanh "
    "asinh acosh atanh floor ceil trunc round cbrt erf erfc erfinv gamma gammaln bitnot"
)
_BINARY = "add sub mul div quot pow min max mod rem atan2 hypot bitand bitor bitxor shl shr"
_TESTS = "eq ne lt le gt ge and or xor"

#: Every map operation.
OPS: dict[str, OpInfo] = {
    **{name: OpInfo(1, "same") for name in _UNARY.split()},
    **{name: OpInfo(2, "same") for name in _BINARY.split()},
    **{name: OpInfo(2, "bool") for name in _TESTS.split()},
    **{name: OpInfo(1, "bool") for name in ("not", "isnan", "isinf", "isfinite")},
    **{name: OpInfo(1, "part") for name in ("abs", "real", "imag")},
    "complex": OpInfo(2, "complex"),  # of two real parts
    "cast": OpInfo(1, "attr"),  # attr: the type
    "select": OpInfo(3, "second"),  # (condition, where true, where false)
}

#: The map operations of complex operands; ``real``, ``imag`` and ``conj`` have no others.
COMPLEX_OPS = frozenset(
    "neg conj add sub mul div abs real imag eq ne isnan isinf isfinite cast select exp log sqrt "
    "sin cos tan sinh cosh tanh asin acos atan asinh acosh atanh pow".split()
)

STRUCTURAL = frozenset(
    "input const param load index extent random reduce item scan carry last store guard".split()
)
