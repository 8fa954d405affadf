"""Providers: which are installed, starting one, and calling its hooks."""
