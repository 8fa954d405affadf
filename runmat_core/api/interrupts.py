"""Long calls of libraries that an interrupt (Ctrl-C) does not have to wait for.

Python serves signals between its own instructions, in the main thread: a factorization of a minute
would keep the user waiting for a minute. So a call that is known to take long runs in another
thread, while the main thread waits in a way that an interrupt ends. The call itself goes on to its
end then, and nobody looks at its result.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextvars import copy_context
from typing import Any, TypeVar

import numpy as np

from runmat_core.api import threads

T = TypeVar("T")

#: Multiplications from which a call of dense linear algebra is long: a tenth of a second or more.
LONG = 1 << 31
#: Seconds after which the main thread looks for interrupts where a signal does not end its wait.
_LOOK = 0.1


def stoppable(multiplications: float, rule: Callable[..., T], *args: Any, **options: Any) -> T:
    """Return ``rule(*args, **options)``; an interrupt does not wait for its end.

    Args:
        multiplications: about how many it takes; a short call runs at once.

    Raises:
        KeyboardInterrupt: from the signal handler, while `rule` goes on in its thread.
    """
    if multiplications < LONG or threading.current_thread() is not threading.main_thread():
        return rule(*args, **options)
    result: list[T] = []
    problem: list[BaseException] = []
    done = threading.Event()
    abandoned: list[bool] = []
    lock = threading.Lock()
    context = copy_context()

    def work() -> None:
        try:
            # older versions of NumPy keep these settings for each thread
            with np.errstate(all="ignore"):
                result.append(context.run(rule, *args, **options))
        except BaseException as error:
            problem.append(error)
        finally:
            with lock:
                done.set()
                if abandoned:
                    threads.returned()

    # a process waits for it at its end: a BLAS must not be shut down under it
    threading.Thread(target=work, name="runmat long call").start()
    try:
        while not done.wait(_LOOK):
            pass
    except BaseException:
        with lock:
            if not done.is_set():
                abandoned.append(True)
                threads.leave()
        raise
    if problem:
        raise problem.pop()
    return result.pop()
