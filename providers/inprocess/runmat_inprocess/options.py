"""The options of this provider: keys of its table in the configuration."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeVar

import attrs

from runmat_core.api.device import DeviceFault
from runmat_core.api.threads import available
from runmat_inprocess.memory import physical_memory

#: Elements of a block: smaller ones make threads wait for the interpreter lock, larger ones leave
#: the cache.
BLOCK = 1 << 17
#: Freed memory that is kept.
KEEP = 1 << 29


@attrs.frozen
class Options:
    """What may be configured.

    Attributes:
        threads: that share the blocks of a kernel.
        block: elements of a block.
        memory: most bytes that arrays may take, None for no limit.
        keep: most bytes of freed memory to keep for reuse.
        slice_bytes: the size of slices up to which kernels may mix a reduction's result with what
            still varies along the reduced axes; larger ones run in several passes here.
    """

    threads: int = attrs.Factory(available)
    block: int = BLOCK
    memory: int | None = attrs.Factory(physical_memory)
    keep: int = KEEP
    slice_bytes: int = 1 << 20


Kind = TypeVar("Kind", bound=Options)


def read_options(
    options: tuple[tuple[str, Hashable], ...],
    kind: type[Kind],
    provider: str,
) -> Kind:
    """Return the options of a request.

    Args:
        kind: what holds them; a field whose default is 0 may be 0, as `keep` may.
        provider: whose options they are, for messages.

    Raises:
        DeviceFault: an unknown key, or a value that is not a positive integer.
    """
    known = {field.name: field.default for field in attrs.fields(kind)}
    for key, value in options:
        if key not in known:
            raise DeviceFault(f"{provider} has no option {key}; it has {', '.join(sorted(known))}.")
        least = 0 if key == "keep" or known[key] == 0 else 1
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise DeviceFault(
                f"The option {key} of {provider} is a positive integer, not {value!r}."
            )
    return kind(**dict(options))  # type: ignore[arg-type]
