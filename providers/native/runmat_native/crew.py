"""Threads that share a launch without the interpreter.

A thread that takes tasks in Python needs the interpreter's lock, and whoever holds that lock may be
without a core: on a busy machine a launch of a tenth of a millisecond took several. Here threads
wait inside machine code, for a condition of the C library, and take tasks by counting one number
up. The thread that launches works as well, and waits at the end for those alone that did take part,
so one that wakes up late delays nobody.
"""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from runmat_inprocess.pool import Pool

from runmat_core.api import threads
from runmat_native.loops import address
from runmat_native.text import Writer

#: The functions of the module.
NAMES = ("share", "serve", "stop")
#: Functions of the C library that they call.
_CALLS = ("mutex_lock", "mutex_unlock", "cond_wait", "cond_broadcast")

# The state is an array of words that all threads see. The next task has a cache line of its own.
_NEXT = 0
#: A job: function, table, first box, bytes from box to box and from starts to stops, how
#: many boxes there are, and how many threads may take part.
_RUN, _TABLE, _BOXES, _EACH, _HALF, _COUNT, _MOST = range(8, 15)
#: Under the mutex: the number of the job, whether it is open, how many are at work and how many
#: have joined, and whether all is over.
_NUMBER, _OPEN, _BUSY, _JOINED, _OVER = range(16, 21)
#: A mutex, the conditions that there is work and that it is done, and addresses of `_CALLS`.
_MUTEX, _WORK, _DONE, _LIBRARY, _WORDS = 24, 40, 56, 72, 80


class _Function(Writer):
    """Writes a function whose first parameter is the state."""

    def place(self, word: int) -> str:
        return self.let(f"getelementptr inbounds i64, ptr %c, i64 {word}")

    def get(self, word: int, kind: str = "i64") -> str:
        return self.let(f"load {kind}, ptr {self.place(word)}")

    def put(self, word: int, value: str, kind: str = "i64") -> None:
        self.store(value, kind, self.place(word))

    def more(self, word: int, by: int) -> str:
        """Count a word up or down; its new value."""
        value = self.let(f"add i64 {self.get(word)}, {by}")
        self.put(word, value)
        return value

    def call(self, name: str, *words: int) -> None:
        function = self.get(_LIBRARY + _CALLS.index(name), "ptr")
        self.let(f"call i32 {function}({', '.join(f'ptr {self.place(word)}' for word in words)})")

    def branch(self, condition: str, yes: str, no: str) -> None:
        self.add(f"br i1 {condition}, label %{yes}, label %{no}")

    def text(self, head: str) -> str:
        return "\n".join([f"define {head} nounwind {{", "entry:", *self.lines, "}"])


def module() -> str:
    """Return the text of the functions."""
    return "\n".join([_work(), _share(), _serve(), _stop()]) + "\n"


def _work() -> str:
    """Take tasks until none is left."""
    w = _Function()
    following = w.place(_NEXT)
    run, table, boxes = (w.get(word, "ptr") for word in (_RUN, _TABLE, _BOXES))
    each, half, count = (w.get(word) for word in (_EACH, _HALF, _COUNT))
    w.add("br label %head")
    w.label("head")
    number = w.let(f"atomicrmw add ptr {following}, i64 1 monotonic")
    w.branch(w.let(f"icmp slt i64 {number}, {count}"), "task", "end")
    w.label("task")
    start = w.let(f"getelementptr i8, ptr {boxes}, i64 {w.let(f'mul i64 {number}, {each}')}")
    stop = w.let(f"getelementptr i8, ptr {start}, i64 {half}")
    w.add(f"call void {run}(ptr {table}, ptr {start}, ptr {stop})")
    w.add("br label %head")
    w.label("end")
    w.add("ret void")
    return w.text("internal void @work(ptr %c)")


def _share() -> str:
    """Offer a job, take part, and wait for the others who do."""
    w = _Function()
    w.call("mutex_lock", _MUTEX)
    given = {_RUN: "run", _TABLE: "table", _BOXES: "boxes"}
    numbers = {_EACH: "each", _HALF: "half", _COUNT: "count", _MOST: "most"}
    for word, name in given.items():
        w.put(word, f"%{name}", "ptr")
    for word, name in numbers.items():
        w.put(word, f"%{name}")
    w.put(_NEXT, "0")
    w.put(_JOINED, "0")
    w.put(_OPEN, "1")
    w.more(_NUMBER, 1)
    w.call("cond_broadcast", _WORK)
    w.call("mutex_unlock", _MUTEX)
    w.add("call void @work(ptr %c)")
    w.call("mutex_lock", _MUTEX)
    w.put(_OPEN, "0")
    w.add("br label %head")
    w.label("head")
    w.branch(w.let(f"icmp ne i64 {w.get(_BUSY)}, 0"), "wait", "end")
    w.label("wait")
    w.call("cond_wait", _DONE, _MUTEX)
    w.add("br label %head")
    w.label("end")
    w.call("mutex_unlock", _MUTEX)
    w.add("ret void")
    words = ", ".join(f"ptr %{name}" for name in ("c", *given.values()))
    return w.text(f"void @share({words}, {', '.join(f'i64 %{n}' for n in numbers.values())})")


