"""Products of matrices, as library calls.

A product is a node of kind ``call`` and name ``matmul``. Capture gives it no attributes; rewriting
sets some of these in the static ``attributes``:

- ``trans_a``, ``trans_b``: whether the input is taken transposed,
- ``syrk``: the product is ``A' * A`` (``trans_a`` is set); it has the one input `A`,
- ``centre``: a row, the last input, is first subtracted from every row of `A` (``"a"``) or of `B`
  (``"b"``) as it lies in memory, each difference rounded as ``A - m`` would be.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from runmat_core.accel.graph.node import Node, Op
from runmat_core.values import dispatch


def attributes_of(node: Node) -> dict[str, Hashable]:
    """Return the attributes of a library call."""
    said: Any = node.option("attributes", ())
    return dict(said)


def _product(node: Node, a: Any, b: Any = None, row: Any = None) -> Any:
    said, rules = attributes_of(node), dispatch.HOST_RULES
    if said.get("syrk"):
        if b is not None:
            a = rules["minus"](a, b)
        b = a
    elif said.get("centre") == "a":
        a = rules["minus"](a, row)
    elif said.get("centre") == "b":
        b = rules["minus"](b, row)
    left = rules["transpose"](a) if said.get("trans_a") else a
    right = rules["transpose"](b) if said.get("trans_b") else b
    return rules["mtimes"](left, right)


MATMUL = Op("matmul", "call", _product)
