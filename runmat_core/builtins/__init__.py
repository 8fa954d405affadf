"""MATLAB's functions: one marked block each, by family; the registry and its index."""
