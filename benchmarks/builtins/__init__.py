"""Builtins on the host beside Octave and the NumPy or SciPy call that does the same."""
