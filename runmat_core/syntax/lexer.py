"""The lexer: all that depends on context is settled here, so that the grammar can be LALR.

It decides whether ``'`` transposes or quotes, whether blanks separate elements, whether ``end`` is a
subscript, whether a line is a command, which words are keywords where, and which ``[`` opens
assignment targets. See `matlab.lark` for the tokens that come out.
"""

from __future__ import annotations

from typing import NoReturn

import attrs

from runmat_core.syntax import words
from runmat_core.syntax.commands import is_command, split_command
from runmat_core.syntax.errors import MatlabSyntaxError
from runmat_core.syntax.lalr import Token
from runmat_core.syntax.literals import fold_escapes

_PAIRS = {")": "(", "]": "[", "}": "{"}
#: After these a statement end says nothing, so none is emitted.
_NEEDS_NO_END = frozenset(
    "SEMI EOS end else try otherwise do catch CATCH_NAME unwind_protect "
    "unwind_protect_cleanup".split()
)
#: These end a statement that has no terminator of its own (``if x, y = 1 end``).
_CLOSERS = words.DIVIDERS | {"end", "until"}


@attrs.define(slots=True)
class Bracket:
    """An open bracket. `matrix`: blanks separate, newlines end rows. `subscript`: ``end`` is legal.
    `targets`: it starts a statement. `parameters`: of an anonymous function."""

    sign: str
    line: int
    column: int
    token: int
    matrix: bool
    subscript: bool
    targets: bool = False
    parameters: bool = False


@attrs.define(slots=True)
class Opener:
    """An open block."""

    keyword: str
    line: int
    column: int


