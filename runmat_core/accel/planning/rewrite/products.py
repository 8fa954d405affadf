"""Rules about products of matrices.

The order of a chain of products is the program's: ``A*(B*x)`` and ``(A*B)*x`` stay as they are.
"""

from __future__ import annotations

from collections.abc import Hashable

from runmat_core.accel.graph.node import Shape
from runmat_core.accel.ops.products import MATMUL, attributes_of
from runmat_core.accel.ops.reductions import SUM
from runmat_core.accel.planning.rewrite import strided
from runmat_core.accel.planning.rewrite.draft import Draft
from runmat_core.accel.planning.rewrite.operations import (
    PLUS,
    TIMES,
    is_plain_product,
    with_attributes,
)
from runmat_core.accel.planning.rewrite.strided import Strided
from runmat_core.accel.planning.rewrite.views import add_view

#: Inner extents up to which a product that only maps read is a sum of products in their kernel. On
#: a host the product of matrices takes no longer from 2 on; on a device it is a launch of its own.
SMALL = {"host": 1, "device": 8}

#: Nodes whose elements a kernel makes as it goes.
_FUSES = frozenset({"map", "fill", "range", "random"})


class Factors:
    """The operands of a plain product, with the strides of what is multiplied.

    Attributes:
        a, b: node numbers.
        trans_a, trans_b: whether they are taken transposed.
        m, n, k: the product is ``(m x k) * (k x n)``.
    """

    def __init__(self, draft: Draft, number: int) -> None:
        said = attributes_of(draft.nodes[number])
        self.a, self.b = draft.inputs[number]
        self.trans_a, self.trans_b = bool(said.get("trans_a")), bool(said.get("trans_b"))
        self.m, self.n = draft.nodes[number].shape
        self.k = draft.nodes[self.a].shape[0 if self.trans_a else 1]

    @property
    def a_strides(self) -> tuple[int, int]:
        """Steps in the array `a` to the next row, and to the next column, of the left factor."""
        return (self.k, 1) if self.trans_a else (1, self.m)

    @property
    def b_strides(self) -> tuple[int, int]:
        """Steps in the array `b` to the next row, and to the next column, of the right factor."""
        return (self.n, 1) if self.trans_b else (1, self.k)


def transposed(draft: Draft, number: int) -> int | None:
    """Make the transpose of a factor a flag of the product: ``A' * B``.

    So with the transpose of a part, ``A(:, 1:3)' * B``, where the part is to be written anyhow.
    """
    if not is_plain_product(draft, number) or not draft.real(number):
        return None
    said = attributes_of(draft.nodes[number])
    for position, name in enumerate(("trans_a", "trans_b")):
        view = draft.inputs[number][position]
        if draft.kinds[view] != "view":
            continue
        turned = _turned(draft, view, number)
        if turned is not None:
            said[name] = not said.get(name)
            inputs = list(draft.inputs[number])
            inputs[position] = turned
            return _product(draft, number, tuple(inputs), said)
    return None


def _turned(draft: Draft, view: int, user: int) -> int | None:
    """Return the node of which a view is better read as the transpose.

    Return None where it is as good itself.
    """
    source = draft.inputs[view][0]
    selects = strided.view_of(draft.nodes[view])
    if strided.is_transpose(selects, draft.nodes[source].shape):
        # where the transpose is written anyway, the matrix would be for this product alone
        needless = (
            view in draft.outputs
            and draft.kinds[source] in _FUSES
            and draft.only_user(source, view)
        )
        return None if needless else source
    (m, n), (down, right) = selects.shape, selects.strides
    if 1 in (m, n) or abs(down) <= abs(right) or not right or not draft.only_user(view, user):
        return None
    return add_view(draft, source, Strided((n, m), selects.offset, (right, down)))


def _product(draft: Draft, like: int, inputs: tuple[int, ...], said: dict[str, Hashable]) -> int:
    node = draft.nodes[like]
    return draft.add(MATMUL, inputs, node.shape, like, with_attributes(**said))


def gram(draft: Draft, number: int) -> int | None:
    """Compute half of ``A' * A``, which is symmetric."""
    if "syrk" not in draft.capabilities.libraries or not is_plain_product(draft, number):
        return None
    found = Factors(draft, number)
    if found.a != found.b or not found.trans_a or found.trans_b or found.k == 1 or found.n == 1:
        return None
    return _product(draft, number, (found.a,), {"trans_a": True, "syrk": True})


def centred(draft: Draft, number: int) -> int | None:
    """Subtract a row from the rows of a factor as the factor is read.

    ``(A - mean(A, 1))' * (A - mean(A, 1))`` does not write the centred matrix. The differences are
    the same; nothing is made of ``A' * A`` and the means, where they cancel.
    """
    if draft.kinds[number] != "call" or draft.nodes[number].op.name != "matmul":
        return None
    said = attributes_of(draft.nodes[number])
    name = "syrk_centred" if said.get("syrk") else "matmul_centred"
    if name not in draft.capabilities.libraries or "centre" in said:
        return None
    for position, factor in enumerate(draft.inputs[number]):
        found = _difference(draft, factor, either=bool(said.get("syrk")))
        if found is None or not _read_by_products(draft, factor):
            continue
        inputs = list(draft.inputs[number])
        inputs[position] = found[0]
        said["centre"] = "ab"[position]
        return _product(draft, number, (*inputs, found[1]), said)
    return None


