"""Functions of numbers: elementary, trigonometric, rounding, special, bits, polynomials."""
