"""h5disp: what HDF5 files hold, as lines."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import unknown_option
from runmat_core.builtins.files.hdf5_facts import told_of
from runmat_core.builtins.files.hdf5_values import opened, text_argument
from runmat_core.values import CharArray, StructArray, class_of, to_numpy
from runmat_core.values.classes import DTYPE


@builtin("h5disp", family="files/hdf5", nargin=(1, 3), needs=("interp",))
def h5disp(filename: Any, loc: Any = None, mode: Any = None, *, interp: Interp) -> None:
    """Print what an HDF5 file holds.

    h5disp(filename) tells of the whole file, h5disp(filename, loc) of a group or data set.
    h5disp(..., 'min') prints the names alone, h5disp(..., 'simple') leaves out what is seldom
    needed.

    The package h5py is needed.

    Examples:
        >> f = [tempname '.h5'];
        >> h5create(f, '/x', [4 5]), h5disp(f, '/x', 'min')
        HDF5 ...
        Dataset 'x'

    See also: h5info, h5read.
    """
    where = "/" if loc is None else text_argument("h5disp", "loc", loc)
    how = "" if mode is None else text_argument("h5disp", "mode", mode)
    if where in ("min", "simple"):
        where, how = "/", where
    if how not in ("", "min", "simple"):
        raise unknown_option(how, ("min", "simple"))
    with opened("h5disp", filename, interp) as file:
        facts = told_of(file, where)
        lines = [f"HDF5 {file.name.rpartition('/')[2]} "]
        told = _dataset_lines if "Dataspace" in facts else _group_lines
        interp.write("\n".join([*lines, *told(facts, "", how)]) + "\n")


def _records(value: Any) -> list[dict[str, Any]]:
    return list(value.records()) if isinstance(value, StructArray) else []


def _group_lines(facts: dict[str, Any], margin: str, how: str) -> list[str]:
    lines = [f"{margin}Group '{facts['Name'].text()}' "]
    deeper = margin + "    "
    lines += _attribute_lines(facts, deeper, how)
    for item in _records(facts["Datasets"]):
        lines += _dataset_lines(item, deeper, how)
    for item in _records(facts["Links"]):
        lines.append(f"{deeper}Link '{item['Name'].text()}' ")
    for item in _records(facts["Groups"]):
        lines += _group_lines(item, deeper, how)
    return lines


def _dataset_lines(facts: dict[str, Any], margin: str, how: str) -> list[str]:
    lines = [f"{margin}Dataset '{facts['Name'].text()}' "]
    if how == "min":
        return lines
    space, kind = facts["Dataspace"].records()[0], facts["Datatype"].records()[0]
    of = kind["Type"].text() if isinstance(kind["Type"], CharArray) else kind["Class"].text()
    scalar = "scalar" if space["Type"].text() == "scalar" else ""
    told = [
        f"Size:  {scalar or _extents(space['Size'])}",
        f"MaxSize:  {scalar or _extents(space['MaxSize'])}",
        f"Datatype:   {of}{_matlab_class(of)}",
    ]
    if how != "simple":
        names = [item["Name"].text() for item in _records(facts["Filters"])]
        chunks = _extents(facts["ChunkSize"]) or "[]"
        told += [f"ChunkSize:  {chunks}", f"Filters:  {', '.join(names) or 'none'}"]
        fill = to_numpy(facts["FillValue"])
        if fill.size:
            told.append(f"FillValue:  {_number(fill.flat[0])}")
    lines += [f"{margin}    {line}" for line in told]
    return lines + _attribute_lines(facts, margin + "    ", how)


def _attribute_lines(facts: dict[str, Any], margin: str, how: str) -> list[str]:
    found = _records(facts["Attributes"])
    if not found or how == "min":
        return []
    lines = [f"{margin}Attributes:"]
    for item in found:
        lines.append(f"{margin}    '{item['Name'].text()}':  {_shown(item['Value'])} ")
    return lines


def _shown(value: Any) -> str:
    if isinstance(value, CharArray):
        return f"'{value.text()}'"
    if class_of(value) in DTYPE:
        return " ".join(_number(n) for n in to_numpy(value).ravel(order="F"))
    return f"{class_of(value)}"


def _number(number: Any) -> str:
    return f"{number:f}" if isinstance(number, float | np.floating) else f"{int(number)}"


def _extents(value: Any) -> str:
    return "x".join("Inf" if np.isinf(n) else f"{int(n)}" for n in to_numpy(value).ravel())


def _matlab_class(of: str) -> str:
    """Return the class of numbers of a type, as a remark."""
    kind = of.rpartition("_")[2][:-2]
    known = {"F64": "double", "F32": "single", "I": "int", "U": "uint"}
    if kind in known:
        return f" ({known[kind]})"
    return f" ({known[kind[0]]}{kind[1:]})" if of.startswith("H5T_STD_") and kind[1:] else ""
