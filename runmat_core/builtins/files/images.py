"""imread, imwrite, imfinfo: image files, through Pillow where it is installed."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import check_size, integer, numeric, real, scalar
from runmat_core.builtins.files import gif_frames
from runmat_core.builtins.files.table import find_readable, resolve_path
from runmat_core.builtins.named import pairs
from runmat_core.builtins.text.support import maybe_text
from runmat_core.values import char, class_of, from_numpy, struct

Pixels = NDArray[Any]

#: Pillow's names of formats by extension.
_FORMATS = {
    "png": "PNG", "jpg": "JPEG", "jpeg": "JPEG", "bmp": "BMP", "tif": "TIFF", "tiff": "TIFF",
    "gif": "GIF", "pgm": "PPM", "ppm": "PPM", "pbm": "PPM", "pnm": "PPM",
}  # fmt: skip
_OF_GIF = ("LoopCount", "DelayTime")
#: MATLAB's names of formats by Pillow's.
_NAMES = {"JPEG": "jpg", "TIFF": "tif", "PPM": "pnm"}
_COLOURS = {"1": "grayscale", "L": "grayscale", "P": "indexed", "CMYK": "CMYK"}


def _pillow() -> Any:
    """Pillow's module of images."""
    try:
        return import_module("PIL.Image")
    except ImportError:
        raise MatlabError(
            "RunMat:missingPackage",
            "Image files need the package Pillow.",
            hint="Install it: pip install pillow",
        ) from None


def _word(value: Any, function: str) -> str:
    found = maybe_text(value)
    if found is None:
        raise MatlabError(f"MATLAB:imagesci:{function}:badFilename", "The file name must be text.")
    return found


@contextmanager
def _opened(interp: Interp, name: str, function: str) -> Iterator[Any]:
    """Yield the image in a file; whatever is wrong with it is an error of MATLAB's."""
    path = find_readable(interp, name)
    if not os.path.isfile(path):
        raise MatlabError(
            f"MATLAB:imagesci:{function}:fileDoesNotExist", f'File "{name}" does not exist.'
        )
    module = _pillow()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", module.DecompressionBombWarning)
            warnings.simplefilter("ignore", UserWarning)
            with module.open(path) as image:
                check_size((image.height, image.width, len(image.getbands())), 8)
                yield image
    except (module.DecompressionBombError, module.DecompressionBombWarning):
        raise MatlabError(
            f"MATLAB:imagesci:{function}:imageTooLarge", f'The image in "{name}" is too large.'
        ) from None
    except (module.UnidentifiedImageError, OSError, SyntaxError, ValueError, EOFError) as problem:
        raise MatlabError(
            f"MATLAB:imagesci:{function}:fileFormat",
            f'Unable to read "{name}" as an image: {problem}.',
        ) from None


def _colour_map(image: Any) -> Pixels:
    """Return the colours of an indexed image, a row each, from 0 to 1."""
    table = np.array(image.getpalette("RGB") or [], np.float64).reshape(-1, 3) / 255
    return np.asarray(table)


def _pixels(image: Any) -> tuple[Pixels, Pixels, Pixels]:
    """Pixels, colour map and transparency, the last two empty where there are none."""
    none = np.zeros((0, 0))
    mode = image.mode
    if mode == "P":
        return np.array(image), _colour_map(image), none
    if mode in ("RGBA", "LA"):
        planes = np.array(image)
        colours = planes[..., :-1] if mode == "RGBA" else planes[..., 0]
        return colours, none, planes[..., -1]
    if mode.startswith("I;16"):
        return np.array(image).astype(np.uint16), none, none
    if mode == "I":
        whole = np.array(image)
        fits = whole.size == 0 or (whole.min() >= 0 and whole.max() < 2**16)
        return whole.astype(np.uint16 if fits else np.int32), none, none
    if mode not in ("1", "L", "RGB", "CMYK", "F"):
        image = image.convert("RGB")
    return np.array(image), none, none


