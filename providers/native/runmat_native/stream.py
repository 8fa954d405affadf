"""The random stream as machine code: Philox words, uniforms and normals of them.

The words and what is made of them are those of `runmat_inprocess.philox`, bit for bit; normals go
through NumPy's own loops. Each function is a module, compiled when something draws by it and kept
on disk like kernels. Kernels call them by address for a row of a tile, and the in-process
provider's kernels draw by them as well.

``uniform_f64(key, key, word, out, count)`` and ``uniform_f32`` fill `out` from a word on;
``normal_f64`` and ``normal_f32`` take at most `MOST` elements and the address of `Stream.loops`.
``pairs_f64`` and ``pairs_f32`` fill two arrays with every other uniform; ``words`` fills blocks.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from runmat_inprocess import philox

from runmat_native.nest import TILE, Loop
from runmat_native.text import TYPE, Writer, literal

#: Elements of a call that makes normals.
MOST = TILE
_HALF = MOST // 2 + 1
#: NumPy's loops that normals need, in the order of their table.
LOOPS = tuple(
    Loop(name, (dtype, dtype), (size, size))
    for dtype, size, names in (("f64", 8, ("log", "tan")), ("f32", 4, ("log", "cos", "sin")))
    for name in names
)


def _block(w: Writer, counter: str) -> tuple[str, str, str, str]:
    """Write the four words of a block.

    All lanes are 64 bits wide, as products are: to narrow vectors takes longer than to multiply.
    """
    x = [w.let(f"and i64 {counter}, {philox.LOW}"), w.let(f"lshr i64 {counter}, 32"), "0", "0"]
    key = ["%key0", "%key1"]
    for _ in range(philox.ROUNDS):
        wide = [w.let(f"zext i32 {k} to i64") for k in key]
        p, q = (
            w.let(f"mul i64 {lane}, {factor}")
            for lane, factor in zip((x[0], x[2]), philox.MULTIPLIERS, strict=True)
        )
        mixed = [
            w.let(f"xor i64 {w.let(f'xor i64 {top}, {other}')}, {k}")
            for top, other, k in zip(
                (w.let(f"lshr i64 {q}, 32"), w.let(f"lshr i64 {p}, 32")),
                (x[1], x[3]),
                wide,
                strict=True,
            )
        ]
        lows = [w.let(f"and i64 {v}, {philox.LOW}") for v in (q, p)]
        x = [mixed[0], lows[0], mixed[1], lows[1]]
        key = [w.let(f"add i32 {k}, {weyl}") for k, weyl in zip(key, philox.WEYL, strict=True)]
    return x[0], x[1], x[2], x[3]


def _single(w: Writer, word: str) -> str:
    word = w.let(f"trunc i64 {word} to i32")
    bits = w.let(f"or i32 {w.let(f'lshr i32 {word}, 9')}, {0x3F800000}")
    near = w.let(f"bitcast i32 {bits} to float")
    return w.let(f"fsub float {near}, {literal(1 - 2.0**-24, 'f32')}")


def _double(w: Writer, low: str, high: str) -> str:
    wide = w.let(f"or i64 {w.let(f'shl i64 {high}, 32')}, {low}")
    bits = w.let(f"or i64 {w.let(f'lshr i64 {wide}, 12')}, {0x3FF0000000000000}")
    near = w.let(f"bitcast i64 {bits} to double")
    return w.let(f"fsub double {near}, {literal(1 - 2.0**-53, 'f64')}")


def _uniforms(w: Writer, dtype: str, counter: str) -> list[str]:
    """Write the uniforms of a block."""
    x = _block(w, counter)
    if dtype == "f32":
        return [_single(w, word) for word in x]
    return [_double(w, x[0], x[1]), _double(w, x[2], x[3])]


class _Function:
    """Writes one function of the module."""

    def __init__(self, name: str, parameters: str, marks: str = "") -> None:
        self.w = Writer()
        self.head = f"define void @{name}({parameters}) {marks}nounwind {{"

    def text(self) -> str:
        return "\n".join([self.head, "entry:", *self.w.lines, "  ret void", "}"]) + "\n"

    def loop(self, stop: str, body: Any) -> None:
        """Write a loop from 0 whose iterations are independent."""
        w = self.w
        before, head, inside, after = map(w.name, "pre head body end".split())
        i, following = f"%{w.name('i')}", f"%{w.name('next')}"
        w.add(f"br label %{before}")
        w.label(before)
        w.add(f"br label %{head}")
        w.label(head)
        latch = w.name("latch")
        w.add(f"{i} = phi i64 [0, %{before}], [{following}, %{latch}]")
        more = w.let(f"icmp slt i64 {i}, {stop}")
        w.add(f"br i1 {more}, label %{inside}, label %{after}")
        w.label(inside)
        body(i)
        w.add(f"br label %{latch}")
        w.label(latch)
        w.add(f"{following} = add nuw nsw i64 {i}, 1")
        w.add(f"br label %{head}, !llvm.loop !3")
        w.label(after)

    def put(self, value: str, kind: str, base: str, i: str) -> None:
        address = self.w.let(f"getelementptr {kind}, ptr {base}, i64 {i}")
        self.w.store(value, kind, address, ", !llvm.access.group !0")

    def get(self, kind: str, base: str, i: str) -> str:
        address = self.w.let(f"getelementptr {kind}, ptr {base}, i64 {i}")
        return self.w.let(f"load {kind}, ptr {address}, !llvm.access.group !0")

    def call(self, number: int, source: str, target: str, count: str, size: int) -> None:
        """Write a call of one of the loops of the table."""
        w = self.w
        parts = []
        for k in range(3):
            address = w.let(f"getelementptr i64, ptr %loops, i64 {3 * number + k}")
            parts.append(w.let(f"load ptr, ptr {address}"))
        for k, address in enumerate((source, target)):
            w.store(address, "ptr", w.let(f"getelementptr ptr, ptr %data, i64 {k}"))
            w.store(str(size), "i64", w.let(f"getelementptr i64, ptr %strides, i64 {k}"))
        w.store(count, "i64", "%number")
        loop, context, auxiliary = parts
        w.let(
            f"call i32 {loop}(ptr {context}, ptr %data, ptr %number, ptr %strides, ptr {auxiliary})"
        )


_KEY = "i32 %key0, i32 %key1, i64 %word, "


def _words() -> str:
    f = _Function("words", _KEY + "ptr noalias %out, i64 %count")
    w = f.w

    def body(i: str) -> None:
        for k, word in enumerate(_block(w, w.let(f"add i64 %word, {i}"))):
            word = w.let(f"trunc i64 {word} to i32")
            f.put(word, "i32", "%out", w.let(f"add i64 {w.let(f'shl i64 {i}, 2')}, {k}"))

    f.loop("%count", body)
    return f.text()


def _uniform(dtype: str) -> str:
    """Write a function that fills an array: a torn block at each end, whole ones between."""
    f = _Function(f"uniform_{dtype}", _KEY + "ptr noalias %out, i64 %count")
    w, kind = f.w, TYPE[dtype]
    each = 4 if dtype == "f32" else 2
    w.add(f"%torn = alloca [{each} x {kind}], align 16")
    number = w.let("lshr i64 %word, 1") if dtype == "f64" else "%word"
    lane = w.let(f"and i64 {number}, {each - 1}")
    first = w.let("lshr i64 %word, 2")
    left = w.let(f"sub i64 {each}, {lane}")
    some = w.let(f"icmp ne i64 {lane}, 0")
    left = w.let(f"select i1 {some}, i64 {left}, i64 0")
    head = w.let(f"call i64 @llvm.smin.i64(i64 {left}, i64 %count)")

    def copy(count: str, counter: str, lane: str, target: str) -> None:
        w.add(f"call void @block_{dtype}(i32 %key0, i32 %key1, i64 {counter}, ptr %torn)")

        def body(i: str) -> None:
            value = f.get(kind, "%torn", w.let(f"add i64 {i}, {lane}"))
            f.put(value, kind, target, i)

        f.loop(count, body)

    copy(head, first, lane, "%out")
    rest = w.let(f"sub i64 %count, {head}")
    blocks = w.let(f"udiv i64 {rest}, {each}")
    whole = w.let(f"getelementptr {kind}, ptr %out, i64 {head}")
    start = w.let(f"add i64 {first}, {w.let(f'zext i1 {some} to i64')}")

    def body(i: str) -> None:
        place = w.let(f"mul i64 {i}, {each}")
        for k, value in enumerate(_uniforms(w, dtype, w.let(f"add i64 {start}, {i}"))):
            f.put(value, kind, whole, w.let(f"add i64 {place}, {k}"))

    f.loop(blocks, body)
    done = w.let(f"mul i64 {blocks}, {each}")
    tail = w.let(f"sub i64 {rest}, {done}")
    target = w.let(f"getelementptr {kind}, ptr {whole}, i64 {done}")
    copy(tail, w.let(f"add i64 {start}, {blocks}"), "0", target)
    return f.text()


def _torn(dtype: str) -> str:
    """Write a function that makes the uniforms of one block."""
    f = _Function(f"block_{dtype}", "i32 %key0, i32 %key1, i64 %counter, ptr %out", "noinline ")
    for k, value in enumerate(_uniforms(f.w, dtype, "%counter")):
        f.put(value, TYPE[dtype], "%out", str(k))
    return f.text()


def _pair(f: _Function, dtype: str, i: str) -> tuple[str, str]:
    """Write a pair of uniforms: of a block of doubles, of half a block of singles."""
    w = f.w
    if dtype == "f64":
        even, odd = _uniforms(w, dtype, w.let(f"add i64 {w.let('lshr i64 %word, 2')}, {i}"))
        return even, odd
    number = w.let(f"add i64 %word, {w.let(f'shl i64 {i}, 1')}")
    x = _block(w, w.let(f"lshr i64 {number}, 2"))
    late = w.let(f"icmp ne i64 {w.let(f'and i64 {number}, 2')}, 0")
    low = w.let(f"select i1 {late}, i64 {x[2]}, i64 {x[0]}")
    high = w.let(f"select i1 {late}, i64 {x[3]}, i64 {x[1]}")
    return _single(w, low), _single(w, high)


def _pairs(dtype: str) -> str:
    parameters = _KEY + "ptr noalias %even, ptr noalias %odd, i64 %count"
    f = _Function(f"pairs_{dtype}", parameters, "noinline ")

    def body(i: str) -> None:
        even, odd = _pair(f, dtype, i)
        f.put(even, TYPE[dtype], "%even", i)
        f.put(odd, TYPE[dtype], "%odd", i)

    f.loop("%count", body)
    return f.text()


def _normal(dtype: str) -> str:
    """Write Box and Muller's transform as `philox.box_muller` computes it."""
    f = _Function(
        f"normal_{dtype}",
        "i32 %key0, i32 %key1, i64 %from, ptr noalias %out, i64 %count, ptr %loops",
    )
    w, kind, size = f.w, TYPE[dtype], 4 if dtype == "f32" else 8
    width = size // 4
    for name, count in (
        ("radius", _HALF),
        ("angle", _HALF),
        ("other", _HALF),
        ("whole", 2 * _HALF),
    ):
        w.add(f"%{name} = alloca [{count} x {kind}], align 64")
    w.add("%data = alloca [2 x ptr], align 8")
    w.add("%strides = alloca [2 x i64], align 8")
    w.add("%number = alloca i64, align 8")
    inside = w.let(f"and i64 %from, {2 * width - 1}")
    w.add(f"%word = sub i64 %from, {inside}")
    skip = w.let(f"udiv i64 {inside}, {width}")
    total = w.let(f"add i64 {w.let(f'add i64 {skip}, %count')}, 1")
    half = w.let(f"lshr i64 {total}, 1")

    w.add(
        f"call void @pairs_{dtype}(i32 %key0, i32 %key1, i64 %word, ptr %radius, ptr %angle, "
        f"i64 {half})"
    )

    def start(i: str) -> None:
        factor = math.pi if dtype == "f64" else float(np.float32(2 * np.pi))
        scaled = w.let(f"fmul {kind} {f.get(kind, '%angle', i)}, {literal(factor, dtype)}")
        f.put(scaled, kind, "%angle", i)

    f.loop(half, start)
    first = 0 if dtype == "f64" else 2
    f.call(first, "%radius", "%radius", half, size)
    f.call(first + 1, "%angle", "%other", half, size)
    if dtype == "f32":
        f.call(first + 2, "%angle", "%angle", half, size)

    def join(i: str) -> None:
        logs = f.get(kind, "%radius", i)
        scaled = w.let(f"fmul {kind} {logs}, {literal(-2, dtype)}")
        r = w.intrinsic("sqrt", dtype, scaled)
        place = w.let(f"shl i64 {i}, 1")
        if dtype == "f32":
            one = w.let(f"fmul {kind} {f.get(kind, '%other', i)}, {r}")
            two = w.let(f"fmul {kind} {f.get(kind, '%angle', i)}, {r}")
        else:
            t, unit = f.get(kind, "%other", i), literal(1, dtype)
            square = w.let(f"fadd {kind} {w.let(f'fmul {kind} {t}, {t}')}, {unit}")
            r = w.let(f"fdiv {kind} {r}, {square}")
            less = w.let(f"fmul {kind} {w.let(f'fsub {kind} {unit}, {t}')}, {r}")
            one = w.let(f"fmul {kind} {less}, {w.let(f'fadd {kind} {t}, {unit}')}")
            two = w.let(f"fmul {kind} {w.let(f'fmul {kind} {r}, {t}')}, {literal(2, dtype)}")
        f.put(one, kind, "%whole", place)
        f.put(two, kind, "%whole", w.let(f"add i64 {place}, 1"))

    f.loop(half, join)

    def copy(i: str) -> None:
        f.put(f.get(kind, "%whole", w.let(f"add i64 {i}, {skip}")), kind, "%out", i)

    f.loop("%count", copy)
    return f.text()


