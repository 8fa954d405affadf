"""MATLAB text to AST and back.

`parse` makes a `Module`, `unparse` makes text of any node, `is_incomplete` tells a line editor
whether a block or bracket is still open.
"""

from __future__ import annotations

from runmat_core.syntax import unparse_statements as _unparse_statements
from runmat_core.syntax.errors import MatlabSyntaxError
from runmat_core.syntax.parser import is_incomplete, parse
from runmat_core.syntax.unparse import unparse, unparse_expression

__all__ = ["MatlabSyntaxError", "is_incomplete", "parse", "unparse", "unparse_expression"]
del _unparse_statements  # imported for the writers that it registers
