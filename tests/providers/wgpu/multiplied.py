"""Products on an adapter, checked against NumPy in double precision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np
from runmat_provider_tests.device import Draft
from runmat_provider_tests.reference import Run

from runmat_core.api import ir
from runmat_core.api.device import NUMPY_DTYPE
from runmat_core.api.ir import LibraryCall
from tests.providers.wgpu.machine import Machine

#: Tuning that takes a small shape of tile for everything, which is quickly compiled.
SMALL = tuple(
    (letter + name, number)
    for letter, number in (("d", 12), ("s", 16))
    for name in ("gemm.broad", "gemm.small", "gemm.tall", "gemm.tile", "syrk.tile")
)

#: How emulated adapters are told from others: what runs on GPUs is what is to be tested.
HARDWARE: dict[str, Any] = {"software": False, "tuned": SMALL}


@attrs.frozen
class Multiplied:
    """A product of random matrices.

    Attributes:
        size: (m, n, k).
        centre: whose rows are centred: ``a``, ``b`` or none.
    """

    size: tuple[int, int, int]
    dtype: str = "f32"
    trans_a: bool = False
    trans_b: bool = False
    syrk: bool = False
    centre: str = ""

    @property
    def inputs(self) -> list[Any]:
        """Arrays as the call takes them."""
        m, n, k = self.size
        rng = np.random.default_rng(m + 7 * n + 31 * k)
        kind = NUMPY_DTYPE[self.dtype]
        made = [rng.normal(size=(k, m) if self.trans_a else (m, k)).astype(kind)]
        if not self.syrk:
            made.append(rng.normal(size=(n, k) if self.trans_b else (k, n)).astype(kind))
        if self.centre:
            of = made["ab".index(self.centre)]
            made.append(rng.normal(size=(1, of.shape[1])).astype(kind))
        return made

    def call(self, epilogue: ir.Kernel | None = None) -> LibraryCall:
        flags: dict[str, Any] = {"trans_a": self.trans_a, "trans_b": self.trans_b}
        flags |= {"syrk": True} if self.syrk else {}
        flags |= {"centre": self.centre} if self.centre else {}
        kept = {k: v for k, v in flags.items() if v}
        dtypes = (self.dtype,) * (len(self.inputs) + 1)
        return LibraryCall("matmul", dtypes, tuple(sorted(kept.items())), epilogue)

    def exact(self) -> Any:
        """The product in double precision; what is centred is rounded first."""
        made = self.inputs
        a, b = made[0], made[0 if self.syrk else 1]
        if self.centre == "a":
            a = a - made[-1]
        if self.centre == "b" or (self.centre and self.syrk):
            b = b - made[-1]
        a, b = a.astype(float), b.astype(float)
        return (a.T if self.trans_a else a) @ (b.T if self.trans_b else b)

    @property
    def tolerance(self) -> dict[str, float]:
        unit = float(np.finfo(NUMPY_DTYPE[self.dtype]).eps)
        root = float(np.sqrt(max(16, self.size[2])))
        return {"rtol": unit * root, "atol": 8 * unit * root}

    def run(self, inputs: Sequence[Any] = (), **changes: Any) -> Any:
        """The product as the adapter computes it."""
        m, n, _ = self.size
        given = list(inputs or self.inputs)
        out = np.full((m, n), 77, NUMPY_DTYPE[self.dtype])
        machine = Machine(self.call(), [*given, out], [self.dtype] * (len(given) + 1))
        machine.launch(self.size, **(HARDWARE | changes))
        return machine.result(len(given)).reshape((m, n), order="F")

    def check(self, **changes: Any) -> Any:
        got = self.run(**changes)
        np.testing.assert_allclose(got, self.exact(), **self.tolerance)
        return got

    def check_ending(self, draft: Draft, **changes: Any) -> Any:
        """Run with an epilogue, whose buffer 0 is the product; every output must agree."""
        kernel = draft.kernel()
        product = self.exact().astype(NUMPY_DTYPE[self.dtype]).ravel(order="F")
        wanted = [product, *(np.array(data) for data in draft.data[1:])]
        status = Run(kernel, draft.extents, wanted, draft.addressing, draft.scalars).run()
        given = self.inputs
        dtypes = [self.dtype] * len(given) + [b.dtype for b in kernel.buffers[1:]]
        machine = Machine(self.call(kernel), [*given, *draft.data[1:]], dtypes)
        views = tuple(draft.addressing)
        prepared = machine.launch(self.size, views, draft.scalars, **(HARDWARE | changes))
        for k in range(1, len(wanted)):
            got = machine.result(len(given) + k - 1)
            loose = {key: 20 * value for key, value in self.tolerance.items()}
            if got.dtype.kind == "f":
                np.testing.assert_allclose(got, wanted[k], **loose)
            else:
                np.testing.assert_array_equal(got, wanted[k])
        assert machine.status == status
        return prepared


def ending(size: tuple[int, int, int], kinds: Sequence[str] = (), dtype: str = "f32") -> Any:
    """A draft of an epilogue, and the product in it."""
    m, n, _ = size
    draft = Draft((m, n), kinds)
    return draft, draft.load(np.zeros((m, n), NUMPY_DTYPE[dtype]))