_TAIL = """
declare i64 @llvm.smin.i64(i64, i64)
!0 = distinct !{}
!1 = !{!"llvm.loop.parallel_accesses", !0}
!2 = !{!"llvm.loop.mustprogress"}
!3 = distinct !{!3, !2, !1, !4, !5}
!4 = !{!"llvm.loop.unroll.disable"}
!5 = !{!"llvm.loop.interleave.count", i32 1}
"""
#: Writers of a function and of those that it calls.
_WRITERS: dict[str, tuple[Callable[[str], str], ...]] = {
    "uniform": (_torn, _uniform),
    "pairs": (_pairs,),
    "normal": (_pairs, _normal),
}
#: The functions that kernels run by NumPy draw by: for words, and for uniforms without words.
BY_NUMPY = {
    "words": ("words",),
    "direct": tuple(f"{name}_{t}" for name in ("uniform", "pairs") for t in ("f64", "f32")),
}


def module(name: str) -> str:
    """Return the text of a function, and of those that it calls."""
    if name == "words":
        return _words() + _TAIL
    stem, _, dtype = name.partition("_")
    return "".join(write(dtype) for write in _WRITERS[stem]) + _TAIL


class Stream:
    """The functions, once they are there.

    Attributes:
        addresses: by name, of those that are there.
        loops: NumPy's, for normals.
    """

    def __init__(self) -> None:
        self.addresses: dict[str, int] = {}
        self.loops = np.zeros(3 * len(LOOPS), np.int64)

    def supports(self, name: str) -> bool:
        """Return whether this NumPy has the loops that a function calls."""
        if not name.startswith("normal") or self.loops.any():
            return True
        found = [loop.find() for loop in LOOPS]
        if any(loop is None for loop in found):
            return False
        self.loops[:] = np.array(found, np.int64).reshape(-1)
        return True

    def words(self) -> Callable[[philox.Key, int, Any], None]:
        """Return what makes words for kernels that run by NumPy."""
        fill = self._kind(1)(self.addresses["words"])

        def words(key: philox.Key, block: int, out: Any) -> None:
            fill(*key, block, out.ctypes.data, out.size // 4)

        return words

    def _kind(self, outs: int) -> Any:
        return ctypes.CFUNCTYPE(
            None,
            *(ctypes.c_uint32,) * 2,
            ctypes.c_uint64,
            *(ctypes.c_void_p,) * outs,
            ctypes.c_int64,
        )

    def direct(self) -> philox.Direct:
        """Return what makes uniforms for kernels that run by NumPy."""

        def uniform(name: str) -> Any:
            function = self._kind(1)(self.addresses[name])

            def call(key: philox.Key, word: int, out: Any) -> None:
                function(*key, word, out.ctypes.data, out.size)

            return call

        def pairs(name: str) -> Any:
            function = self._kind(2)(self.addresses[name])

            def call(key: philox.Key, word: int, even: Any, odd: Any) -> None:
                function(*key, word, even.ctypes.data, odd.ctypes.data, even.size)

            return call

        return philox.Direct(
            {4: uniform("uniform_f32"), 8: uniform("uniform_f64")},
            {4: pairs("pairs_f32"), 8: pairs("pairs_f64")},
        )


STREAM = Stream()
