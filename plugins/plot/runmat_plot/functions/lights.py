"""Lights, and surfaces that are coloured by them."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.arguments import aligned_in, not_enough, python, vector_in
from runmat_plot.functions.support import (
    AXES,
    Numbers,
    current_axes,
    given,
    make,
    scene_of,
    take_axes,
)
from runmat_plot.functions.surfaces import draw_surface, surface_grid
from runmat_plot.scene.extents import full_grid, grid_of


@builtin("light", family="plot/surfaces", nargin=(0, None), needs=("nargout", "interp"))
def light(*args: Any, nargout: int, interp: Interp) -> Any:
    """Add a light to axes, which makes faces brighter that look towards it.

    light, light("Position", [X Y Z]), light(…, NAME, VALUE), light(AX, …)

    Examples:
        >> l = light; l.Position
        ans =
             1     0     1

    See also: camlight, lighting, material, surf.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    return given(nargout, make("light", target or current_axes(scene), rest))


@builtin(
    "camlight", "lightangle", family="plot/surfaces", nargin=(0, None), needs=("nargout", "interp")
)
def camlight(*args: Any, nargout: int, interp: Interp) -> Any:
    """Add a light near the viewer.

    camlight, camlight("headlight"), camlight("left"), camlight("right"), camlight(AZ, EL)

    Examples:
        >> surf(peaks(9)); l = camlight; l.Type
        ans =
            'light'

    See also: light, lighting, material.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    axes = target or current_axes(scene)
    az, el = axes["View"].ravel()
    words = [value for value in rest if isinstance(value, str)]
    numbers = [value for value in rest if isinstance(value, float)]
    if len(numbers) >= 2:
        az, el = az + numbers[0], el + numbers[1]
    elif not words or words[0] == "right":
        az, el = az + 30, el + 30
    elif words[0] == "left":
        az, el = az - 30, el + 30
    a, e = np.radians([az, el])
    position = np.array([[np.cos(e) * np.sin(a), -np.cos(e) * np.cos(a), np.sin(e)]])
    return given(nargout, make("light", axes, (), Position=position))


@builtin(
    "lighting", "material", family="plot/surfaces", nargin=(1, 2), nargout=0, needs=("interp",)
)
def lighting(*args: Any, interp: Interp) -> None:
    """Set how light falls on surfaces.

    lighting flat, lighting gouraud, lighting none; material shiny, material dull, material metal

    Examples:
        >> s = surf(peaks(9)); lighting gouraud; s.FaceLighting
        ans =
            'gouraud'

    See also: light, camlight.
    """
    from runmat_plot.scene import extents

    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    word = str(rest[0]).lower() if rest else ""
    word = "gouraud" if word == "phong" else word
    materials = {
        "shiny": (0.3, 0.6, 0.9),
        "dull": (0.3, 0.8, 0.0),
        "metal": (0.3, 0.3, 1.0),
        "default": (0.3, 0.6, 0.9),
    }
    for child in extents.drawn(target or current_axes(scene)):
        if child.kind.type not in ("surface", "patch"):
            continue
        if word in ("flat", "gouraud", "none"):
            child["FaceLighting"] = word
        elif word in materials:
            names = ("AmbientStrength", "DiffuseStrength", "SpecularStrength")
            for name, value in zip(names, materials[word], strict=True):
                child[name] = value
        elif not isinstance(rest[0], np.ndarray):
            raise MatlabError("MATLAB:lighting:UnknownOption", f"Unknown option '{rest[0]}'.")


# -- surfaces that are coloured by light --------------------------------------------------------

#: Strengths of ambient, diffuse and specular light of surfl, and how sharp highlights are.
_STRENGTHS = (0.55, 0.6, 0.4, 10.0)


def normals(x: Numbers, y: Numbers, z: Numbers) -> Numbers:
    """Unit normals at the points of a surface, in a last dimension."""
    parts = [np.stack([np.gradient(v, axis=k) for v in (x, y, z)], axis=-1) for k in (0, 1)]
    across = np.cross(parts[1], parts[0])
    length = np.maximum(np.linalg.norm(across, axis=-1, keepdims=True), 1e-300)
    made: Numbers = across / length
    return made


def direction(azimuth: float, elevation: float) -> Numbers:
    """The unit vector towards a point of view, from angles in degrees."""
    a, e = np.radians([azimuth, elevation])
    return np.array([np.cos(e) * np.sin(a), -np.cos(e) * np.cos(a), np.sin(e)])


def _toward(value: Any, name: str) -> Numbers:
    """A direction that is given as a vector, or as azimuth and elevation."""
    numbers = vector_in(value, name, 2, 3)
    if numbers.size == 2:
        return direction(float(numbers[0]), float(numbers[1]))
    return numbers / (float(np.linalg.norm(numbers)) or 1.0)


def diffused(normal: Numbers, source: Numbers) -> Numbers:
    """Light that a matt surface sends in all directions."""
    found: Numbers = np.maximum(normal @ source, 0.0)
    return found


def mirrored(normal: Numbers, source: Numbers, viewer: Numbers, spread: float) -> Numbers:
    """Light that a shiny surface sends to the viewer."""
    straight = 2 * (normal @ source) * (normal @ viewer) - float(source @ viewer)
    found: Numbers = np.maximum(straight, 0.0) ** spread * (normal @ source > 0)
    return found


@builtin("surfl", family="plot/surfaces", nargin=(1, None), needs=("nargout", "interp"))
def surfl(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw a surface whose colours are how bright light makes it.

    surfl(Z), surfl(X, Y, Z), surfl(…, S) with the light at [AZ EL] or [X Y Z], from the left of
    the viewer without it; surfl(…, S, K) with K = [AMBIENT DIFFUSE SPECULAR SHINE]
    surfl(…, "light") adds a light in place of colours; surfl(AX, …)
    Use shading interp and colormap gray or the like.

    Examples:
        >> s = surfl(peaks(9)); isequal(s.CData, s.ZData)
        ans =
          logical
           0

    See also: surf, shading, colormap, light, surfnorm.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    lit = bool(rest) and isinstance(rest[-1], str) and rest[-1].lower() == "light"
    if rest and isinstance(rest[-1], str) and rest[-1].lower() in ("light", "cdata"):
        rest.pop()
    count = next((k for k, value in enumerate(rest) if isinstance(value, str)), len(rest))
    data, pairs = rest[:count], rest[count:]
    if not data:
        raise not_enough()
    third = data[2] if len(data) >= 3 else None
    matrix = isinstance(third, np.ndarray) and third.ndim == 2 and min(third.shape) > 1
    places = 3 if matrix else 1
    own = data[places:]
    if len(own) > 2:
        raise MatlabError("MATLAB:narginchk:tooManyInputs", "Too many input arguments.")
    strengths = vector_in(own[1], "surfl", 4) if len(own) > 1 else np.array(_STRENGTHS)
    lead = [] if target is None else [target]
    values = [interp.to_matlab(v) for v in (*lead, *data[:places], *pairs)]
    has_source = bool(own) and not (isinstance(own[0], np.ndarray) and not own[0].size)
    source = _toward(own[0], "surfl") if has_source else None
    node = draw_surface("surfl", values, interp)
    axes = node.up(*AXES) or current_axes(scene)
    azimuth, elevation = axes["View"].ravel()
    if source is None:
        source = direction(azimuth + 45, elevation)
    if lit:
        make("light", axes, (), Position=source.reshape(1, 3))
    else:
        x, y, z = grid_of(node)
        normal = normals(x, y, z)
        ambient, diffuse, specular, spread = strengths
        viewer = direction(azimuth, elevation)
        bright = diffuse * diffused(normal, source)
        bright = bright + specular * mirrored(normal, source, viewer, spread)
        total = ambient + diffuse + specular
        node.values.update(CData=(ambient + bright) / (total or 1.0), CDataMode="manual")
        axes.values.update(CLim=np.array([[0.0, 1.0]]), CLimMode="manual")
    scene.revision += 1
    return given(nargout, node)


@builtin(
    "surfnorm", family="plot/surfaces", nargin=(1, None), nargout=3, needs=("nargout", "interp")
)
def surfnorm(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw a surface with its normals, or give these.

    surfnorm(Z), surfnorm(X, Y, Z), surfnorm(AX, …)
    [NX, NY, NZ] = surfnorm(…) gives the components and draws nothing

    Examples:
        >> [nx, ny, nz] = surfnorm([1 1 1; 1 1 1; 1 1 1]); nz
        nz =
             1     1     1
             1     1     1
             1     1     1

    See also: surf, quiver3, surfl.
    """
    scene = scene_of(interp)
    _, rest = take_axes(scene, python(interp, args))
    data = [value for value in rest if not isinstance(value, str)]
    if nargout > 1:
        normal = normals(*full_grid(*surface_grid(data, "surfnorm")[0]))
        return tuple(np.ascontiguousarray(normal[..., k]) for k in range(3))
    node = draw_surface("surfnorm", args, interp)
    axes = node.up(*AXES) or current_axes(scene)
    x, y, z = grid_of(node)
    normal = normals(x, y, z)
    spread = [float(np.ptp(part[np.isfinite(part)])) or 1.0 for part in (x, y, z)]
    length = 0.06 * float(np.linalg.norm(spread))
    parts = []
    for k, part in enumerate((x, y, z)):
        tip = part + length * normal[..., k]
        gap = np.full(part.size, np.nan)
        parts.append(np.column_stack([part.ravel(), tip.ravel(), gap]).reshape(1, -1))
    lines = make("line", axes, (), Color=np.array([[1.0, 0.0, 0.0]]))
    lines.values.update(XData=parts[0], YData=parts[1], ZData=parts[2])
    scene.revision += 1
    return given(nargout, [node, lines])


