"""The in-process provider: kernels run with NumPy, block by block, on the threads of the CPU.

It is also the reference for authors of providers; `README.md` says in which order to read it.
"""

from __future__ import annotations

from runmat_inprocess.provider import InprocessProvider

__all__ = ["InprocessProvider"]
