"""NumPy's own loops, one after the other, without the interpreter in between.

NumPy holds the interpreter lock before and after each operation, so threads that compute short
blocks wait for one another. It hands out the loop under a ufunc for compilers to call
(``_get_strided_loop``); a dozen lines of machine code made with llvmlite call a row of loops over a
piece that stays in the nearest cache, then over the next piece, all without the lock. Elements are
those that the ufuncs give, to the last bit. Where llvmlite is not installed, or this NumPy has no
such function, everything runs as it does without.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

#: Operands of a loop, the result included: of fewer the last ones are not looked at.
OPERANDS = 3
#: Numbers of a row of a table: the loop, its context and its auxiliary data, and for each operand
#: the address, the bytes from one piece's element to the next piece's, the bytes from element to
#: element, and the bytes from trip to trip.
LOOP, ADDRESS, ADVANCE, STRIDE, MOVE = 0, 3, 6, 9, 12
ROW = 15
#: Bytes of a register that a piece takes: a handful of them stay in the nearest cache.
PIECE = 1 << 14
#: Seconds of kernels after which the next launch has what runs them natively made, which takes a
#: tenth of one.
PATIENCE = 0.05

_OPERAND = """
  %at{k} = getelementptr i64, ptr %row, i64 {address}
  %first{k} = load i64, ptr %at{k}
  %by{k} = getelementptr i64, ptr %row, i64 {advance}
  %step{k} = load i64, ptr %by{k}
  %along{k} = mul i64 %step{k}, %start
  %of{k} = getelementptr i64, ptr %row, i64 {move}
  %each{k} = load i64, ptr %of{k}
  %later{k} = mul i64 %each{k}, %trip
  %sum{k} = add i64 %first{k}, %along{k}
  %here{k} = add i64 %sum{k}, %later{k}
  %slot{k} = getelementptr i64, ptr %data, i64 {k}
  store i64 %here{k}, ptr %slot{k}
"""
#: ``run(table, rows, elements, piece, trips)``
_CODE = (
    """
