"""The library calls that the core knows, and what each means.

Inputs and outputs are column-major arrays without gaps. Extents are those of a launch: all extents
of the inputs, one input after the other, unless said otherwise. What is not named in the attributes
is False.

========  ==========  ===========  =================================================================
name      inputs      outputs      meaning and attributes
========  ==========  ===========  =================================================================
matmul    a, b        c            ``c = a * b`` over extents (m, n, k). ``trans_a``, ``trans_b``:
                                   the input is taken transposed; ``syrk``: one input, ``a' * a``;
                                   ``centre``: "a" or "b", a further input is a row that is first
                                   subtracted from each row of that input as it lies in memory
sort      x           y [, where]  in order along the axis ``axis`` (from zero), ``descending`` or
                                   not. Equal elements keep their order, -0 equals 0; NaN is the
                                   largest. ``where`` (f64): the place, from one, of each element
qr        a           [q,] r       ``a = q * r`` with orthonormal columns in q and r upper
                                   triangular, both economy-sized: q is (m, k), r is (k, n), k =
                                   min(m, n). The signs are those of Householder reflections as
                                   LAPACK makes them. Without ``q`` only r is wanted
========  ==========  ===========  =================================================================
"""

from __future__ import annotations
