"""The records that are tuples with names, and the text of those that are not."""

from __future__ import annotations

import pickle

import attrs
import pytest

from runmat_core.api.device import Capabilities
from runmat_core.api.shown import Shown
from runmat_core.api.tuples import NamedTuple


class Place(NamedTuple):
    """Where something is."""

    row: int
    column: int = 1

    def below(self) -> Place:
        return self._replace(row=self.row + 1)

    @property
    def total(self) -> int:
        return self.row + self.column


def test_records_are_tuples_as_those_of_typing_are() -> None:
    place = Place(2)
    assert place == (2, 1)
    assert isinstance(place, tuple)
    assert (place.below().row, place.total) == (3, 3)
    assert Place._fields == ("row", "column")
    assert Place._field_defaults == {"column": 1}
    assert repr(place) == "Place(row=2, column=1)"
    assert Place.__doc__ == "Where something is."
    assert Place.__annotations__ == {"row": "int", "column": "int"}
    assert (Place.__module__, Place.__qualname__) == (__name__, "Place")
    assert pickle.loads(pickle.dumps(place)) == place
    with pytest.raises(AttributeError):
        place.row = 4  # type: ignore[misc]


def test_text_of_records_names_their_fields() -> None:
    @attrs.frozen(repr=False)
    class Pair(Shown):
        a: int
        b: str = "x"

    assert repr(Pair(1)).endswith("Pair(a=1, b='x')")
    said = repr(Capabilities(name="here", kind="host", dtypes=frozenset({"f64"})))
    assert said.startswith("Capabilities(name='here', kind='host', dtypes=frozenset({'f64'})")
