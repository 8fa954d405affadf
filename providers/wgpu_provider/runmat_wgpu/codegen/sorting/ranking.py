"""How the elements of a tile are ranked by a digit.

A thread has `per` elements of the tile in registers, its j-th being number ``element(j)`` of the
tile. From their digits, ``d0``, ``d1``, …, `ranks` computes where they stand once the tile is
sorted stably by the digit, ``r0``, ``r1``, …; ``starts`` then holds the rank of the first element
of each digit. `before` sums counts of digits. All threads of a workgroup must execute both.

Between rankings the memory that ranking uses is free for the caller (`get`, `put`): the less a
workgroup has, the more of them run at a time.
"""

from __future__ import annotations

from typing import Protocol

import attrs


class Ranking(Protocol):
    """A way to rank a tile."""

    @property
    def threads(self) -> int:
        """Threads of a workgroup, numbered by ``t``."""

    @property
    def per(self) -> int:
        """Elements of a thread."""

    @property
    def bits(self) -> int:
        """Bits of a digit."""

    def bytes(self, words: int) -> int:
        """Bytes of ``var<workgroup>``, if the caller needs so many words."""

    @property
    def builtins(self) -> str:
        """Parameters of ``main`` beyond those of every shader."""

    def declarations(self, words: int) -> str:
        """Variables and functions of the module, with so many words for the caller."""

    def get(self, k: str) -> str:
        """Return an expression: a word of the caller's."""

    def put(self, k: str, value: str) -> str:
        """Return a statement that sets a word of the caller's."""

    @property
    def digit(self) -> str:
        """The digit that a thread stands for in `before`; that of some may be none."""

    def element(self, j: int) -> str:
        """Return the number in the tile of a thread's j-th element, as an expression."""

    def ranks(self) -> str:
        """Statements that set ``r{j}``, variables of the caller, and ``starts``."""

    def before(self, name: str, count: str) -> str:
        """Statements that declare `name`: the sum over the digits below the thread's own.

        Args:
            count: a name that holds the count of the thread's digit.
        """


@attrs.frozen
class Columns:
    """Ranks without subgroups, four bits at a time.

    A thread counts the digits of neighbouring elements in a column of its own; two counts share a
    word. An exclusive sum over the columns ranks every element without atomics.
    """

    threads: int
    per: int
    bits: int = 4
    builtins: str = ""
    digit: str = "t"

    def bytes(self, words: int) -> int:
        return 4 * (max(8 * self.threads, words) + self.threads + 32)

    def declarations(self, words: int) -> str:
        return f"""\
{running_sums(self.threads)}\
var<workgroup> starts: array<u32, 16>;
var<workgroup> few: array<u32, 16>;
// counts of digits d and d + 8 of each thread, in the halves of a word
var<workgroup> columns: array<u32, {max(8 * self.threads, words)}>;
"""

    def get(self, k: str) -> str:
        return f"columns[{k}]"

    def put(self, k: str, value: str) -> str:
        return f"columns[{k}] = {value};"

    def element(self, j: int) -> str:
        return f"(t * {self.per}u + {j}u)"

    def ranks(self) -> str:
        threads, per = self.threads, range(self.per)
        cleared = "".join(f"  columns[{j * threads}u + t] = 0u;\n" for j in range(8))
        counted = "".join(
            f"  let c{j} = (d{j} & 7u) * {threads}u + t;\n  let h{j} = (d{j} >> 3u) * 16u;\n"
            f"  r{j} = (columns[c{j}] >> h{j}) & 0xffffu;\n  columns[c{j}] += 1u << h{j};\n"
            for j in per
        )
        total = " + ".join(f"columns[t * 8u + {j}u]" for j in range(8))
        spread = "".join(
            f"  let own{j} = columns[t * 8u + {j}u];\n  columns[t * 8u + {j}u] = next;\n"
            f"  next += own{j};\n"
            for j in range(8)
        )
        added = "".join(f"  r{j} += (columns[c{j}] >> h{j}) & 0xffffu;\n" for j in per)
        return f"""\
{cleared}{counted}  workgroupBarrier();
  let own = {total};
  let upto = summed(t, own);
  // digits from 8 on come after all of the lower ones
  var next = upto - own + ((sums[{threads - 1}] & 0xffffu) << 16u);
{spread}  workgroupBarrier();
  if (t < 16u) {{ starts[t] = (columns[(t & 7u) * {threads}u] >> ((t >> 3u) * 16u)) & 0xffffu; }}
{added}  workgroupBarrier();
"""

    def before(self, name: str, count: str) -> str:
        return f"""\
  if (t < 16u) {{ few[t] = {count}; }}
  workgroupBarrier();
  var {name} = 0u;
  for (var k = 0u; k < min(t, 16u); k++) {{ {name} += few[k]; }}
"""