def _serve() -> str:
    """Join jobs until all is over."""
    w = _Function()
    w.call("mutex_lock", _MUTEX)
    w.add("br label %head")
    w.label("head")
    mark = len(w.lines)
    w.branch(w.let(f"icmp ne i64 {w.get(_OVER)}, 0"), "end", "look")
    w.label("look")
    number = w.get(_NUMBER)
    joins = w.let(f"icmp ne i64 {w.get(_OPEN)}, 0")
    for test in (
        f"icmp ne i64 {number}, %seen",
        f"icmp slt i64 {w.get(_JOINED)}, {w.get(_MOST)}",
    ):
        joins = w.let(f"and i1 {joins}, {w.let(test)}")
    w.branch(joins, "join", "wait")
    w.label("wait")
    w.call("cond_wait", _WORK, _MUTEX)
    w.add("br label %head")
    w.label("join")
    w.more(_JOINED, 1)
    w.more(_BUSY, 1)
    w.call("mutex_unlock", _MUTEX)
    w.add("call void @work(ptr %c)")
    w.call("mutex_lock", _MUTEX)
    last = w.let(f"icmp eq i64 {w.more(_BUSY, -1)}, 0")
    closed = w.let(f"icmp eq i64 {w.get(_OPEN)}, 0")
    w.branch(w.let(f"and i1 {last}, {closed}"), "tell", "head")
    w.label("tell")
    w.call("cond_broadcast", _DONE)
    w.add("br label %head")
    w.label("end")
    w.call("mutex_unlock", _MUTEX)
    w.add("ret void")
    ways = f"[0, %entry], [%seen, %wait], [{number}, %join], [{number}, %tell]"
    w.lines[mark:mark] = [f"  %seen = phi i64 {ways}"]
    return w.text("void @serve(ptr %c)")


def _stop() -> str:
    """Let every thread that waits go."""
    w = _Function()
    w.call("mutex_lock", _MUTEX)
    w.put(_OVER, "1")
    w.call("cond_broadcast", _WORK)
    w.call("mutex_unlock", _MUTEX)
    w.add("ret void")
    return w.text("void @stop(ptr %c)")


class Crew(Pool):
    """A pool whose threads run launches of machine code by machine code.

    Until its functions are there, and where the C library has no such threads, launches are shared
    as any tasks are.

    Args:
        functions: the addresses of `NAMES`, once they are there.
        ask: asks for them.

    Attributes:
        shared: launches that were shared without the interpreter.
    """

    def __init__(
        self,
        threads: int,
        slab_bytes: int,
        functions: Mapping[str, int],
        ask: Callable[[], None],
    ) -> None:
        super().__init__(threads, slab_bytes)
        self._addresses, self._ask = functions, ask
        self.shared = 0
        self._fails = False
        self._alone = threading.Lock()
        self._waiting: list[threading.Thread] = []
        self._words: Any = None
        self._owner = 0
        self._functions: tuple[Any, ...] = ()

    def share(self, run: Any, table: int, boxes: Any) -> bool:
        """Run the boxes of a launch on all threads; False where that cannot be done so.

        Args:
            boxes: starts and stops of each.
        """
        most = min(len(self.workers), len(boxes), threads.limit()) - 1
        if most < 1 or self._fails:
            return False
        if not self._addresses:
            self._ask()
        if not self._addresses or not self._alone.acquire(blocking=False):
            return False
        try:
            if self._owner != os.getpid() and not self._begin():
                return False
            each = boxes.strides[0]
            where = ctypes.cast(run, ctypes.c_void_p).value
            self._functions[0](
                address(self._words),
                where,
                table,
                address(boxes),
                each,
                each // 2,
                len(boxes),
                most,
            )
            self.shared += 1
        finally:
            self._alone.release()
        return True

    def close(self) -> None:
        """End the threads."""
        super().close()
        if self._waiting and self._owner == os.getpid():
            self._functions[2](address(self._words))
            for thread in self._waiting:
                thread.join()
        self._waiting, self._owner = [], 0

    def _begin(self) -> bool:
        """Make the state and start the threads, in this process."""
        words = np.zeros(_WORDS + 8, np.int64)
        self._words = words = words[-(address(words) // 8) % 8 :][:_WORDS]
        try:
            library = ctypes.CDLL(None)
            library.pthread_mutex_init(ctypes.c_void_p(address(words[_MUTEX:])), None)
            for word in (_WORK, _DONE):
                library.pthread_cond_init(ctypes.c_void_p(address(words[word:])), None)
            for k, name in enumerate(_CALLS):
                function = getattr(library, f"pthread_{name}")
                words[_LIBRARY + k] = ctypes.cast(function, ctypes.c_void_p).value or 0
        except (AttributeError, OSError, TypeError):
            self._fails = True
            return False
        kinds = (
            (ctypes.c_void_p,) * 4 + (ctypes.c_int64,) * 4,
            (ctypes.c_void_p,),
            (ctypes.c_void_p,),
        )
        self._functions = tuple(
            ctypes.CFUNCTYPE(None, *kind)(self._addresses[name])
            for name, kind in zip(NAMES, kinds, strict=True)
        )
        serve, state = self._functions[1], address(words)
        self._waiting = [
            threading.Thread(target=serve, args=(state,), name=f"runmat-native-{k}", daemon=True)
            for k in range(1, len(self.workers))
        ]
        self._owner = os.getpid()
        for thread in self._waiting:
            thread.start()
        return True
