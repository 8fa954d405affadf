"""What there is to tell of every builtin without importing one: family, summary, package, form.

`core` is read from the marks in the sources (``_catalog.json``, as `index` keeps its names), and
`offered` from those of the plugins that are developed with the core (``_packages.json``): with it a
name that is missed is told to be in a package that is not installed. `installed` asks the packages
that are there, whoever made them.
"""

from __future__ import annotations

import inspect
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from runmat_core.api.tuples import NamedTuple
from runmat_core.builtins import index
from runmat_core.builtins.sources import Kept

if TYPE_CHECKING:
    import ast

    from runmat_core.api.builtin import BuiltinSpec

CATALOG_FILE = os.path.join(index.ROOT, "_catalog.json")
PACKAGES_FILE = os.path.join(index.ROOT, "_packages.json")
#: The plugins of a checkout; not there in an installed package.
PLUGINS = os.path.join(os.path.dirname(os.path.dirname(index.ROOT)), "plugins")
CORE = "runmat-core"
_VERSION = 4

#: What becomes of a call on large arrays, by what the mark says.
ACCELERATION = {
    "map": "fused: element by element",
    "reduction": "fused: along dimensions, which it removes",
    "scan": "fused: along a dimension, which it keeps",
    "call": "library call of a provider",
    "composition": "a view of the elements, or a few fused operations",
    "generator": "made where it is needed, from a few numbers",
    "operator": "what the operator does: fused, a view, or a library call",
    "host": "NumPy on the host",
}


class _Read(TypedDict):
    names: list[str]
    line: int
    family: str
    summary: str
    acceleration: str


class Entry(NamedTuple):
    """A builtin.

    Attributes:
        names: the MATLAB name first, then its aliases.
        family: the path of its page, such as ``math/elementwise``.
        summary: the first line of its help.
        package: the package that it comes from, such as ``runmat-core``.
        acceleration: a key of `ACCELERATION`.
    """

    names: tuple[str, ...]
    family: str
    summary: str
    package: str
    acceleration: str

    @property
    def name(self) -> str:
        return self.names[0]


def core() -> list[Entry]:
    """Return the builtins of the core, by name."""
    found = _core().load().values()
    return _sorted(_entry(read, CORE) for marks in found for read in marks or ())


def installed() -> list[Entry]:
    """Return the builtins of installed packages, by name; imports these packages."""
    from runmat_core.builtins import registry

    offers = registry.offers().values()
    distinct = {id(offer.spec): offer for offer in offers}.values()
    return _sorted(entry_of(offer.spec, offer.package.partition(" ")[0]) for offer in distinct)


def offered() -> list[Entry]:
    """Return the builtins of the plugins developed with the core, installed or not, by name."""
    return _sorted(
        _entry(read, file["package"]) for file in _plugin_files() for read in file["marks"]
    )


def everything() -> list[Entry]:
    """Return the builtins of the core and of installed packages, by name."""
    return _sorted([*core(), *installed()])


def names_offered() -> dict[tuple[str, str], frozenset[str]]:
    """Return the names of the builtins of each plugin of this project, by package."""
    found: dict[tuple[str, str], set[str]] = {}
    for file in _plugin_files():
        names = found.setdefault((file["package"], file["version"]), set())
        names.update(name for read in file["marks"] for name in read["names"])
    return {key: frozenset(names) for key, names in found.items()}


def package_offering(name: str) -> str:
    """Return the plugin developed with the core that has a builtin of this name.

    Empty where none has.
    """
    return next((entry.package for entry in offered() if name in entry.names), "")


def packages_of_toolboxes() -> dict[str, str]:
    """Return the plugin developed with the core for each of MathWorks' toolboxes that has one.

    A plugin declares them as ``toolboxes`` in the table ``tool.runmat`` of its ``pyproject.toml``.
    """
    found = {}
    for file in _plugin_files():
        found.update(dict.fromkeys(file["toolboxes"], file["package"]))
    return found


def page_of(name: str) -> str:
    """Return the file of a builtin's page; two names that differ in case alone are not one file."""
    from runmat_core.builtins import registry

    small = name.lower()
    number = "-2" if small != name and registry.find(small) is not None else ""
    return f"{name}{number}.html"


def entry_of(spec: BuiltinSpec, package: str) -> Entry:
    """Return what there is to tell of a builtin whose mark is at hand."""
    doc = inspect.getdoc(spec.host) or ""
    return Entry(
        names=spec.names,
        family=spec.family,
        summary=doc.partition("\n")[0],
        package=package,
        acceleration=acceleration_of(spec),
    )


