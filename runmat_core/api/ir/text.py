"""Kernels as text, for people: ``runmat explain --kernels`` and failing tests."""

from __future__ import annotations

from runmat_core.api.ir.kernel import Instr, Kernel, LibraryCall, Reducer, Unit, View


def dump(unit: Unit) -> str:
    """Return a unit as text, one instruction a line.

    A value is written ``%3:f32[01]``: its position, type, and the axes along which it varies.
    """
    if isinstance(unit, LibraryCall):
        options = "".join(f" {name}={value}" for name, value in unit.attributes)
        text = f"call {unit.name}({', '.join(unit.dtypes)}){options}\n"
        return text + (f"epilogue {dump(unit.epilogue)}" if unit.epilogue is not None else "")
    axes = ", ".join(axis.kind for axis in unit.axes)
    lines = [f"kernel {unit.name} over ({axes})"]
    for k, buffer in enumerate(unit.buffers):
        lines.append(f"  buffer {k}: {buffer.access} {buffer.dtype}")
    for k, param in enumerate(unit.params):
        lines.append(f"  param {k}: {param.dtype} ({param.known})")
    lines += [f"  {_instruction(unit, k, instr)}" for k, instr in enumerate(unit.code)]
    return "\n".join(lines) + "\n"


def _instruction(kernel: Kernel, number: int, instr: Instr) -> str:
    args = [f"%{k}" for k in instr.args]
    attr = instr.attr
    if instr.op in ("load", "store", "index") and isinstance(attr, int):
        args.append(_view(kernel.views[attr]))
    elif isinstance(attr, Reducer):
        args.append(attr.name)
    elif isinstance(attr, tuple):
        args += [part.name if isinstance(part, Reducer) else str(part) for part in attr]
    elif attr is not None:
        args.append(str(attr))
    text = f"{instr.op} {', '.join(args)}".rstrip()
    if instr.op in ("store", "guard"):
        return text
    axes = "".join(str(k) for k in range(len(kernel.axes)) if instr.over >> k & 1)
    return f"%{number}:{instr.dtype}[{axes}] = {text}"


def _view(view: View) -> str:
    moves = "".join(str(k) for k, moving in enumerate(view.moves) if moving)
    where = "points" if view.buffer is None else f"buffer {view.buffer}"
    return f"{where}[{moves}]{' contiguous' if view.contiguous else ''}"