define void @run(ptr %table, i64 %rows, i64 %elements, i64 %piece, i64 %trips) {
entry:
  %data = alloca [OPERANDS x i64], align 8
  %count = alloca i64, align 8
  br label %pieces
pieces:
  %start = phi i64 [0, %entry], [%after, %piece.end]
  %left = sub i64 %elements, %start
  %last = icmp slt i64 %left, %piece
  %size = select i1 %last, i64 %left, i64 %piece
  store i64 %size, ptr %count
  br label %time
time:
  %trip = phi i64 [0, %pieces], [%next.trip, %time.end]
  br label %row.start
row.start:
  %number = phi i64 [0, %time], [%next.number, %row.start]
  %place = mul i64 %number, ROW
  %row = getelementptr i64, ptr %table, i64 %place
  %loop = load ptr, ptr %row
  %p1 = getelementptr i64, ptr %row, i64 1
  %context = load ptr, ptr %p1
  %p2 = getelementptr i64, ptr %row, i64 2
  %auxiliary = load ptr, ptr %p2
""".replace("OPERANDS", str(OPERANDS)).replace("ROW", str(ROW))
    + "".join(
        _OPERAND.format(k=k, address=ADDRESS + k, advance=ADVANCE + k, move=MOVE + k)
        for k in range(OPERANDS)
    )
    + f"""
  %strides = getelementptr i64, ptr %row, i64 {STRIDE}
  %told = call i32 %loop(ptr %context, ptr %data, ptr %count, ptr %strides, ptr %auxiliary)
  %next.number = add i64 %number, 1
  %more.rows = icmp slt i64 %next.number, %rows
  br i1 %more.rows, label %row.start, label %time.end
time.end:
  %next.trip = add i64 %trip, 1
  %more.trips = icmp slt i64 %next.trip, %trips
  br i1 %more.trips, label %time, label %piece.end
piece.end:
  %after = add i64 %start, %piece
  %more.pieces = icmp slt i64 %after, %elements
  br i1 %more.pieces, label %pieces, label %done
done:
  ret void
}}
"""
)

#: What there is no ufunc for, as loops of the same kind: element numbers, whose first one stands
#: for an address, and conversions.
_LOOP = """
define i32 @{name}(ptr %context, ptr %data, ptr %count, ptr %strides, ptr %auxiliary) {{
entry:
  %size = load i64, ptr %count
  %first = load {source}, ptr %data
  %to = getelementptr i64, ptr %data, i64 1
  %out = load ptr, ptr %to
  %stride = load i64, ptr %strides
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%next, %loop]
{body}
  %there = getelementptr {target}, ptr %out, i64 %i
  store {target} %value, ptr %there
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %size
  br i1 %more, label %loop, label %done
done:
  ret i32 0
}}
"""
_NUMBERS = """
  %far = mul i64 %i, %stride
  %number = add i64 %first, %far
  %value = sitofp i64 %number to double"""
_CONVERT = """
  %here = getelementptr {wide}, ptr %first, i64 %i
  %read = load {wide}, ptr %here
  %value = {how} {wide} %read to {target}"""
_LOOPS = "".join(
    _LOOP.format(name=name, source=source, target=target, body=body)
    for name, source, target, body in (
        ("numbers", "i64", "double", _NUMBERS),
        ("f64_f32", "ptr", "float", _CONVERT.format(wide="double", how="fptrunc", target="float")),
        ("f32_f64", "ptr", "double", _CONVERT.format(wide="float", how="fpext", target="double")),
    )
)


class _Found(ctypes.Structure):
    """What NumPy tells of a loop (``PyUFunc_StridedLoopInfo`` under its capsule)."""

    _fields_ = (
        ("loop", ctypes.c_void_p),
        ("context", ctypes.c_void_p),
        ("auxiliary", ctypes.c_void_p),
        ("needs_python", ctypes.c_bool),
        ("no_float_errors", ctypes.c_bool),
    )


Runner = Callable[[int, int, int, int, int], None]


class Native:
    """What runs tables of loops, once it was made.

    Attributes:
        run: None until it is there, and for good where it cannot be.
        own: by name, where loops are that NumPy does not have: ``numbers`` makes element numbers
            as doubles, ``f64_f32`` and ``f32_f64`` convert.
    """

    def __init__(self, patience: float = PATIENCE) -> None:
        self.run: Runner | None = None
        self._left = patience
        self._lock = threading.Lock()
        self._loading: threading.Thread | None = None
        self.own: dict[str, int] = {}
        self._engine: Any = None  # owns the machine code
        self._loops: dict[Any, tuple[int, int, int] | None] = {}
        self._capsules: list[Any] = []  # own contexts and auxiliary data

    def meet(self) -> None:
        """Begin a launch; past the patience a thread makes what runs natively beside it.

        What ends with its first long launch has no use for that.
        """
        if self._left <= 0 and self._loading is None:
            self.load()

    def spend(self, seconds: float) -> None:
        """Count seconds of kernels."""
        self._left -= seconds

    def load(self, wait: bool = False) -> None:
        """Make it, in a thread of its own."""
        with self._lock:
            if self._loading is None:
                # waited for at the end of the process, which must not find it compiling
                self._loading = threading.Thread(target=self._load, name="runmat-native")
                self._loading.start()
        if wait:
            self._loading.join()

    def loop(self, ufunc: Any, types: Sequence[Any], strides: Sequence[int]) -> Any:
        """Addresses of loop, context and auxiliary data for operands of these types and strides.

        None where there is no such loop, or one that needs the interpreter.
        """
        key = (ufunc, tuple(types), tuple(strides))
        if key not in self._loops:
            with self._lock:
                self._loops[key] = self._look(*key)
        return self._loops[key]

    def _look(self, ufunc: Any, types: Any, strides: Any) -> tuple[int, int, int] | None:
        try:
            resolved, capsule = ufunc._resolve_dtypes_and_context(types)
            if resolved != types:
                return None
            ufunc._get_strided_loop(capsule, fixed_strides=strides)
        except (AttributeError, TypeError, ValueError):
            return None
        self._capsules.append(capsule)
        address = ctypes.pythonapi.PyCapsule_GetPointer
        address.restype, address.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
        found = _Found.from_address(address(capsule, b"numpy_1.24_ufunc_call_info"))
        if found.needs_python or not found.loop:
            return None
        return found.loop, found.context or 0, found.auxiliary or 0

    def _load(self) -> None:
        try:
            import llvmlite.binding as llvm
        except ImportError:
            return
        try:
            llvm.initialize_native_target()
            llvm.initialize_native_asmprinter()
            module = llvm.parse_assembly(_CODE + _LOOPS)
            machine = llvm.Target.from_default_triple().create_target_machine(
                opt=3,
                cpu=llvm.get_host_cpu_name(),
                features=llvm.get_host_cpu_features().flatten(),
            )
            if hasattr(llvm, "create_pass_builder"):
                builder = llvm.create_pass_builder(
                    machine, llvm.create_pipeline_tuning_options(speed_level=3)
                )
                builder.getModulePassManager().run(module, builder)
            self._engine = llvm.create_mcjit_compiler(module, machine)
            self._engine.finalize_object()
        except RuntimeError:  # another LLVM, or no right to make memory executable
            return
        kind = ctypes.CFUNCTYPE(None, *(ctypes.c_int64,) * 5)
        run = kind(self._engine.get_function_address("run"))
        if self._proved(run):
            for name in ("numbers", "f64_f32", "f32_f64"):
                self.own[name] = self._engine.get_function_address(name)
            self.run = run

    def _proved(self, run: Runner) -> bool:
        """Whether a table of two loops gives what the ufuncs give."""
        x, out = np.linspace(0, 1, 1000), np.zeros(1000)
        double = np.dtype(np.float64)
        table = np.zeros((2, ROW), np.int64)
        for row, (ufunc, arrays) in zip(
            table, ((np.multiply, (x, x, out)), (np.subtract, (out, x, out))), strict=True
        ):
            found = self.loop(ufunc, (double,) * 3, (8,) * 3)
            if found is None:
                return False
            row[LOOP:ADDRESS] = found
            for k, array in enumerate(arrays):
                row[ADDRESS + k] = array.ctypes.data
                row[ADVANCE + k] = row[STRIDE + k] = 8
        run(table.ctypes.data, 2, 1000, 300, 1)
        return bool((out == x * x - x).all())


NATIVE = Native()
