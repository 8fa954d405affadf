"""Objects of graphics: their properties as tables, the tree that they form, limits and ticks."""

# these register rules of computed properties
from runmat_plot.scene import axes as axes
from runmat_plot.scene import cameras as cameras
from runmat_plot.scene import coordinates as coordinates
