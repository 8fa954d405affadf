"""``runmat config``: the settings that hold here, and where each comes from."""

from __future__ import annotations

import argparse
import sys

from runmat_core.api.errors import MatlabError
from runmat_core.session import config as configuration


def config(options: argparse.Namespace) -> int:
    try:
        settings = configuration.load()
    except MatlabError as error:
        sys.stderr.write(f"runmat: {error.message}\n")
        if error.hint:
            sys.stderr.write(f"  {error.hint}\n")
        return 1
    sys.stdout.write(settings.show())
    return 0
