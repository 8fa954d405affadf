"""Texts as MATLAB writes them: TeX and LaTeX as mathtext, and how large they are."""

from __future__ import annotations

import re
from functools import lru_cache

#: Words of TeX that mathtext spells otherwise.
_WORDS = {
    "fontname": "",
    "color": "",
    "circ": r"\circ",
    "deg": r"\circ",
    "copyright": "©",
    "rm": "",
    "leq": r"\leq",
    "geq": r"\geq",
    "neq": r"\neq",
    "pm": r"\pm",
    "bullet": r"\bullet",
    "o": r"\o",
    "ldots": r"\ldots",
    "prime": r"\prime",
    "AA": "Å",
}
_GREEK = set(
    "alpha beta gamma delta epsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi rho "
    "sigma varsigma tau upsilon phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi "
    "Psi Omega infty partial nabla int sum times div cdot approx equiv propto rightarrow "
    "leftarrow uparrow downarrow leftrightarrow Rightarrow Leftarrow forall exists in notin cup "
    "cap subset supset subseteq supseteq Leftrightarrow clubsuit diamondsuit heartsuit spadesuit "
    "lceil rceil lfloor rfloor neg wedge vee varpi oslash mid langle "
    "rangle aleph Re Im wp oplus otimes perp angle sim cong".split()
)
_SPECIAL = str.maketrans({mark: f"\\{mark}" for mark in "$%#_{}"})


def plain(text: str) -> bool:
    """Return whether a text has no mark-up at all."""
    return not any(mark in text for mark in "\\^_{}$")


@lru_cache(maxsize=1024)
def mathtext(text: str, interpreter: str, bold: bool = False, italic: bool = False) -> str:
    """A text in matplotlib's spelling."""
    if interpreter == "none" or (interpreter == "tex" and plain(text)):
        return text.replace("$", r"\$")
    if interpreter == "latex":
        return _latex(text)
    return "\n".join(_tex(line, bold, italic) for line in text.split("\n"))


_MATRIX = re.compile(
    r"\\begin\{(array|matrix|[pbvBV]matrix|cases|aligned?)\}(?:\{[^{}]*\})?(.*?)\\end\{\1\}",
    re.DOTALL,
)
_FENCES = {"p": "()", "b": "[]", "v": "||", "B": (r"\{", r"\}"), "V": (r"\|", r"\|")}
_ACCENTS = {'"': "\u0308", "'": "\u0301", "`": "\u0300", "^": "\u0302", "~": "\u0303"}
_STYLES = {"textbf": "mathbf", "textit": "mathit", "emph": "mathit", "texttt": "mathtt"}


def _latex(text: str) -> str:
    """LaTeX in matplotlib's spelling: formulas between ``$``, and the rest as it is."""
    text = text.replace("$$", "$").replace(r"\[", "$").replace(r"\]", "$")
    text = text.replace(r"\(", "$").replace(r"\)", "$")
    parts = re.split(r"(?<!\\)\$", text)
    if len(parts) % 2 == 0:
        return text.replace("$", r"\$")
    return "".join(
        f"${_formula(part)}$" if k % 2 else _outside(part) for k, part in enumerate(parts)
    )


def _formula(text: str) -> str:
    text = re.sub(r"\\(?:text|textrm|mbox)\{([^{}]*)\}", _upright, text)
    text = re.sub(
        r"\\(?:displaystyle|textstyle|limits|nolimits|tiny|small|large)(?![A-Za-z])", "", text
    )
    text = text.replace(r"\dfrac", r"\frac").replace(r"\tfrac", r"\frac")
    return _MATRIX.sub(_matrix, text)


def _upright(match: re.Match[str]) -> str:
    return r"\mathrm{" + match.group(1).replace(" ", r"\ ") + "}"


def _matrix(match: re.Match[str]) -> str:
    """A matrix as lines upon each other, in its brackets."""
    kind, body = match.groups()
    rows = [row.replace("&", r"\quad ").strip() for row in body.split("\\\\") if row.strip()]
    left, right = _FENCES.get(kind[0], ("", "")) if kind.endswith("matrix") else ("", "")
    if kind == "cases":
        left, right = r"\{", "."
    inner = r"\substack{" + r" \\ ".join(rows) + "}"
    return rf"\left{left}{inner}\right{right}" if left else inner