def _difference(draft: Draft, number: int, either: bool) -> tuple[int, int] | None:
    """Return the matrix and the row of which a node is the difference.

    Args:
        either: whether the difference may be taken the other way round, too.
    """
    node = draft.nodes[number]
    if draft.kinds[number] != "map" or node.op.name != "minus" or len(node.shape) != 2:
        return None
    a, b = draft.inputs[number]
    orders = ((a, b), (b, a)) if either else ((a, b),)
    row: Shape = (1, node.shape[1])
    if node.shape == row:
        return None
    nodes = draft.nodes
    for matrix, less in orders:
        if (
            min(matrix, less) >= 0
            and nodes[matrix].shape == node.shape
            and nodes[less].shape == row
            and nodes[matrix].cls == nodes[less].cls == node.cls
        ):
            return matrix, less
    return None


def _read_by_products(draft: Draft, number: int) -> bool:
    """Whether nothing reads the node but products that may subtract a row as they read."""
    if number in draft.outputs:
        return False
    libraries = draft.capabilities.libraries
    for user in draft.users[number]:
        if draft.kinds[user] != "call" or draft.nodes[user].op.name != "matmul":
            return False
        said = attributes_of(draft.nodes[user])
        needs = "syrk_centred" if said.get("syrk") else "matmul_centred"
        # one row for each product; one that has this matrix on both sides needs it written
        if "centre" in said or needs not in libraries or draft.users[number].count(user) > 1:
            return False
    return True


def small(draft: Draft, number: int) -> int | None:
    """Make a column times a row an elementwise product, and few of them a sum of such.

    Sums are taken in the order of the inner extent, so the result is that of the definition.
    """
    if not is_plain_product(draft, number):
        return None
    found = Factors(draft, number)
    if found.m == 1 and found.n == 1:
        return None
    if found.k != 1 and not (
        1 < found.k <= SMALL[draft.capabilities.kind] and _read_by_maps(draft, number)
    ):
        return None
    total = None
    for j in range(found.k):
        (row, inner), (along, column) = found.a_strides, found.b_strides
        left = add_view(draft, found.a, Strided((found.m, 1), j * inner, (row, 0)))
        right = add_view(draft, found.b, Strided((1, found.n), j * along, (0, column)))
        shape = (found.m, found.n)
        term = draft.add(TIMES, (left, right), shape, number)
        total = term if total is None else draft.add(PLUS, (total, term), shape, number)
    return total


def _read_by_maps(draft: Draft, number: int) -> bool:
    return number not in draft.outputs and all(
        draft.kinds[user] in ("map", "reduce") for user in draft.users[number]
    )


def inner(draft: Draft, number: int) -> int | None:
    """``x' * y`` is the sum of ``x .* y`` where that saves writing `x` or `y`."""
    if not is_plain_product(draft, number):
        return None
    found = Factors(draft, number)
    if found.m != 1 or found.n != 1 or found.k < 2:
        return None
    fused = [
        k for k in (found.a, found.b) if draft.kinds[k] in _FUSES and draft.only_user(k, number)
    ]
    if not fused:
        return None
    # what a kernel makes as it goes is read as it lies: a view of it would have to be written
    shape = draft.nodes[fused[0]].shape
    left, right = (add_view(draft, k, strided.whole(shape)) for k in (found.a, found.b))
    term = draft.add(TIMES, (left, right), shape, number)
    return draft.add(SUM, (term,), (1, 1), number, (("axes", (shape.index(found.k),)),))


def diagonal(draft: Draft, number: int) -> int | None:
    """Elements of a product along a line, such as ``diag(A * B)``, are sums of their own.

    Element p of ``diag(A * B)`` is the sum of ``A(p, :) .* B(:, p).'``: only these are computed,
    the product itself is not. A row or a column of a product stays what it is.
    """
    source = draft.inputs[number][0]
    if not is_plain_product(draft, source) or not draft.only_user(source, number):
        return None
    found = Factors(draft, source)
    line = _line(strided.view_of(draft.nodes[number]), found.m, found.n)
    if line is None or not draft.real(number):
        return None
    count, (row, column), (down, right) = line
    (a_row, a_inner), (b_inner, b_column) = found.a_strides, found.b_strides
    # the inner extent first where either factor has it contiguous, for then it is read so
    first = (a_inner == 1) + (b_inner == 1) >= (a_row == 1) + (b_column == 1)
    axis = 0 if first else 1

    def factor(source: int, offset: int, along: int, across: int) -> int:
        shape, steps = (found.k, count), (along, across)
        if not first:
            shape, steps = shape[::-1], steps[::-1]
        return add_view(draft, source, Strided(shape, offset, steps))

    left = factor(found.a, row * a_row, a_inner, down * a_row)
    other = factor(found.b, column * b_column, b_inner, right * b_column)
    shape = (found.k, count) if first else (count, found.k)
    term = draft.add(TIMES, (left, other), shape, source)
    sums = (1, count) if first else (count, 1)
    total = draft.add(SUM, (term,), sums, source, (("axes", (axis,)),))
    wanted = draft.nodes[number].shape
    return total if sums == wanted else add_view(draft, total, strided.whole(wanted))


def _line(view: Strided, m: int, n: int) -> tuple[int, tuple[int, int], tuple[int, int]] | None:
    """How many elements of an m x n matrix a view selects, the place of the first, and the step.

    None unless they are on a line that goes down and across at every step, or a single element of a
    larger matrix.
    """
    wide = [k for k, extent in enumerate(view.shape) if extent != 1]
    start = (view.offset % m, view.offset // m)
    if not wide:
        return (1, start, (0, 0)) if m * n > 1 else None
    if len(wide) > 1:
        return None
    count, stride = view.shape[wide[0]], view.strides[wide[0]]
    if not count:
        return None
    second = view.offset + stride
    step = (second % m - start[0], second // m - start[1])
    last = (start[0] + step[0] * (count - 1), start[1] + step[1] * (count - 1))
    if not (step[0] and step[1] and 0 <= last[0] < m and 0 <= last[1] < n):
        return None
    return count, start, step
