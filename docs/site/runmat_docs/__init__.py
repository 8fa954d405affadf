"""The documentation of runmat as pages."""