@builtin("imread", family="files/images", nargin=(1, None), nargout=3, needs=("nargout", "interp"))
def imread(name: Any, *args: Any, nargout: int, interp: Interp) -> Any:
    """Read an image file.

    A = imread(FILE): rows by columns of grey, or rows by columns by 3 of colours; uint8, uint16 or
    logical as the file has it
    [A, MAP, ALPHA] = imread(FILE): of an indexed image A has numbers of rows of MAP less one;
    transparency where there is one
    A = imread(FILE, FORMAT), A = imread(FILE, K), A = imread(FILE, "Index", K) for the K-th image

    PNG, JPEG, BMP, TIFF, GIF and PNM files; needs Pillow (pip install pillow). Colours of 16 bits
    are read with 8.

    Examples:
        >> try, imread('none.png'), catch e, disp(e.identifier), end
        MATLAB:imagesci:imread:fileDoesNotExist

    See also: imwrite, imfinfo, ind2rgb.
    """
    word = _word(name, "imread")
    frame = 1
    rest = list(args)
    if rest and maybe_text(rest[0]) is not None and len(rest) % 2:
        rest.pop(0)  # files tell their format
    if rest and maybe_text(rest[0]) is None:
        frame = integer(rest.pop(0), "Index")
    given, _ = pairs(rest, ("Index", "Frames", "Info"), "imread")
    for option in ("Index", "Frames"):
        frame = integer(given[option], option) if option in given else frame
    with _opened(interp, word, "imread") as image:
        if not 1 <= frame <= getattr(image, "n_frames", 1):
            raise MatlabError(
                "MATLAB:imagesci:imread:invalidFrame", f"There is no image {frame} in the file."
            )
        if frame > 1:
            image.seek(frame - 1)
        found = _pixels(image)
    made = tuple(from_numpy(np.asarray(part, order="F")) for part in found)
    return made[:nargout] if nargout > 1 else made[0]


# -- writing ------------------------------------------------------------------------------------


def _eight_bits(a: Pixels) -> Pixels:
    """Return an image as a file has it: floating numbers from 0 to 1 as eight bits."""
    if a.dtype.kind == "f":
        scaled = np.nan_to_num(a.astype(np.float64)) * 255
        return np.asarray(np.clip(np.floor(scaled + 0.5), 0, 255).astype(np.uint8))
    if a.dtype in (np.bool_, np.uint8, np.uint16):
        return a
    raise MatlabError(
        "MATLAB:imagesci:imwrite:unsupportedDataType",
        "Images must be double, single, logical, uint8 or uint16.",
    )


def _indexed(x: Pixels, table: Pixels, module: Any) -> Any:
    """Return an image of numbers of colours; numbers of floating class count from one."""
    if table.ndim != 2 or table.shape[1] != 3 or not 1 <= table.shape[0] <= 256 or x.ndim != 2:
        raise MatlabError(
            "MATLAB:imagesci:imwrite:badColormap", "A colour map must be up to 256 rows of 3."
        )
    if x.dtype.kind == "f":
        x = np.floor(np.nan_to_num(x)) - 1
    image = module.fromarray(np.clip(x, 0, 255).astype(np.uint8), "P")
    image.putpalette(_eight_bits(table.astype(np.float64)).tobytes())
    return image


def _image_of(a: Pixels, alpha: Pixels | None, module: Any) -> Any:
    planes = _eight_bits(a)
    if planes.ndim not in (2, 3) or (planes.ndim == 3 and planes.shape[2] not in (1, 3)):
        raise MatlabError(
            "MATLAB:imagesci:imwrite:wrongNumberOfPlanes", "Images must have one plane or three."
        )
    planes = planes[:, :, 0] if planes.ndim == 3 and planes.shape[2] == 1 else planes
    if not planes.size:
        raise MatlabError("MATLAB:imagesci:imwrite:imageEmpty", "The image is empty.")
    if planes.dtype == np.uint16 and planes.ndim == 3:
        raise MatlabError(
            "MATLAB:imagesci:imwrite:unsupportedDataType",
            "Colours are written with 8 bits: give them as uint8.",
        )
    planes = np.ascontiguousarray(planes)
    if alpha is None:
        return module.fromarray(planes)
    if alpha.shape != planes.shape[:2]:
        raise MatlabError("MATLAB:imagesci:imwrite:alphaSize", "Alpha must have the image's size.")
    veil = np.broadcast_to(_eight_bits(alpha)[..., None], (*alpha.shape, 1)).astype(np.uint8)
    whole = planes if planes.ndim == 3 else planes[..., None]
    return module.fromarray(np.concatenate([whole.astype(np.uint8), veil], axis=2))


def _settings(given: dict[str, Any], kind: str) -> dict[str, Any]:
    """Return the options that Pillow has for those of MATLAB."""
    settings: dict[str, Any] = {}
    if kind == "JPEG":
        settings["quality"] = int(scalar(given.get("Quality", 75.0), "Quality"))
    if kind == "GIF":
        delay = float(scalar(given.get("DelayTime", 0.5), "DelayTime"))
        settings["duration"] = round(min(max(delay, 0.0), 655.0) * 1000)
        if "LoopCount" in given and (count := float(scalar(given["LoopCount"], "LoopCount"))):
            settings["loop"] = 0 if count == np.inf else int(count)  # 0: for ever
    if kind == "TIFF":
        known = {
            "none": "raw",
            "lzw": "tiff_lzw",
            "packbits": "packbits",
            "deflate": "tiff_deflate",
        }
        settings["compression"] = known.get(
            maybe_text(given.get("Compression")) or "packbits", "raw"
        )
    return settings


