"""Keywords, operators and the regular expressions of the lexer."""

from __future__ import annotations

import re

#: Keyword that opens a block -> what it is called in messages.
OPENERS = frozenset(
    {"if", "for", "parfor", "while", "switch", "try", "spmd", "function", "classdef"}
    | {"do", "unwind_protect"}
)
#: Keywords that separate the parts of a block.
DIVIDERS = frozenset({"else", "elseif", "case", "otherwise", "catch", "unwind_protect_cleanup"})
_MATLAB = DIVIDERS - {"unwind_protect_cleanup"} | OPENERS - {"do", "unwind_protect"}
_MATLAB |= {"break", "continue", "end", "global", "persistent", "return"}
#: Octave's named block ends -> the keyword of the block that they close.
OCTAVE_ENDS = {
    "endif": "if",
    "endfor": "for",
    "endparfor": "parfor",
    "endwhile": "while",
    "endswitch": "switch",
    "end_try_catch": "try",
    "endspmd": "spmd",
    "endfunction": "function",
    "endclassdef": "classdef",
    "endproperties": "properties",
    "endmethods": "methods",
    "endevents": "events",
    "endenumeration": "enumeration",
    "endarguments": "arguments",
    "end_unwind_protect": "unwind_protect",
}
#: Words that end a block.
CLOSERS = frozenset(OCTAVE_ENDS) | {"end", "until"}
OCTAVE_KEYWORDS = frozenset(OCTAVE_ENDS) | {
    "do",
    "until",
    "unwind_protect",
    "unwind_protect_cleanup",
}
#: What to write in MATLAB for an Octave keyword that is not a spelling of ``end``.
OCTAVE_ADVICE = {
    "do": "Write 'while true' and leave it with 'break'",
    "until": "Write 'while true' and leave it with 'break'",
    "unwind_protect": "Use onCleanup, or 'try' and 'catch'",
    "unwind_protect_cleanup": "Use onCleanup, or 'try' and 'catch'",
}
KEYWORDS = {"matlab": _MATLAB, "octave": _MATLAB | OCTAVE_KEYWORDS}

#: Words that open a block inside a classdef and are names everywhere else.
CLASS_SECTIONS = frozenset({"properties", "methods", "events", "enumeration"})
#: Blocks that hold declarations, where no command can stand.
DECLARING = CLASS_SECTIONS | {"classdef", "arguments"}
#: Statements whose first expression may be followed by another statement on the same line.
HEADERS = frozenset(
    {"if", "elseif", "while", "for", "parfor", "switch", "case", "until", "function", "spmd"}
)
#: Those that hold a condition.
CONDITIONS = HEADERS - {"for", "parfor", "function", "spmd"}
PAIRS = {"(": ")", "[": "]", "{": "}"}
OPENING_OF = {closing: opening for opening, closing in PAIRS.items()}

#: Operator text -> token kind, where they differ.
OPERATOR_KIND = {
    **dict.fromkeys(["^", ".^", "**", ".**"], "POWER"),
    **dict.fromkeys(["*", "/", "\\", ".*", "./", ".\\"], "TIMES"),
    **dict.fromkeys(["+", "-"], "PLUS"),
    **dict.fromkeys(["==", "~=", "!=", "<", "<=", ">", ">="], "COMPARE"),
    **dict.fromkeys(["~", "!"], "NOT"),
    ".'": "TRANSPOSE",
    "&": "AND",
    "|": "OR",
    "&&": "AND_ALSO",
    "||": "OR_ELSE",
    **dict.fromkeys(["++", "--"], "INCREMENT"),
}
#: Octave's assignments with an operator, and "=" -> that operator.
ASSIGNING = {
    "=": "",
    **{f"{op}=": op for op in ["+", "-", "*", "/", "\\", "^", ".*", "./", ".\\", ".^", "|", "&"]},
    "**=": "^",
    ".**=": ".^",
}
#: Kinds of tokens that an operand must follow, on the same line.
BEFORE_OPERAND = {*OPERATOR_KIND.values(), "=", ":", "("} - {"TRANSPOSE", "INCREMENT"}
#: Octave's spellings -> MATLAB's.
CANONICAL = {"**": "^", ".**": ".^", "!=": "~=", "!": "~"}

_DECIMAL = r"""
    (?:[0-9]+(?:\.(?![*/\\^'])(?!\.\.)[0-9]*)?|\.[0-9]+)(?:[eEdD][+-]?[0-9]+)?[ij]?
"""
#: Octave's: digits may be separated by underscores, and the imaginary unit may be a capital.
_OCTAVE_DECIMAL = r"""
    (?:[0-9][0-9_]*(?:\.(?![*/\\^'])(?!\.\.)[0-9_]*)?|\.[0-9][0-9_]*)
    (?:[eEdD][+-]?[0-9][0-9_]*)?[ijIJ]?
"""
_DECIMAL_ELEMENT = rf"[-+]? {_DECIMAL} (?=[ \t\n,;\]])"
_SUFFIX = "(?:[us](?:8|16|32|64))?"
_NUMBER = rf"0[xX][0-9a-fA-F]+{_SUFFIX} | 0[bB][01]+{_SUFFIX} | {_DECIMAL}"
_OCTAVE_NUMBER = (
    rf"0[xX][0-9a-fA-F][0-9a-fA-F_]*{_SUFFIX} | 0[bB][01][01_]*{_SUFFIX} | {_OCTAVE_DECIMAL}"
)
_OPERATOR = r"""
    \.\.\. | == | ~= | != | <= | >= | && | \|\| | \.\*\*? | \./ | \.\\ | \.\^ | \.' | \*\*
  | [-+*/\\^<>&|~!=:;,.()\[\]{}@?]
"""
_MASTER = r"""[ \t\f\v]*(?:
    (?P<word>{letter}[A-Za-z0-9_]*)
  | (?P<number>{number})
  | (?P<newline>\n)
  | (?P<operator>{operator})
  | (?P<quote>['"])
  | (?P<comment>{comment}[^\n]*)
  | (?P<unknown>.)
  )"""


