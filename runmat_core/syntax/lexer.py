"""The lexer: all that depends on context is settled here, so that the grammar can be LALR.

It decides whether ``'`` transposes or quotes, whether blanks separate elements, whether ``end`` is
a subscript, whether a line is a command, which words are keywords where, and which ``[`` opens
assignment targets. See `matlab.lark` for the tokens that come out, `operators` and `scanner` for
the parts below this one.
"""

from __future__ import annotations

import re

from runmat_core.syntax import words
from runmat_core.syntax.commands import is_command, split_command
from runmat_core.syntax.lalr import Token
from runmat_core.syntax.literals import fold_escapes
from runmat_core.syntax.operators import OperatorScanner


class Lexer(OperatorScanner):
    """Turns one source text into tokens; each instance is used once."""

    def run(self) -> list[Token]:
        text, length = self.text, len(self.text)
        match = words.MASTER["octave" if self.octave else "matlab"].match
        readers = {
            "word": self._read_word,
            "number": self._read_number,
            "newline": self.read_newline,
            "operator": self.read_operator,
            "quote": self._read_quote,
            "comment": self._read_comment,
            "unknown": self._read_unknown,
        }
        while (position := self.position) < length:
            found = match(text, position)
            group = found.lastgroup if found is not None else None
            if found is None or group is None:
                break  # trailing blanks cannot occur: the text ends with a newline
            start = found.start(group)
            self.blank = self.continued or start > position
            self.continued = False
            self.position = found.end()
            readers[group](found[group], start)
        if self.brackets:
            self.fail_unclosed(incomplete=True)
        self.terminate("EOS", "", length - 1)
        self.insert("$END", "", length - 1)
        return self.tokens

    # -- words ------------------------------------------------------------------------------------

    def _read_word(self, word: str, start: int) -> None:
        if self.last_kind() == ".":
            self.emit("NAME", word, start, True)
        elif word in self.keywords:
            self._read_keyword(word, start)
        else:
            if self.operand:
                self.separate(start)
            if not (self.starting and not self.brackets and self._read_first_word(word, start)):
                self._read_name(word, start)

    def _read_name(self, word: str, start: int) -> None:
        found = self._superclass()
        if found is not None:
            self.position = found.end()
            self.emit("SUPER", (word + found[1], found[2]), start, True)
        else:
            self.emit("NAME", word, start, True)

    def _superclass(self) -> re.Match[str] | None:
        """Return the ``@Base`` that follows the name just read."""
        after = self.text[self.position]
        if after in ".@":
            return words.SUPERCLASS.match(self.text, self.position)
        if after in " \t" and not self.matrix and self.blocks[:1] == ["classdef"]:
            return words.SPACED_SUPERCLASS.match(self.text, self.position)
        return None

    def _read_first_word(self, word: str, start: int) -> bool:
        """Return a word that starts a statement: a contextual keyword, a command, or else False."""
        text, end = self.text, self.position
        block = self.blocks[-1] if self.blocks else ""
        section = block == "classdef" and word in words.CLASS_SECTIONS
        if section and words.SECTION.match(text, end):
            self._open_block(word, start)
            return True
        if word == "arguments" and self.prologue and words.ARGUMENTS.match(text, end):
            self._open_block(word, start)
            return True
        if word in self.assigned or block in words.DECLARING or self._superclass():
            return False
        if not self.octave and word in words.OCTAVE_KEYWORDS and words.ALONE.match(text, end):
            self.fail_octave(f"'{word}'", words.OCTAVE_ADVICE.get(word, "Write 'end'"), start)
        if not is_command(text, end, self.comment_signs):
            return False
        arguments, self.position = split_command(text, end, self.comment_signs)
        if word == "import":
            wrong = next((n for n in arguments if not words.IMPORTED.fullmatch(n)), None)
            if wrong is not None:
                self.fail(f"'{wrong}' is not the name of a class, a function or pkg.*.", start)
            self.emit("IMPORT", arguments, start, False)
        else:
            self.emit("COMMAND", (word, arguments), start, False)
        self.count_lines(end)
        self.continued = self.position == len(text)
        return True

    def _read_keyword(self, word: str, start: int) -> None:
        if word == "end" and self.subscripts:
            self.emit_operand("END_INDEX", word, start)
            return
        if word == "end" and self._names_function():
            self.emit_operand("NAME", word, start)
            return
        if word == "end" and self.last_kind() in words.BEFORE_OPERAND and not self.continued:
            self.fail(
                "'end' stands for the last index only inside the subscripts of a variable.",
                start,
                hint="Write 'x(end)', or 'numel(x)'.",
            )
        if self.brackets:
            self.fail_unclosed()
        if self.operand:
            self.separate(start)
        if word in words.OPENERS:
            self._open_block(word, start)
        elif word in words.CLOSERS:
            self.terminate("EOS", "", start)
            self._close_block(word, start)
        elif word in words.DIVIDERS:
            self.terminate("EOS", "", start)
            self.emit(word, word, start, False)
            if word == "catch":
                self._read_catch_name()
            self.starting = word not in ("case", "elseif")
        else:
            self.emit(word, word, start, False)

    def _names_function(self) -> bool:
        """Whether the name of a function is due: a method of a class may be called ``end``."""
        due = self.last_kind() in ("function", "=")
        return due and self.tokens[self.first].kind == "function"

    def _open_block(self, keyword: str, start: int) -> None:
        """Open a block; after words such as ``try`` a statement starts at once."""
        self.blocks.append(keyword)
        if keyword == "function":
            self.outer_assigned.append(self.assigned)
            self.assigned = set(self.known)
        self.emit(keyword, keyword, start, False)
        self.starting = keyword in ("try", "do", "unwind_protect")

    def _close_block(self, word: str, start: int) -> None:
        """Close the innermost block; whether `word` may close it is checked in `blocks`."""
        keyword = self.blocks.pop() if self.blocks else ""
        if keyword == "function":
            self.assigned = self.outer_assigned.pop()
        self.emit("until" if word == "until" else "end", word, start, False)
        self.starting = word != "until"
        self.prologue = keyword == "arguments"

    def _read_catch_name(self) -> None:
        found = words.CATCH_NAME.match(self.text, self.position)
        named = found is not None and (self.octave or found[1][0] != "_")
        if found is not None and named and found[1] not in self.keywords:
            self.position = found.end()
            self.assigned.add(found[1])
            self.emit("CATCH_NAME", found[1], found.start(1), False)

    # -- numbers, strings, comments ---------------------------------------------------------------

    def _read_number(self, number: str, start: int) -> None:
        after = self.text[self.position]
        if after.isalnum() or after == "_":
            self.fail(
                f"'{number}' is followed by '{after}'.",
                self.position,
                hint="Names start with a letter, and a product needs '*'.",
            )
        exact = number[1:2] in ("x", "X", "b", "B")
        if self.octave:
            number = number.replace("_", "")
            if number[-1] in "IJ":
                number = number[:-1] + number[-1].lower()
        self.emit_operand("INTEGER" if exact else "NUMBER", number, start)

    def _read_quote(self, quote: str, start: int) -> None:
        if quote == "'" and self.operand and not (self.matrix and self.blank):
            self.emit(self.transpose() if self.octave else "TRANSPOSE", "'", start, True)
        elif quote == "'":
            self._read_literal("CHAR", quote, start)
        elif not self.octave:
            self._read_literal("STRING", quote, start)
        else:
            self._read_escaped(start)

    def _read_literal(self, kind: str, quote: str, start: int) -> None:
        found = words.QUOTED[quote].match(self.text, start)
        if found is None:
            what = "character vector" if kind == "CHAR" else "string"
            self.fail(
                f"The {what} that starts here does not end on its line.",
                start,
                hint=f"Close it with {quote}; write {quote * 2} for a {quote} inside it.",
                identifier="MATLAB:m_missing_quote",
            )
        self.position = found.end()
        self.emit_operand(kind, found[1].replace(quote * 2, quote), start)

    def _read_escaped(self, start: int) -> None:
        """Read a double-quoted literal of the octave dialect: char, with escapes."""
        found = words.OCTAVE_STRING.match(self.text, start)
        if found is None:
            self.fail(
                "The double-quoted text that starts here does not end on its line.",
                start,
                hint='Close it with "; write \\" for a " inside it.',
                identifier="MATLAB:m_missing_quote",
            )
        self.position = found.end()
        self.emit_operand("CHAR", fold_escapes(found[1]), start)
        self.count_lines(start)

    def _read_comment(self, comment: str, start: int) -> None:
        if self.text[self.line_start : start].strip(" \t\f\v"):
            return  # it follows code on its line
        if comment.rstrip()[1:] == "{":
            self._skip_block_comment(start)
        else:
            self.comments[self.line] = comment[1:]

    def _skip_block_comment(self, start: int) -> None:
        """Go to the end of the matching ``%}``; both stand alone on their lines, and they nest."""
        text, line, depth = self.text, self.line, 1
        self.comments[line] = ""
        line_start = self.line_start
        position = text.index("\n", start) + 1
        while depth:
            if position >= len(text):
                self.fail(
                    f"The block comment opened on line {self.line} is not closed.",
                    start,
                    hint="Close it with %} alone on a line.",
                    incomplete=True,
                )
            end = text.index("\n", position)
            line += 1
            mark = text[position:end].strip()
            if len(mark) == 2 and mark[0] in self.comment_signs and mark[1] in "{}":
                depth += 1 if mark[1] == "{" else -1
                self.comments[line] = ""
            else:
                self.comments[line] = text[position:end]
            line_start, position = position, end + 1
        self.line, self.line_start = line, line_start
        self.position = position - 1  # the newline after %} is read like any other

    def _read_unknown(self, sign: str, start: int) -> None:
        if sign == "#":
            self.fail_octave("A comment that starts with '#'", "Write '%'", start)
        if sign == "_":
            self.fail_octave("A name that starts with '_'", "Start it with a letter", start)
        self.fail(
            f"The character '{sign}' (U+{ord(sign):04X}) has no meaning here.",
            start,
            identifier="MATLAB:m_illegal_character",
        )
