"""h5info, h5readatt and h5writeatt: what HDF5 files hold, and what they say of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import unknown_option
from runmat_core.builtins.files.hdf5_values import (
    File,
    checked,
    opened,
    stored,
    text_argument,
    text_of,
    value_of,
)
from runmat_core.builtins.text.support import maybe_text, row
from runmat_core.values import CellArray, CharArray, StringArray, StructArray, from_numpy
from runmat_core.values.cell import cell_column, empty_double, object_array
from runmat_core.values.struct import struct_array

#: Groups within groups that are told of.
_DEPTH = 100
_FILTERS = {1: "deflate", 2: "shuffle", 3: "fletcher32", 4: "szip", 5: "nbit", 6: "scaleoffset"}


def _column(records: list[dict[str, Any]]) -> Any:
    """Structs of one kind, or ``[]`` where there are none, as MATLAB has them."""
    return struct_array(records, (len(records), 1)) if records else empty_double()


def _sizes(extents: Any) -> Any:
    """Return a size as MATLAB says it; what may grow without end is Inf."""
    numbers = [np.inf if n is None else float(n) for n in reversed(extents)]
    return from_numpy(np.array(numbers, float).reshape(1, -1))


def _type(file: File, kind: np.dtype[Any]) -> dict[str, Any]:
    """Return the facts about a type: its name where it has one, and what it consists of."""
    facts: dict[str, Any] = {"Name": "", "Class": "", "Type": empty_double()}
    size = float(kind.itemsize)
    h5py = file.h5py
    text = h5py.check_string_dtype(kind)
    names = {"FALSE": 0, "TRUE": 1} if kind.kind == "b" else h5py.check_enum_dtype(kind)
    order = "BE" if kind.byteorder == ">" else "LE"
    if text is not None:
        facts["Class"] = "H5T_STRING"
        facts["Type"] = StructArray(
            {
                "Length": row("H5T_VARIABLE") if text.length is None else float(text.length),
                "Padding": row("H5T_STR_NULLTERM" if text.length is None else "H5T_STR_NULLPAD"),
                "CharacterSet": row(
                    "H5T_CSET_UTF8" if text.encoding == "utf-8" else "H5T_CSET_ASCII"
                ),
                "CharacterType": row("H5T_C_S1"),
            }
        )
    elif names is not None:
        whole = np.dtype(np.int8) if kind.kind == "b" else np.dtype(kind.str)
        members = [{"Name": row(n), "Value": float(v)} for n, v in names.items()]
        facts["Class"] = "H5T_ENUM"
        facts["Type"] = StructArray(
            {"Type": row(_type(file, whole)["Type"].text()), "Member": _column(members)}
        )
    elif kind.names:
        parts = [{"Name": row(n), "Datatype": _datatype(file, kind[n])} for n in kind.names]
        facts["Class"], facts["Type"] = "H5T_COMPOUND", StructArray({"Member": _column(parts)})
    elif h5py.check_ref_dtype(kind) is not None:
        facts["Class"], facts["Type"] = "H5T_REFERENCE", row("H5T_STD_REF_OBJ")
    elif h5py.check_vlen_dtype(kind) is not None:
        inner = _datatype(file, h5py.check_vlen_dtype(kind))
        facts["Class"], facts["Type"] = "H5T_VLEN", inner
    elif kind.kind == "f":
        facts["Class"] = "H5T_FLOAT"
        facts["Type"] = row(f"H5T_IEEE_F{8 * kind.itemsize}{order}")
    elif kind.kind in "iu":
        facts["Class"] = "H5T_INTEGER"
        facts["Type"] = row(f"H5T_STD_{kind.kind.upper()}{8 * kind.itemsize}{order}")
    else:
        facts["Class"], facts["Type"] = "H5T_OPAQUE", row(str(kind))
    return facts | {"Size": size, "Attributes": empty_double()}


def _datatype(file: File, kind: np.dtype[Any]) -> StructArray:
    facts = _type(file, kind)
    return StructArray(facts | {"Name": row(facts["Name"]), "Class": row(facts["Class"])})


def _space(shape: Any, most: Any) -> StructArray:
    """Return the facts about the size of a data set or attribute."""
    if shape is None:
        kind, size, limit = "null", empty_double(), empty_double()
    elif shape == ():
        kind, size, limit = "scalar", empty_double(), empty_double()
    else:
        kind, size, limit = "simple", _sizes(shape), _sizes(most)
    return StructArray({"Size": size, "MaxSize": limit, "Type": row(kind)})


def _attributes(file: File, item: Any) -> Any:
    made = []
    for name in item.attrs:
        attribute = item.attrs.get_id(name)
        made.append(
            {
                "Name": row(name),
                "Datatype": _datatype(file, attribute.dtype),
                "Dataspace": _space(attribute.shape, attribute.shape),
                "Value": _attribute(file, item, name),
            }
        )
    return _column(made)


def _attribute(file: File, item: Any, name: str) -> Any:
    """Return an attribute's value: a text is a row of characters, several are a cell."""
    attribute = item.attrs.get_id(name)
    value = value_of(file.h5py, item.attrs[name], attribute.dtype)
    if isinstance(value, StringArray):
        if value.data.size == 1:
            return row(text_of(value.data.flat[0]))
        texts = [row(text_of(text)) for text in value.data.ravel(order="F")]
        return CellArray(object_array(texts, value.shape))
    return value


