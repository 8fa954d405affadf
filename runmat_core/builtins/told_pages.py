"""Library calls of pages, some of which host rules have to see.

Where such a call guards, it is asked for once more in the form that tells of which pages
(`runmat_core.api.ir.calls`). Host rules compute those alone, and what they give is put in place of
what the library has there: the other pages stay where they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import attrs
import numpy as np

from runmat_core.accel.capture import early
from runmat_core.accel.capture.boundary import deferred
from runmat_core.accel.capture.calls import (
    Form,
    Given,
    appended,
    capture_form,
    form_of,
    offered,
)
from runmat_core.accel.context import get, running
from runmat_core.accel.graph.graph import Graph
from runmat_core.accel.graph.node import Node, Op
from runmat_core.accel.running.trial import tried
from runmat_core.values import COLON, assign, from_numpy, index, size_of
from runmat_core.values.deferred import all_settled


@attrs.frozen
class ToldPages:
    """How the calls of a builtin by pages are captured.

    Attributes:
        host: the builtin's host rule on settled values, ``host(*values, nargout=count)``.
        op: the operation of the form that tells.
    """

    host: Callable[..., Any]
    op: Op

    def capture(
        self, graph: Graph, op: Op, given: Sequence[Given], form: Form, args: Sequence[Any]
    ) -> Any:
        """Return a deferred array for each output of a call, a tuple where there are several.

        Raises:
            MatlabError: of the host rule.
        """
        seat = get()
        # the trips of a traced loop are tried all at once, and none counts where one does not
        if seat is None or graph is not seat.engine.graph or not offered(self.op.name):
            return capture_form(graph, op, given, form)
        if seat.engine.config["accel.verify"]:
            return capture_form(graph, op, given, form)
        if graph.dear:
            early.start_held(seat)
        made = appended(graph, op, given, form)
        values = [deferred(node) for node in made]
        fired = seat.engine.counters.guards_fired
        if not tried(seat.engine, made):
            told = seat.engine.counters.guards_fired > fired
            mended = self._mended(graph, given, form, args) if told else None
            if mended is None:
                graph.evaluate(made)
            else:
                values = mended
        return tuple(values) if len(values) > 1 else values[0]

    def _mended(
        self, graph: Graph, given: Sequence[Given], form: Form, args: Sequence[Any]
    ) -> list[Any] | None:
        """Return the outputs with those pages of host rules that the library tells of.

        Return None: all.
        """
        outputs = form.request.outputs
        (size, cls), count = outputs[0], len(outputs)
        if not size[2:]:
            return None
        pages = ((1, 1, *size[2:]), cls)
        request = form.request._replace(outputs=(*outputs, pages), guards=False)
        nodes = appended(graph, self.op, given, form_of(given, request))
        values = [deferred(node) for node in nodes[:-1]]
        # what host rules need of the inputs is in memory then, too
        graph.evaluate([*nodes, *(v for v in given if isinstance(v, Node) and v.data is None)])
        told = np.flatnonzero(graph.elements(nodes[-1]).ravel(order="F"))
        if told.size == nodes[-1].size:
            return None
        if told.size:
            at = (COLON, COLON, from_numpy(told[None].astype(float) + 1))
            few = [
                index(value, at) if isinstance(node, Node) and size_of(value)[2:] else value
                for value, node in zip(args, given, strict=True)
            ]
            few = all_settled(few)
            with running(None), np.errstate(all="ignore"):
                right = self.host(*few, nargout=count)
            right = right if isinstance(right, tuple) else (right,)
            values = [assign(value, at, one) for value, one in zip(values, right, strict=True)]
        return values