@builtin("diffuse", family="plot/surfaces", nargin=(4, 4), needs=("interp",))
def diffuse(*args: Any, interp: Interp) -> Any:
    """Light that a matt surface reflects, from its normals and the direction of the light.

    R = diffuse(NX, NY, NZ, S) with S = [X Y Z] or [AZ EL]

    Examples:
        >> diffuse(0, 0, 1, [0 0 2])
        ans =
             1

    See also: specular, surfl, surfnorm.
    """
    values = python(interp, args)
    normal = np.stack(aligned_in(values[:3], "diffuse"), axis=-1)
    return diffused(normal, _toward(values[3], "diffuse"))


@builtin("specular", family="plot/surfaces", nargin=(5, 6), needs=("interp",))
def specular(*args: Any, interp: Interp) -> Any:
    """Light that a shiny surface reflects to the viewer, from its normals.

    R = specular(NX, NY, NZ, S, V), specular(NX, NY, NZ, S, V, SPREAD) with the directions of the
    light and of the viewer, as [X Y Z] or [AZ EL]

    Examples:
        >> specular(0, 0, 1, [0 0 1], [0 0 1])
        ans =
             1

    See also: diffuse, surfl, surfnorm.
    """
    values = python(interp, args)
    normal = np.stack(aligned_in(values[:3], "specular"), axis=-1)
    spread = float(vector_in(values[5], "specular", 1).item()) if len(values) > 5 else 10.0
    source, viewer = (_toward(value, "specular") for value in values[3:5])
    return mirrored(normal, source, viewer, spread)