def _outside(text: str) -> str:
    """Text between formulas: letters with accents, and words in other types."""
    import unicodedata

    def accent(match: re.Match[str]) -> str:
        return unicodedata.normalize("NFC", match.group(2) + _ACCENTS[match.group(1)])

    text = re.sub(r"\\([\"'`^~])\{?([A-Za-z])\}?", accent, text)

    def typed(match: re.Match[str]) -> str:
        inner = match.group(2).translate(_SPECIAL).replace(" ", r"\ ")
        return rf"$\{_STYLES[match.group(1)]}{{{inner}}}$"

    text = re.sub(r"\\(textbf|textit|emph|texttt)\{([^{}]*)\}", typed, text)
    text = re.sub(r"\\(?:textrm|text|mbox)\{([^{}]*)\}", r"\1", text)
    return text.replace("~", " ").replace(r"\%", "%").replace(r"\_", "_").replace(r"\&", "&")


def _tex(line: str, bold: bool, italic: bool) -> str:
    """TeX's markup outside of ``$``: pieces of text become upright letters."""
    out: list[str] = []
    style = "bf" if bold else "it" if italic else "rm"
    at = 0
    pieces = re.compile(r"\\([A-Za-z]+)(?:\{([^{}]*)\})?|\\([\\{}_^ ])|([{}^_])|([^\\{}^_]+)|(\\)")
    styles: list[str] = []
    while at < len(line):
        match = pieces.match(line, at)
        if match is None:
            break
        word, argument, escaped, mark, run, _ = match.groups()
        at = match.end()
        if word is not None:
            at, style = _word(word, argument, match, at, style, line, out)
        elif escaped is not None:
            out.append(_letters({"\\": r"\backslash"}.get(escaped, escaped), style))
        elif mark == "{":
            styles.append(style)
            out.append("{")
        elif mark == "}":
            style = styles.pop() if styles else style
            out.append("}")
        elif mark in ("^", "_"):
            out.append(mark)
            if at < len(line) and line[at] not in "{\\":
                out.append("{" + _letters(line[at], style) + "}")
                at += 1
        elif run is not None:
            out.append(_letters(run, style))
        else:
            out.append(r"\backslash")
    text = "".join(out)
    text += "}" * max(text.count("{") - text.count("}") - text.count(r"\{") + text.count(r"\}"), 0)
    return f"${text}$" if text else ""


def _word(
    word: str,
    argument: str | None,
    match: re.Match[str],
    at: int,
    style: str,
    line: str,
    out: list[str],
) -> tuple[int, str]:
    """A word of TeX; where the text goes on, and in which style."""
    if argument is not None and word not in ("color", "fontname", "fontsize"):
        at = match.end(1)
    if word in ("bf", "it", "rm", "sl"):
        if at < len(line) and line[at] == " ":
            at += 1
        return at, {"sl": "it"}.get(word, word)
    if word in ("color", "fontname", "fontsize"):
        return at, style
    if word not in _GREEK and word not in _WORDS and word[:2] in ("bf", "it", "rm", "sl"):
        style = {"sl": "it"}.get(word[:2], word[:2])
        out.append(_letters(word[2:], style))
        return at, style
    known = word if word in _GREEK else None
    if known is None and word in _WORDS:
        out.append(_WORDS[word])
    elif known is not None:
        out.append(f"\\{known} " if style != "bf" else f"\\mathbf{{\\{known}}}")
    else:
        out.append("\\backslash " + _letters(word, style))
    return at, style


def _letters(run: str, style: str) -> str:
    if run == r"\backslash":
        return run
    escaped = run.translate(_SPECIAL).replace(" ", r"\ ")
    # mathtext spaces operators as formulas do; letters in a text have none
    escaped = re.sub(r"([+=<>*/:,;!?-])", r"{\1}", escaped)
    if style == "rm":
        return rf"\mathregular{{{escaped}}}"
    return rf"\math{style}{{{escaped}}}"


#: Widths of letters in parts of the size, by groups.
_NARROW = set("iljI.,:;'|!()[]ft ")
_WIDE = set("mwMW@%")


def width(text: str, size: float) -> float:
    """About how wide a text is, in the unit of its size."""
    return max((_line_width(line) for line in text.split("\n")), default=0.0) * size


def _line_width(line: str) -> float:
    if not plain(line):
        line = re.sub(r"\\[A-Za-z]+", "x", line)
        line = re.sub(r"[\\^_{}$]", "", line)
    total = 0.0
    for letter in line:
        if letter in _NARROW:
            total += 0.35
        elif letter in _WIDE:
            total += 0.95
        elif letter.isupper():
            total += 0.7
        else:
            total += 0.63
    return total


def height(text: str, size: float) -> float:
    """About how high a text is, in the unit of its size."""
    return (text.count("\n") * 1.2 + 1.15) * size
