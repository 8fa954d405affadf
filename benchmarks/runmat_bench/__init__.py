"""The benchmark cases of runmat beside NumPy, PyTorch, JAX and Octave (``runmat bench``)."""

__version__ = "0.1.0"
