"""Linear algebra: factorisations, systems, eigenvalues, matrix functions."""
