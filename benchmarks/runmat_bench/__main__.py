"""``python -m runmat_bench`` is ``runmat bench``."""

import sys

from runmat_bench.cli import main

sys.exit(main())
