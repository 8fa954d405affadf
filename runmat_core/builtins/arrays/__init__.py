"""Making, measuring, rearranging, reducing, sorting and comparing arrays."""