def _master(letter: str, number: str, comment: str) -> re.Pattern[str]:
    text = _MASTER.format(letter=letter, number=number, operator=_OPERATOR, comment=comment)
    return re.compile(text, re.VERBOSE)


#: One token and the blanks before it.
MASTER = {
    "matlab": _master("[A-Za-z]", _NUMBER, "%"),
    "octave": _master("[A-Za-z_]", _OCTAVE_NUMBER, r"[%\#]"),
}
COMMENT_SIGNS = {"matlab": "%", "octave": "%#"}

#: Blanks; a continuation after one is blank as well.
BLANKS = re.compile(r"(?:[ \t\f\v]++(?:\.\.\.[^\n]*\n)?)*+")
#: A literal by its quote, which is doubled inside it.
QUOTED = {
    "'": re.compile(r"'([^'\n]*(?:''[^'\n]*)*)'"),
    '"': re.compile(r'"([^"\n]*(?:""[^"\n]*)*)"'),
}
OCTAVE_STRING = re.compile(r'"([^"\\\n]*(?:(?:\\.|\\\n|"")[^"\\\n]*)*)"', re.DOTALL)
DOTTED = {
    dialect: re.compile(rf"[ \t]*({letter}[A-Za-z0-9_]*(?:\.{letter}[A-Za-z0-9_]*)*)")
    for dialect, letter in (("matlab", "[A-Za-z]"), ("octave", "[A-Za-z_]"))
}
_WORD = r"[A-Za-z][A-Za-z0-9_]*"
SUPERCLASS = re.compile(rf"((?:\.{_WORD})*)@[ \t]*({_WORD}(?:\.{_WORD})*)")
#: The same in a class file, where no element of a matrix can start with the ``@``.
SPACED_SUPERCLASS = re.compile(rf"((?:\.{_WORD})*)[ \t]*@[ \t]*({_WORD}(?:\.{_WORD})*)")
#: What stands in a matrix of signed numbers, whose rows may take millions of elements.
NUMBERS = re.compile(
    rf"""[ \t\n]*+ (?:{_DECIMAL_ELEMENT})
    (?: (?:[ \t]*+[,;\n][ \t\n;]*+|[ \t]++) (?:{_DECIMAL_ELEMENT}) )*+
    (?= [ \t]*+,?[ \t\n;]*+\] )""",
    re.VERBOSE,
)
#: A signed number, or the end of a row.
NUMBER_OR_ROW = re.compile(rf"([-+]?)({_DECIMAL}) | [;\n]", re.VERBOSE)
IMPORTED = re.compile(rf"{_WORD}(?:\.{_WORD})*(?:\.\*)?")
#: An `=` that follows the `]` of assignment targets.
ASSIGNS = re.compile(r"(?:[ \t]|\.\.\.[^\n]*\n)*=(?!=)")
#: After `~`: it stands for an output or input that is not wanted.
IGNORES = re.compile(r"(?:[ \t]|\.\.\.[^\n]*\n)*[,\])]")
#: After `catch`: the name of the exception, alone up to the end of the statement.
CATCH_NAME = re.compile(r"[ \t]*([A-Za-z_][A-Za-z0-9_]*)(?=[ \t]*(?:[;,\n%#]|end\b|\.\.\.))")
#: After `arguments`: the header of a block and not a use of the name.
ARGUMENTS = re.compile(r"[ \t]*(?:\([A-Za-z ,\t]*\)[ \t]*)?(?:[;,]|(?:[%#][^\n]*)?\n)")
#: After a word that is a statement of its own.
ALONE = re.compile(r"[ \t]*(?:[;,\n%#]|\.\.\.)")
#: After a class section word.
SECTION = re.compile(r"[ \t]*(?:[(;,%#\n]|\.\.\.)")
INCREMENT = re.compile(r"(?:\+\+|--)(?=[ \t]*[;,\n%#)])")
INCREMENT_BEFORE = re.compile(r"(?:\+\+|--)(?=[A-Za-z_])")
OP_ASSIGN = re.compile(r"(?:\.?(?:\*\*|[*/\\^])|[-+|&])=(?!=)")
#: An increment that has a value: it touches its variable, and no operand follows it.
STEP = re.compile(r"(?:\+\+|--)(?=[ \t]*(?:[;,\n%#)\]}*/\\^<>&|:]|==|[~!]=|\.[*/\\^'.]|[-+][ \t]))")
STEP_IN_MATRIX = re.compile(r"(?:\+\+|--)(?=[ \t])")
#: After a transpose: it is indexed; outside of brackets that make matrices, blanks may come first.
INDEXED = re.compile(r"[({]|\.[A-Za-z_(]")
SPACED_INDEXED = re.compile(r"[ \t]*[({]|\.[A-Za-z_(]")
#: A backslash that ends its line, which goes on in the next.
BACKSLASH = re.compile(r"\\[ \t]*\n")
