"""What happens to the elements of a product before they are stored.

A short elementwise ending becomes the function ``put`` of the shader that makes the product: it
takes the coordinates of the first of a few elements of a column, and these. Where the product is
made in parts (split along the inner extent, or one triangle), ``put`` stores the parts as they are,
and a shader of its own (`gathering`) adds them up and ends. Any other ending (one that reduces, or
is long) is an ordinary kernel over the product in memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs

from runmat_core.api.device import Addressing
from runmat_core.api.ir import OPS, Kernel
from runmat_wgpu.codegen.kernels.draft import Draft, Written, block, width
from runmat_wgpu.codegen.kernels.emit import Body, stores
from runmat_wgpu.codegen.kernels.places import Layout
from runmat_wgpu.codegen.products.call import Product
from runmat_wgpu.codegen.products.tree import add_up
from runmat_wgpu.codegen.shader import STORAGE, Target

#: Operations up to which an ending is repeated for every vector of a thread.
SHORT = 24

#: Threads of a workgroup that adds up parts.
THREADS = 128

_PLAIN = frozenset(OPS) | {"load", "store", "const", "param", "guard"}
_COMPONENTS = "xyzw"


@attrs.frozen
class Ending:
    """An elementwise ending for launches of certain addressing.

    Attributes:
        layout: of the views of the ending's kernel.
        vectors: its buffers that are bound as vectors.
        aligned: columns of the product are whole vectors.
    """

    layout: Layout
    vectors: frozenset[int]
    aligned: bool

    def put(self, draft: Draft, product: Product, lanes: int) -> None:
        """Add ``put(i, j, v)``, which stores what becomes of a vector of a column.

        With `lanes` 1 it takes a single element.
        """
        draft.function("put", _function(draft, product, self, lanes))


def is_elementwise(kernel: Kernel, views: Sequence[Addressing], m: int, n: int) -> bool:
    """Whether an ending takes each element of the product by itself, in the product's own order."""
    for instr in kernel.code:
        if instr.op not in _PLAIN or (instr.op == "load" and instr.args):
            return False
    own = [views[k] for k, view in enumerate(kernel.views) if view.buffer == 0]
    return all(
        view.offset == 0 and (m == 1 or view.strides[0] == 1) and (n == 1 or view.strides[1] == m)
        for view in own
    )


def is_short(kernel: Kernel) -> bool:
    """Whether an ending may be repeated for every vector of a thread."""
    return sum(instr.op in OPS for instr in kernel.code) <= SHORT


def ending_for(product: Product, views: Sequence[Addressing], m: int) -> Ending:
    """How an elementwise ending reads and writes its arrays."""
    kernel, many = product.ending, product.width
    unit, aligned, single = set(), set(), set()
    for k, (view, where) in enumerate(zip(kernel.views, views, strict=True)):
        if not view.buffer:
            continue
        if view.moves[0] and where.strides[0] == 1:
            unit.add((k, 0))
        each = width(kernel.buffers[view.buffer].dtype)
        whole = where.offset % each == 0 and (not view.moves[1] or where.strides[1] % each == 0)
        if (k, 0) in unit and each > 1 and many % each == 0 and whole:
            aligned.add(k)
        else:
            single.add(view.buffer)
    taken = frozenset(k for k in aligned if kernel.views[k].buffer not in single)
    buffers = frozenset(b for k in taken if (b := kernel.views[k].buffer))
    return Ending(Layout(frozenset(unit), taken), buffers, m % many == 0)


def _function(draft: Draft, product: Product, ending: Ending, lanes: int) -> str:
    """``put`` for vectors, or for single elements where `lanes` is 1."""
    words = draft.words
    m, n = words.extent(0), words.extent(1)
    partial = lanes > 1 and not ending.aligned
    layout = ending.layout if lanes > 1 else Layout(ending.layout.unit)
    valid = "inside" if partial else None
    body = Body(draft, ("i", "j"), layout, lanes=lanes, axis=0, valid=valid)
    names = tuple(f"v.{_COMPONENTS[c]}" for c in range(lanes)) if lanes > 1 else ("v",)
    for k, instr in enumerate(product.ending.code):
        view: Any = instr.attr
        if instr.op == "load" and product.ending.views[view].buffer == 0:
            body.give(k, names)
    body.emit(stores(product.ending.code))
    vector = f"vec{lanes}<{STORAGE[product.dtype]}>" if lanes > 1 else STORAGE[product.dtype]
    lines = [f"if (i >= {m} || j >= {n}) {{ return; }}"]
    lines += [f"let inside = {m} - i;"] if partial else []
    return "\n".join([*block(f"fn put(i: u32, j: u32, v: {vector})", [*lines, *body.lines]), ""])


def put_parts(draft: Draft, product: Product, lanes: int, aligned: bool = False) -> None:
    """Add a ``put`` that stores into the part of this workgroup: `Prepared.scratch` number 0.

    Parts are matrices of the product's size one after the other, as many as the grid is deep; the
    shader has a private variable ``part``, the element at which its own begins.
    """
    m, n = draft.words.extent(0), draft.words.extent(1)
    kind = STORAGE[product.dtype]
    vector = f"vec{lanes}<{kind}>" if lanes > 1 else kind
    array = draft.scratch(0, vector if aligned else kind)
    lines = [f"if (i >= {m} || j >= {n}) {{ return; }}", f"let at = part + j * {m} + i;"]
    if aligned:
        lines.append(f"{array}[at / {lanes}u] = v;")
    elif lanes == 1:
        lines.append(f"{array}[at] = v;")
    else:
        for c in range(lanes):
            line = f"{array}[at + {c}u] = v.{_COMPONENTS[c]};"
            lines.append(f"if (i + {c}u < {m}) {{ {line} }}" if c else line)
    text = "\n".join([*block(f"fn put(i: u32, j: u32, v: {vector})", lines), ""])
    draft.function("part", "var<private> part: u32;\n")
    draft.function("put", text)


def gathering(product: Product, ending: Ending, lanes: int, target: Target) -> Written:
    """Return the shader that adds up parts in order, and ends.

    Of a symmetric product only elements on and below the diagonal were computed. The words
    ``parts`` (how many there are) and ``page`` (elements of one) are its own.

    Args:
        lanes: threads that share the parts of an element.
    """
    draft = Draft(product.kernel, target, ())
    m, kind = draft.words.extent(0), STORAGE[product.dtype]
    array = draft.scratch(0, kind, "read")
    parts, page = draft.words.field("parts"), draft.words.field("page")
    draft.function("put", _function(draft, product, ending, 1))
    low, high = ("max(i, j)", "min(i, j)") if product.syrk else ("i", "j")
    each = THREADS // lanes
    body = [
        "let number = workgroup_id.y * num_workgroups.x + workgroup_id.x;",
        f"let lane = local_invocation_index % {each}u;",
        f"let slice = local_invocation_index / {each}u;",
        f"let element = number * {each}u + lane;",
        f"let i = element % {m};",
        f"let j = element / {m};",
        f"let at = min({high} * {m} + {low}, {page} - 1u);",
        f"var v = {kind}();",
        *block(
            f"for (var s = slice; s < {parts}; s += {lanes}u)", [f"v += {array}[s * {page} + at];"]
        ),
        *add_up(draft, ["v"], kind, "slice", "lane", each, lanes),
        "if (slice == 0u) { put(i, j, v); }",
    ]
    builtins = ("workgroup_id", "num_workgroups", "local_invocation_index")
    return draft.finish(body, (THREADS,), builtins)
