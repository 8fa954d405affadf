"""Text: char, string and cell arrays of char vectors, patterns, conversion from and to numbers."""
