"""C's ``fmod`` over the points of a tile, in vectors where quotients are small.

``i32 name(loop, context, auxiliary, data, count, strides)`` takes one of NumPy's loops and what it
is called with. With ``q = trunc(x / y)`` below 2^52 (2^23 for singles) the quotient is right, or
was rounded up to the next integer. ``x - q * y`` is a number of the type then, so one fused
operation gives it exactly, and so does adding the divisor where the sign tells that q was one too
much. A tile with a larger quotient is left to NumPy's loop, which takes 14 ns for an element or
more.
"""

from __future__ import annotations

from runmat_native.text import TYPE, Writer, literal

#: Quotients from which elements are left to NumPy's loop.
_LARGE = {"f32": 2.0**23, "f64": 2.0**52}


def name(dtype: str, fixed: bool) -> str:
    return f"@fmod_{dtype}_{'one' if fixed else 'each'}"


def function(dtype: str, fixed: bool) -> str:
    """Return the text of a function.

    Args:
        fixed: whether one divisor serves all elements.
    """
    w, kind = Writer(), TYPE[dtype]
    parameters = ("loop", "context", "auxiliary", "data", "count", "strides")
    given = ", ".join(f"ptr %{p}" for p in parameters)
    head = f"define internal i32 {name(dtype, fixed)}({given}) nounwind {{"
    for k, which in enumerate(("x", "y", "out")):
        address = w.let(f"getelementptr inbounds ptr, ptr %data, i64 {k}")
        w.add(f"%{which} = load ptr, ptr {address}")
    w.add("%n = load i64, ptr %count")
    w.add("br label %head")
    w.label("head")
    w.add("%i = phi i64 [0, %entry], [%next, %body]")
    w.add("%far = phi i1 [false, %entry], [%found, %body]")
    w.add("%more = icmp slt i64 %i, %n")
    w.add("br i1 %more, label %body, label %end")
    w.label("body")
    x, y = _element(w, kind, "x", "%i"), _element(w, kind, "y", "0" if fixed else "%i")
    quotient = w.let(f"fdiv {kind} {x}, {y}")
    whole = w.let(f"fneg {kind} {w.intrinsic('trunc', dtype, quotient)}")
    rest = w.intrinsic("fma", dtype, whole, y, x)
    zero = literal(0, dtype)
    signs = [w.let(f"fcmp olt {kind} {v}, {zero}") for v in (rest, x)]
    some = w.let(f"fcmp one {kind} {rest}, {zero}")
    over = w.let(f"and i1 {w.let(f'xor i1 {signs[0]}, {signs[1]}')}, {some}")
    back = w.let(f"fadd {kind} {rest}, {w.intrinsic('copysign', dtype, y, x)}")
    rest = w.let(f"select i1 {over}, {kind} {back}, {kind} {rest}")
    sizes = [w.intrinsic("fabs", dtype, v) for v in (x, y, quotient)]
    less = w.let(f"fcmp olt {kind} {sizes[0]}, {sizes[1]}")
    rest = w.let(f"select i1 {less}, {kind} {x}, {kind} {rest}")
    rest = w.intrinsic("copysign", dtype, rest, x)
    target = w.let(f"getelementptr inbounds {kind}, ptr %out, i64 %i")
    w.store(rest, kind, target, ", !llvm.access.group !0")
    large = w.let(f"fcmp oge {kind} {sizes[2]}, {literal(_LARGE[dtype], dtype)}")
    w.add(f"%found = or i1 %far, {large}")
    w.add("%next = add nuw nsw i64 %i, 1")
    w.add("br label %head, !llvm.loop !3")
    w.label("end")
    w.add("br i1 %far, label %slow, label %done")
    w.label("slow")
    w.let(
        "call i32 %loop(ptr %context, ptr %data, ptr %count, ptr %strides, ptr %auxiliary)", "told"
    )
    w.add("br label %done")
    w.label("done")
    w.add("ret i32 0")
    return "\n".join([head, "entry:", *w.lines, "}"]) + "\n"


def _element(w: Writer, kind: str, base: str, at: str) -> str:
    address = w.let(f"getelementptr inbounds {kind}, ptr %{base}, i64 {at}")
    return w.let(f"load {kind}, ptr {address}, !llvm.access.group !0")
