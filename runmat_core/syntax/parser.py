"""From text to `Module`."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import NoReturn

import attrs

from runmat_core.syntax import builders, builders_files, builders_statements, tables
from runmat_core.syntax.ast import Module
from runmat_core.syntax.blocks import balance
from runmat_core.syntax.errors import MatlabSyntaxError
from runmat_core.syntax.lalr import Parser, Token
from runmat_core.syntax.lexer import Lexer
from runmat_core.syntax.messages import describe, expectations, hint

_ = builders_files, builders_statements  # imported for the builders that they register


@lru_cache(maxsize=1)
def _parser() -> Parser:
    return Parser(tables.load(), builders.BUILDERS)


def parse(
    source: str,
    *,
    filename: str = "",
    dialect: str = "matlab",
    variables: frozenset[str] = frozenset(),
) -> Module:
    """Return the AST of `source`.

    Args:
        source: the text of a file, or what was typed in.
        filename: for messages.
        dialect: ``matlab`` or ``octave``.
        variables: names known to be variables, which no command can start with.

    Raises:
        MatlabSyntaxError: with line, column, what was expected and a hint.
    """
    with _no_collection():
        return _Parse(source, filename, dialect, frozenset(variables)).run()


@contextmanager
def _no_collection() -> Iterator[None]:
    """Keep the cyclic collector still: a tree has no cycles, and large ones took a third longer."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def is_incomplete(source: str, dialect: str = "matlab") -> bool:
    """Do `source` need more lines: is a block, bracket, comment or statement still open?"""
    parsing = _Parse(source, "", dialect, frozenset())
    try:
        parsing.run()
    except MatlabSyntaxError as error:
        return error.incomplete or parsing.lexer.continued
    return parsing.lexer.continued or parsing.ends_inserted


class _Parse:
    """One source on its way to a tree."""

    def __init__(self, source: str, filename: str, dialect: str, variables: frozenset[str]) -> None:
        if "\r" in source:
            source = source.replace("\r\n", "\n").replace("\r", "\n")
        self.filename = filename
        self.lexer = Lexer(source, filename, dialect, variables)
        self.tokens: list[Token] = []
        self.ends_inserted = False

    def run(self) -> Module:
        lexed = self.lexer.run()
        self.tokens = balance(lexed, self.fail)
        self.ends_inserted = len(self.tokens) > len(lexed)
        comments = self.lexer.comments
        _attach_help(self.tokens, comments)
        try:
            module: Module = _parser().parse(self.tokens, self.unexpected)
        except builders.BuildError as error:
            self.fail(error.reason, error.token, error.hint)
        return attrs.evolve(module, help=_file_help(module, comments))

    def unexpected(self, position: int, kinds: frozenset[str]) -> NoReturn:
        tokens = self.tokens
        token = tokens[position]
        after = tokens[position + 1] if position + 1 < len(tokens) else None
        if token.text == "\n" and tokens[position - 1].line == token.line:  # before a comment
            token = token._replace(column=tokens[position - 1].end_column)
        self.fail(
            f"Unexpected {describe(token, after)}.",
            token,
            hint(tokens, position),
            expected=expectations(kinds, tokens, position),
        )

    def fail(
        self,
        reason: str,
        token: Token,
        hint: str = "",
        incomplete: bool = False,
        expected: tuple[str, ...] = (),
    ) -> NoReturn:
        lines = self.lexer.text.split("\n")
        raise MatlabSyntaxError(
            reason,
            filename=self.filename,
            line=token.line,
            column=max(token.column, 0) + 1,
            source_line=lines[token.line - 1],
            expected=expected,
            hint=hint,
            incomplete=incomplete,
        )


def _attach_help(tokens: list[Token], comments: dict[int, str]) -> None:
    """Give each function and class its help: the comment right after its header, or before it."""
    header = -1
    for position, token in enumerate(tokens):
        if token.kind in ("function", "classdef"):
            header = position
        elif header >= 0 and token.kind in ("SEMI", "EOS", "$END"):
            opening = tokens[header]
            text = _comment_block(comments, token.line + 1)
            text = text or _comment_block(comments, _block_start(comments, opening.line))
            tokens[header] = opening._replace(text=text)
            header = -1


def _block_start(comments: dict[int, str], line: int) -> int:
    """Return the first of the comment lines that end right before `line`."""
    while line - 1 in comments:
        line -= 1
    return line


def _comment_block(comments: dict[int, str], line: int) -> str:
    lines = []
    while line in comments:
        lines.append(comments[line].rstrip())
        line += 1
    return "\n".join(lines).strip("\n")


def _file_help(module: Module, comments: dict[int, str]) -> str:
    """Return a file's help: that of its first function or class, else its first comment."""
    if module.classdef is not None and module.classdef.help:
        return module.classdef.help
    if module.kind == "function" and module.functions[0].help:
        return module.functions[0].help
    return _comment_block(comments, min(comments)) if comments else ""
