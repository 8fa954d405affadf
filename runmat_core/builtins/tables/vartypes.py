"""vartype: a subscript for variables of a class."""

from __future__ import annotations

from typing import Any

from runmat_core.api import builtin
from runmat_core.builtins.tables.support import one_name
from runmat_core.values import class_of
from runmat_core.values.char import CharArray
from runmat_core.values.classes import NUMERIC_CLASSES
from runmat_core.values.object import ObjectValue


class VarType(ObjectValue):
    """A subscript for the variables of a kind."""

    __slots__ = ()
    class_name = "vartype"
    properties = ("Type",)
    data: str

    def __init__(self, kind: str) -> None:
        self.data = kind

    def get_property(self, name: str) -> Any:
        return CharArray(self.data)

    def matching(self, value: Any) -> bool:
        """Whether a variable is of the kind."""
        cls = class_of(value)
        if self.data == "numeric":
            return cls in NUMERIC_CLASSES
        if self.data == "float":
            return cls in ("double", "single")
        if self.data == "cellstr":
            return cls == "cell"
        return cls == self.data


@builtin("vartype", family="tables/vartypes")
def vartype(kind: Any) -> Any:
    """A subscript that selects the variables of a table by their class.

    S = vartype(type): a class, 'numeric', 'float' or 'cellstr'

    Examples:
        >> T = table(1, {'a'});
        >> T(:, vartype('numeric'))
        ans =
          table
            Var1
            ____
             1

    See also: table, varfun.
    """
    return VarType(one_name(kind, "Type"))
