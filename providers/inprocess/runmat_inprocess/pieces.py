"""How small the blocks of a launch may be, so that every thread has work.

NumPy holds the interpreter lock between two operations, and a thread that waits for it loses
microseconds. So threads gain where an operation on a block takes longer than that: a block of sines
of doubles may be small, one of sums of singles must not.
"""

from __future__ import annotations

from runmat_core.api.ir import OPS, Kernel

#: Seconds that an operation on a block should take on the average.
WORTH = 1.6e-5
#: A launch is not cut into more pieces than this to give threads work, nor into smaller ones.
PIECES, LEAST = 4, 1 << 12

#: Nanoseconds of an element in single and in double precision, measured with NumPy 2.4 on an EPYC.
_NANOSECONDS: dict[str, tuple[float, float]] = {
    "exp": (0.28, 0.5),
    "log": (0.3, 0.6),
    "tanh": (0.16, 0.8),
    "sin": (0.37, 8.0),
    "cos": (0.37, 8.0),
    "pow": (1.4, 12.0),
    "div": (0.08, 0.25),
    "sqrt": (0.1, 0.3),
    "reduce": (0.2, 0.4),
    "random": (0.3, 0.5),
}
_OTHERS = (0.05, 0.1)
#: What NumPy computes by the library of C, an element at a time.
_BY_C = frozenset(
    "tan asin acos atan sinh cosh asinh acosh atanh atan2 hypot cbrt expm1 log1p log2 log10 "
    "mod rem erf erfc erfinv gamma gammaln".split()
)


def least_block(kernel: Kernel) -> int:
    """Return the fewest elements of a block for which another thread is worth its switches."""
    total, count = 0.0, 0
    for instr in kernel.code:
        if instr.op in OPS or instr.op in _NANOSECONDS:
            single, double = (
                (8.0, 10.0) if instr.op in _BY_C else _NANOSECONDS.get(instr.op, _OTHERS)
            )
            total += single if instr.dtype == "f32" else double
            count += 1
    if not count:
        return 1 << 30
    return max(LEAST, int(WORTH / (total / count * 1e-9)))


def piece(points: int, block: int, least: int) -> int:
    """Elements of the blocks of a launch of so many points, `block` where there are many."""
    return min(block, max(least, -(-points // PIECES)))
