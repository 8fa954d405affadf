"""Builtins for signal processing. Each module is a family; arguments come as NumPy arrays."""
