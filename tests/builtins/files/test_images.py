"""Image files, where Pillow is installed, and colours by number."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np
import pytest

from runmat_core import MatlabError, Session

KINDS = {
    "u8": "uint8(reshape(0:23, 4, 6) * 10)",
    "u16": "uint16(reshape(0:23, 4, 6) * 2000)",
    "logical": "logical(mod(reshape(0:23, 4, 6), 3))",
    "rgb": "uint8(reshape(0:71, 4, 6, 3) * 3)",
}


@pytest.fixture
def images(session: Session) -> Session:
    pytest.importorskip("PIL")
    return session


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("ending", ["png", "tif", "bmp", "pgm"])
def test_what_is_written_is_read(kind: str, ending: str, images: Session) -> None:
    if (kind, ending) in {("u16", "bmp")}:
        pytest.skip("the format has no such pixels")
    images.run(f"a = {KINDS[kind]}; imwrite(a, 'i.{ending}'); b = imread('i.{ending}');")
    assert images.eval("isequal(a, b)") is True
    if (kind, ending) != ("u16", "pgm"):
        assert images.eval("strcmp(class(a), class(b))") is True


def test_floating_images_go_from_0_to_1(images: Session) -> None:
    images.run("imwrite([0 0.5 1 2 -1 NaN], 'd.png'); b = imread('d.png');")
    assert images.eval("b").tolist() == [[0, 128, 255, 255, 0, 0]]


def test_indexed_images_have_a_map(images: Session) -> None:
    images.run("m = [1 0 0; 0 1 0; 0 0 1]; imwrite(uint8([0 1; 2 0]), m, 'x.png');")
    images.run("[x, map] = imread('x.png'); imwrite([1 2; 3 1], m, 'y.gif'); y = imread('y.gif');")
    assert images.eval("isequal(ind2rgb(x, map), ind2rgb(uint8([0 1; 2 0]), m))") is True
    assert images.eval("size(y)").tolist() == [[2, 2]]
    assert images.eval("imfinfo('x.png').ColorType") == "indexed"


def test_transparency_is_the_third_output(images: Session) -> None:
    images.run("a = uint8(cat(3, 1, 2, 3)); imwrite(a, 'a.png', 'Alpha', 0.5);")
    images.run("[b, m, alpha] = imread('a.png');")
    assert images.eval("isequal(a, b) && isempty(m) && alpha == 128") is True


def test_what_a_file_is(images: Session) -> None:
    images.run("imwrite(zeros(3, 5, 3), 'i.jpg', 'Quality', 90); s = imfinfo('i.jpg');")
    assert images.eval("[s.Width s.Height s.BitDepth]").tolist() == [[5, 3, 24]]
    assert images.eval("{s.Format, s.ColorType}") == ["jpg", "truecolor"]
    assert images.eval("importdata('i.jpg')").shape == (3, 5, 3)


def _png(width: int, height: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    content = zlib.compress(b"\0" * 10)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", content)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no image",
        b"\x89PNG\r\n\x1a\n",
        _png(1000, 1000),
        _png(200000, 200000),
        _png(2**31 - 1, 2**31 - 1),
        b"BM" + b"\xff" * 60,
        b"P5 99999999 99999999 255\n",
    ],
    ids=["empty", "text", "stub", "short", "large", "huge", "bmp", "pgm"],
)
def test_broken_and_boasting_files_are_errors(
    content: bytes, images: Session, tmp_path: Path
) -> None:
    (tmp_path / "bad.png").write_bytes(content)
    with pytest.raises(MatlabError) as raised:
        images.run("imread('bad.png')")
    assert raised.value.identifier in {
        "MATLAB:imagesci:imread:fileFormat",
        "MATLAB:imagesci:imread:imageTooLarge",
        "MATLAB:array:SizeLimitExceeded",
    }


@pytest.mark.parametrize(
    ("code", "identifier"),
    [
        ("imread('none.png')", "MATLAB:imagesci:imread:fileDoesNotExist"),
        ("imread(5)", "MATLAB:imagesci:imread:badFilename"),
        ("imwrite(ones(2,2,2), 'a.png')", "MATLAB:imagesci:imwrite:wrongNumberOfPlanes"),
        ("imwrite(int32(1), 'a.png')", "MATLAB:imagesci:imwrite:unsupportedDataType"),
        ("imwrite([], 'a.png')", "MATLAB:imagesci:imwrite:imageEmpty"),
        ("imwrite(1, 'no/such/a.png')", "MATLAB:imagesci:imwrite:fileOpen"),
        ("imwrite(1, 'a.what')", "MATLAB:imagesci:imwrite:unknownFormat"),
        ("imwrite(1, 'a.png'); imread('a.png', 2)", "MATLAB:imagesci:imread:invalidFrame"),
    ],
)
def test_errors(code: str, identifier: str, images: Session) -> None:
    with pytest.raises(MatlabError) as raised:
        images.run(code)
    assert raised.value.identifier == identifier


def test_without_pillow_the_package_is_named(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    (tmp_path / "a.png").write_bytes(_png(1, 1))
    with pytest.raises(MatlabError) as raised:
        session.run("imread('a.png')")
    assert raised.value.identifier == "RunMat:missingPackage"
    assert "pip install pillow" in raised.value.hint


def test_colours_by_number(session: Session) -> None:
    session.run("m = [0 0 0; 1 0 0; 1 1 1];")
    assert session.eval("squeeze(ind2rgb([1 3], m))").tolist() == [[0, 0, 0], [1, 1, 1]]
    assert session.eval("squeeze(ind2rgb(uint8([1 9]), m))").tolist() == [[1, 0, 0], [1, 1, 1]]
    session.run("[x, n] = rgb2ind(ind2rgb([1 2; 3 2], m), 16); y = ind2rgb(x, n);")
    assert session.eval("isequal(y, ind2rgb([1 2; 3 2], m)) && isa(x, 'uint8')") is True
    rgb = np.random.default_rng(1).random((12, 10, 3))
    session.workspace["rgb"] = rgb
    session.run("[x, n] = rgb2ind(rgb, 20, 'nodither');")
    table, x = np.asarray(session.workspace["n"]), np.asarray(session.workspace["x"])
    assert len(table) == 20
    away = ((rgb[:, :, None] - table) ** 2).sum(axis=3)
    assert (away.argmin(axis=2) == x).all()
    # with dithering the mean colour is kept better than by nearest colours alone
    session.run(
        "g = repmat(0.3, [16 16 3]); d = rgb2ind(g, gray(2)); s = rgb2ind(g, gray(2), 'nodither');"
    )
    assert abs(session.eval("mean(double(d(:)))") - 0.3) < 0.05
    assert session.eval("any(s(:))") is False
    with pytest.raises(MatlabError):
        session.run("rgb2ind(1, 8)")


def dithered(image: np.ndarray, table: np.ndarray) -> np.ndarray:
    """Return a dithered image, computed pixel by pixel along the rows."""
    left, found = image.copy(), np.zeros(image.shape[:2], int)
    for i, j in np.ndindex(found.shape):
        found[i, j] = k = ((table - left[i, j]) ** 2).sum(axis=1).argmin()
        lost = left[i, j] - table[k]
        for di, dj, part in ((0, 1, 7), (1, -1, 3), (1, 0, 5), (1, 1, 1)):
            if i + di < len(left) and 0 <= j + dj < left.shape[1]:
                left[i + di, j + dj] += lost * (part / 16)
    return found


@pytest.mark.parametrize("size", [(1, 1), (1, 9), (9, 1), (13, 8), (5, 17)])
def test_dithering_goes_along_the_rows(size: tuple[int, int]) -> None:
    random = np.random.default_rng(3)
    session = Session()
    session["rgb"], session["table"] = random.random((*size, 3)), random.random((7, 3))
    session.run("x = rgb2ind(rgb, table);")
    assert np.array_equal(np.atleast_2d(session["x"]), dithered(session["rgb"], session["table"]))


def test_frames_of_gif_files_are_appended(tmp_path: Path) -> None:
    pytest.importorskip("PIL")
    from PIL import Image, ImageSequence

    name = tmp_path / "frames.gif"
    Session().run(
        f"f = '{name}'; map = [0 0 0; 1 0 0; 0 1 0]; "
        "imwrite(uint8([0 1; 2 1]), map, f, 'LoopCount', Inf, 'DelayTime', 0.1); "
        "imwrite(uint8([2 2; 1 0]), map([1 3 2], :), f, 'WriteMode', 'append', 'DelayTime', 0.3); "
        "imwrite(uint8([1 1; 0 0]), map, f, 'gif', 'WriteMode', 'append');"
    )
    with Image.open(name) as image:
        frames = [
            (frame.info["duration"], list(frame.convert("RGB").tobytes()[::3]))
            for frame in ImageSequence.Iterator(image)
        ]
        assert image.info["loop"] == 0
    assert frames == [
        (100, [0, 255, 0, 255]),
        (300, [255, 255, 0, 0]),
        (500, [255, 255, 0, 0]),
    ]
