"""A session in which every operation is captured, and its nodes."""

from __future__ import annotations

from runmat_core import Session
from runmat_core.accel.graph.node import Node
from runmat_core.session import config
from runmat_core.values.deferred import Deferred

SETUP = """
x = linspace(-1, 1, 60)' + 0; y = x + 2; A = reshape(1:60, 6, 10) + 0; B = A' * 2; C = A * 3;
k = int8(A); p = x > 0; q = y > 0; s = 2; row = x'; z = complex(x, y); T = reshape(x, 4, 3, 5);
"""


def fresh() -> Session:
    return Session(config=config.load().replace(accel__threshold=1, accel__provider="none"))


def node(s: Session, name: str) -> Node:
    value = s.interp.variables[name]
    assert value.__class__ is Deferred
    found: Node = value.promise.node
    return found
