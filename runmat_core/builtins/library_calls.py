"""Calls of builtins as library calls of the graph, by the `Call` specs of their marks."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from itertools import product
from typing import Any

import numpy as np

from runmat_core.accel.capture.boundary import any_node_of, deferred, node_of
from runmat_core.accel.capture.calls import (
    Form,
    arguments_given,
    call_op,
    capture_form,
    counted,
    described,
    form_of,
    key_of,
    offered,
)
from runmat_core.accel.graph.graph import Graph
from runmat_core.accel.graph.node import COMPLEX_CLASSES, Node
from runmat_core.accel.ops.complexes import joined, parts_of
from runmat_core.accel.ops.elementwise import held_to
from runmat_core.api.errors import MatlabError
from runmat_core.api.fusion import Call, Operand
from runmat_core.api.ir.calls import PAGES, TOLD
from runmat_core.builtins.arguments import value_of_operand
from runmat_core.builtins.told_pages import ToldPages
from runmat_core.values import DTYPE, char, empty, from_numpy, minus, plus

#: Forms of calls that a builtin remembers.
FORMS_MET = 1024


def call_rule(call: Call, host: Callable[..., Any]) -> Callable[..., Any]:
    """Return what makes nodes of calls of a builtin: ``rule(graph, args, nargout)``.

    Args:
        host: the builtin's host rule on settled values, ``host(*values, nargout=count)``.
    """
    op = call_op(call.name, _by_host(host))
    forms: dict[Hashable, Form] = {}
    pages = None
    if call.name.endswith(PAGES):
        pages = ToldPages(host, call_op(call.name + TOLD, _by_host(host, told=True)))

    def rule(graph: Graph, args: tuple[Any, ...], nargout: int) -> Any:
        if not offered(call.name):
            return NotImplemented
        if call.instead is not None:
            found = call.instead(*args, nargout=nargout)
            if found is not NotImplemented:
                return found
        given = arguments_given(graph, args, any_node_of if call.of_complex else node_of)
        if given is None:
            return _of_parts(graph, args, nargout) if call.linear else NotImplemented
        key = key_of(given, nargout)
        if key is not None and (form := forms.get(key)) is not None:
            if pages is not None:
                return pages.capture(graph, op, given, form, args)
            return capture_form(graph, op, given, form, again=True)
        try:
            request = call.read(*described(args, given), nargout=max(nargout, 1))
        except MatlabError:
            return NotImplemented  # the host rule refuses it, too
        asked = counted(graph, given, request)
        if asked is None:
            return NotImplemented
        form = form_of(given, asked)
        if key is not None and asked is request:
            if len(forms) >= FORMS_MET:
                forms.clear()
            forms[key] = form
        if pages is not None:
            return pages.capture(graph, op, given, form, args)
        return capture_form(graph, op, given, form)

    def _of_parts(graph: Graph, args: tuple[Any, ...], nargout: int) -> Any:
        """Return the output for complex arrays among those in which it is linear."""
        given = arguments_given(graph, args, any_node_of)
        if given is None or nargout > 1:
            return NotImplemented
        parts = {
            k: parts_of(graph, node)
            for k, node in enumerate(given)
            if isinstance(node, Node) and node.cls in COMPLEX_CLASSES
        }
        if not parts or not parts.keys() <= set(call.linear):
            return NotImplemented
        # by powers of i: how often imaginary parts take part
        sums: dict[int, list[Any]] = {0: [], 1: [], 2: []}
        for chosen in product((0, 1), repeat=len(parts)):
            values = list(args)
            for (k, both), part in zip(parts.items(), chosen, strict=True):
                one = both[part]
                assert one is not None
                values[k] = deferred(one)
            found = rule(graph, tuple(values), nargout)
            if found is NotImplemented:
                return NotImplemented
            sums[sum(chosen)].append(found)
        (real,), (imag, *others) = sums[0], sums[1]
        if others:
            imag = plus(imag, others[0])
            real = minus(real, sums[2][0])
        return deferred(joined(graph, real.promise.node, imag.promise.node))

    return rule


def _by_host(host: Callable[..., Any], told: bool = False) -> Callable[..., Any]:
    """Return the host rule of a node: the call with the arrays where they were.

    Args:
        told: the last output tells of which pages the others are not right: of none.
    """

    def rule(node: Node, *arrays: Any) -> Any:
        rest = iter(arrays)
        arguments = [
            next(rest) if value is None else _constant(value) for value in node.option("arguments")
        ]
        count = node.option("outputs", 1) - told
        found = held_to(node, host(*arguments, nargout=count), host)
        if not told:
            return found
        none = np.zeros(node.option("shapes")[-1], DTYPE[node.cls])
        return (*(found if isinstance(found, tuple) else (found,)), from_numpy(none))

    return rule


def _constant(value: Any) -> Any:
    """Return an argument of a call that is no array with elements."""
    if value.__class__ is str:
        return char(value)
    if isinstance(value, Operand):
        return value_of_operand(value)
    return empty() if value == () else value
