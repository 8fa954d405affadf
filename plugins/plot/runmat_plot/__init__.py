"""Graphics for runmat.

`scene` is the tree of objects and their properties, plain Python and NumPy. `functions` are the
builtins that make and change it. `render` turns a figure into a list of what is to be drawn, and
hands that to matplotlib where a picture is asked for.
"""