class Lexer:
    """Turns one source text into tokens; `comments` are the comment lines, by line number."""

    def __init__(
        self,
        source: str,
        filename: str = "",
        dialect: str = "matlab",
        variables: frozenset[str] = frozenset(),
    ) -> None:
        self.text = source if source.endswith("\n") else source + "\n"
        self.filename = filename
        self.octave = dialect == "octave"
        self.keywords = words.KEYWORDS[dialect]
        self.comment_signs = words.COMMENT_SIGNS[dialect]
        self.master = words.MASTER[dialect]
        self.known = variables
        self.assigned = set(variables)
        self.tokens: list[Token] = []
        self.comments: dict[int, str] = {}
        self.brackets: list[Bracket] = []
        self.blocks: list[Opener] = []
        self.position = 0
        self.line = 1
        self.line_start = 0
        self.first = 0  # index of the statement's first token
        self.starting = True  # the next token starts a statement
        self.operand = False  # the last token ends an operand
        self.blank = False  # a blank stands before the next token
        self.continued = False
        self.matrix = False  # the innermost bracket is a matrix or cell literal
        self.subscripts = 0  # how many open brackets are subscripts
        self.prologue = False  # between a function's header and its first statement

    def run(self) -> list[Token]:
        text, end = self.text, len(self.text)
        match = self.master.match
        handlers = (
            None,
            self._word,
            self._number,
            self._newline,
            self._operator,
            self._quote,
            self._comment,
        )
        while (position := self.position) < end:
            found = match(text, position)
            if found is None:
                self._illegal()
            group = found.lastindex
            start = found.start(group)
            self.blank = start > position or self.continued
            self.continued = False
            self.position = found.end()
            handlers[group](found[group], start)
        if self.brackets:
            self._unclosed()
        self._terminate("EOS", end - 1)
        self.tokens.append(Token("$END", "", self.line, 0, 0))
        return self.tokens

    # -- emitting ---------------------------------------------------------------------------------

    def _emit(self, kind: str, value: object, start: int, operand: bool) -> None:
        line_start = self.line_start
        self.tokens.append(
            Token(kind, value, self.line, start - line_start, self.position - line_start)
        )
        self.operand = operand
        if self.starting:
            self.starting = self.prologue = False
            self.first = len(self.tokens) - 1

    def _emit_operand(self, kind: str, value: object, start: int) -> None:
        """Emit what starts and ends an operand, with a separator before it where one is due."""
        if self.operand:
            self._separate(start)
        self._emit(kind, value, start, True)

    def _separate(self, start: int) -> None:
        """An operand follows an operand: a new element, or a new statement after a header."""
        if self.matrix:
            if self.blank:
                self._virtual(",", ",", start)
        elif not self.brackets and self.tokens[self.first].kind in words.HEADERS:
            self._terminate("EOS", start)

    def _virtual(self, kind: str, value: str, start: int) -> None:
        column = start - self.line_start
        self.tokens.append(Token(kind, value, self.line, column, column))
        self.operand = False

    def _terminate(self, kind: str, start: int) -> None:
        """End the statement; what follows starts another."""
        if self.tokens and self.tokens[-1].kind not in _NEEDS_NO_END:
            self._virtual(kind, kind, start)
            self.prologue = self.tokens[self.first].kind == "function"
        self.starting = True
        self.operand = False

    # -- words ------------------------------------------------------------------------------------

    def _word(self, word: str, start: int) -> None:
        if self.tokens and self.tokens[-1].kind == "." and not self.starting:
            self._emit("NAME", word, start, True)
        elif word in self.keywords:
            self._keyword(word, start)
        else:
            if self.operand and not self.starting:
                self._separate(start)
            if self.starting and not self.brackets and self._statement_word(word, start):
                return
            superclass = words.SUPERCLASS.match(self.text, self.position)
            if superclass:
                self.position = superclass.end()
                method = self.text[start : superclass.start(1) - 1]
                self._emit("SUPER", (method, superclass[1]), start, True)
            else:
                self._emit("NAME", word, start, True)

    def _statement_word(self, word: str, start: int) -> bool:
        """A word that starts a statement: a contextual keyword, a command, or else False."""
        text, end = self.text, self.position
        block = self.blocks[-1].keyword if self.blocks else ""
        if block == "classdef":
            if word in words.CLASS_SECTIONS and words.SECTION.match(text, end):
                self._open(word, start)
                return True
            return False
        if word == "arguments" and self.prologue and words.ARGUMENTS.match(text, end):
            self._open(word, start)
            return True
        if block in words.DECLARING or word in self.assigned:
            return False
        if not is_command(text, end, self.comment_signs):
            return False
        arguments, self.position = split_command(text, end, self.comment_signs)
        if word == "import":
            self._emit("IMPORT", arguments, start, False)
        else:
            self._emit("COMMAND", (word, arguments), start, False)
        self.line += text.count("\n", end, self.position)
        return True

    def _keyword(self, word: str, start: int) -> None:
        if self.brackets:
            if word == "end" and self.subscripts:
                self._emit_operand("END_INDEX", word, start)
                return
            self._unclosed()
        if self.operand and not self.starting:
            self._separate(start)
        if word in words.OPENERS:
            self._open(word, start)
            if word == "function":
                self.assigned = set(self.known)
        elif word in _CLOSERS or word in words.OCTAVE_ENDS:
            self._terminate("EOS", start)
            if word not in words.DIVIDERS:
                self._close(word, start)
            else:
                self._emit(word, word, start, False)
            if word == "catch" and (name := words.CATCH_NAME.match(self.text, self.position)):
                self.position = name.end()
                if name[1] in self.keywords:
                    self.position = name.start(1)
                else:
                    self._emit("CATCH_NAME", name[1], name.start(1), False)
            self.starting = word not in ("case", "elseif", "until")
        else:
            self._emit(word, word, start, False)

    def _open(self, keyword: str, start: int) -> None:
        """Open a block; words such as ``try`` leave a statement to start right after them."""
        self.blocks.append(Opener(keyword, self.line, start - self.line_start))
        self._emit(keyword, keyword, start, False)
        self.starting = keyword in ("try", "do", "unwind_protect")

    def _close(self, word: str, start: int) -> None:
        opener = self.blocks.pop() if self.blocks else None
        if opener is not None:
            wanted = words.OCTAVE_ENDS.get(word, opener.keyword)
            if opener.keyword != wanted:
                self._fail(
                    f"'{word}' does not close the '{opener.keyword}' of line {opener.line}.",
                    start,
                    hint=f"Close the '{opener.keyword}' first.",
                )
        self._emit("until" if word == "until" else "end", word, start, False)
        self.prologue = opener is not None and opener.keyword == "arguments"

    # -- numbers, strings, comments ---------------------------------------------------------------

    def _number(self, number: str, start: int) -> None:
        after = self.text[self.position]
        if after.isalnum() or after == "_":
            self._fail(
                f"'{number}' is followed by '{after}'.",
                start + len(number),
                hint="Names start with a letter, and a product needs '*'.",
            )
        hexadecimal = number[1:2] in ("x", "X", "b", "B")
        self._emit_operand("INTEGER" if hexadecimal else "NUMBER", number, start)

    def _quote(self, quote: str, start: int) -> None:
        if quote == "'" and self.operand and not (self.matrix and self.blank):
            self._emit("TRANSPOSE", "'", start, True)
            return
        if quote == '"' and self.octave:
            self._octave_string(start)
            return
        pattern = words.CHAR if quote == "'" else words.STRING
        found = pattern.match(self.text, start)
        if found is None:
            kind = "character vector" if quote == "'" else "string"
            self._fail(
                f"The {kind} that starts here does not end on this line.",
                start,
                hint=f"Close it with {quote}; write {quote * 2} for a {quote} inside it.",
                identifier="MATLAB:m_missing_quote",
            )
        self.position = found.end()
        value = found[1].replace(quote * 2, quote)
        self._emit_operand("CHAR" if quote == "'" else "STRING", value, start)

    def _octave_string(self, start: int) -> None:
        found = words.OCTAVE_STRING.match(self.text, start)
        if found is None:
            self._fail("The string that starts here does not end.", start)
        self.position = found.end()
        self._emit_operand("CHAR", fold_escapes(found[1]), start)
        self.line += found[1].count("\n")

    def _comment(self, comment: str, start: int) -> None:
        if self.text[self.line_start : start].strip():
            return
        if comment.rstrip()[1:] == "{":
            self._block_comment(start)
        else:
            self.comments[self.line] = comment[1:]

    def _block_comment(self, start: int) -> None:
        """Skip to the matching ``%}``; both stand alone on their lines, and they nest."""
        opened = self.line
        depth = 1
        position = self.text.index("\n", start) + 1
        line = self.line
        while depth:
            if position >= len(self.text):
                self._fail(
                    f"The block comment opened on line {opened} is not closed.",
                    start,
                    hint="Close it with %} alone on a line.",
                    incomplete=True,
                )
            end = self.text.index("\n", position)
            content = self.text[position:end]
            line += 1
            mark = content.strip()
            if len(mark) == 2 and mark[0] in self.comment_signs and mark[1] in "{}":
                depth += 1 if mark[1] == "{" else -1
            else:
                self.comments[line] = content
            self.line_start = position
            position = end + 1
        self.line = line
        self.position = position - 1  # the newline after %} is read as such

    def _newline(self, _: str, start: int) -> None:
        if self.brackets:
            if self.matrix:
                self._row(start)
            elif not self.octave:
                self._unclosed()
            else:
                self.continued = True
        else:
            self._terminate("EOS", start)
        self.line += 1
        self.line_start = self.position

    def _row(self, start: int) -> None:
        last = self.tokens[-1].kind
        if last == ",":
            last = self.tokens[-2].kind
            self.tokens.pop()
        if last == ";" or len(self.tokens) - 1 == self.brackets[-1].token:
            self.operand = False
            return
        self._virtual(";", ";", start)

    # -- operators --------------------------------------------------------------------------------

    def _operator(self, sign: str, start: int) -> None:
        special = self._SPECIAL.get(sign)
        if special is not None:
            special(self, sign, start)
            return
        if self.octave and self._octave_operator(start):
            return
        kind = words.OPERATOR_KIND.get(sign, sign)
        if kind in ("PLUS", "NOT") and self.matrix and self.blank and self.operand:
            after = self.text[self.position]
            if kind == "NOT" or after not in " \t\n" and not self.text.startswith(
                "...", self.position
            ):
                self._virtual(",", ",", start)
        if kind == "NOT" and words.IGNORES.match(self.text, self.position):
            kind = "TILDE"
        sign = words.CANONICAL.get(sign, sign)
        self._emit(kind, sign, start, kind in ("TRANSPOSE", "TILDE"))

    def _octave_operator(self, start: int) -> bool:
        """``+=`` and ``++``, where Octave reads them as one operator."""
        if self.brackets:
            return False
        if self.operand:
            found = words.OP_ASSIGN.match(self.text, start) or words.INCREMENT.match(
                self.text, start
            )
        else:
            found = words.INCREMENT_BEFORE.match(self.text, start) if self.starting else None
        if found is None:
            return False
        self.position = found.end()
        self._emit(words.OPERATOR_KIND[found[0]], found[0], start, False)
        return True

    def _open_bracket(self, sign: str, start: int) -> None:
        dynamic = bool(self.tokens) and self.tokens[-1].kind == "." and not self.starting
        parameters = bool(self.tokens) and self.tokens[-1].kind == "@" and not self.starting
        if self.operand and (sign == "[" or (self.matrix and self.blank)):
            self._separate(start)
        subscript = self.operand and sign != "[" and not dynamic
        declaring = bool(self.blocks) and self.blocks[-1].keyword in words.DECLARING
        matrix = sign == "[" or (sign == "{" and (not subscript or declaring))
        self.brackets.append(
            Bracket(
                sign,
                self.line,
                start - self.line_start,
                len(self.tokens),
                matrix,
                subscript,
                targets=sign == "[" and self.starting,
                parameters=parameters,
            )
        )
        self._emit(sign, sign, start, False)
        self.matrix = matrix
        self.subscripts += subscript

    def _close_bracket(self, sign: str, start: int) -> None:
        if not self.brackets:
            self._fail(
                f"'{sign}' closes nothing.", start, hint=f"Remove it, or add '{_PAIRS[sign]}'."
            )
        bracket = self.brackets[-1]
        if bracket.sign != _PAIRS[sign]:
            self._fail(
                f"'{sign}' does not close the '{bracket.sign}' opened on line {bracket.line}, "
                f"column {bracket.column + 1}.",
                start,
            )
        if bracket.matrix:
            while self.tokens[-1].kind in (";", ",") and len(self.tokens) - 1 > bracket.token:
                self.tokens.pop()
        self.brackets.pop()
        self.matrix = bool(self.brackets) and self.brackets[-1].matrix
        self.subscripts -= bracket.subscript
        self._emit(sign, sign, start, not bracket.parameters)
        if bracket.targets and words.ASSIGNS.match(self.text, self.position):
            self._targets(bracket.token)

    def _targets(self, opening: int) -> None:
        """The bracket opened by token `opening` holds assignment targets: mark it, note names."""
        tokens = self.tokens
        tokens[opening] = tokens[opening]._replace(kind="TARGETS")
        rewritten: list[Token] = []
        depth = 0
        for token in tokens[opening + 1 : -1]:
            kind = token.kind
            before = rewritten[-1].kind if rewritten else ","
            if depth == 0 and before == ",":
                if kind == "NAME":
                    self.assigned.add(token.text)
                elif kind == "NOT":
                    token = token._replace(kind="TILDE")
            elif depth == 0 and before == "TILDE" and kind != ",":  # [~ i] = ...
                rewritten.append(token._replace(kind=",", end_column=token.column))
                if kind == "NAME":
                    self.assigned.add(token.text)
            depth += (kind in "([{") - (kind in ")]}")
            rewritten.append(token)
        tokens[opening + 1 : -1] = rewritten

    def _comma(self, sign: str, start: int) -> None:
        if not self.brackets:
            self._terminate("EOS", start)
        elif self.matrix and (
            self.tokens[-1].kind == ";" or len(self.tokens) - 1 == self.brackets[-1].token
        ):
            self.operand = False
        else:
            self._emit(sign, sign, start, False)

    def _semicolon(self, sign: str, start: int) -> None:
        if not self.brackets:
            self._terminate("SEMI", start)
        elif self.matrix:
            self._row(start)
        else:
            self._unclosed()

    def _equals(self, sign: str, start: int) -> None:
        if not self.brackets:
            first = self.tokens[self.first] if self.tokens else None
            if first is not None and first.kind == "NAME":
                self.assigned.add(first.text)
            elif first is not None and first.kind in ("for", "parfor"):
                for token in self.tokens[self.first + 1 :]:
                    if token.kind == "NAME":
                        self.assigned.add(token.text)
                        break
        self._emit(sign, sign, start, False)

    def _at(self, sign: str, start: int) -> None:
        name = words.DOTTED.match(self.text, self.position)
        if self.operand:
            self._separate(start)
        if name is None:
            self._emit("@", sign, start, False)
        else:
            self.position = name.end()
            self._emit("HANDLE", name[1], start, True)

    def _question(self, sign: str, start: int) -> None:
        name = words.DOTTED.match(self.text, self.position)
        if name is None:
            self._fail("'?' needs the name of a class after it.", start)
        if self.operand:
            self._separate(start)
        self.position = name.end()
        self._emit("META", name[1], start, True)

    def _continuation(self, sign: str, start: int) -> None:
        self.position = self.text.index("\n", start) + 1
        self.line += 1
        self.line_start = self.position
        self.continued = True

    def _exclamation(self, sign: str, start: int) -> None:
        if self.octave:
            self._operator("~", start)
        elif self.starting and not self.brackets:
            self.position = self.text.index("\n", start)
            self._emit("BANG", self.text[start + 1 : self.position].strip(), start, False)
        else:
            self._fail(
                "'!' as negation is Octave's.",
                start,
                hint="Write '~', or set dialect = \"octave\".",
            )

    _SPECIAL = {
        "(": _open_bracket,
        "[": _open_bracket,
        "{": _open_bracket,
        ")": _close_bracket,
        "]": _close_bracket,
        "}": _close_bracket,
        ",": _comma,
        ";": _semicolon,
        "=": _equals,
        "@": _at,
        "?": _question,
        "...": _continuation,
        "!": _exclamation,
    }

    # -- errors -----------------------------------------------------------------------------------

    def _fail(
        self,
        reason: str,
        start: int,
        *,
        hint: str = "",
        incomplete: bool = False,
        identifier: str = "MATLAB:m_invalid_syntax",
    ) -> NoReturn:
        line_start = self.text.rfind("\n", 0, start) + 1
        raise MatlabSyntaxError(
            reason,
            filename=self.filename,
            line=self.text.count("\n", 0, start) + 1,
            column=start - line_start + 1,
            source_line=self.text[line_start : self.text.index("\n", start)],
            hint=hint,
            incomplete=incomplete,
            identifier=identifier,
        )

    def _unclosed(self) -> NoReturn:
        bracket = self.brackets[-1]
        start = self.position - 1
        raise MatlabSyntaxError(
            f"The '{bracket.sign}' opened on line {bracket.line}, column {bracket.column + 1} "
            "is not closed.",
            filename=self.filename,
            line=bracket.line,
            column=bracket.column + 1,
            source_line=self.text.split("\n", bracket.line)[bracket.line - 1],
            hint="Close it, or end the line with '...' to go on.",
            incomplete=start >= len(self.text) - 1,
            identifier="MATLAB:m_missing_bracket",
        )

    def _illegal(self) -> NoReturn:
        start = words.BLANKS.match(self.text, self.position).end()  # type: ignore[union-attr]
        sign = self.text[start]
        self._fail(
            f"The character '{sign}' (U+{ord(sign):04X}) has no meaning here.",
            start,
            identifier="MATLAB:m_illegal_character",
        )
