"""Programs such as import tools write: options made by hand, and the older textscan form."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from runmat_core import Session

FILES = {
    "stations.csv": (
        "id,opened,depth_m,kind,remark\n"
        'S-01,03/04/2021,12.5,buoy,"calm, clear"\n'
        "S-02,28/11/2021,,mast,  two spaces\n"
        "\n"
        "S-03,15/01/2022,7.25,buoy,x,surplus\n"
    ),
    "fixed.txt": "ann  0172.5\nbob  1180.0\ncarol2---.-\n",
    "euro.txt": "Name;Betrag;Anteil\nA;1.234,50;12,5%\nB;-20,00;7%\n",
    "log.tsv": "# made by hand\nt\tstate\tvolts\n00:00:10\tOPEN\t1.5V\n01:30:00\tclosed\t2.25V\n",
    "old.dat": "x y label\n1.5 2 a\n NaN 4 b c\n-3e2 6 d\n",
}

DELIMITED = """
opts = delimitedTextImportOptions("NumVariables", 5);
opts.DataLines = [2, Inf];
opts.Delimiter = ",";
opts.VariableNames = ["Station", "Opened", "Depth", "Kind", "Remark"];
opts.VariableTypes = ["string", "datetime", "double", "categorical", "char"];
opts.ExtraColumnsRule = "ignore";
opts.EmptyLineRule = "read";
opts = setvaropts(opts, ["Station", "Remark"], "WhitespaceRule", "preserve");
opts = setvaropts(opts, ["Station", "Kind", "Remark"], "EmptyFieldRule", "auto");
opts = setvaropts(opts, "Opened", "InputFormat", "dd/MM/yyyy", "DatetimeFormat", "preserveinput");
T = readtable("stations.csv", opts);
assert(isequal(size(T), [4 5]))
assert(isequal(T.Station, ["S-01"; "S-02"; ""; "S-03"]))
assert(isequaln(T.Opened([1 2 4]), datetime([2021 2021 2022], [4 11 1], [3 28 15])'))
assert(isnat(T.Opened(3)))
assert(strcmp(T.Opened.Format, 'dd/MM/yyyy'))
assert(isequaln(T.Depth, [12.5; NaN; NaN; 7.25]))
assert(isequal(categories(T.Kind), {'buoy'; 'mast'}) && isundefined(T.Kind(3)))
assert(isequal(T.Remark, {'calm, clear'; '  two spaces'; ''; 'x'}))
clear opts
"""

FIXED = """
opts = fixedWidthImportOptions("NumVariables", 3);
opts.DataLines = [1, Inf];
opts.VariableWidths = [5, 1, 5];
opts.VariableNames = ["Who", "Level", "Weight"];
opts.VariableTypes = ["string", "uint8", "double"];
opts.ExtraColumnsRule = "ignore";
opts.EmptyLineRule = "read";
opts = setvaropts(opts, "Who", "WhitespaceRule", "trim");
opts = setvaropts(opts, "Weight", "TreatAsMissing", "---.-", "FillValue", 0);
T = readtable("fixed.txt", opts);
assert(isequal(T.Who, ["ann"; "bob"; "carol"]) && isequal(T.Level, uint8([0; 1; 2])))
assert(isequal(T.Weight, [172.5; 180; 0]))
M = readcell("fixed.txt", opts);
assert(isequal(M{3, 1}, "carol") && M{2, 3} == 180)
"""

EUROPEAN = """
opts = delimitedTextImportOptions("NumVariables", 3, "Encoding", "UTF-8");
opts.DataLines = [2, Inf];
opts.Delimiter = ";";
opts.VariableNames = ["Name", "Betrag", "Anteil"];
opts.VariableTypes = ["char", "double", "double"];
opts = setvaropts(opts, ["Betrag", "Anteil"], "DecimalSeparator", ",");
opts = setvaropts(opts, "Betrag", "ThousandsSeparator", ".");
opts = setvaropts(opts, "Anteil", "TrimNonNumeric", true);
tbl = readtable("euro.txt", opts);
Betrag = tbl.Betrag; Anteil = tbl.Anteil;
assert(isequal(Betrag, [1234.5; -20]) && isequal(Anteil, [12.5; 7]))
opts.SelectedVariableNames = ["Betrag", "Anteil"];
opts = setvartype(opts, "double");
opts = setvaropts(opts, 'DecimalSeparator', ',');
opts = setvaropts(opts, 'ThousandsSeparator', '.', 'TrimNonNumeric', true);
A = table2array(readtable("euro.txt", opts));
assert(isequal(A, [1234.5 12.5; -20 7]) && isequal(readmatrix("euro.txt", opts), A))
raw = table2cell(tbl);
assert(isequal(size(raw), [2 3]) && isequal(raw{2, 1}, 'B'))
[Name, B] = readvars("euro.txt", opts);
assert(isequal(Name, Betrag) && isequal(B, Anteil))
"""

DETECTED = """
opts = detectImportOptions("log.tsv", "FileType", "text", "CommentStyle", "#");
assert(isequal(opts.Delimiter, {'\\t'}) && opts.VariableNamesLine == 2)
assert(isequal(opts.VariableTypes, {'duration', 'char', 'char'}))
opts = setvartype(opts, {'state', 'volts'}, {'categorical', 'double'});
opts = setvaropts(opts, 'volts', 'Suffixes', 'V');
opts = setvaropts(opts, 'state', 'Categories', {'OPEN', 'closed'}, 'Ordinal', true);
opts.MissingRule = 'omitrow';
T = readtable("log.tsv", opts, "FileType", "text");
assert(isequal(T.t, seconds([10; 5400])) && isequal(T.volts, [1.5; 2.25]))
assert(isordinal(T.state) && T.state(1) < T.state(2))
P = preview("log.tsv", opts);
assert(isequal(P, T))
"""

TEXTSCAN = """
filename = 'old.dat';
delimiter = ' ';
startRow = 2;
formatSpec = '%s%s%[^\\n\\r]';
fileID = fopen(filename, 'r');
dataArray = textscan(fileID, formatSpec, 'Delimiter', delimiter, 'MultipleDelimsAsOne', true, ...
    'TextType', 'string', 'HeaderLines', startRow - 1, 'ReturnOnError', false, ...
    'EndOfLine', '\\r\\n');
fclose(fileID);
raw = repmat({''}, length(dataArray{1}), length(dataArray) - 1);
for col = 1:length(dataArray) - 1
    raw(1:length(dataArray{col}), col) = mat2cell(dataArray{col}, ones(length(dataArray{col}), 1));
end
numericData = NaN(size(dataArray{1}, 1), size(dataArray, 2));
for col = [1, 2]
    rawData = dataArray{col};
    for row = 1:size(rawData, 1)
        regexstr = '(?<prefix>.*?)(?<numbers>(-*(\\d+\\,*)+\\.{0,1}\\d*[eEdD]*[-+]*\\d*))';
        try
            result = regexp(rawData(row), regexstr, 'names');
            numbers = textscan(char(strrep(result.numbers, ',', '')), '%f');
            numericData(row, col) = numbers{1};
        catch
            numericData(row, col) = NaN;
        end
    end
end
R = cellfun(@(x) ~isnumeric(x) && ~islogical(x), raw);
assert(all(R(:)))
x = cellfun(@str2double, raw(:, 1));
assert(isequaln(numericData(:, 1:2), [1.5 2; NaN 4; -300 6]))
assert(isequaln(x, [1.5; NaN; -300]))
assert(isequal(strtrim(dataArray{3}), ["a"; "b c"; "d"]))
"""


@pytest.mark.parametrize(
    "program",
    [DELIMITED, FIXED, EUROPEAN, DETECTED, TEXTSCAN],
    ids=["delimited", "fixed", "european", "detected", "textscan"],
)
def test_program(session: Session, tmp_path: Path, program: str) -> None:
    for name, content in FILES.items():
        (tmp_path / name).write_text(content)
    session.run(program)


def test_rows_wider_than_what_is_looked_at(tmp_path: Path) -> None:
    count = 40_000
    names = ",".join(f"column{k}" for k in range(count))
    rows = [",".join(f"{k * 10 + r}.25" for k in range(count)) for r in range(2)]
    mixed = rows[0].rsplit(",", 2)[0] + ",1+2i,word"
    (tmp_path / "wide.csv").write_text("\n".join([names, *rows, mixed]) + "\n")
    session = Session()
    session.run(f"""
    T = readtable('{tmp_path / "wide.csv"}');
    assert(isequal(size(T), [3 {count}]))
    assert(strcmp(T.Properties.VariableNames{{end}}, 'column{count - 1}'))
    assert(isequal(T.(width(T) - 2), {10 * count - 30} + [0.25; 1.25; 0.25]))
    assert(isequal(T.(width(T) - 1), [{10 * count - 20} + [0.25; 1.25]; 1+2i]))
    assert(iscellstr(T.(width(T))) && isreal(T.column7))
    """)


@pytest.mark.parametrize("kinds", ["ddd", "dsd", "did"])
def test_variables_read_together_are_those_read_one_by_one(tmp_path: Path, kinds: str) -> None:
    kind = {"d": "double", "s": "single", "i": "int16"}
    fields = [["1.5", "", "x"], ["-2", "1e3", "NaN"], ["7", "40000", "3"]]
    rows = [",".join(row[(r + k) % 3] for k in range(60)) for r, row in enumerate(fields)]
    (tmp_path / "many.csv").write_text("\n".join([*rows, "1,2"]) + "\n")
    types = ", ".join(f"'{kind[kinds[k // 20]]}'" for k in range(60))
    session = Session()
    session.run(f"""
    file = '{tmp_path / "many.csv"}';
    opts = delimitedTextImportOptions('NumVariables', 60, 'VariableTypes', {{{types}}});
    opts = setvaropts(opts, 'FillValue', 9);
    T = readtable(file, opts);
    for k = 1:60
        opts.SelectedVariableNames = opts.VariableNames(k);
        one = readtable(file, opts);
        assert(isequaln(one.(1), T.(k)) && strcmp(class(one.(1)), class(T.(k))))
    end
    """)


def test_columns_converted_on_threads_are_the_same(monkeypatch, tmp_path):
    from runmat_core.builtins.sheets import importing

    rows = [f"{k},{k / 7:.3f},{'abc'[k % 3]},2020-01-{1 + k % 28:02d}" for k in range(300)]
    (tmp_path / "a.csv").write_text("n,x,word,day\n" + "\n".join(rows) + "\n")
    session = Session(cwd=tmp_path)
    refused = "o = detectImportOptions('a.csv'); o = setvartype(o, 'word', 'double'); "
    refused += (
        "o.ImportErrorRule = 'error'; try, readtable('a.csv', o), catch e, id = e.message; end"
    )
    session.run(f"t = readtable('a.csv'); {refused}")
    said = session["id"]
    monkeypatch.setattr(importing, "_LONG", 1)
    monkeypatch.setattr(importing.threads, "limit", lambda: 3)
    session.run(f"u = readtable('a.csv'); same = isequal(t, u); {refused}")
    assert session["same"] is True
    assert session["id"] == said


_PIECES = ("1,2.5,red,2020-01-01", "-3,,blue,2021-12-31", "4,x,,", '5,"1e3","a, b",2020-02-30',
           "6", "", "7,8,green,2020-03-04,", '8,9,"say ""so""",2022-05-06', " 10 , 11 , g h ,",
           '9,1,half "quoted" word,2020-01-01')  # fmt: skip
_RARE = ('1,2,"two\nlines",2020-01-01', "1,2,3,2020-01-01,5", '1,2,"not closed', "1,2\r3")


@pytest.mark.parametrize("seed", range(12))
def test_a_text_read_in_parts_is_the_one_read_as_a_whole(monkeypatch, tmp_path, seed):
    from runmat_core.builtins.sheets import parts

    rng = random.Random(seed)
    lines = ["n,x,word,day", *rng.choices(_PIECES[: 3 + seed % 8], k=400)]
    if seed % 3 == 2:
        lines.insert(rng.randrange(200, 400), rng.choice(_RARE))
    ending = "\r\n" if seed % 4 == 1 else "\n"
    (tmp_path / "a.csv").write_text(ending.join(lines), newline="")
    session = Session(cwd=tmp_path)
    read = "o = detectImportOptions('a.csv'); T = {readtable('a.csv'), readtable('a.csv', o)}; "
    read += "o = setvartype(o, 2:3, {'int8', 'string'}); T{3} = readtable('a.csv', o, "
    read += "'SelectedVariableNames', {'word', 'x'}); T = cellfun(@(t) {t, varfun(@class, t)}, T, "
    read += "'UniformOutput', false);"
    session.run(read + " whole = T;")
    monkeypatch.setattr(parts, "_LONG", 1)
    monkeypatch.setattr(parts, "_PART", 300)
    monkeypatch.setattr(parts.threads, "limit", lambda: 1 + seed % 3)
    found = []
    real = parts.values_of
    monkeypatch.setattr(parts, "values_of", lambda *a: (found.append(real(*a)), found[-1])[1])
    session.run(read + " same = isequaln(whole, T);")
    assert session["same"] is True
    if seed % 3 != 2 and seed % 8 != 7:  # else some quotes do not stand around fields
        assert all(found)
