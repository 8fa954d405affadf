"""Figures in files of their own format, and films."""

from __future__ import annotations

import os
from importlib.util import find_spec
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_core.api.objects import Handle
from runmat_plot.functions.arguments import python, word_in
from runmat_plot.functions.pictures import cannot_write
from runmat_plot.functions.support import current_figure, given, nodes_in, scene_of
from runmat_plot.scene.node import Node

_VERSION = 1


# -- trees as JSON and arrays --------------------------------------------------------------------


def _packed(value: Any, arrays: list[Any], interp: Interp) -> Any:
    """A value of a property as JSON; arrays go to a list. None where it cannot be kept."""
    if isinstance(value, bool | float | int | str) or value is None:
        return value
    if isinstance(value, Handle):
        return None
    if not isinstance(value, np.ndarray | list | tuple | dict | complex):
        try:
            value = interp.to_python(value)
        except MatlabError:
            return None
    if isinstance(value, np.ndarray):
        if value.dtype == object:
            return None
        arrays.append(value)
        return {"array": len(arrays) - 1}
    if isinstance(value, list | tuple):
        return [_packed(item, arrays, interp) for item in value]
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {"dict": {key: _packed(item, arrays, interp) for key, item in value.items()}}
    return value if isinstance(value, bool | float | int | str) else None


def _tree(node: Node, arrays: list[Any], interp: Interp, order: dict[int, int]) -> dict[str, Any]:
    order[id(node)] = len(order)
    values = {name: _packed(value, arrays, interp) for name, value in node.values.items()}
    links = {}
    info = {}
    for name, value in node.info.items():
        if isinstance(value, Node):
            links[name] = value
        elif name not in ("view", "frame", "attached", "listed", "tiles", "linked", "cells"):
            info[name] = _packed(value, arrays, interp)
    made: dict[str, Any] = {
        "kind": node.kind.name,
        "values": {name: value for name, value in values.items() if value is not None},
        "info": info,
        "children": [_tree(child, arrays, interp, order) for child in node.children],
        "labels": {
            name: _tree(label, arrays, interp, order) for name, label in node.labels.items()
        },
    }
    made["links"] = {name: value for name, value in links.items() if not value.deleted}
    made["number"] = order[id(node)]
    return made


def _numbered(tree: dict[str, Any], order: dict[int, int]) -> None:
    tree["links"] = {
        name: order[id(node)] for name, node in tree["links"].items() if id(node) in order
    }
    for below in (*tree["children"], *tree["labels"].values()):
        _numbered(below, order)


def write_figures(figures: list[Node], path: str, interp: Interp) -> None:
    """Write figures to a file.

    Raises:
        MatlabError: it cannot be written.
    """
    import json
    import zipfile

    arrays: list[Any] = []
    trees = []
    for figure in figures:
        order: dict[int, int] = {}
        tree = _tree(figure, arrays, interp, order)
        _numbered(tree, order)
        trees.append(tree)
    whole = os.path.join(interp.current_directory(), os.path.expanduser(path))
    try:
        with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("figures.json", json.dumps({"version": _VERSION, "figures": trees}))
            for k, array in enumerate(arrays):
                with archive.open(f"{k}.npy", "w") as stream:
                    np.lib.format.write_array(stream, np.asarray(array), allow_pickle=False)
    except OSError:
        raise cannot_write(path) from None