@attrs.frozen
class Ballots:
    """Ranks by votes of subgroups, eight bits at a time.

    Eight ballots show each invocation which others of its subgroup have the same digit; the first
    of these counts them all in the subgroup's own row of counters. There are as many threads as
    digits.

    Attributes:
        subgroup: invocations of every subgroup, at most 32.
    """

    per: int
    subgroup: int
    threads: int = 256
    bits: int = 8
    builtins: str = (
        ",\n        @builtin(subgroup_id) group: u32,"
        "\n        @builtin(subgroup_invocation_id) lane: u32"
    )

    @property
    def rows(self) -> int:
        """Subgroups of a workgroup."""
        return self.threads // self.subgroup

    def bytes(self, words: int) -> int:
        return 4 * (max(256 * self.rows, words) + 256 + self.rows)

    @property
    def digit(self) -> str:
        return f"(group * {self.subgroup}u + lane)"

    def declarations(self, words: int) -> str:
        return f"""\
var<workgroup> rows: array<atomic<u32>, {max(256 * self.rows, words)}>;
var<workgroup> starts: array<u32, 256>;
var<workgroup> sums: array<u32, {self.rows}>;
"""

    def get(self, k: str) -> str:
        return f"atomicLoad(&rows[{k}])"

    def put(self, k: str, value: str) -> str:
        return f"atomicStore(&rows[{k}], {value});"

    def element(self, j: int) -> str:
        return f"(group * {self.per * self.subgroup}u + {j * self.subgroup}u + lane)"

    def ranks(self) -> str:
        counted = "".join(self._counted(j) for j in range(self.per))
        added = "".join(
            f"  r{j} += starts[d{j}] + atomicLoad(&rows[group * 256u + d{j}]);\n"
            for j in range(self.per)
        )
        return f"""\
  for (var k = t; k < {256 * self.rows}u; k += {self.threads}u) {{ atomicStore(&rows[k], 0u); }}
  workgroupBarrier();
  let below = (1u << lane) - 1u;
{counted}  workgroupBarrier();
  var count = 0u;
  for (var k = 0u; k < {self.rows}u; k++) {{
    let row = atomicLoad(&rows[k * 256u + {self.digit}]);
    atomicStore(&rows[k * 256u + {self.digit}], count);
    count += row;
  }}
{self.before("first", "count")}  starts[{self.digit}] = first;
  workgroupBarrier();
{added}  workgroupBarrier();
"""

    def _counted(self, j: int) -> str:
        """Return the rank of an element among those of its digit in its subgroup so far."""
        votes = "".join(
            f"  let v{j}_{bit} = (d{j} >> {bit}u) & 1u;\n"
            f"  same{j} &= subgroupBallot(v{j}_{bit} != 0u).x ^ (v{j}_{bit} - 1u);\n"
            for bit in range(self.bits)
        )
        return f"""\
  var same{j} = {(1 << self.subgroup) - 1:#x}u;
{votes}  let leader{j} = firstTrailingBit(same{j});
  r{j} = 0u;
  if (lane == leader{j}) {{
    r{j} = atomicAdd(&rows[group * 256u + d{j}], countOneBits(same{j}));
  }}
  r{j} = subgroupShuffle(r{j}, leader{j}) + countOneBits(same{j} & below);
"""

    def before(self, name: str, count: str) -> str:
        return f"""\
  var {name} = subgroupExclusiveAdd({count});
  if (lane == {self.subgroup - 1}u) {{ sums[group] = {name} + {count}; }}
  workgroupBarrier();
  for (var k = 0u; k < group; k++) {{ {name} += sums[k]; }}
  workgroupBarrier();
"""


def running_sums(threads: int) -> str:
    """Return ``summed``: the sum of all threads' values up to this one; all must call it."""
    steps = []
    step = 1
    while step < threads:
        steps.append(
            f"  if (t >= {step}u) {{ value += sums[t - {step}u]; }}\n"
            "  workgroupBarrier();\n  sums[t] = value;\n  workgroupBarrier();\n"
        )
        step *= 2
    return f"""\
var<workgroup> sums: array<u32, {threads}>;
fn summed(t: u32, own: u32) -> u32 {{
  var value = own;
  sums[t] = value;
  workgroupBarrier();
{"".join(steps)}  return value;
}}
"""
