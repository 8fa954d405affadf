"""``qr`` of a panel: a matrix whose columns fit into the registers of one workgroup.

32 lanes share a column, each with its own of every 32 rows. A column that is reflected goes through
workgroup memory once, so a reflection costs one barrier and three sums that do not wait for each
other, where the same in memory takes many.
"""

from __future__ import annotations

from runmat_wgpu.codegen.householder.shaders import LANES, Shaders
from runmat_wgpu.codegen.shader import STORAGE, Shader

#: The most rows that a lane keeps.
ROWS = 32


def fits(shaders: Shaders, m: int, n: int) -> bool:
    """Whether a matrix is a panel here: lanes must exchange numbers without memory."""
    room = shaders.target.invocations // LANES
    return shaders.exchanges and n <= min(room, LANES) and n <= m <= LANES * ROWS


def panel(shaders: Shaders, m: int, n: int) -> Shader:
    """Return the shader for panels of about this size."""
    rows = 1 << (-(-m // LANES) - 1).bit_length()
    columns = max(2, 1 << (n - 1).bit_length())
    return _Panel(shaders, rows, columns).shader()


class _Panel:
    """A shader under way.

    Args:
        rows: of a lane.
        columns: of the workgroup.
    """

    def __init__(self, shaders: Shaders, rows: int, columns: int) -> None:
        self.shaders, self.rows, self.columns = shaders, rows, columns
        self.t = STORAGE[shaders.dtype]

    def shader(self) -> Shader:
        names = ("a", *(("q",) if self.shaders.orthogonal else ()), "r")
        text, access = self.shaders.declared(*names, written=len(names) - 1)
        threads = self.columns * LANES
        source = f"""\
{text}{self.shaders.sums(threads)}\
var<workgroup> v: array<{self.t}, {2 * self.rows * LANES}>;
var<workgroup> leads: array<{self.t}, {self.columns}>;
var<workgroup> scales: array<{self.t}, {self.columns}>;
{self.shaders.lone_head(threads)}\
  for (var e = t; e < p.k * p.n; e += {threads}u) {{ r[e] = {self.t}(0); }}
{self._each("var w@ = {t}(0);")}\
  if (column < p.n) {{
{self._each("if (lane + #u < p.m) {{ w@ = a[column * p.m + lane + #u]; }}", 4)}\
  }}
  let unit = near(summed(column, lane, {" + ".join(f"abs(w{k})" for k in range(self.rows))}, size));
{self._each("w@ *= unit;")}\
  let back = inverse(unit);
  storageBarrier();
{self._forwards()}{self._backwards() if self.shaders.orthogonal else ""}}}
"""
        return Shader(source, tuple(access), 32)

    def _each(self, line: str, indent: int = 2) -> str:
        """Return a statement for each row of a lane: ``@`` is its number, ``#`` where it starts."""
        made = line.replace("{t}", self.t).replace("{{", "{").replace("}}", "}")
        return "".join(
            " " * indent + made.replace("@", str(k)).replace("#", str(k * LANES)) + "\n"
            for k in range(self.rows)
        )

    def _sent(self) -> str:
        """Have column j in workgroup memory, in one of two places by turns, and read it."""
        return f"""\
    let place = (j & 1u) * {self.rows * LANES}u + lane;
    if (column == j) {{
{self._each("v[place + #u] = w@;", 6)}\
    }}
    workgroupBarrier();
{self._each("let v@ = v[place + #u];", 4)}\
    // only the first rows of the lanes can lie in or above row j
    let under = select({self.t}(0), v0, lane > j);
"""

    def _product(self) -> str:
        """Return the sum over a lane's rows of products with column j, below row j."""
        return " + ".join(["under * w0", *(f"v{k} * w{k}" for k in range(1, self.rows))])

    def _moved(self) -> str:
        """Take a share of column j off this one, below row j."""
        rest = self._each("w@ -= v@ * share;", 6).split("\n", 1)[1]
        return f"      w0 -= under * share;\n{rest}"

    def _forwards(self) -> str:
        squares = " + ".join(["under * under", *(f"v{k} * v{k}" for k in range(1, self.rows))])
        return f"""\
  for (var j = 0u; j < p.k; j++) {{
{self._sent()}\
    let below = summed(column, lane, {squares}, size);
    let dot = summed(column, lane, {self._product()}, size);
    let own = summed(column, lane, select({self.t}(0), w0, lane == j), size);
    let found = reflection(v[(j & 1u) * {self.rows * LANES}u + j], below);
    if (column == j && lane == 0u) {{
      leads[j] = found.lead;
      scales[j] = found.scale;
      r[j * p.k + j] = found.diagonal * back;
    }}
    if (column > j && column < p.n) {{
      let share = found.scale * (found.lead * own + dot);
{self._moved()}\
      if (lane == 0u) {{ r[column * p.k + j] = (own - found.lead * share) * back; }}
    }}
  }}
"""

    def _backwards(self) -> str:
        """`q` from the reflections, the last one first, each in place of its column."""
        return f"""\
  workgroupBarrier();
  for (var step = 0u; step < p.k; step++) {{
    let j = p.k - 1u - step;
    let lead = leads[j];
    let scale = scales[j];
{self._sent()}\
    let dot = summed(column, lane, {self._product()}, size);
    if (column == j) {{
{self._each("w@ = -v@ * (lead * scale);", 6)}\
      w0 = select(-under * (lead * scale), 1 - lead * lead * scale, lane == j);
    }} else if (column > j) {{
      let share = scale * dot;
{self._moved()}\
      if (lane == j) {{ w0 = -lead * share; }}
    }}
  }}
  if (column < p.n) {{
{self._each("if (lane + #u < p.m) {{ q[column * p.m + lane + #u] = w@; }}", 4)}\
  }}
"""
