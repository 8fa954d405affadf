"""The recursion limit: endless recursion becomes a MATLAB error, never a crash.

While MATLAB code runs, the interpreter's own recursion limit is set so that MATLAB calls nest about
as deep as MATLAB allows; `RecursionError` is then reported as ``MATLAB:recursionLimit``. A call
between MATLAB functions is one Python frame. A callback through a builtin (cellfun, feval, an
operator) takes several and uses the C stack, so it gets an allowance of its own, and what the stack
of the running thread can bear caps everything. The embedder's limit is restored afterwards.
"""

from __future__ import annotations

import sys
import threading
from functools import cache
from types import FrameType, TracebackType

#: Frames beyond the MATLAB limit: builtins need a few, and importing a family on first use more.
SLACK = 150
#: Frames that one callback through a builtin puts between two MATLAB functions, at most.
CALLBACK = 12
#: C stack per Python frame when each is entered through C. Measured on CPython 3.11 to 3.13 as the
#: largest of map, partial, operator methods, `__call__` and eval: 840 bytes.
BYTES_PER_FRAME = 900
#: C stack kept free for what a builtin at the deepest level calls.
RESERVE = 96 * 1024
#: Where the size of a thread's stack cannot be asked for: the smallest default among platforms.
SMALLEST_STACK = 512 * 1024
_LARGEST_STACK = 64 * 1024 * 1024

_lock = threading.Lock()
_active: dict[int, Limit] = {}
_embedder_limit = 0


class Limit:
    """A context in which MATLAB code may nest `levels` calls below the frame that enters it.

    Entering it again on the same thread keeps the first one. Threads share the interpreter's limit,
    so while several run the deepest demand holds, but never more than the smallest stack bears.
    """

    def __init__(self, levels: int) -> None:
        self.levels = levels
        self.wanted = 0
        self.cap = 0
        self._outer: Limit | None = None

    def __enter__(self) -> Limit:
        global _embedder_limit
        thread = threading.get_ident()
        with _lock:
            self._outer = _active.get(thread)
            if self._outer is None:
                depth = _depth(sys._getframe())
                self.cap = depth + stack_frames()
                self.wanted = depth + self.levels + SLACK
                if not _active:
                    _embedder_limit = sys.getrecursionlimit()
                _active[thread] = self
                _apply()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._outer is not None:
            return
        with _lock:
            del _active[threading.get_ident()]
            if _active:
                _apply()
            else:
                sys.setrecursionlimit(_embedder_limit)


class Callback:
    """A context for a builtin that calls MATLAB code back: its own frames do not count."""

    __slots__ = ("_limit",)

    def __enter__(self) -> None:
        self._limit = _active.get(threading.get_ident())
        if self._limit is not None:
            wanted = self._limit.wanted = self._limit.wanted + CALLBACK
            if wanted <= self._limit.cap:
                if len(_active) == 1:
                    sys.setrecursionlimit(wanted)
                else:
                    _apply()

    def __exit__(self, *exception: object) -> None:
        if self._limit is not None:
            self._limit.wanted -= CALLBACK
            if self._limit.wanted < self._limit.cap:
                _apply()


def _apply() -> None:
    demands = list(_active.values())
    wanted, cap = demands[0].wanted, demands[0].cap
    for demand in demands[1:]:
        wanted, cap = max(wanted, demand.wanted), min(cap, demand.cap)
    try:
        sys.setrecursionlimit(wanted if wanted < cap else cap)
    except RecursionError:
        # The stack is deeper already: this happens while unwinding, and the next exit gets there.
        return


def _depth(frame: FrameType | None) -> int:
    depth = 0
    while frame is not None:
        depth += 1
        frame = frame.f_back
    return depth


def stack_frames() -> int:
    """How many Python frames the running thread's stack bears when each is entered through C."""
    return max((stack_size() - RESERVE) // BYTES_PER_FRAME, 50)


def stack_size() -> int:
    """Return the size of the running thread's stack in bytes."""
    if threading.get_ident() == threading.main_thread().ident:
        return _main_stack_size()
    return _thread_stack_size() or threading.stack_size() or SMALLEST_STACK


@cache
def _main_stack_size() -> int:
    """Return the size of the main thread's stack.

    Asked for once, as it is on the way of every run.
    """
    try:
        import resource
    except ImportError:  # Windows: CPython's executable asks for 2 MB on the main thread
        return 2_000_000
    size = resource.getrlimit(resource.RLIMIT_STACK)[0]
    return _LARGEST_STACK if size == resource.RLIM_INFINITY else min(size, _LARGEST_STACK)


def _thread_stack_size() -> int | None:
    """Return the running thread's stack as glibc and musl tell it; None elsewhere."""
    if sys.platform != "linux":
        return None
    import ctypes

    libc = ctypes.CDLL(None)
    if not hasattr(libc, "pthread_getattr_np"):
        return None
    attributes = ctypes.create_string_buffer(128)  # pthread_attr_t is 56 bytes on 64-bit glibc
    libc.pthread_self.restype = ctypes.c_void_p
    thread = ctypes.c_void_p(libc.pthread_self())
    if libc.pthread_getattr_np(thread, attributes) != 0:
        return None
    size = ctypes.c_size_t()
    failed = libc.pthread_attr_getstacksize(attributes, ctypes.byref(size))
    libc.pthread_attr_destroy(attributes)
    return None if failed else int(size.value)
