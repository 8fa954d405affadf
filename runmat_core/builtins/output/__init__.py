"""Builtins that show values and turn numbers into text."""
