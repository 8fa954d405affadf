"""Optimisation: linear, quadratic and nonlinear problems, with and without constraints."""