def read_figures(path: str, interp: Interp) -> list[Node]:
    """The figures in a file, which become current.

    Raises:
        MatlabError: there is no such file, or it holds no figures.
    """
    import json
    import zipfile

    whole = os.path.join(interp.current_directory(), os.path.expanduser(path))
    if not os.path.isfile(whole):
        raise MatlabError("MATLAB:open:fileNotFound", f"File '{path}' not found.")
    try:
        with zipfile.ZipFile(whole) as archive:
            described = json.loads(archive.read("figures.json"))
            names = [name for name in archive.namelist() if name.endswith(".npy")]
            arrays = {}
            for name in names:
                with archive.open(name) as stream:
                    arrays[int(name[:-4])] = np.lib.format.read_array(stream, allow_pickle=False)
        trees = described["figures"]
    except (zipfile.BadZipFile, KeyError, ValueError, OSError):
        raise MatlabError(
            "RunMat:graphics:notAFigure", f"'{path}' is no file that savefig of runmat-plot wrote."
        ) from None
    scene = scene_of(interp)
    made = []
    for tree in trees:
        nodes: dict[int, Node] = {}
        figure = _grown(tree, scene.root, arrays, nodes, interp)
        _linked(tree, nodes)
        scene.figures.append(figure)
        made.append(figure)
    return made


def _unpacked(value: Any, arrays: dict[int, Any]) -> Any:
    if isinstance(value, dict):
        if "array" in value:
            return arrays[value["array"]]
        return {key: _unpacked(item, arrays) for key, item in value["dict"].items()}
    if isinstance(value, list):
        return [_unpacked(item, arrays) for item in value]
    return value


def _grown(
    tree: dict[str, Any],
    parent: Node,
    arrays: dict[int, Any],
    nodes: dict[int, Node],
    interp: Interp,
) -> Node:
    node = Node(parent.scene, tree["kind"], parent)
    _filled(node, tree, arrays, nodes, interp)
    return node


def _filled(
    node: Node, tree: dict[str, Any], arrays: dict[int, Any], nodes: dict[int, Node], interp: Interp
) -> None:
    nodes[tree["number"]] = node
    for name, value in tree["values"].items():
        found = _unpacked(value, arrays)
        prop = node.kind.properties.get(name.lower())
        node.values[name] = (
            interp.to_matlab(found)
            if prop is not None and prop.kind == "any" and not isinstance(found, str)
            else found
        )
    node.info.update(
        {
            name: _unpacked(value, arrays)
            for name, value in tree["info"].items()
            if value is not None
        }
    )
    if "rulers" in node.info and not isinstance(node.info["rulers"], dict):
        del node.info["rulers"]
    for child in tree["children"]:
        _grown(child, node, arrays, nodes, interp)
    for name, label in tree["labels"].items():
        _filled(node.label(name), label, arrays, nodes, interp)


def _linked(tree: dict[str, Any], nodes: dict[int, Node]) -> None:
    node = nodes[tree["number"]]
    for name, number in tree["links"].items():
        node.info[name] = nodes[number]
        if name == "owner":
            nodes[number].info.setdefault("attached", []).append(node)
    for below in (*tree["children"], *tree["labels"].values()):
        _linked(below, nodes)


@builtin("savefig", "hgsave", family="plot/output", nargin=(0, 3), nargout=0, needs=("interp",))
def savefig(*args: Any, interp: Interp) -> None:
    """Keep figures in a file from which openfig makes them again.

    savefig(FILE), savefig(F, FILE). The format is this package's own.

    Examples:
        >> plot(1:3); name = [tempname '.fig']; savefig(name); f = openfig(name);
        >> numel(findobj(f, 'Type', 'line'))
        ans =
             1

    See also: openfig, saveas, print.
    """
    scene = scene_of(interp)
    rest = python(interp, args)
    figures = [current_figure(scene)]
    if rest and not isinstance(rest[0], str):
        figures = nodes_in(scene, rest.pop(0))
    path = rest[0] if rest else "Untitled.fig"
    if not isinstance(path, str) or any(figure.kind.name != "figure" for figure in figures):
        raise MatlabError("MATLAB:savefig:InvalidInput", "Give figures and the name of a file.")
    write_figures(figures, path if os.path.splitext(path)[1] else path + ".fig", interp)


