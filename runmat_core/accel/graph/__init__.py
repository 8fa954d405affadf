"""Nodes: what was asked for and not yet computed, what is known of it, and its host rules."""
