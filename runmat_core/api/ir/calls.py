"""The library calls that the core knows, and what each means.

Inputs and outputs are column-major arrays without gaps. Extents are those of a launch: all extents
of the inputs, one input after the other, unless said otherwise. What is not named in the attributes
is False. ``syrk``, ``matmul_centred`` and ``syrk_centred`` among the libraries of a provider say
that it takes ``matmul`` with these attributes; others are never asked for them.

A call that guards (`LibraryCall.guards`) sets bit 0 of the status word where host rules are to see
its inputs; it may do so too often, and its outputs are not looked at then.

The calls of `PAGED` have a form for pages, ``NAME_pages``: the call NAME of each matrix along the
third dimension of the inputs, which gives that page of the outputs. Extents are (rows, columns,
pages) of each input; one that has a single page is taken for every page of the other. It guards
where the call of one of the pages does. ``NAME_pages_told`` never guards: it has a further output,
a number of the other outputs' type for each page, which is zero unless the call of that page
guards. What the other outputs have of such a page is not looked at.

==========  ========  ===========  =================================================================
name        inputs    outputs      meaning and attributes
==========  ========  ===========  =================================================================
matmul      a, b      c            ``c = a * b`` over extents (m, n, k). ``trans_a``, ``trans_b``:
                                   the input is taken transposed; ``syrk``: one input, ``a' * a``;
                                   ``centre``: "a" or "b", a further input is a row that is first
                                   subtracted from each row of that input as it lies in memory
sort        x         y [, where]  in order along the axis ``axis`` (from zero), ``descending`` or
                                   not. Equal elements keep their order, -0 equals 0; NaN is the
                                   largest. ``where`` (f64): the place, from one, of each element
qr          a         [q,] r       ``a = q * r`` with orthonormal columns in q and r upper
                                   triangular, both economy-sized: q is (m, k), r is (k, n), k =
                                   min(m, n). The signs are those of Householder reflections as
                                   LAPACK makes them. Without ``q`` only r is wanted
chol        a         r            ``a = r' * r`` of the upper triangle of a, r upper triangular;
                                   ``lower``: ``a = r * r'`` of the lower one, r lower triangular.
                                   Guards: a pivot is not positive
solve       a, b      x            ``a * x = b``, a is (n, n), b is (n, k). Guards: a may be near to
                                   singular, or something is not finite
lstsq       a, b      x            the least-squares solution, a is (m, n), m > n. Guards: columns
                                   of a may be dependent, or something is not finite
inv         a         x            ``a * x = 1``, a is (n, n). Guards as ``solve`` does
det         a         d            the determinant, one element. Guards: it is not finite
compact     m, [x]    y, …         what is not zero in m, in the order of the elements. ``gives``
                                   names the outputs, all of one extent: "places" (f64, counted from
                                   one), "rows" and "columns" (the same as subscripts of a matrix)
                                   or "values": the elements of m, or of x, which has as many, where
                                   there is one. Extents are (rows, columns, skipped, kept) of m as
                                   a matrix: the first so many are left out, so many follow
scatter     x, p, v   y            x with ``y(p(k)) = v(k)`` for one k after the other: the last one
                                   holds. p (i32) counts from zero; what lies outside is left out. v
                                   has as many elements as p, or one. Extents are (elements of x,
                                   of p, of v)
expand      x, m, v   y            x with the elements of v, in order, where m (bool) is not zero:
                                   there are as many. Extents are (elements of x, of v)
accumulate  p, [v]    y            y(b) is what ``by`` makes of the v(k) whose p(k) is b, from one:
                                   "sum", "max", "min" (both take the number beside a NaN), or
                                   "count" (f64), which has no v; 0 where there is none. v has as
                                   many elements as p, or one. Sums keep the order of the v(k); how
                                   they are grouped depends on p alone. Extents are (elements of p,
                                   of v, of y). Guards: p is no number of y
histogram   x, e      y, [k]       elements of x between neighbours of the edges e (f64), which do
                                   not decrease: in bin b are those with e(b) <= x < e(b+1), in the
                                   last those equal to its edge, or with ``closed``, which has one
                                   bin less, those up to the last edge. ``k`` (f64): the bin of
                                   each, from one, 0 for none. Extents are (elements of x, of e)
fft         x         y            the discrete Fourier transform along ``axes`` (a tuple, from
                                   zero), of x padded with zeros or cut to the extents of y;
                                   ``inverse``: divided by the number of points. y is complex, and
                                   conjugate symmetric to the last bit where x is real; a real y is
                                   the real parts. ``symmetric``: where x, padded or cut, is
                                   conjugate symmetric, imaginary parts of y are zero. Extents are
                                   those of x, then of y
conv        a, b      c            the convolution of real arrays of one rank, as if zeros were
                                   around them. ``part``: "full"; "same", the middle, as large as a;
                                   "valid", where no zeros take part; "causal", the beginning, as
                                   large as a. ``turned``: b is read from its end; ``swapped``: the
                                   inputs are b, a. Extents are those of a, b
filter      [b, a,] x y            the rational filter b / a of slices along ``axis`` (from zero),
                                   which begin with zeros. ``recursive``: there is an a, and its
                                   first element is not zero; otherwise it is 1. ``gain``: b is this
                                   number, and no input. Extents are (elements of b, of a), 1 for
                                   what is no input, then those of x
svd         a         s | u, s, v  singular values, descending, a column of k = min(m, n), or with
                                   ``largest``, of pages alone, the first one; with
                                   ``vectors``, u is (m, k), s is (k, k) and diagonal, v is (n, k),
                                   ``a = u * s * v'``. Guards: something is not finite, rotations
                                   did not come to an end, or vectors belong to values near zero
eig         a         d | v, d     eigenvalues of a symmetric matrix, ascending, a column of n; with
                                   ``vectors``, v and d are (n, n), d is diagonal, ``a*v = v*d``.
                                   Guards: a is not symmetric to the last bit, something is not
                                   finite, or rotations did not come to an end
==========  ========  ===========  =================================================================
"""