@builtin("openfig", "hgload", family="plot/output", nargin=(0, 3), needs=("nargout", "interp"))
def openfig(*args: Any, nargout: int, interp: Interp) -> Any:
    """Make the figures again that savefig kept in a file.

    F = openfig(FILE), openfig(FILE, "invisible")

    Examples:
        >> try, openfig('none.fig'); catch e, disp(e.identifier), end
        MATLAB:open:fileNotFound

    See also: savefig, figure.
    """
    rest = python(interp, args)
    path = rest[0] if rest else "Untitled.fig"
    if not isinstance(path, str):
        raise MatlabError("MATLAB:openfig:InvalidInput", "The name of a file must be text.")
    if "." not in path.rpartition("/")[2]:
        path += ".fig"
    words = [word_in(value, "openfig").lower() for value in rest[1:]]
    figures = read_figures(path, interp)
    if "invisible" in words:
        for figure in figures:
            figure["Visible"] = "off"
    return given(nargout, figures[0] if len(figures) == 1 else figures)


# -- films ---------------------------------------------------------------------------------------


class Film(Handle):
    """Frames that become a film, an animated GIF, or numbered PNG files."""

    __slots__ = ("frames", "interp", "is_open", "path", "values")

    def __init__(self, path: str, interp: Interp) -> None:
        self.path, self.interp = path, interp
        self.frames: list[Any] = []
        self.is_open = False
        self.values: dict[str, Any] = {
            "FrameRate": 30.0,
            "Quality": 75.0,
            "LosslessCompression": False,
        }

    def class_names(self) -> tuple[str, ...]:
        return "VideoWriter", "handle"

    def property_names(self) -> list[str]:
        return [
            "Filename",
            "Path",
            "FileFormat",
            "FrameCount",
            "Duration",
            "Height",
            "Width",
            *self.values,
        ]

    def get_property(self, name: str) -> Any:
        size = self.frames[0].shape if self.frames else (0, 0)
        found = {
            "Filename": os.path.basename(self.path),
            "Path": os.path.dirname(self.path),
            "FileFormat": os.path.splitext(self.path)[1][1:],
            "FrameCount": float(len(self.frames)),
            "Duration": len(self.frames) / self.values["FrameRate"],
            "Height": float(size[0]),
            "Width": float(size[1]),
            **self.values,
        }
        if name not in found:
            raise MatlabError(
                "MATLAB:noSuchMethodOrField",
                f"Unrecognized property '{name}' for class 'VideoWriter'.",
            )
        return self.interp.to_matlab(found[name])

    def set_property(self, name: str, value: Any) -> None:
        if name not in self.values:
            self.get_property(name)
            raise MatlabError(
                "MATLAB:class:SetProhibited",
                f"Unable to set the '{name}' property of class 'VideoWriter' because it is "
                "read-only.",
            )
        if self.is_open:
            raise MatlabError(
                "MATLAB:VideoWriter:setNotAllowed",
                "Properties cannot be set once the file is open.",
            )
        self.values[name] = self.interp.to_python(value)

    def write(self) -> None:
        """Write what there is, and forget it."""
        from PIL import Image

        frames = [Image.fromarray(np.ascontiguousarray(frame)) for frame in self.frames]
        self.is_open = False
        if not frames:
            return
        try:
            if self.path.lower().endswith(".gif"):
                wait = max(round(1000 / self.values["FrameRate"]), 20)
                frames[0].save(
                    self.path, save_all=True, append_images=frames[1:], duration=wait, loop=0
                )
            elif self.path.lower().endswith(FILMS) and find_spec("imageio_ffmpeg"):
                _write_film(self.path, self.frames, float(self.values["FrameRate"]))
            else:
                stem = os.path.splitext(self.path)[0]
                for k, frame in enumerate(frames, 1):
                    frame.save(f"{stem}_{k:04d}.png")
        except OSError:
            raise cannot_write(self.path) from None


#: Endings of films, and those of them that nothing else stands for.
FILMS = (".mp4", ".m4v", ".avi", ".mj2")
_COMPRESSED = (".mp4", ".m4v")


