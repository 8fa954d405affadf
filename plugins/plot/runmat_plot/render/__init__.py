"""From a figure to what is drawn: a list of shapes in pixels, and what writes them to files."""
