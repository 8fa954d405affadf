"""Calls of builtins as library calls of the graph, by the `Call` specs of their marks."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from runmat_core.accel.capture.boundary import any_node_of, node_of
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
from runmat_core.accel.capture.maps import held_to
from runmat_core.accel.graph.graph import Graph
from runmat_core.accel.graph.node import Node
from runmat_core.api.errors import MatlabError
from runmat_core.api.fusion import Call, Operand
from runmat_core.builtins.arguments import value_of_operand
from runmat_core.values import char, empty

#: Forms of calls that a builtin remembers.
FORMS_MET = 1024


def call_rule(call: Call, host: Callable[..., Any]) -> Callable[..., Any]:
    """What makes nodes of calls of a builtin: ``rule(graph, args, nargout)``.

    Args:
        host: the builtin's host rule on settled values, ``host(*values, nargout=count)``.
    """
    op = call_op(call.name, _by_host(host))
    forms: dict[Hashable, Form] = {}

    def rule(graph: Graph, args: tuple[Any, ...], nargout: int) -> Any:
        if not offered(call.name):
            return NotImplemented
        given = arguments_given(graph, args, any_node_of if call.of_complex else node_of)
        if given is None:
            return NotImplemented
        key = key_of(given, nargout)
        if key is not None and (form := forms.get(key)) is not None:
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
        return capture_form(graph, op, given, form)

    return rule


def _by_host(host: Callable[..., Any]) -> Callable[..., Any]:
    """The host rule of a node: the call with the arrays where they were."""

    def rule(node: Node, *arrays: Any) -> Any:
        rest = iter(arrays)
        arguments = [
            next(rest) if value is None else _constant(value) for value in node.option("arguments")
        ]
        count = node.option("outputs", 1)
        found = host(*arguments, nargout=count)
        return held_to(node, found, host)

    return rule


def _constant(value: Any) -> Any:
    """An argument of a call that is no array with elements."""
    if value.__class__ is str:
        return char(value)
    if isinstance(value, Operand):
        return value_of_operand(value)
    return empty() if value == () else value
