"""What generators build on: words, parts of a kernel's code, launches whose views move."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest
from runmat_provider_tests.device import Device, Draft
from runmat_wgpu.codegen import template
from runmat_wgpu.codegen.kernels import draft as drafts
from runmat_wgpu.codegen.kernels.emit import Body, stores
from runmat_wgpu.codegen.kernels.ranges import ranges
from runmat_wgpu.codegen.kernels.words import Words
from runmat_wgpu.codegen.shader import DeclinedError, Target

from runmat_core.api import ir
from runmat_core.api.device import Addressing, ExecuteRequest, Launch, Repeat
from runmat_core.api.ir import LibraryCall, reducers
from tests.providers.wgpu.drawn import index, random
from tests.providers.wgpu.machine import adapter_device


def summed() -> Draft:
    """``x / sum(x, 2) + 1``."""
    draft = Draft((8, 16), ["parallel", "reduce"])
    x = draft.load(np.zeros((8, 16), np.float32))
    (total,) = ir.reduce(reducers.sum_("f32"), x * 2.0)
    draft.store(x / total + draft.param(1.0, "f32"))
    return draft


def test_words_are_aligned_and_packed_by_name() -> None:
    draft = Draft((4, 5))
    draft.param(0.0, "f64")
    draft.param(True, "bool")
    draft.store(draft.load(np.zeros((4, 5))))
    words = Words(draft.kernel())
    names = [words.extent(1), words.param(0), words.offset(0), words.stride(0, 1), words.param(1)]
    assert names == ["p.e1", "p.a0", "p.o0", "p.s0_1", "p.a1"]
    assert words.extent(1) == "p.e1"  # once
    assert words.size == 32
    assert words.params == ((8, "f64", 0), (24, "bool", 1))
    assert words.offsets == ((16, 0),)
    views = (Addressing(-3, (1, -4)), Addressing(0, (1, 4)))
    packed = words.pack((4, 5), views)
    assert struct.unpack("<IIdiiII", packed) == (0, 5, 0.0, -3, -4, 0, 0)


def test_a_body_writes_what_is_asked_for_and_what_that_needs() -> None:
    kernel = summed().kernel()
    body = Body(drafts.Draft(kernel, Target()), ("i", "j"))
    doubled = next(k for k, i in enumerate(kernel.code) if i.op == "mul")
    body.emit([doubled])
    assert [line.split(" = ")[0] for line in body.lines] == ["let at0_1", "let v0", "let v2"]
    assert "i * p.s0_0 + j * p.s0_1" in body.lines[0]


def test_what_is_given_is_not_written_again() -> None:
    kernel = summed().kernel()
    draft = drafts.Draft(kernel, Target())
    body = Body(draft, ("i", "j"))
    reduction = next(k for k, i in enumerate(kernel.code) if i.op == "reduce")
    for k, instr in enumerate(kernel.code):
        if instr.op == "reduce" or (reduction in instr.args and instr.op == "item"):
            body.give(k, ["total"])
    body.emit(stores(kernel.code))
    text = "\n".join(body.lines)
    assert "total" in text
    assert "v2 =" not in text  # what only the reduction needs


def test_scopes_see_what_is_outside_and_keep_their_own() -> None:
    kernel = summed().kernel()
    body = Body(drafts.Draft(kernel, Target()), ("i", "j"))
    body.names(0)
    inner = body.inside()
    assert inner.names(0) == body.names(0)
    inner.names(2)
    assert 2 not in body.known
    other = body.inside(coords=("i", "k"))
    assert other.lines == []


def test_fragments_are_written_on_given_names() -> None:
    kernel = summed().kernel()
    body = Body(drafts.Draft(kernel, Target()), ("i", "j"))
    (joined,) = body.fragment(reducers.sum_("f32").combine, ["left", "right"], exact=False)
    assert body.lines == [f"let {joined} = (left + right);"]


def test_bounds_that_follow_from_the_code() -> None:
    draft = Draft((8,))
    u = random(draft, index(draft, (1,)), ("uniform", "f32"), 1, 0)
    x = draft.load(np.zeros(8, np.float32))
    small = draft.load(np.zeros(8, np.uint8))
    wanted = {
        (u * 6.25 - 2.0).position: (-2.0, 4.25),
        abs(u * -3.0).position: (0.0, 3.0),
        ir.cos(u).position: (-1.0, 1.0),
        (u / (u + 1.0)).position: (0.0, 1.0),
        (1.0 / u).position: None,
        ir.cast(small, "f32").position: (0.0, 255.0),
        x.position: None,
        ir.sin(x).position: None,  # NaN of infinities
        ir.maximum(x, 0.0).position: (0.0, np.inf),
        ir.minimum(ir.maximum(x, 0.0), 1.0).position: (0.0, 1.0),
        ir.where(x > 0.0, u, -u).position: (-1.0, 1.0),
        (u * 1e38 * 1e30).position: None,
    }
    found = ranges(tuple(draft.builder.code))
    assert {k: found[k] for k in wanted} == wanted
    assert "sin_near_f32" in written(ir.sin(u * 6.25), draft)
    assert "sin_near_f32" not in written(ir.sin(x), draft)


def written(value: ir.V, draft: Draft) -> str:
    body = Body(drafts.Draft(draft.kernel(), Target()), ("i",))
    body.emit([value.position])
    return "\n".join(body.lines)


def test_units_that_are_no_kernels_are_declined() -> None:
    with pytest.raises(DeclinedError):
        template(LibraryCall("no such call", ("f32", "f32")), Target())


@pytest.mark.parametrize("n", [8, 7])
def test_repeats_move_what_they_store(n: int) -> None:
    adapter_device()
    device = Device("wgpu", {})
    draft = Draft((n,))
    x = np.arange(n, dtype=np.float32)
    out = draft.store(draft.load(x) + draft.param(0.5, "f32"))
    kernel = draft.kernel()
    executable = device.compile(kernel)
    assert executable is not None
    (source,) = device.upload(x.reshape(-1, 1))
    (target,) = device.allocate(((n, 5), "f32"))
    launch = Launch(executable, (0, 1), (n,), tuple(draft.addressing), (0,))
    moved: Any = ((0, out, n),)
    repeat = Repeat((launch,), 5, (), ((0, 1.0),), moved)
    request = ExecuteRequest(steps=(repeat,), slots=(source, target), params=(0.5,))
    assert device.hook.execute(request=request)
    (y,) = device.download(target)
    device.free(source, target)
    device.hook.close()
    assert np.array_equal(y, x[:, np.newaxis] + np.arange(5, dtype=np.float32) + 0.5)
