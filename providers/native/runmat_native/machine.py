"""LLVM: text to object code, and object code to a function.

llvmlite is imported with the first kernel that is compiled or found on disk, never when a program
starts. What it cannot do raises `CompileError`; callers go on with NumPy.
"""

from __future__ import annotations

import ctypes
import itertools
import threading
from collections.abc import Callable, Sequence
from typing import Any

#: Changes with what `Machine.compile` does to a text: code that it made before is not taken.
PASSES = 1
#: ``run(args, starts, stops)``, each an address.
Run = Callable[[int, int, int], None]


class CompileError(Exception):
    """LLVM is not there, or could not compile a kernel; the text says which."""


class Machine:
    """The processor as LLVM knows it, and everything that was loaded into this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ready = False
        self._numbers = itertools.count()
        self._kept: list[Any] = []  # own the machine code
        self._llvm: Any = None
        self._target: Any = None
        self._jit: Any = None
        self.identity = ""

    def start(self) -> None:
        """Import llvmlite and find out about the processor.

        Raises:
            CompileError: llvmlite is missing, or too old, or there is no target.
        """
        with self._lock:
            if self._ready:
                return
            try:
                import llvmlite
                import llvmlite.binding as llvm

                llvm.initialize_native_target()
                llvm.initialize_native_asmprinter()
                name = llvm.get_host_cpu_name()
                features = llvm.get_host_cpu_features().flatten()
                target = llvm.Target.from_default_triple()
                self._target = target.create_target_machine(opt=3, cpu=name, features=features)
                self._jit = llvm.create_lljit_compiler(
                    target.create_target_machine(opt=3, cpu=name, features=features)
                )
                version = ".".join(map(str, llvm.llvm_version_info))
            except ImportError as problem:
                raise CompileError(f"llvmlite cannot be imported: {problem}") from problem
            except (AttributeError, RuntimeError, OSError, TypeError) as problem:
                raise CompileError(f"this llvmlite cannot be used: {problem}") from problem
            self._llvm = llvm
            self.identity = (
                f"llvmlite {llvmlite.__version__} llvm {version} {target.triple} {name} {features}"
            )
            self._ready = True

    def compile(self, text: str) -> bytes:
        """Return the object code of a module.

        Raises:
            CompileError: LLVM refused the text.
        """
        self.start()
        llvm = self._llvm
        try:
            module = llvm.parse_assembly(text)
            module.verify()
            tuning = llvm.create_pipeline_tuning_options(speed_level=3)
            tuning.loop_vectorization = True
            tuning.slp_vectorization = True
            builder = llvm.create_pass_builder(self._target, tuning)
            builder.getModulePassManager().run(module, builder)
            code: bytes = self._target.emit_object(module)
        except (RuntimeError, AttributeError, TypeError) as problem:
            raise CompileError(f"LLVM could not compile a kernel: {problem}") from problem
        return code

    def load(self, code: bytes, names: Sequence[str] = ("run",)) -> dict[str, int]:
        """Return the addresses of functions of object code.

        Raises:
            CompileError: it cannot be linked.
        """
        self.start()
        llvm = self._llvm
        try:
            builder = llvm.JITLibraryBuilder()
            builder.add_object_img(code)
            builder.add_current_process()
            for name in names:
                builder.export_symbol(name)
            with self._lock:
                tracker = builder.link(self._jit, f"kernel{next(self._numbers)}")
                self._kept.append(tracker)
            return {name: tracker[name] for name in names}
        except (RuntimeError, KeyError, ValueError) as problem:
            raise CompileError(f"a compiled kernel cannot be loaded: {problem}") from problem


def as_run(address: int) -> Run:
    """Return the function of a kernel as Python calls it: without the interpreter's lock."""
    return ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)(address)


MACHINE = Machine()
