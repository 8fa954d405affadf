"""Frames of GIF files: appended as bytes, so that the frames before are not read again."""

from __future__ import annotations

_EXTENSION, _IMAGE, _END = 0x21, 0x2C, 0x3B
_CONTROL = 0xF9
_TABLE = 0x80


def _table_size(flags: int) -> int:
    return 3 << ((flags & 7) + 1) if flags & _TABLE else 0


def _after_blocks(data: bytes, at: int) -> int:
    """Return the position behind sub-blocks, of which the last is empty."""
    while data[at]:
        at += data[at] + 1
    return at + 1


def frame_of(data: bytes) -> bytes:
    """Return the first frame of a GIF file, with a table of colours of its own."""
    size = _table_size(data[10])
    colours, at = data[13 : 13 + size], 13 + size
    control = b""
    while data[at] == _EXTENSION:
        end = _after_blocks(data, at + 2)
        if data[at + 1] == _CONTROL:
            control = data[at:end]
        at = end
    if data[at] != _IMAGE:
        raise ValueError("there is no image in it")
    flags, own = data[at + 9], _table_size(data[at + 9])
    end = _after_blocks(data, at + 10 + own + 1)
    if own:
        return control + data[at:end]
    descriptor = data[at : at + 9] + bytes([(flags & 0x78) | _TABLE | (data[10] & 7)])
    return control + descriptor + colours + data[at + 10 : end]


def append(path: str, data: bytes) -> None:
    """Append the frame of the GIF file `data` to the file at `path`."""
    frame = frame_of(data)
    with open(path, "r+b") as file:
        head = file.read(10)
        file.seek(-1, 2)
        if head[:3] != b"GIF" or file.read(1)[0] != _END:
            raise ValueError("it is no GIF file")
        file.seek(-1, 2)
        file.write(frame + bytes([_END]))
        file.seek(3)
        screen = [
            max(int.from_bytes(one[k : k + 2], "little") for one in (head, data)) for k in (6, 8)
        ]
        file.write(b"89a" + b"".join(extent.to_bytes(2, "little") for extent in screen))
