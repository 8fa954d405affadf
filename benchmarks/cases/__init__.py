"""The benchmark cases: plain `.m` programs, and the same algorithms written straight in NumPy."""
