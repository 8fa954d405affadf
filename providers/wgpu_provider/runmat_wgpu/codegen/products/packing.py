"""Copies of factors that lie in memory as tiles are read best.

A copy has the outer index running fastest and columns of whole vectors, the last one padded with
zeros; a row that is to be subtracted has been. It is worth its bytes where the factor is read by
many tiles. Words: ``k``, ``ld_a`` (elements between the columns of the factor), ``outer_a`` (its
outer extent), ``ld_to`` (elements between the columns of the copy), ``tiles`` and ``tiles_m``.
"""

from __future__ import annotations

from runmat_wgpu.codegen.kernels.draft import Draft, Written, block
from runmat_wgpu.codegen.products.call import Operand, Product
from runmat_wgpu.codegen.products.tiled import BUILTINS
from runmat_wgpu.codegen.shader import STORAGE, Target

#: Side of the square that a workgroup turns, and its threads.
SIDE, THREADS = 32, 256


def packing(product: Product, operand: Operand, target: Target) -> Written:
    """Return the shader; it writes `Prepared.scratch` number 0."""
    draft = Draft(product.kernel, target)
    words, kind = draft.words, STORAGE[product.dtype]
    to = draft.scratch(0, kind)
    k, outer, ld = words.field("k"), words.field("outer_a"), words.field("ld_a")
    wide, rows = words.field("ld_to"), THREADS // SIDE
    lines = [
        "let number = workgroup_id.y * num_workgroups.x + workgroup_id.x;",
        f"if (number >= {words.field('tiles')}) {{ return; }}",
        f"let first_o = number % {words.field('tiles_m')} * {SIDE}u;",
        f"let first_l = number / {words.field('tiles_m')} * {SIDE}u;",
        f"let x = local_invocation_index % {SIDE}u;",
        f"let y = local_invocation_index / {SIDE}u;",
    ]
    source = draft.element(operand.buffer, "at")
    read, write = [], []
    if operand.direct:
        for r in range(0, SIDE, rows):
            row = "" if operand.row is None else f" - {draft.element(operand.row, f'l{r}')}"
            lines += [f"let o{r} = first_o + x;", f"let l{r} = first_l + y + {r}u;"]
            inner = [f"let at = l{r} * {ld} + min(o{r}, {outer} - 1u);"]
            value = f"select({kind}(), {source}{row}, o{r} < {outer})"
            inner.append(f"{to}[l{r} * {wide} + o{r}] = {value};")
            lines += block(f"if (l{r} < {k} && o{r} < {wide})", inner)
        return draft.finish(lines, (THREADS,), BUILTINS)
    draft.shared("square", f"array<{kind}, {SIDE * (SIDE + 1)}>")
    for r in range(0, SIDE, rows):
        row = "" if operand.row is None else f" - {draft.element(operand.row, f'o{r}')}"
        read += [f"let o{r} = first_o + y + {r}u;"]
        inner = [f"let at = o{r} * {ld} + first_l + x;"]
        inner.append(f"square[(y + {r}u) * {SIDE + 1}u + x] = {source}{row};")
        read += block(f"if (o{r} < {outer} && first_l + x < {k})", inner, "} else {")
        read += [f"  square[(y + {r}u) * {SIDE + 1}u + x] = {kind}();", "}"]
        write.append(f"let l{r} = first_l + y + {r}u;")
        store = f"{to}[l{r} * {wide} + first_o + x] = square[x * {SIDE + 1}u + y + {r}u];"
        write += block(f"if (l{r} < {k} && first_o + x < {wide})", [store])
    return draft.finish([*lines, *read, "workgroupBarrier();", *write], (THREADS,), BUILTINS)
