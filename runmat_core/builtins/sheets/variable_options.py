"""What import options say of single variables: an array of objects, one for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Self

import attrs
import numpy as np

from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import nearest
from runmat_core.builtins.sheets.plan import FAMILIES, Variable, check_type, family
from runmat_core.builtins.sheets.properties import OF_VARIABLES, one_word
from runmat_core.values import CommaList, ObjectValue, char, from_numpy
from runmat_core.values.display_containers import property_lines, property_text
from runmat_core.values.display_format import DisplayFormat
from runmat_core.values.display_matrix import Shown, writer
from runmat_core.values.string import MISSING, StringArray
from runmat_core.values.subscript import read, write
from runmat_core.values.time.datetime import Datetime
from runmat_core.values.time.duration import Duration


def no_such_option(name: str, variable: Variable) -> MatlabError:
    known = ("Name", "Type", *FAMILIES[family(variable.kind)])
    return MatlabError(
        "MATLAB:textio:io:UnknownVarOption",
        f"Unknown option '{name}' for the variable '{variable.name}' of type "
        f"'{variable.kind}'.{nearest(name, known)}",
    )


def changed(variable: Variable, name: str, value: Any) -> Variable:
    """Return a variable with another value of one of its options.

    Raises:
        MatlabError: MATLAB:textio:io:UnknownVarOption, variables of its type have no such option.
    """
    if name == "Name":
        return attrs.evolve(variable, name=one_word(value, name))
    if name == "Type":
        return variable.typed(check_type(one_word(value, name)))
    if name not in FAMILIES[family(variable.kind)]:
        raise no_such_option(name, variable)
    return variable.said(**{name: OF_VARIABLES[name].read(value, name)})


def full_name(word: str) -> str:
    """Return the name of an option as it is written, whatever the case of `word`."""
    known = {name.lower(): name for name in ("Name", "Type", *OF_VARIABLES)}
    return known.get(word.lower(), word)


def option_value(variable: Variable, name: str) -> Any:
    """One option of a variable as a MATLAB value."""
    if name == "Name":
        return char(variable.name)
    if name == "Type":
        return char(variable.kind)
    if name not in FAMILIES[family(variable.kind)]:
        raise no_such_option(name, variable)
    found = variable.option(name)
    if name == "FillValue" and found is None:
        return _default_fill(variable.kind)
    return OF_VARIABLES[name].show(found)


def _default_fill(kind: str) -> Any:
    if kind in ("double", "single"):
        return from_numpy(np.full((1, 1), np.nan), kind)
    defaults: dict[str, Callable[[], Any]] = {
        "char": lambda: char(""),
        "string": lambda: StringArray(MISSING),
        "logical": lambda: False,
        "datetime": lambda: Datetime([[np.nan]]),
        "duration": lambda: Duration([[np.nan]]),
        "categorical": lambda: char("<undefined>"),
    }
    return defaults[kind]() if kind in defaults else from_numpy(np.zeros((1, 1)), kind)


class VariableOptions(ObjectValue):
    """Options of variables: ``opts.VariableOptions(2).FillValue``."""

    __slots__ = ()
    takes_paths = True
    data: Any

    def __init__(self, variables: Sequence[Variable]) -> None:
        self.data = np.empty((1, len(variables)), object)
        for k, variable in enumerate(variables):
            self.data[0, k] = variable

    def items(self) -> list[Variable]:
        return list(self.data.ravel(order="F"))

    @property
    def class_name(self) -> str:  # type: ignore[override]
        found = {family(variable.kind) for variable in self.items()}
        return f"matlab.io.{found.pop() if len(found) == 1 else ''}VariableImportOptions"

    @property
    def properties(self) -> tuple[str, ...]:  # type: ignore[override]
        found = {family(variable.kind) for variable in self.items()}
        common = [tuple(FAMILIES[name]) for name in found]
        names = common[0] if common else ()
        return ("Name", "Type", *(n for n in names if all(n in other for other in common)))

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.data.shape)

    def share(self) -> Self:
        return self._of(self.data)

    def _of(self, data: Any) -> Self:
        made = object.__new__(type(self))
        made.data = data
        return made

    def paren(self, subs: Any) -> Self:
        return self._of(read(self.data, subs))

    def set_paren(self, subs: Any, rhs: Any) -> Self:
        if not isinstance(rhs, VariableOptions):
            raise MatlabError(
                "MATLAB:UnableToConvert", "Only options of variables can be assigned here."
            )
        self.data = self.data.copy(order="F")
        write(self, subs, rhs.data, None)
        return self

    def field(self, name: str) -> Any:
        found = [option_value(variable, name) for variable in self.items()]
        return found[0] if len(found) == 1 else CommaList(found)

    def set_field(self, name: str, rhs: Any) -> Any:
        if self.data.size != 1:
            raise MatlabError(
                "MATLAB:index:expected_one_output_for_assignment",
                "An option is assigned to one variable at a time; setvaropts changes several.",
            )
        return type(self)([changed(self.items()[0], name, rhs)])


@writer(*(f"matlab.io.{name}VariableImportOptions" for name in ("", *FAMILIES)))
def _shown(name: str, value: Any, fmt: DisplayFormat) -> Shown:
    """Options of one variable by name; of several their names and types."""
    kind = value.class_name.rpartition(".")[2]
    items = value.items()
    if len(items) != 1:
        lines = property_lines([(v.name, f"'{v.kind}'") for v in items]) if items else ""
        header = f"  1×{len(items)} {kind} array with properties:"
        names = "".join(f"    {label}\n" for label in value.properties)
        return Shown(names if items else lines, header, is_object=True, disp_header=True)
    common = ("Name", "Type", "FillValue", "TreatAsMissing", "QuoteRule", "Prefixes", "Suffixes",
              "EmptyFieldRule")  # fmt: skip
    own = [label for label in value.properties if label not in common]
    body = _lines(value, common, fmt)
    lines = f"   Variable Properties:\n{body}"
    if own:
        title = family(items[0].kind)
        lines += f"{fmt.blank}   {title} Options:\n{_lines(value, own, fmt)}"
    return Shown(lines, f"  {kind} with properties:", is_object=True, disp_header=True)


def _lines(value: VariableOptions, labels: Sequence[str], fmt: DisplayFormat) -> str:
    found = []
    for label in labels:
        item = value.field(label)
        if isinstance(item, StringArray) and item.data.size == 1 and item.data.item() is MISSING:
            found.append((label, "<missing>"))
        else:
            found.append((label, property_text(item, fmt)))
    return property_lines(found)
