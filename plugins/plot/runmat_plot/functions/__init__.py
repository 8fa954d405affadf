"""The builtins of graphics."""

from runmat_plot.functions.appdata import *  # noqa: F403
from runmat_plot.functions.bars import *  # noqa: F403
from runmat_plot.functions.circles import *  # noqa: F403
from runmat_plot.functions.controls import *  # noqa: F403
from runmat_plot.functions.curves import *  # noqa: F403
from runmat_plot.functions.dialogs import *  # noqa: F403
from runmat_plot.functions.figures import *  # noqa: F403
from runmat_plot.functions.finding import *  # noqa: F403
from runmat_plot.functions.handles import *  # noqa: F403
from runmat_plot.functions.histograms import *  # noqa: F403
from runmat_plot.functions.images import *  # noqa: F403
from runmat_plot.functions.keeping import *  # noqa: F403
from runmat_plot.functions.labels import *  # noqa: F403
from runmat_plot.functions.layouts import *  # noqa: F403
from runmat_plot.functions.lights import *  # noqa: F403
from runmat_plot.functions.lines import *  # noqa: F403
from runmat_plot.functions.looks import *  # noqa: F403
from runmat_plot.functions.objects import *  # noqa: F403
from runmat_plot.functions.output import *  # noqa: F403
from runmat_plot.functions.parts import *  # noqa: F403
from runmat_plot.functions.patches import *  # noqa: F403
from runmat_plot.functions.points import *  # noqa: F403
from runmat_plot.functions.rulers import *  # noqa: F403
from runmat_plot.functions.shapes import *  # noqa: F403
from runmat_plot.functions.surfaces import *  # noqa: F403
from runmat_plot.functions.ticks import *  # noqa: F403