from __future__ import annotations

from collections.abc import Sequence

from runmat_core.api.ir.kernel import LibraryCall

#: The calls that have a form for pages, and what its name ends with.
PAGED = frozenset({"chol", "det", "eig", "inv", "lstsq", "solve", "svd"})
PAGES = "_pages"
#: What ends the name of the form that tells which pages host rules are to see.
TOLD = "_told"
#: The calls that may have an epilogue, where a provider declares that it takes any.
EPILOGUES = frozenset({"matmul"})
#: Every library call by name, those of pages included.
CALLS = frozenset(
    "matmul sort qr chol solve lstsq inv det compact scatter expand accumulate histogram fft conv "
    "filter svd eig".split()
) | {name + PAGES + end for name in PAGED for end in ("", TOLD)}


def shapes_of_inputs(call: LibraryCall, extents: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the shapes of the inputs of a launch; of calls on lists of elements they are flat."""
    name = call.name.removesuffix(TOLD)
    if name == "matmul":
        m, n, k = extents
        a, b = (k, m) if call.attribute("trans_a") else (m, k), (k, n)
        if call.attribute("trans_b"):
            b = (n, k)
        shapes: list[tuple[int, ...]]
        shapes = [a] if call.attribute("syrk") and len(call.dtypes) == 2 else [a, b]
        if centre := call.attribute("centre"):
            shapes.append((1, (a if centre == "a" else b)[1]))
        return shapes
    if name in _FLAT:
        return [(count,) for count in _flat(name, call, extents)]
    if name == "filter":
        given = [call.attribute("gain") is None, bool(call.attribute("recursive"))]
        lengths = [(n,) for n, there in zip(extents, given, strict=False) if there]
        return [*lengths, tuple(extents[2:])]
    half = len(extents) // 2
    if name == "fft":
        return [tuple(extents[:half])]
    if name == "conv":
        pair = [tuple(extents[:half]), tuple(extents[half:])]
        return pair[::-1] if call.attribute("swapped") else pair
    width = 3 if name.endswith(PAGES) else 2
    if name.removesuffix(PAGES) in PAGED:
        return [tuple(extents[k : k + width]) for k in range(0, len(extents), width)]
    return [tuple(extents)]


_FLAT = frozenset({"compact", "scatter", "expand", "accumulate", "histogram"})


def _flat(name: str, call: LibraryCall, extents: Sequence[int]) -> list[int]:
    match name:
        case "compact":
            gives = call.attribute("gives")
            outputs = len(gives) if isinstance(gives, tuple) else 1
            return [extents[0] * extents[1]] * (len(call.dtypes) - outputs)
        case "expand":
            return [extents[0], extents[0], extents[1]]
        case "accumulate":
            return list(extents[: len(call.dtypes) - 1])
    return list(extents)
