"""Array programs of many kinds beside NumPy, PyTorch and JAX: ``python -m benchmarks.arrays``."""
