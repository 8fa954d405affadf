"""Speed of the interpreter, beside Octave where it is installed."""
