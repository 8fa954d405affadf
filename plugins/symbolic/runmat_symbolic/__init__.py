"""Symbolic mathematics on SymPy, which is imported when the first symbolic value is made."""