@builtin("imwrite", family="files/images", nargin=(2, None), nargout=0, needs=("interp",))
def imwrite(a: Any, *args: Any, interp: Interp) -> None:
    """Write an image file.

    imwrite(A, FILE), imwrite(A, MAP, FILE), imwrite(…, FORMAT): the format is the extension's,
    "png", "jpg", "bmp", "tif", "gif", "pgm", "ppm"
    imwrite(…, "Quality", Q) of JPEG from 0 to 100; imwrite(…, "Alpha", ALPHA) of PNG;
    imwrite(…, "Compression", C) of TIFF: "packbits", "lzw", "deflate" or "none"
    imwrite(…, "DelayTime", S, "LoopCount", N) of GIF: seconds before the next frame, repetitions
    imwrite(…, "WriteMode", "append") of GIF adds a frame to the file

    Numbers of class double and single go from 0 to 1. Needs Pillow (pip install pillow).

    Examples:
        >> try, imwrite(0.5, 'image.what'), catch e, disp(e.identifier), end
        MATLAB:imagesci:imwrite:unknownFormat

    See also: imread, imfinfo, rgb2ind.
    """
    rest = list(args)
    table = None if maybe_text(rest[0]) is not None else rest.pop(0)
    if not rest:
        raise MatlabError("MATLAB:imagesci:imwrite:badFilename", "There is no file name.")
    name = _word(rest.pop(0), "imwrite")
    ending = os.path.splitext(name)[1][1:].lower()
    if len(rest) % 2:
        ending = _word(rest.pop(0), "imwrite").lower()
    known = ("Quality", "Alpha", "Compression", "WriteMode", "Mode", "BitDepth", "Transparency")
    given, _ = pairs(
        rest, (*known, *_OF_GIF, "Author", "Comment", "Description", "Software"), "imwrite"
    )
    kind = _FORMATS.get(ending)
    if kind is None:
        raise MatlabError(
            "MATLAB:imagesci:imwrite:unknownFormat",
            f'Unable to determine the file format from the file name "{name}".',
        )
    module = _pillow()
    pixels = real(a, "imwrite") if class_of(a) != "char" else numeric(a, "imwrite").astype(float)
    if table is not None and class_of(table) in ("double", "single"):
        image = _indexed(pixels, real(table, "imwrite"), module)
        image = image.convert("RGB") if kind in ("JPEG", "PPM") else image
    else:
        veil = real(given["Alpha"], "imwrite") if "Alpha" in given else None
        image = _image_of(pixels, veil, module)
    path, settings = resolve_path(interp, name), _settings(given, kind)
    try:
        if kind == "GIF" and (maybe_text(given.get("WriteMode")) or "").lower() == "append":
            made = BytesIO()
            image.save(made, format=kind, **settings)
            gif_frames.append(path, made.getvalue())
        else:
            image.save(path, format=kind, **settings)
    except (OSError, ValueError, KeyError) as problem:
        raise MatlabError(
            "MATLAB:imagesci:imwrite:fileOpen", f'Unable to write "{name}": {problem}.'
        ) from None


@builtin("imfinfo", family="files/images", nargin=(1, 2), needs=("interp",))
def imfinfo(name: Any, kind: Any = None, *, interp: Interp) -> Any:
    """What an image file is: size, format, bits, kind of colours.

    INFO = imfinfo(FILE): a struct with Filename, FileModDate, FileSize, Format, Width, Height,
    BitDepth, ColorType, NumberOfImages

    Needs Pillow (pip install pillow).

    Examples:
        >> try, imfinfo('none.png'), catch e, disp(e.identifier), end
        MATLAB:imagesci:imfinfo:fileDoesNotExist

    See also: imread, imwrite, dir.
    """
    word = _word(name, "imfinfo")
    with _opened(interp, word, "imfinfo") as image:
        mode = image.mode
        bits = {"1": 1, "I": 16, "F": 32}.get(mode, 16 if mode.startswith("I;16") else 8)
        bands = len(image.getbands())
        path = find_readable(interp, word)
        changed = time.localtime(os.path.getmtime(path))
        deep = mode.startswith(("I", "F"))
        return struct(
            {
                "Filename": char(path),
                "FileModDate": char(time.strftime("%d-%b-%Y %H:%M:%S", changed)),
                "FileSize": float(os.path.getsize(path)),
                "Format": char(_NAMES.get(image.format, str(image.format).lower())),
                "Width": float(image.width),
                "Height": float(image.height),
                "BitDepth": float(bits * bands),
                "ColorType": char(
                    "grayscale" if deep or mode == "LA" else _COLOURS.get(mode, "truecolor")
                ),
                "NumberOfImages": float(getattr(image, "n_frames", 1)),
            }
        )
