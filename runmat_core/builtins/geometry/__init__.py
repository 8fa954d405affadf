"""Computational geometry: triangulations, hulls, Voronoi diagrams, scattered data."""
