"""Graphs and directed graphs: construction, editing, paths, searches, components, measures."""
