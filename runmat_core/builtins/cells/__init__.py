"""Cells, structs, containers.Map and dictionary, and the functions that map over them."""
