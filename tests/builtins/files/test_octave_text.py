"""load of files of variables that Octave saved as text."""

from __future__ import annotations

from pathlib import Path

import pytest

from runmat_core import Session

#: As Octave 7 writes it, with variables of every kind.
TEXT = """# Created by Octave 7.3.0, Fri Nov 27 12:00:00 2026 UTC <a@b>
# name: a
# type: scalar
1.5


# name: b
# type: matrix
# rows: 2
# columns: 2
 1 2
 3 -Inf


# name: n
# type: int16 matrix
# ndims: 3
 1 2 2
 1
 2
 3
 4


# name: big
# type: int64 scalar
9223372036854775807


# name: z
# type: complex matrix
# rows: 1
# columns: 2
 (1,2) (Inf,-0.5)


# name: t
# type: bool
1


# name: text
# type: string
# elements: 2
# length: 3
abc
# length: 3
cé


# name: lines
# type: sq_string
# elements: 1
# length: 10
# name:

x


# name: r
# type: range
# base, limit, increment
0 1 0.25


# name: c
# type: cell
# rows: 2
# columns: 1
# name: <cell-element>
# type: float scalar
2.5



# name: <cell-element>
# type: cell
# rows: 0
# columns: 0





# name: s
# type: scalar struct
# ndims: 2
 1 1
# length: 1
# name: x
# type: matrix
# rows: 0
# columns: 3




# name: list
# type: struct
# ndims: 2
 1 2
# length: 1
# name: k
# type: cell
# rows: 1
# columns: 2
# name: <cell-element>
# type: scalar
7



# name: <cell-element>
# type: sq_string
# elements: 0






# name: S
# type: sparse matrix
# nnz: 2
# rows: 2
# columns: 3
2 1 4
1 3 5


# name: d
# type: diagonal matrix
# rows: 2
# columns: 3
1
2



# name: f
# type: function handle
@<anonymous>
@(x) x + 1


# name: last
# type: scalar
3


"""

HOLDS = """
isequal(a, 1.5) && isequal(b, [1 2; 3 -Inf]) && isequal(n, cat(3, int16([1 2]), int16([3 4])))
isequal(big, intmax('int64')) && isequal(z, [1+2i complex(Inf, -0.5)])
islogical(t) && t && isequal(text, ['abc'; 'cé ']) && isequal(lines, sprintf('# name:\\n\\nx'))
isequal(r, 0:0.25:1) && isequal(c, {single(2.5); {}}) && isequal(size(s.x), [0 3])
isequal({list.k}, {7, ''}) && issparse(S) && isequal(full(S), [0 0 5; 4 0 0])
isequal(d, [1 0 0; 0 2 0]) && ~exist('f', 'var') && last == 3
""".strip().splitlines()


@pytest.mark.parametrize("name", ["saved.txt", "saved.mat"])
def test_every_kind_of_value(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(TEXT, encoding="utf-8")
    session = Session()
    session.run(f"cd('{tmp_path}'); load {name}; q = load('{name}', 'a', 'l*');")
    for line in HOLDS:
        assert session.eval(line) is True, line
    assert session.eval("isequal(fieldnames(q), {'a'; 'lines'; 'list'; 'last'})") is True


def test_what_is_cut_off_is_told_of(tmp_path: Path) -> None:
    session = Session()
    session.run(f"cd('{tmp_path}');")
    for end in range(60, len(TEXT), 37):
        (tmp_path / "cut.txt").write_text(TEXT[:end], encoding="utf-8")
        session.run("id = ''; try, q = load('cut.txt'); catch e, id = e.identifier; end")
        assert session.eval("id") in ("", "MATLAB:load:notBinaryFile")
