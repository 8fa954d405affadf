"""A shader while it is written: its bindings, words, functions, and at last its text."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Literal

import attrs

from runmat_core.api.ir import COMPLEX, Kernel
from runmat_wgpu.codegen.kernels.ranges import ranges
from runmat_wgpu.codegen.kernels.words import Words
from runmat_wgpu.codegen.scalars import Scalars
from runmat_wgpu.codegen.shader import STORAGE, STORED_BYTES, Bind, DeclinedError, Shader, Target

#: Bytes of the widest load; arrays that are read as vectors are bound as arrays of such.
VECTOR_BYTES = 16


def width(dtype: str) -> int:
    """Elements of a vector in memory: 4, or 2 of eight bytes each; complex ones are one by one."""
    return 1 if dtype in COMPLEX else VECTOR_BYTES // STORED_BYTES[dtype]


@attrs.frozen
class Written:
    """A finished shader.

    Attributes:
        binds: what each of its bindings shows, whole.
        words: to pack ``P`` with.
        multiples: see `Dispatch.multiples`.
        fixed: views for whose offset the text was made.
    """

    shader: Shader
    binds: tuple[Bind, ...]
    words: Words
    multiples: tuple[tuple[int, int], ...] = ()
    fixed: frozenset[int] = frozenset()


class Draft:
    """A shader of a kernel, or of one of the passes that a kernel takes.

    Buffers of the kernel are bound as they are first named, so that a pass binds what it uses.

    Args:
        kernel: whose buffers, views and params the text names.
        vectors: buffers bound as arrays of vectors of `width` elements.

    Attributes:
        ranges: bounds of the values of the kernel's code.
        multiples: views, and how many elements an offset of theirs must be a multiple of.
        fixed: views for whose offset the text is made.
    """

    def __init__(self, kernel: Kernel, target: Target, vectors: Collection[int] = ()) -> None:
        self.kernel = kernel
        self.target = target
        self.vectors = frozenset(vectors)
        self.words = Words(kernel)
        self.ranges = ranges(kernel.code)
        self.multiples: dict[int, int] = {}
        self.fixed: set[int] = set()
        self.scalars = Scalars(target)
        self._bindings: dict[str, tuple[str, Literal["read", "write"], Bind]] = {}
        self._declarations: list[str] = []
        self._functions: dict[str, str] = {}
        self._names = 0

    # -- names --------------------------------------------------------------------------------

    def name(self, stem: str = "t") -> str:
        """Return a name that nothing else in the shader has."""
        self._names += 1
        return f"{stem}_{self._names}"

    def _bind(self, name: str, type_: str, access: Literal["read", "write"], bind: Bind) -> str:
        if name not in self._bindings:
            if len(self._bindings) == self.target.bindings:
                raise DeclinedError(f"more than {self.target.bindings} arrays")
            self._bindings[name] = (type_, access, bind)
        return name

    def buffer(self, number: int) -> str:
        """Return the array of a buffer of the kernel: of words (`STORAGE`), or of vectors."""
        buffer = self.kernel.buffers[number]
        self.scalars.type(buffer.dtype)  # declines what the target lacks
        type_ = STORAGE[buffer.dtype]
        if number in self.vectors:
            type_ = f"vec{width(buffer.dtype)}<{type_}>"
        return self._bind(f"b{number}", f"array<{type_}>", buffer.access, Bind("slot", number))

    def element(self, number: int, place: str) -> str:
        """Return a reference to the word of one element of a buffer.

        `place` is a u32 expression.
        """
        name = self.buffer(number)
        if number not in self.vectors:
            return f"{name}[{place}]"
        shift = width(self.kernel.buffers[number].dtype).bit_length() - 1
        return f"{name}[({place}) >> {shift}u][({place}) & {(1 << shift) - 1}u]"

    def scratch(self, index: int, type_: str, access: Literal["read", "write"] = "write") -> str:
        """Return the array of type ``array<type_>`` over `Prepared.scratch` number `index`."""
        return self._bind(f"scratch{index}", f"array<{type_}>", access, Bind("scratch", index))

    def status(self) -> str:
        """Return the status word, an atomic."""
        return self._bind("status", "array<atomic<u32>>", "write", Bind("status"))

    def shared(self, name: str, type_: str) -> str:
        """Memory of a workgroup."""
        self._declarations.append(f"var<workgroup> {name}: {type_};")
        return name

    def function(self, name: str, text: str) -> str:
        """Return a function of the shader's own, once."""
        self._functions[name] = text
        return name

    # -- text ---------------------------------------------------------------------------------

    def finish(
        self,
        body: Iterable[str],
        workgroup: Sequence[int] = (256,),
        builtins: Iterable[str] = ("global_invocation_id",),
    ) -> Written:
        """Return the shader whose entry point has these statements.

        Args:
            workgroup: invocations along x, y, z.
            builtins: of ``@builtin``, available to the body under their own names.
        """
        types = {
            "local_invocation_index": "u32",
            "subgroup_id": "u32",
            "subgroup_size": "u32",
            "subgroup_invocation_id": "u32",
        }
        given = ", ".join(f"@builtin({b}) {b}: {types.get(b, 'vec3<u32>')}" for b in builtins)
        modes = {"read": "read", "write": "read_write"}
        # the library may read words of its own, so its text comes before that of ``P``
        library = self.scalars.text()
        lines = [
            self.words.text(),
            *(
                f"@group(0) @binding({k}) var<storage, {modes[access]}> {name}: {type_};"
                for k, (name, (type_, access, _)) in enumerate(self._bindings.items())
            ),
            *self._declarations,
            "",
            library,
            *self._functions.values(),
            f"@compute @workgroup_size({', '.join(map(str, workgroup))})",
            f"fn main({given}) {{",
            *indent(body),
            "}",
            "",
        ]
        shader = Shader(
            "\n".join(lines),
            tuple(access for _, access, _ in self._bindings.values()),
            self.words.size,
        )
        return Written(
            shader,
            tuple(bind for *_, bind in self._bindings.values()),
            self.words,
            tuple(sorted(self.multiples.items())),
            frozenset(self.fixed),
        )


def indent(lines: Iterable[str]) -> list[str]:
    """Statements one level further in."""
    return ["  " + line if line else line for line in lines]


def block(head: str, lines: Iterable[str], tail: str = "}") -> list[str]:
    """``head {``, statements, ``}``."""
    return [f"{head} {{", *indent(lines), tail]
