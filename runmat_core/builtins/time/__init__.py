"""Clocks, serial date numbers and their text."""
