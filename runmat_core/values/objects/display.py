"""What is shown of objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runmat_core.values.display_containers import property_lines, property_text
from runmat_core.values.display_format import DisplayFormat
from runmat_core.values.display_matrix import Shown, size_text
from runmat_core.values.objects.info import MEMBER
from runmat_core.values.objects.records import HandleRecord, Record

if TYPE_CHECKING:
    from runmat_core.values.objects.instance import Instance


def shown(value: Instance, fmt: DisplayFormat) -> Shown:
    """Return the parts of the display; of the class's name the last part is shown."""
    name = value.info.name.rpartition(".")[2]
    if value.info.is_enumeration:
        return _members(value, name)
    if value.info.is_structured:
        size = "-by-".join(map(str, value.shape))
        return Shown("", f"\t{name} object: {size}", is_object=True, disp_header=True)
    names = value.info.shown
    if not isinstance(value.data, Record):
        kind = "empty " if 0 in value.shape else ""
        header = f"  {size_text(value.shape)} {kind}{name} array with"
        if not names:
            return Shown("", f"{header} no properties.", is_object=True, disp_header=True)
        listed = "".join([f"    {label}\n" for label in names])
        return Shown(listed, f"{header} properties:", is_object=True, disp_header=True)
    if isinstance(value.data, HandleRecord) and not value.data.is_valid:
        return Shown("", f"  handle to deleted {name}", is_object=True, disp_header=True)
    if not names:
        return Shown("", f"  {name} with no properties.", is_object=True, disp_header=True)
    lines = property_lines([(label, _text(value, label, fmt)) for label in names])
    return Shown(lines, f"  {name} with properties:", is_object=True, disp_header=True)


def _text(value: Instance, name: str, fmt: DisplayFormat) -> str:
    """Return the value of a property; one whose get method fails is shown empty, as MATLAB does."""
    from runmat_core.api.errors import MatlabError

    prop = value.info.properties[name]
    try:
        return property_text(value.stored(prop), fmt)
    except MatlabError:
        return ""


def _members(value: Instance, name: str) -> Shown:
    from runmat_core.values.array_object import text_rows
    from runmat_core.values.display_format import DEFAULT_FORMAT

    labels = [str(record.get(MEMBER, "")) for record in value.records()]
    if len(labels) == 1:
        return Shown(
            f"    {labels[0]}\n",
            f"  {name} enumeration",
            is_object=True,
            disp_content=f"    {labels[0]}\n",
        )
    if not labels:
        header = f"  {size_text(value.shape)} empty {name} enumeration array"
        return Shown("", header, is_object=True, disp_header=True)
    header = f"  {size_text(value.shape)} {name} enumeration array"
    rows = text_rows("", labels, value.shape, DEFAULT_FORMAT)
    return Shown("\n".join(" " + row for row in rows.splitlines()) + "\n", header, is_object=True)
