"""``runmat config``: the settings that hold here, and where each comes from."""

from __future__ import annotations

import argparse
import sys

from runmat_core.api.errors import MatlabError
from runmat_core.cli.run import print_configuration_error
from runmat_core.session import config as configuration


def config(options: argparse.Namespace) -> int:
    try:
        settings = configuration.load()
    except MatlabError as error:
        print_configuration_error(error)
        return 1
    sys.stdout.write(settings.show())
    return 0
