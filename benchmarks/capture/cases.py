"""What is captured: expressions of large arrays, written out and made from the registry.

Variables: columns `x`, `y` and a row `r` of doubles in [0.25, 0.75], a mask `m` of their size, an
`int32` column `k`, matrices `A` and `B` and a square one `S`, three dimensions `T`, complex `c`;
numbers `s` and `n`.
"""

from __future__ import annotations

from runmat_core.accel.ops.elementwise import as_spec
from runmat_core.api.fusion import Map, Reduction, Scan
from runmat_core.builtins import registry

#: Elements of the columns: above the threshold from which on arrays are captured.
SIZE = 1 << 16
SIDE = 1 << 8

#: The variables, as what makes them of arrays that are there.
VARIABLES = {
    "x": f"linspace(0.25, 0.75, {SIZE})'",
    "y": f"linspace(0.75, 0.25, {SIZE})'",
    "r": f"linspace(0.25, 0.75, {SIZE})",
    "k": f"int32(1:{SIZE})'",
    "A": f"reshape(linspace(0.25, 0.75, {SIZE}), {SIDE}, {SIDE})",
    "B": f"reshape(linspace(0.75, 0.25, {SIZE}), {SIDE}, {SIDE})",
    "T": f"reshape(linspace(0.75, 0.25, {SIZE}), 16, 64, 64)",
    "c": f"complex(linspace(0.25, 0.75, {SIZE})', 1)",
    "m": f"mod(1:{SIZE}, 2)' > 0",
}
#: What makes them pending.
PENDING = {
    "x": "x .* 0.5",
    "y": "y .* 0.5",
    "r": "r .* 0.5",
    "k": "k + 1",
    "A": "A .* 0.5",
    "B": "B .* 0.5",
    "T": "T .* 0.5",
    "c": "c .* 0.5",
    "m": "~m",
}
SCALARS = {"s": "3", "n": str(SIZE), "h": str(SIZE // 2)}

OPERATORS = {
    "arithmetic": (
        "x + y, x - s, s - x, x .* y, x * s, x ./ y, x / s, s ./ x, x .^ 2, x .^ 0.5, x .^ y, -x, "
        "x + r, A .* x(1:256), k + k, k * 2, c + c, c .* x"
    ),
    "comparison": "x < y, x >= s, x == y, x ~= 0, k > 3",
    "logic": "m & m, m | m, ~m, m & (x > s), xor(m, m)",
    "products": "A * B, A' * B, A * A', A * B(:, 1), x' * y, A \\ B, A / B",
    "transposes": "x', A', A.', c', c.'",
    "subscripts": (
        "x(:), x(1:n), x(2:n), x(1:2:n), x(2:end), x(end:-1:1), A(:), A(:, 3), A(3, :), A(:, 2:9), "
        "A(1:9, 1:9), A(1:s, 1:s), A(2:end, :), A(:, end), A(:, 1:end-1), T(:, :, 3), T(:, 2, :), "
        "x(m), x(k), A(:, [3 1 2]), x(1), A(2, 3)"
    ),
    "joins": "[x; 1], [1; x], [x; y], [x, y], [A, B], [A; B], [x; y; x], [r, 1], cat(3, A, B)",
}

BUILTINS = {
    "made": (
        "zeros(n, 1), ones(n, 1), zeros(256), ones(256, 256), zeros(n, 1, 'single'), eye(256), "
        "rand(n, 1), rand(256), randn(n, 1), rand(n, 1, 'single'), linspace(0, 1, n), "
        "colon(1, n), 1:n, 0:n, nan(n, 1), repmat(3, n, 1), zeros(size(x)), ones(size(A)), "
        "zeros(size(x), 'like', x), meshgrid(1:256)"
    ),
    "casts": "single(x), double(k), int32(x), uint8(x), logical(x), cast(x, 'single')",
    "arranged": (
        "reshape(x, 256, 256), reshape(A, [], 1), reshape(x, [256 256]), permute(T, [2 1 3]), "
        "squeeze(T), repmat(x, 1, 4), repmat(A, 2, 2), repmat(x, [1 4]), circshift(x, 1), "
        "circshift(A, 1), circshift(A, 1, 2), circshift(A, [1 2]), flip(x), fliplr(A), flipud(A), "
        "rot90(A), diag(A), diag(A, 1), trace(A), tril(A), triu(A), kron(A(1:4, 1:4), A), "
        "fftshift(x), fftshift(A), repelem(x, 2), vertcat(x, y), horzcat(A, B)"
    ),
    "composed": (
        "diff(x), diff(A, 1, 2), diff(x, 2), dot(x, y), dot(A, B), cross(T, T), trapz(x), "
        "trapz(x, y), cumtrapz(x), cov(A), corrcoef(A), vecnorm(A), norm(x), norm(A, 'fro'), "
        "polyval([1 2 3], x), hypot(x, y), isequal(size(x), size(y)), median(x), mode(k), "
        "numel(x), size(A, 1), length(x), isempty(x), isreal(x), class(x), nnz(m)"
    ),
    "reduced": (
        "sum(x), sum(A), sum(A, 1), sum(A, 2), sum(A, 'all'), sum(x .* y), sum(m), sum(T, 3), "
        "sum(T, [1 2]), mean(x), mean(A), mean(A, 2), mean(A, 'all'), var(x), var(A), std(x), "
        "std(A, 0, 2), max(x), max(A, [], 2), max(A, [], 'all'), max(x, 0), max(x, y), min(x), "
        "prod(x), any(m), all(m), all(x > 0), norm(x, 1), range(x), rms(x)"
    ),
    "scans": "cumsum(x), cumsum(A, 2), cumprod(x), cummax(x), cummin(A)",
    "calls": "sort(x), sort(A, 2), sort(x, 'descend'), fft(x), ifft(c), fft2(A), conv(x, y(1:9))",
}

SEVERAL = (
    "[z, w] = max(x), [z, w] = max(A, [], 2), [z, w] = min(A), [z, w] = sort(x), [z, w] = qr(A), "
    "[z, w] = qr(A, 0), [z, w] = bounds(x), [z, w] = meshgrid(1:256, 1:256), "
    "[z, w] = cummax(x), [z, w] = size(A)"
)

WRITES = "z = x; z(2:9) = 1; z = A; z(:, 3) = x(1:256); z = x; z(m) = 0; z = zeros(n, 1); z(3) = 1"

#: Operands that host rules make where arrays are small or on the host: what these take is no part
#: of what capturing the statement takes.
OPERANDS = {
    "A .* x(1:256)": ["x(1:256)"],
    "A * B(:, 1)": ["B(:, 1)"],
    "x' * y": ["x'"],
    "zeros(size(x))": ["size(x)"],
    "ones(size(A))": ["size(A)"],
    "zeros(size(x), 'like', x)": ["size(x)"],
    "meshgrid(1:256)": ["1:256"],
    "[z, w] = meshgrid(1:256, 1:256)": ["1:256", "1:256"],
}


def split(text: str) -> list[str]:
    """What commas outside of brackets and quotes part."""
    parts, depth, start, quoted = [], 0, 0, False
    for k, one in enumerate(text):
        if one == "'" and (quoted or k == 0 or text[k - 1] in " (,["):
            quoted = not quoted
        depth += 0 if quoted else (one in "([") - (one in ")]")
        if one == "," and not depth and not quoted:
            parts.append(text[start:k].strip())
            start = k + 1
    return [part for part in [*parts, text[start:].strip()] if part]


def statements() -> dict[str, str]:
    """A statement for each case, by what is shown for it."""
    found: dict[str, str] = {}
    for table in (OPERATORS, BUILTINS):
        for expressions in table.values():
            found.update({one: f"z = {one};" for one in split(expressions)})
    found.update({one: f"{one};" for one in split(SEVERAL)})
    for name in registry.names():
        spec = registry.find(name)
        if spec is None or spec.name != name or spec.fusion is None:
            continue
        for call in _calls(name, as_spec(spec.fusion), registry.arity(spec)):
            found.setdefault(call, f"z = {call};")
    return found


def _calls(name: str, fusion: object, arity: tuple[int, int | None]) -> list[str]:
    least, most = arity
    if isinstance(fusion, Reduction | Scan):
        return [f"{name}(x)", f"{name}(A, 2)"] if fusion.__class__ is Scan else [f"{name}(x)"]
    if isinstance(fusion, Map) and least <= 3:
        calls = [f"{name}({', '.join('xyr'[:1] * 1 + 'y' * (least - 1))})"] if least else []
        calls = [f"{name}({', '.join(['x', 'y', 'x'][:least])})"] if least else []
        if least == 1 and most is not None and most > 1:
            calls.append(f"{name}(x, y)")
        return calls
    return []
