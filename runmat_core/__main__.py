"""``python -m runmat_core`` is the ``runmat`` command."""

import sys

from runmat_core.cli.main import main

sys.exit(main())
