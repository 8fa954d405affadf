"""Objects of graphics: their properties as tables, the tree that they form, limits and ticks."""