def acceleration_of(spec: BuiltinSpec) -> str:
    """Return the key of `ACCELERATION` for a mark."""
    if spec.fusion is not None:
        kind = type(spec.fusion).__name__.lower()
        return kind if kind in ("reduction", "scan") else "map"
    if spec.gpu is not None:
        return "call"
    if spec.captures is not None:
        return spec.captures
    return "composition" if spec.pending == "view" else "host"


def build() -> list[Path]:
    """Write both files anew; returns their paths. Without the plugins' sources the second stays."""
    made = [_core().build()]
    if os.path.isdir(PLUGINS):
        _packages().build()
    return [*made, *(Path(path) for path in [PACKAGES_FILE] if os.path.isfile(path))]


def _sorted(entries: Any) -> list[Entry]:
    return sorted(entries, key=lambda entry: (entry.name.lower(), entry.name))


def _entry(read: _Read, package: str) -> Entry:
    return Entry(
        names=tuple(read["names"]),
        family=read["family"],
        summary=read["summary"],
        package=package,
        acceleration=read["acceleration"],
    )


# -- reading sources -------------------------------------------------------------------------------


def _core() -> Kept:
    return Kept(index.ROOT, CATALOG_FILE, _VERSION, read_marks, index.IS_CHECKOUT)


def _plugin_files() -> list[Any]:
    """Return what is known of the files with marks in the plugins developed with the core."""
    kept = _packages()
    files = kept.load() if os.path.isdir(PLUGINS) and index.IS_CHECKOUT else kept.stored()
    return [file for file in files.values() if file]


def _packages() -> Kept:
    return Kept(PLUGINS, PACKAGES_FILE, _VERSION, _read_plugin, checkout=True)


def _read_plugin(path: str) -> dict[str, Any] | None:
    """Return the marks of a plugin's file, its package and the toolboxes that this is for.

    None where there are no marks.
    """
    marks = read_marks(path)
    if not marks:
        return None
    import tomllib

    folder = os.path.relpath(path, PLUGINS).partition(os.sep)[0]
    with open(os.path.join(PLUGINS, folder, "pyproject.toml"), "rb") as file:
        project = tomllib.load(file)
    toolboxes = project.get("tool", {}).get("runmat", {}).get("toolboxes", [])
    return {
        "package": project["project"]["name"],
        "version": project["project"]["version"],
        "marks": marks,
        "toolboxes": toolboxes,
    }


def read_marks(path: str | Path) -> list[_Read]:
    """Return what the marks of a source file say.

    Raises:
        SyntaxError: the file is not Python.
        ValueError: a name or a family is not a literal.
    """
    import ast

    with open(path, "rb") as file:
        tree = ast.parse(file.read(), str(path))
    found = []
    bound: dict[str, ast.expr] = {}
    for function, mark in index.marked(tree):
        bound = bound or _bound(tree)
        where = f"{path}:{mark.lineno}"
        given = {k.arg: k.value for k in mark.keywords}
        family = getattr(given.get("family"), "value", None)
        if not isinstance(family, str):
            raise ValueError(f"{where}: the family in a mark must be literal")
        doc = ast.get_docstring(function) or ""
        found.append(
            _Read(
                names=index.literal_names(mark, where),
                line=mark.lineno,
                family=family,
                summary=doc.partition("\n")[0],
                acceleration=_acceleration(given, bound),
            )
        )
    return found


def _bound(tree: ast.Module) -> dict[str, ast.expr]:
    """Return what the names of a module stand for.

    These are names imported under another one, and names that are assigned to.
    """
    import ast

    found: dict[str, ast.expr] = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            found.update({a.asname: ast.Name(a.name) for a in node.names if a.asname})
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = node.value
    return found


def _acceleration(given: dict[str | None, ast.expr], bound: dict[str, ast.expr]) -> str:
    """As `acceleration_of`, of the text of a mark."""
    import ast

    fusion = given.get("fusion")
    if fusion is not None:
        while isinstance(fusion, ast.Name) and fusion.id in bound:
            fusion = bound[fusion.id]
        if isinstance(fusion, ast.Call) and isinstance(fusion.func, ast.Name):
            called = bound.get(fusion.func.id, fusion.func)
            kind = getattr(called, "id", "").lower()
            return kind if kind in ("reduction", "scan") else "map"
        return "map"
    if "gpu" in given:
        return "call"
    if "compose" in given:
        return "composition"
    captures: str = getattr(given.get("captures"), "value", "")
    if captures:
        return captures
    return "composition" if getattr(given.get("pending"), "value", "") == "view" else "host"
