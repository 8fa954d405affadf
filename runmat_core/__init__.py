"""MATLAB-syntax programs, run from Python."""

__version__ = "0.1.0"
