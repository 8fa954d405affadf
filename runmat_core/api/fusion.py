"""Fusion specs: what a builtin is in terms of kernel IR, as data on its mark.

A spec holds a Python function over IR values (`runmat_core.api.ir.V`), traced once for each
combination of element types. The host rule remains the oracle: where a spec does not apply (an
argument form that the capture does not know, a class that the rule does not take) the builtin runs
by its host rule.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Literal

from runmat_core.api.tuples import NamedTuple

#: How the classes of operands make the class of a result, and the type that is computed in.
#:
#: - ``float``: single if one operand is, else double; logical and char count as double; integer
#:   classes do not fuse.
#: - ``arithmetic``: as ``float``, and integer classes by MATLAB's rules, with saturation.
#: - ``same``: the class of the first operand, integers included; logical and char become double.
#: - ``compare``: logical, computed in the class that both operands convert to.
#: - ``logical``: logical, of logical operands.
#: - ``test``: logical, of operands in their own class (``isnan``).
#: - ``common``: as ``arithmetic``, but integers are computed in their own class, to which doubles
#:   among the operands are converted first (``bitand``).
#: - ``ordered``: as ``common``, but logical, computed as such, of logical operands only (``max``).
#: - ``own``: the class of the first operand; each operand comes in its own class (``bitshift``).
#: - ``complex``: complex, of floating operands of which one is complex at least; all come complex.
#: - ``mixed``: as ``complex``, but real operands come real, in the same precision.
#: - ``part``: the class of their parts, of such operands (``abs``). ``compare`` and ``test`` take
#:   them, too.
#: - ``parts``: complex, of floating operands that are real (``complex``).
#: - ``long``: the 64-bit integer class that the operands have, computed in that class; the others
#:   are scalars that are whole numbers of it. ``long compare``: logical, of such operands.
#: - a class name (``int8``, ``double``, ``logical``): that class, of operands in their own class;
#:   ``complex single`` and ``complex double``: of one complex operand.
ClassRule = str


class Map(NamedTuple):
    """Element by element.

    Attributes:
        function: takes one `V` for each argument, in the type computed in; returns one `V`, or a
            tuple with one for each output, all of the class that `classes` gives.
        classes: see `ClassRule`.
        domain: the closed interval of the first argument on which a real argument has a real
            result; outside it the builtin's result is complex. None: everywhere.
        refuses: what makes the builtin raise an error: an argument ``outside`` the domain, or a
            ``nan`` in a floating argument. It fuses only where that is known not to be there.
        accepts: called with the arguments before anything else; False where the builtin's host
            rule must see them.
        of_complex: what it is where an operand is complex; None: the host rule's alone. Its
            function must be right for an array whose imaginary parts are all zero, too: MATLAB
            makes such results real, but whether they are is found out when they are read.
        of_long: what it is of 64-bit integers, which doubles do not hold.
        guard: over IR values, in the types of the operands: where an element tells that the host
            rule has to decide, because it makes a difference whether an operand with a zero
            imaginary part is complex (branch cuts, zeros times infinities). For `of_complex`.
        side: over the first argument in the type computed in: the zero that is its imaginary part
            where an element of the array is outside of the domain, +0 by default. Its sign says on
            which side of a branch cut real numbers are.
    """

    function: Callable[..., Any]
    classes: ClassRule = "float"
    domain: tuple[float, float] | None = None
    refuses: Literal["outside", "nan"] | None = None
    accepts: Callable[..., bool] | None = None
    of_complex: Map | None = None
    of_long: Map | None = None
    guard: Callable[..., Any] | None = None
    side: Callable[..., Any] | None = None


class Reduction(NamedTuple):
    """Along dimensions of its first argument.

    Attributes:
        function: takes the array in the type computed in, and the keyword arguments that
            the argument `form` yields (``omit_nan``, ``weight``, ``p`` …) where they differ from
            their defaults; returns one `V`, or a tuple with one for each output.
        form: which argument forms the builtin has: ``sum`` (dim, vecdim, "all", flags),
            ``extremum`` (x, [], dim), ``moment`` (weight, dim), ``norm`` (p), ``all`` (whole).
        result: class of the result: ``float`` (single stays, all else double), ``same``,
            ``own`` (as ``same``, but logical stays logical), ``logical``, ``double``.
        outputs: most outputs; index outputs are double.
        empty: whether an empty array may be reduced by the kernel, too.
        pair: what the builtin is of two arrays instead (``max(a, b)``).
        of_complex: whether the function takes complex elements, too, and what a ``float`` or
            ``same`` result then is: ``complex``, or of the class of a ``part``. None: it does not.
        decided: whether it takes them only where they are known to be complex, because it means
            something else of real ones (``max``) or zeros meet infinities (``prod``).
    """

    function: Callable[..., Any]
    form: Literal["sum", "extremum", "moment", "norm", "all"] = "sum"
    result: Literal["float", "same", "own", "logical", "double"] = "float"
    outputs: int = 1
    empty: bool = False
    pair: Map | None = None
    of_complex: Literal["complex", "part"] | None = None
    decided: bool = False


class Scan(NamedTuple):
    """Along one dimension, keeping it: ``cumsum`` and its like.

    Attributes:
        function: takes the array, ``reverse=`` and the keyword arguments that the flags of a call
            yield (``omit_nan`` …) where they differ from their defaults; returns one `V`, or with
            ``outputs=`` a tuple of as many.
        result, of_complex, decided: as for `Reduction`; ``same`` and ``own`` leave NaN out by
            default.
        outputs: most outputs; the second is where the first stands, from one, a double.
    """

    function: Callable[..., Any]
    result: Literal["float", "same", "own"] = "float"
    outputs: int = 1
    of_complex: Literal["complex", "part"] | None = None
    decided: bool = False


FusionSpec = Map | Reduction | Scan


class Operand(NamedTuple):
    """An array among the arguments of a call, its elements not looked at.

    Attributes:
        cls: its class; ``complex single`` or ``complex double`` where the elements are complex.
        elements: those of a small real array that is on the host; None of others.
    """

    shape: tuple[int, ...]
    cls: str
    elements: tuple[float, ...] | None = None


class Requested(NamedTuple):
    """What a call of a builtin asks of a library.

    Attributes:
        attributes: of the `LibraryCall`, as sorted pairs.
        outputs: size and class of each output that is wanted, as for `Operand`.
        guards: whether the elements decide if the host rule must see the call, for it raises an
            error or warns there: see `LibraryCall.guards`. Such a call is computed at once, so
            that what it says comes from the statement that it stands in.
        extents: of the launch, where the library's are not those of its inputs.
        bounds: for each output the least and the greatest whole number that it can hold, where
            that is what it holds; None where it is not known.
        inputs: which arguments, from zero, are inputs of the library, where some arrays are not;
            the elements of the others must be known (`Operand.elements`).
    """

    attributes: tuple[tuple[str, Hashable], ...]
    outputs: tuple[tuple[tuple[int, ...], str], ...]
    guards: bool = False
    extents: tuple[int, ...] | None = None
    bounds: tuple[tuple[int, int] | None, ...] = ()
    inputs: tuple[int, ...] | None = None


class Counted(NamedTuple):
    """A call whose outputs are as large as the elements of an argument say.

    How many of them are not zero is counted where they are, and read: four or eight bytes and one
    wait for the device. The elements of the argument and of the outputs stay there. Of arrays that
    are all on the host nothing is asked: their host rule runs.

    Attributes:
        array: which of the arrays among the arguments, from zero.
        then: takes the count; returns what is asked for.
    """

    array: int
    then: Callable[[int], Requested | None]


class Call(NamedTuple):
    """A whole computation, such as ``sort`` or ``qr``, that a provider may have as a library call.

    A call is captured where a provider of the session has that library; otherwise, and where
    `read` says so, the host rule runs at once. `runmat_core.api.ir.calls` says what each library
    call means.

    Attributes:
        name: of the `LibraryCall`.
        of_complex: whether arrays may be complex.
        linear: arguments, from zero, in each of which the one output is linear: where the library
            takes no complex arrays, those given there are computed of their parts.
        instead: asked first, with the arguments and ``nargout=``: what the call comes to by other
            builtins, where that takes less work; else NotImplemented.
        read: takes the arguments, arrays as `Operand` and scalars and text as they are, and
            ``nargout=``; returns what is asked for, or None where the host rule must see the call.
    """

    name: str
    read: Callable[..., Requested | Counted | None]
    of_complex: bool = False
    linear: tuple[int, ...] = ()
    instead: Callable[..., Any] | None = None
