"""All that plugins may import.

Errors, the builtin decorator and the protocols through which builtins reach the evaluator.
Nothing in this package imports another runmat package.
"""

from runmat_core.api.builtin import BuiltinSpec, builtin
from runmat_core.api.errors import MatlabError, StackFrame
from runmat_core.api.interp import Interp, Workspace

__all__ = ["BuiltinSpec", "Interp", "MatlabError", "StackFrame", "Workspace", "builtin"]
