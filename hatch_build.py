"""Build hook: writes what the package generates from its sources, so that it ships ready to use."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class GeneratedFiles(BuildHookInterface):
    """The parse tables and what is read from the marks of builtins; not in git."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        sys.path.insert(0, self.root)
        try:
            from runmat_core.builtins import catalog, index
            from runmat_core.syntax import tables

            generated = [tables.build(), index.build(), *catalog.build()]
        finally:
            sys.path.remove(self.root)
        for path in generated:
            build_data["artifacts"].append(Path(path).relative_to(self.root).as_posix())