def _write_film(path: str, frames: list[Any], rate: float) -> None:
    """Write frames as a film; sides that are odd lose a row or column of pixels."""
    import importlib

    high, wide = (side // 2 * 2 for side in frames[0].shape[:2])
    ffmpeg = importlib.import_module("imageio_ffmpeg")
    writer = ffmpeg.write_frames(path, (wide, high), fps=rate, macro_block_size=2)
    writer.send(None)
    for frame in frames:
        writer.send(np.ascontiguousarray(frame[:high, :wide, :3]))
    writer.close()


@builtin("VideoWriter", family="plot/output", nargin=(1, 2), needs=("interp",))
def VideoWriter(name: Any, profile: Any = None, *, interp: Interp) -> Any:
    """Film of frames: an animated GIF, an MPEG-4 or AVI file, or numbered PNG files.

    V = VideoWriter(FILE), V = VideoWriter(FILE, "MPEG-4")
    open(V); writeVideo(V, FRAME) …; close(V)
    The ending says what is written. MPEG-4 needs the package imageio-ffmpeg; without it AVI files
    become numbered PNG files.

    Examples:
        >> v = VideoWriter('a.gif'); v.FrameRate
        ans =
            30

    See also: getframe, writeVideo, movie.
    """
    path = interp.to_python(name)
    if not isinstance(path, str) or not path:
        raise MatlabError("MATLAB:VideoWriter:invalidFilename", "The name must be text.")
    word = "" if profile is None else str(interp.to_python(profile)).lower()
    if not os.path.splitext(path)[1]:
        path += ".mp4" if word == "mpeg-4" else ".avi"
    if path.lower().endswith(_COMPRESSED) and find_spec("imageio_ffmpeg") is None:
        raise MatlabError(
            "RunMat:graphics:noFilmWriter",
            "Films in MPEG-4 need the package imageio-ffmpeg: pip install 'runmat-plot[film]'. "
            "A name that ends with gif becomes an animated GIF.",
        )
    return Film(os.path.join(interp.current_directory(), path), interp)


def _film(interp: Interp, value: Any) -> Film:
    found = interp.to_python(value)
    if not isinstance(found, Film):
        raise MatlabError(
            "MATLAB:VideoWriter:invalidObject", "The first argument must be a VideoWriter."
        )
    return found


@builtin("open", family="plot/output", nargin=(1, 1), nargout=0, needs=("interp",))
def open_(target: Any, *, interp: Interp) -> None:
    """Begin a film, or open a file of figures.

    open(V) of a VideoWriter, open(FILE) of a figure that savefig kept

    Examples:
        >> v = VideoWriter('a.gif'); open(v)

    See also: VideoWriter, writeVideo, openfig.
    """
    found = interp.to_python(target)
    if isinstance(found, str):
        read_figures(found, interp)
        return
    film = _film(interp, target)
    if not os.access(os.path.dirname(film.path), os.W_OK):
        raise MatlabError(
            "MATLAB:VideoWriter:fileNotWritable", f"Cannot create file '{film.path}'."
        )
    film.is_open = True


@builtin("writeVideo", family="plot/output", nargout=0, needs=("interp",))
def writeVideo(film: Any, frame: Any, *, interp: Interp) -> None:
    """Add a frame to a film.

    writeVideo(V, FRAME) with a frame of getframe, several of them, or an image

    Examples:
        >> v = VideoWriter('a.gif'); open(v); writeVideo(v, zeros(4, 4, 3, 'uint8')); v.FrameCount
        ans =
             1

    See also: VideoWriter, getframe.
    """
    found = _film(interp, film)
    if not found.is_open:
        raise MatlabError(
            "MATLAB:VideoWriter:notOpen", "OPEN must be called before writing video data."
        )
    value = interp.to_python(frame)
    for item in value if isinstance(value, list) else [value]:
        image = np.asarray(item["cdata"] if isinstance(item, dict) else item)
        if image.dtype.kind == "f":
            image = np.round(np.clip(image, 0, 1) * 255).astype(np.uint8)
        found.frames.append(np.array(image))