def dataset_facts(file: File, item: Any, name: str) -> dict[str, Any]:
    """Return the facts about a data set."""
    filters = []
    plan = item.id.get_create_plist()
    for k in range(plan.get_nfilters()):
        code, _, numbers, text = plan.get_filter(k)
        known = _FILTERS.get(code, text.decode("utf-8", "replace"))
        data = from_numpy(np.array(numbers, float).reshape(1, -1)) if numbers else empty_double()
        filters.append({"Name": row(known), "Data": data})
    fill = None if item.dtype.kind not in "iufb" else item.fillvalue
    return {
        "Name": row(name),
        "Datatype": _datatype(file, item.dtype),
        "Dataspace": _space(item.shape, item.maxshape),
        "ChunkSize": empty_double() if item.chunks is None else _sizes(item.chunks),
        "FillValue": empty_double() if fill is None else from_numpy(np.asarray(fill).reshape(1, 1)),
        "Filters": _column(filters),
        "Attributes": _attributes(file, item),
    }


def _links(
    file: File, group: Any, seen: set[int]
) -> tuple[list[tuple[str, Any]], list[dict[str, Any]]]:
    """Return what a group holds by name, and its links to objects elsewhere or shown before."""
    held, links = [], []
    for name in group:
        link = group.get(name, getlink=True)
        if isinstance(link, file.h5py.SoftLink):
            value = [row(link.path)]
            links.append(("soft link", name, value))
        elif isinstance(link, file.h5py.ExternalLink):
            links.append(("external link", name, [row(link.filename), row(link.path)]))
        elif (place := file.h5py.h5o.get_info(group[name].id).addr) in seen:
            links.append(("hard link", name, [row(str(group[name].name))]))
        else:
            held.append((name, group[name]))
            if isinstance(group[name], file.h5py.Group):
                seen.add(place)
    told = [{"Name": row(n), "Type": row(k), "Value": cell_column(v)} for k, n, v in links]
    return held, told


def _group(file: File, group: Any, name: str, seen: set[int], depth: int = 0) -> dict[str, Any]:
    if depth > _DEPTH:
        raise file.error("tooDeep", "Groups are nested too deeply.")
    held, links = _links(file, group, seen)
    h5py = file.h5py
    inner = [
        _group(file, item, f"{name.rstrip('/')}/{n}", seen, depth + 1)
        for n, item in held
        if isinstance(item, h5py.Group)
    ]
    types = [
        {**_datatype(file, item.dtype).records()[0], "Name": row(n)}
        for n, item in held
        if isinstance(item, h5py.Datatype)
    ]
    return {
        "Name": row(name),
        "Groups": _column(inner),
        "Datasets": _column(
            [dataset_facts(file, item, n) for n, item in held if isinstance(item, h5py.Dataset)]
        ),
        "Datatypes": _column(types),
        "Links": _column(links),
        "Attributes": _attributes(file, group),
    }


