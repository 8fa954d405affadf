"""From text to `Module`."""

from __future__ import annotations

from functools import lru_cache
from typing import NoReturn

import attrs

from runmat_core.syntax import builders, builders_files, builders_statements, tables
from runmat_core.syntax.ast import Module
from runmat_core.syntax.blocks import balance
from runmat_core.syntax.errors import MatlabSyntaxError
from runmat_core.syntax.lalr import Parser, Token
from runmat_core.syntax.lexer import Lexer

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
    """The AST of `source`.

    Args:
        source: the text of a file, or what was typed in.
        filename: for messages.
        dialect: ``matlab`` or ``octave``.
        variables: names known to be variables, which no command can start with.

    Raises:
        MatlabSyntaxError: with line, column, what was expected and a hint.
    """
    source = source.replace("\r\n", "\n").replace("\r", "\n")
    lexer = Lexer(source, filename, dialect, frozenset(variables))
    tokens = lexer.run()

    def fail(
        reason: str,
        token: Token,
        hint: str = "",
        incomplete: bool = False,
        expected: tuple[str, ...] = (),
    ) -> NoReturn:
        lines = lexer.text.split("\n")
        raise MatlabSyntaxError(
            reason,
            filename=filename,
            line=token.line,
            column=token.column + 1,
            source_line=lines[token.line - 1] if token.line <= len(lines) else "",
            expected=expected,
            hint=hint,
            incomplete=incomplete,
        )

    def report(position: int, expected: frozenset[str], pending: list[str]) -> NoReturn:
        token = tokens[position]
        fail(f"Unexpected {token.kind}.", token, expected=tuple(sorted(expected)))

    tokens = balance(tokens, fail)
    _attach_help(tokens, lexer.comments)
    try:
        module: Module = _parser().parse(tokens, report)
    except builders.BuildError as error:
        fail(error.reason, error.token, error.hint)
    return attrs.evolve(module, help=_file_help(module, lexer.comments))


def is_incomplete(source: str, dialect: str = "matlab") -> bool:
    """Does `source` need more lines: is a block, bracket or comment still open?"""
    try:
        parse(source, dialect=dialect)
    except MatlabSyntaxError as error:
        return error.incomplete
    return source.rstrip(" \t\n").endswith("...")


def _attach_help(tokens: list[Token], comments: dict[int, str]) -> None:
    """Give each function and class its help: the comment lines right after its header."""
    position = 0
    while position < len(tokens):
        token = tokens[position]
        if token.kind in ("function", "classdef"):
            header = position
            while tokens[position].kind not in ("SEMI", "EOS", "$END"):
                position += 1
            text = _comment_block(comments, tokens[position].line + 1)
            tokens[header] = token._replace(text=text or token.kind)
        position += 1


def _comment_block(comments: dict[int, str], line: int) -> str:
    lines = []
    while line in comments:
        lines.append(comments[line].rstrip())
        line += 1
    return "\n".join(lines)


def _file_help(module: Module, comments: dict[int, str]) -> str:
    """The help of a file: that of its first function or class, else its first comment lines."""
    if module.classdef is not None and module.classdef.help:
        return module.classdef.help
    if module.kind == "function" and module.functions[0].help:
        return module.functions[0].help
    return _comment_block(comments, min(comments)) if comments else ""
