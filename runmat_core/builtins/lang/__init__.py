"""Builtins of the language itself: errors, evaluation, variables, functions, path, environment."""