@builtin("h5info", family="files/hdf5", nargin=(1, None), needs=("interp",))
def h5info(filename: Any, loc: Any = None, *options: Any, interp: Interp) -> StructArray:
    """What an HDF5 file holds.

    info = h5info(filename) is a struct with the fields Filename, Name, Groups, Datasets, Datatypes,
    Links and Attributes of the whole file.
    info = h5info(filename, loc) tells of one group, or of one data set: its Datatype, Dataspace,
    ChunkSize, FillValue, Filters and Attributes.

    The package h5py is needed.

    Examples:
        >> f = [tempname '.h5'];
        >> h5create(f, '/x', [4 5], 'Datatype', 'int16')
        >> info = h5info(f, '/x'); info.Dataspace.Size, info.Datatype.Type
        ans =
             4     5
        ans =
            'H5T_STD_I16LE'

    See also: h5disp, h5read, h5readatt.
    """
    where = "/" if loc is None else text_argument("h5info", "loc", loc)
    if where.lower() == "textencoding":
        where = "/"
    elif options and (maybe_text(options[0]) or "").lower() != "textencoding":
        raise unknown_option(maybe_text(options[0]) or "", ("TextEncoding",))
    with opened("h5info", filename, interp) as file:
        facts: dict[str, Any] = {"Filename": row(file.file.filename)}
        return StructArray(facts | told_of(file, where))


def told_of(file: File, where: str) -> dict[str, Any]:
    """Return the facts about the group, data set or type at a place."""
    item = file.item(where)
    if isinstance(item, file.h5py.Dataset):
        return dataset_facts(file, item, where.rstrip("/").rpartition("/")[2])
    if isinstance(item, file.h5py.Group):
        seen = {file.h5py.h5o.get_info(item.id).addr}
        return _group(file, item, "/" + where.strip("/"), seen)
    return _datatype(file, item.dtype).records()[0] | {"Name": row(where.rpartition("/")[2])}


@builtin("h5readatt", family="files/hdf5", nargin=(3, 3), needs=("interp",))
def h5readatt(filename: Any, location: Any, attr: Any, *, interp: Interp) -> Any:
    """Read an attribute of a group or data set of an HDF5 file.

    value = h5readatt(filename, location, attr) is the attribute attr of what is at location. A
    text is a row of characters, several texts are a cell array.

    The package h5py is needed.

    Examples:
        >> f = [tempname '.h5'];
        >> h5create(f, '/x', 3), h5writeatt(f, '/x', 'unit', 'km')
        >> h5readatt(f, '/x', 'unit')
        ans =
            'km'

    See also: h5writeatt, h5info, h5read.
    """
    where = text_argument("h5readatt", "location", location)
    name = text_argument("h5readatt", "attr", attr)
    with opened("h5readatt", filename, interp) as file:
        item = file.item(where)
        if name not in item.attrs:
            raise file.error("unableToFind", f"Unable to find the attribute '{name}' of '{where}'.")
        kind = item.attrs.get_id(name)
        checked(kind, kind.shape or ())
        return _attribute(file, item, name)


@builtin("h5writeatt", family="files/hdf5", nargin=(4, 6), needs=("interp",))
def h5writeatt(
    filename: Any,
    location: Any,
    attrname: Any,
    attrvalue: Any,
    option: Any = None,
    encoding: Any = None,
    *,
    interp: Interp,
) -> None:
    """Write an attribute of a group or data set of an HDF5 file.

    h5writeatt(filename, location, attrname, attrvalue) writes numbers or texts; an attribute of
    that name is replaced.
    h5writeatt(..., 'TextEncoding', encoding) takes 'UTF-8' or 'system'.

    The package h5py is needed.

    Examples:
        >> f = [tempname '.h5'];
        >> h5create(f, '/x', 3), h5writeatt(f, '/', 'version', int32([1 2]))
        >> h5readatt(f, '/', 'version')
        ans =
          2×1 int32 column vector
           1
           2

    See also: h5readatt, h5create, h5write.
    """
    where = text_argument("h5writeatt", "location", location)
    name = text_argument("h5writeatt", "attrname", attrname)
    if option is not None:
        chosen = text_argument("h5writeatt", "option", option)
        if chosen.lower() != "textencoding":
            raise unknown_option(chosen, ("TextEncoding",))
    with opened("h5writeatt", filename, interp, "r+") as file:
        item = file.item(where)
        elements = stored(file, attrvalue)
        facts: dict[str, Any] = {}
        if elements.dtype == object:
            facts["dtype"] = file.h5py.string_dtype()
        is_text = isinstance(attrvalue, CharArray)
        if is_text or (elements.size == 1 and isinstance(attrvalue, StringArray)):
            item.attrs.create(name, elements.flat[0], **facts)
        elif 1 in elements.shape:
            item.attrs.create(name, elements.ravel(), **facts)
        else:
            item.attrs.create(name, np.ascontiguousarray(elements.T), **facts)
