"""Forms of functions that read text: conversions, options and refusals, in one table."""

from __future__ import annotations

from collections.abc import Callable

import pytest

VALUES = [
    ("textscan('01:02:03', '%T')", "{duration(1, 2, 3)}"),
    ("textscan('01:02 5', '%{mm:ss}T %f')", "{duration(0, 1, 2), 5}"),
    ("textscan(sprintf('h\\n1,2,\\n3,4,'), '', 'Delimiter', ',', 'HeaderLines', 1)",
     "{[1; 3], [2; 4]}"),
    ("textscan(sprintf('1 2 3\\n4 5 6'), '')", "{[1; 4], [2; 5], [3; 6]}"),
    ("textscan('1+2i 3 4-1e1j', '%f')", "{[1+2i; 3; 4-10i]}"),
    ("textscan('1,x', '%f %f', 'Delimiter', ',')", "{1, zeros(0, 1)}"),
    ("textscan('1,2', '%f %f', 'Delimiter', ',', 'ReturnOnError', false)", "{1, 2}"),
    ("sscanf('9007199254740993 -5', '%ld') - int64(9007199254740992)",
     "[int64(1); int64(-9007199254740992) - 5]"),
    ("sscanf('18446744073709551615', '%lu')", "intmax('uint64')"),
    ("sscanf('0x1F 017 5', '%li')", "int64([31; 15; 5])"),
    ("sscanf('1 2.5', '%ld %f')", "[1; 2.5]"),
    ("datevec('12/24/50', 1950)", "[1950 12 24 0 0 0]"),
    ("hex2num('')", "[]"),
    ("fields(struct('a', 1, 'b', 2))", "{'a'; 'b'}"),
    ("ismembc([1 2 NaN 5], [1 3 5])", "[true false false true]"),
    ("ismembc2([1 2; 5 0], [1 3 5 5])", "[1 0; 4 0]"),
]  # fmt: skip

ERRORS = [
    ("textscan('1,x', '%f %f', 'Delimiter', ',', 'ReturnOnError', false)",
     "MATLAB:textscan:handleErrorAndShowInfo"),
    ("hex2num('400921fb54442d1812')", "MATLAB:hex2num:InputTooLong"),
    ("movfun(@mean, 1:3, 2, 'omitnan')", "MATLAB:movfun:unrecognizedStringChoice"),
    ("fields(5)", "MATLAB:fieldnames:InvalidInput"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "expected"), VALUES, ids=[row[0] for row in VALUES])
def test_values(code: str, expected: str, same: Callable[[str, str], None]) -> None:
    same(code, expected)


@pytest.mark.parametrize(("code", "identifier"), ERRORS, ids=[row[0] for row in ERRORS])
def test_errors(code: str, identifier: str, failing: Callable[[str, str], None]) -> None:
    failing(code, identifier)
