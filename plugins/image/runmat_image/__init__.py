"""Builtins for image processing. Each module is a family; images come as NumPy arrays."""
