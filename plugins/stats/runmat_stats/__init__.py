"""Builtins for statistics. Each module is a family; arguments come as NumPy arrays."""
