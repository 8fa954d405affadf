"""The lexer's part for operators and brackets: what blanks, commas and newlines mean in them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, ClassVar

from runmat_core.syntax import words
from runmat_core.syntax.lalr import Token
from runmat_core.syntax.scanner import Bracket, Scanner


class OperatorScanner(Scanner):
    """Reads operators and brackets."""

    def read_operator(self, sign: str, start: int) -> None:
        special = self.SPECIAL.get(sign)
        if special is not None:
            special(self, sign, start)
            return
        if self.octave:
            if self._read_value_assignment(sign, start):
                return
        elif self.operand and not self.brackets:
            self._refuse_octave_assignment(start)
        if sign in words.CANONICAL:
            if not self.octave:
                self.fail_octave(f"'{sign}'", f"Write '{words.CANONICAL[sign]}'", start)
            sign = words.CANONICAL[sign]
        kind = words.OPERATOR_KIND.get(sign, sign)
        if self.matrix and self.blank and self.operand and self._starts_element(kind):
            self.insert(",", ",", start)
        if kind == "NOT" and self.operand and not self.brackets:
            self.separate(start)
        declares = self.starting and self.blocks[-1:] == ["arguments"]
        if kind == "NOT" and (declares or words.IGNORES.match(self.text, self.position)):
            kind = "TILDE"
        if kind == "TRANSPOSE" and self.octave:
            kind = self.transpose()
        self.emit(kind, sign, start, kind in ("TRANSPOSE", "TRANSPOSED", "TILDE"))

    def transpose(self) -> str:
        """Return the kind of a transpose in the octave dialect, where it may be indexed."""
        indexed = words.INDEXED if self.matrix else words.SPACED_INDEXED
        return "TRANSPOSED" if indexed.match(self.text, self.position) else "TRANSPOSE"

    def _starts_element(self, kind: str) -> bool:
        """Return ``[a -b]`` has two elements, ``[a - b]`` and ``[a-b]`` have one."""
        if kind == "NOT":
            return True
        if kind != "PLUS" or (self.octave and self.brackets[-1].body):
            return False
        text, after = self.text, self.position
        return text[after] not in " \t\n" and not text.startswith("...", after)

    # -- Octave's assignments ---------------------------------------------------------------------

    def _read_value_assignment(self, sign: str, start: int) -> bool:
        """``+=`` and ``++``, each of which is a statement, or a value inside an expression."""
        text = self.text
        if sign == "\\" and words.BACKSLASH.match(text, start):
            self.read_continuation(sign, start)
            return True
        value = self._in_expression()
        if not self.operand:
            found = words.INCREMENT_BEFORE.match(text, start)
            kind = "STEP" if value else "INCREMENT"
        elif found := words.OP_ASSIGN.match(text, start):
            kind = "SET_BY" if value else "OPASSIGN"
        elif value:
            found, kind = self._step(start), "STEP"
        else:
            found, kind = words.INCREMENT.match(text, start), "INCREMENT"
        if found is None:
            return False
        if kind == "OPASSIGN":
            self.equals = len(self.tokens)
        self.position = found.end()
        self.emit(kind, found[0], start, kind == "STEP" and self.operand)
        return True

    def _in_expression(self) -> bool:
        """Whether an assignment here is the value of an expression."""
        if self.brackets:
            return True
        if self.starting:
            return False
        return self.equals >= self.first or self.tokens[self.first].kind in words.HEADERS

    def _step(self, start: int) -> re.Match[str] | None:
        """Return the ``++`` or ``--`` that follows its variable, or None."""
        if self.blank or self.tokens[-1].kind not in ("NAME", ")", "}"):
            return None
        found = words.STEP.match(self.text, start)
        if found is None and self.matrix:
            found = words.STEP_IN_MATRIX.match(self.text, start)
        return found

    def _refuse_octave_assignment(self, start: int) -> None:
        found = words.OP_ASSIGN.match(self.text, start) or words.INCREMENT.match(self.text, start)
        if found is not None:
            target = self.text[self.line_start + self.tokens[self.first].column : start].strip()
            step = "1" if found[0] in ("++", "--") else "…"
            self.fail_octave(
                f"'{found[0]}'", f"Write '{target} = {target} {found[0][0]} {step}'", start
            )

    # -- brackets ---------------------------------------------------------------------------------

    def read_opening(self, sign: str, start: int) -> None:
        before = self.last_kind()
        blank = self.matrix and self.blank
        if blank and self.octave and sign != "[":
            blank = not self.brackets[-1].body
        if self.operand and (sign == "[" or blank):
            self.separate(start)
            before = self.last_kind()
        subscript = self.operand and sign != "["
        declaring = bool(self.blocks) and self.blocks[-1] in words.DECLARING
        if subscript and not (self.indexable or self.octave or declaring):
            self.fail_octave(
                f"Indexing the result of an expression with '{sign}{words.PAIRS[sign]}'",
                "Assign it to a variable first",
                start,
            )
        matrix = sign == "[" or (sign == "{" and (not subscript or declaring))
        bracket = Bracket(
            sign,
            self.line,
            start - self.line_start,
            len(self.tokens),
            matrix,
            subscript,
            targets=sign == "[" and self.starting and not declaring,
            parameters=before == "@",
            dynamic=before == ".",
        )
        self.emit(sign, sign, start, False)
        if before == "@":
            self.tokens[-2] = self.tokens[-2]._replace(text=(self.tokens, len(self.tokens) - 2))
        self.brackets.append(bracket)
        self.matrix = matrix
        self.subscripts += subscript
        if sign == "[" and (found := words.NUMBERS.match(self.text, self.position)):
            self.position = found.end()
            self.emit("NUMBERS", found[0], found.start(), True)
            self.count_lines(found.start())

    def read_closing(self, sign: str, start: int) -> None:
        opening = words.OPENING_OF[sign]
        if not self.brackets:
            self.fail(f"'{sign}' closes nothing.", start, hint=f"Remove it, or add '{opening}'.")
        bracket = self.brackets[-1]
        if bracket.sign != opening:
            self.fail(
                f"'{sign}' does not close the '{bracket.sign}' opened on line {bracket.line}, "
                f"column {bracket.column + 1}.",
                start,
                hint=f"Add '{words.PAIRS[bracket.sign]}' before it.",
            )
        if bracket.matrix:
            while self.tokens[-1].kind in (";", ",") and len(self.tokens) - 1 > bracket.token:
                self.tokens.pop()
        self.brackets.pop()
        self.matrix = bool(self.brackets) and self.brackets[-1].matrix
        self.subscripts -= bracket.subscript
        self.emit(sign, sign, start, not bracket.parameters)
        self.indexable = bracket.dynamic or (sign == "}" and bracket.subscript)
        if bracket.parameters and self.matrix:
            self.brackets[-1].body = True
        if bracket.targets and words.ASSIGNS.match(self.text, self.position):
            self._mark_targets(bracket.token)

    def _mark_targets(self, opening: int) -> None:
        """Token `opening` opens assignment targets: mark it, note names, read ``[~ i]`` right."""
        tokens = self.tokens
        tokens[opening] = tokens[opening]._replace(kind="TARGETS")
        rewritten: list[Token] = []
        depth = 0
        before = ","
        for token in tokens[opening + 1 : -1]:
            kind = token.kind
            if depth == 0 and before == "TILDE" and kind != ",":
                rewritten.append(token._replace(kind=",", text=",", end_column=token.column))
                before = ","
            if depth == 0 and before == ",":
                if kind == "NAME":
                    self.assigned.add(token.text)
                elif kind == "NOT":
                    kind = "TILDE"
                    token = token._replace(kind=kind)
            depth += (kind in ("(", "[", "{")) - (kind in (")", "]", "}"))
            rewritten.append(token)
            before = kind
        tokens[opening + 1 : -1] = rewritten

    # -- separators -------------------------------------------------------------------------------

    def read_newline(self, sign: str, start: int) -> None:
        if not self.brackets:
            self.terminate("EOS", sign, start)
        elif self.matrix:
            self.end_row(start)
        elif self.octave:
            self.continued = True
        else:
            self.fail_unclosed()
        self.line += 1
        self.line_start = self.position

    def end_row(self, start: int) -> None:
        bracket = self.brackets[-1]
        bracket.body = False
        if self.tokens[-1].kind == ",":
            self.tokens.pop()
        self.operand = False
        if self.tokens[-1].kind != ";" and len(self.tokens) - 1 > bracket.token:
            self.insert(";", ";", start)

    def read_comma(self, sign: str, start: int) -> None:
        if not self.brackets:
            self.terminate("EOS", sign, start)
            return
        bracket = self.brackets[-1]
        bracket.body = False
        first = self.tokens[-1].kind == ";" or len(self.tokens) - 1 == bracket.token
        if bracket.matrix and first:
            return
        self.emit(sign, sign, start, False)

    def read_semicolon(self, sign: str, start: int) -> None:
        if not self.brackets:
            self.terminate("SEMI", sign, start)
        elif self.matrix:
            self.end_row(start)
        else:
            self.fail_unclosed()

    # -- signs with a meaning of their own --------------------------------------------------------

    def read_equals(self, sign: str, start: int) -> None:
        opening = self.tokens[self.first].kind if self.tokens else ""
        if self.octave:
            if self._sets_value(opening):
                if self.tokens[-1].kind == "NAME":
                    self.assigned.add(self.tokens[-1].text)
                self.emit("SET", sign, start, False)
                return
        elif self.brackets and opening == "function":
            self.fail_octave("A default value of an input", "Write an arguments block", start)
        elif opening in ("global", "persistent"):
            self.fail_octave("A value in a declaration", "Assign in another statement", start)
        elif opening == "for" and self.tokens[-1].kind == "]":
            self.fail_octave("A loop over fields", "Loop over fieldnames", start)
        if not self.brackets and self.tokens:
            opening = self.tokens[self.first].kind
            if opening == "NAME":
                self.assigned.add(self.tokens[self.first].text)
            elif opening in ("for", "parfor"):
                loop = self.tokens[self.first + 1 : self.first + 3]
                self.assigned.update(token.text for token in loop if token.kind == "NAME")
        self.emit(sign, sign, start, False)

    def _sets_value(self, opening: str) -> bool:
        """Whether an ``=`` assigns inside an expression; `opening` starts the statement."""
        if self.brackets:
            bracket = self.brackets[-1]
            if bracket.parameters:
                return False
            if len(self.brackets) > 1:
                return True
            if opening in ("for", "parfor"):
                return bracket.token > self.first + 1
            return opening != "function" and opening not in words.DECLARING
        if opening in ("global", "persistent"):
            return False
        if opening in words.CONDITIONS or self.equals >= self.first:
            return True
        self.equals = len(self.tokens)
        return False

    def read_at(self, sign: str, start: int) -> None:
        name = self.dotted.match(self.text, self.position)
        if self.operand:
            self.separate(start)
        if name is None:
            self.emit("@", sign, start, False)
        else:
            self.position = name.end()
            self.emit("HANDLE", name[1], start, True)

    def read_question(self, sign: str, start: int) -> None:
        name = self.dotted.match(self.text, self.position)
        if name is None:
            self.fail("'?' needs the name of a class after it.", start)
        self.position = name.end()
        self.emit_operand("META", name[1], start)

    def read_continuation(self, sign: str, start: int) -> None:
        self.position = self.text.index("\n", start) + 1
        self.line += 1
        self.line_start = self.position
        self.continued = True

    def read_exclamation(self, sign: str, start: int) -> None:
        if self.octave:
            self.read_operator("~", start)
        elif self.starting and not self.brackets:
            self.position = self.text.index("\n", start)
            self.emit("BANG", self.text[start + 1 : self.position].strip(), start, False)
        else:
            self.fail_octave("'!' for negation", "Write '~'", start)

    SPECIAL: ClassVar[dict[str, Callable[[Any, str, int], None]]] = {
        "(": read_opening,
        "[": read_opening,
        "{": read_opening,
        ")": read_closing,
        "]": read_closing,
        "}": read_closing,
        ",": read_comma,
        ";": read_semicolon,
        "=": read_equals,
        "@": read_at,
        "?": read_question,
        "...": read_continuation,
        "!": read_exclamation,
    }
