"""Ordinary programs as whole processes: empty caches, warm caches, no provider, Octave."""
