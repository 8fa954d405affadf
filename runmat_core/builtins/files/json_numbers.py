"""Parsing JSON text whose long arrays of plain numbers are read at once."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.builtins.text.decimals import decimals

#: Long arrays that may be of numbers alone, or of many arrays that are.
_LONG = re.compile(r"\[(?:[-0-9., ]{1000,}+|(?:\[[-0-9., ]++\],? ?){50,}+)\]")

#: A text, or what stands for infinity outside of texts in its short form.
_INFINITE = re.compile(r'("(?:[^"\\]|\\.)*+")|\bInf\b')


def parse_json(source: str) -> Any:
    """Return what `json.loads` gives, all numbers being doubles, but for long arrays of numbers.

    These are columns, or the matrix whose rows they are.

    Raises:
        json.JSONDecodeError: the text is not JSON.
        RecursionError: it is nested too deeply.
    """
    if source.startswith("[") and source.find("]") == len(source) - 1:
        # by far the most frequent of long texts, and found without a look at each character
        numbers = _numbers(source)
        if numbers is not None:
            return numbers
    if "NaN" not in source and "Infinity" not in source:
        arrays: list[NDArray[np.float64]] = []
        shorter = _LONG.sub(lambda found: _place_of(found[0], arrays), source)
        left = iter(arrays)
        try:
            made = json.loads(shorter, parse_int=float, parse_constant=lambda _: next(left))
        except json.JSONDecodeError:
            made = None
        # what is left was in a text, and an error has another place in the source
        if made is not None and next(left, None) is None:
            return made
    try:
        return json.loads(source, parse_int=float)
    except json.JSONDecodeError as problem:
        spelled_out = _INFINITE.sub(lambda found: found[1] or "Infinity", source)
        if spelled_out == source:
            raise
        try:
            return json.loads(spelled_out, parse_int=float)
        except json.JSONDecodeError:
            raise problem from None


def _place_of(array: str, arrays: list[NDArray[np.float64]]) -> str:
    """Return a constant that no text has, where the array is one of numbers: it joins `arrays`."""
    numbers = _numbers(array)
    if numbers is None:
        return array
    arrays.append(numbers)
    return "NaN"


def _numbers(array: str) -> NDArray[np.float64] | None:
    """Return the column or matrix that an array is; None where not all in it are plain numbers."""
    if " " in array:
        array = array.replace(", ", ",")
    if array.startswith("[[") and array.endswith("]]"):
        return decimals(array[2:-2].replace("],[", ";"), ",", ";")
    numbers = decimals(array[1:-1], ",")
    return None if numbers is None else numbers.T
