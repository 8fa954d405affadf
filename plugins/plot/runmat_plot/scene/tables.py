"""The classes of objects and their properties, as data (`properties.table` reads them)."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from runmat_plot.scene.charts import (
    ANIMATED,
    AREA,
    BAR,
    BOXCHART,
    CONSTANT,
    CONTOUR,
    ERRORBAR,
    FUNCTION,
    GRAPH,
    HEATMAP,
    HISTOGRAM,
    IMAGE,
    LAYOUT,
    LIGHT,
    LINE,
    PARALLEL,
    PATCH,
    QUIVER,
    RECTANGLE,
    REGION,
    SCATTER,
    SCATTERHISTOGRAM,
    SHAPE,
    SHARES,
    STACKED,
    STEM,
    SURFACE,
    VIOLIN,
    WORDCLOUD,
)
from runmat_plot.scene.declared import (
    AXES,
    BASE,
    BUBBLES,
    CHART,
    COLORBAR,
    CONTROL,
    CYCLED,
    FIGURE,
    FONT,
    INFORMATION,
    LEGEND,
    MARKS,
    MENU,
    MODE,
    PANEL,
    POLAR,
    ROOT,
    STROKE,
    TABLE,
    TEXT,
    XY,
    XYZ,
)
from runmat_plot.scene.properties import Property, table


class Kind(NamedTuple):
    """A class of objects.

    Attributes:
        name: what ``Type`` says, but for objects that share a type.
        class_name: what ``class`` says.
        type: what ``Type`` says.
        text: the table of its properties.
        shown: the properties that a statement without a semicolon shows.
    """

    name: str
    class_name: str
    type: str
    text: str
    shown: str

    @property
    def properties(self) -> dict[str, Property]:
        """By name in lower case."""
        return properties_of(self.name)

    @property
    def short(self) -> str:
        return self.class_name.rpartition(".")[2]


_LINE_SHOWN = "Color LineStyle LineWidth Marker MarkerSize MarkerFaceColor XData YData"
_AXES_SHOWN = "XLim YLim XScale YScale GridLineStyle Position Units"
_CHARTS = "matlab.graphics.chart.primitive."
_PRIMITIVES = "matlab.graphics.primitive."
_ROWS: tuple[tuple[str, str, str, str], ...] = (
    ("root", "matlab.ui.Root", ROOT, "CurrentFigure ScreenSize MonitorPositions Units"),
    ("figure", "matlab.ui.Figure", FIGURE, "Number Name Color Position Units"),
    ("axes", "matlab.graphics.axis.Axes", AXES, _AXES_SHOWN),
    ("polaraxes", "matlab.graphics.axis.PolarAxes", POLAR, "ThetaLim RLim Position Units"),
    ("line", _CHARTS + "Line", LINE + CHART, _LINE_SHOWN),
    ("primitiveline:line", _PRIMITIVES + "Line", XYZ + STROKE + MARKS + CHART, _LINE_SHOWN),
    (
        "functionline",
        "matlab.graphics.function.FunctionLine",
        FUNCTION + CHART,
        "Function Color LineStyle LineWidth",
    ),
    (
        "animatedline",
        "matlab.graphics.animation.AnimatedLine",
        ANIMATED + CHART,
        "Color LineStyle LineWidth Marker MarkerSize MarkerFaceColor",
    ),
    ("stair", _CHARTS + "Stair", XY + STROKE + CYCLED + MARKS + CHART, _LINE_SHOWN),
    ("stem", _CHARTS + "Stem", STEM + CHART, _LINE_SHOWN),
    (
        "scatter",
        _CHARTS + "Scatter",
        SCATTER + CHART,
        "Marker MarkerEdgeColor MarkerFaceColor SizeData LineWidth XData YData ZData CData",
    ),
    (
        "bubblechart",
        _CHARTS + "BubbleChart",
        SCATTER.replace("MarkerFaceAlpha number 1", "MarkerFaceAlpha number 0.6") + CHART,
        "MarkerEdgeColor MarkerFaceColor MarkerFaceAlpha XData YData SizeData CData",
    ),
    (
        "violinplot",
        _CHARTS + "ViolinPlot",
        VIOLIN + CHART,
        "FaceColor EdgeColor LineStyle LineWidth XData YData",
    ),
    (
        "errorbar",
        _CHARTS + "ErrorBar",
        ERRORBAR + CHART,
        "Color LineStyle LineWidth Marker XData YData XNegativeDelta XPositiveDelta YNegativeDelta "
        "YPositiveDelta",
    ),
    (
        "bar",
        _CHARTS + "Bar",
        BAR + CHART,
        "BarLayout BarWidth FaceColor EdgeColor BaseValue XData YData",
    ),
    (
        "area",
        _CHARTS + "Area",
        AREA + CHART,
        "FaceColor EdgeColor LineStyle LineWidth BaseValue XData YData",
    ),
    (
        "histogram",
        _CHARTS + "Histogram",
        HISTOGRAM + CHART,
        "Data Values NumBins BinEdges BinWidth BinLimits Normalization FaceColor EdgeColor",
    ),
    (
        "histogram2",
        _CHARTS + "Histogram2",
        HISTOGRAM + CHART,
        "Data Values NumBins XBinEdges YBinEdges Normalization FaceColor EdgeColor",
    ),
    (
        "graphplot",
        _CHARTS + "GraphPlot",
        GRAPH + CHART,
        "NodeColor MarkerSize Marker EdgeColor LineWidth LineStyle NodeLabel EdgeLabel XData YData",
    ),
    (
        "quiver",
        _CHARTS + "Quiver",
        QUIVER + CHART,
        "Color LineStyle LineWidth XData YData ZData UData VData WData",
    ),
    (
        "contour",
        _CHARTS + "Contour",
        CONTOUR + CHART,
        "EdgeColor LineStyle LineWidth FaceColor LevelList XData YData ZData",
    ),
    ("boxchart", _CHARTS + "BoxChart", BOXCHART + CHART, "BoxFaceColor BoxWidth XData YData"),
    (
        "surface",
        _CHARTS + "Surface",
        SURFACE + CHART,
        "EdgeColor LineStyle FaceColor FaceLighting FaceAlpha XData YData ZData CData",
    ),
    (
        "primitivesurface:surface",
        _PRIMITIVES + "Surface",
        SURFACE + CHART,
        "EdgeColor LineStyle FaceColor FaceLighting FaceAlpha XData YData ZData CData",
    ),
    (
        "patch",
        _PRIMITIVES + "Patch",
        PATCH + CHART,
        "FaceColor FaceAlpha EdgeColor LineStyle Faces Vertices",
    ),
    ("image", _PRIMITIVES + "Image", IMAGE + CHART, "CData CDataMapping"),
    (
        "rectangle",
        _PRIMITIVES + "Rectangle",
        RECTANGLE + CHART,
        "FaceColor EdgeColor LineWidth LineStyle Curvature Position",
    ),
    (
        "text",
        _PRIMITIVES + "Text",
        TEXT,
        "String FontSize FontWeight FontName Color HorizontalAlignment Position Units",
    ),
    ("light", _PRIMITIVES + "Light", LIGHT, "Color Style Position Visible"),
    ("hggroup", _PRIMITIVES + "Group", CHART, "Children Visible HitTest"),
    (
        "hgtransform",
        _PRIMITIVES + "Transform",
        CHART + "Matrix any []\n",
        "Children Visible Matrix",
    ),
    (
        "legend",
        "matlab.graphics.illustration.Legend",
        LEGEND,
        "String Location Orientation FontSize Position Units",
    ),
    (
        "bubblelegend",
        "matlab.graphics.illustration.BubbleLegend",
        BUBBLES,
        "Title Style NumBubbles Location Position",
    ),
    (
        "colorbar",
        "matlab.graphics.illustration.ColorBar",
        COLORBAR,
        "Location Limits FontSize Position Units",
    ),
    (
        "constantline",
        "matlab.graphics.chart.decoration.ConstantLine",
        CONSTANT + CHART,
        "InterceptAxis Value Color LineStyle LineWidth Label DisplayName",
    ),
    (
        "constantregion",
        "matlab.graphics.chart.decoration.ConstantRegion",
        REGION + CHART,
        "InterceptAxis Value FaceColor FaceAlpha",
    ),
    (
        "tiledlayout",
        "matlab.graphics.layout.TiledChartLayout",
        LAYOUT,
        "TileArrangement GridSize Padding TileSpacing",
    ),
    ("heatmap", "matlab.graphics.chart.HeatmapChart", HEATMAP, "XData YData ColorData"),
    (
        "stackedplot",
        "matlab.graphics.chart.StackedLineChart",
        STACKED,
        "Color LineStyle LineWidth Marker DisplayLabels",
    ),
    (
        "parallelplot",
        "matlab.graphics.chart.ParallelCoordinatesPlot",
        PARALLEL,
        "CoordinateTickLabels DataNormalization LineWidth",
    ),
    (
        "scatterhistogram",
        "matlab.graphics.chart.ScatterHistogramChart",
        SCATTERHISTOGRAM,
        "XLabel YLabel Title MarkerSize",
    ),
    (
        "wordcloud",
        "matlab.graphics.chart.WordCloudChart",
        WORDCLOUD,
        "WordData SizeData MaxDisplayWords",
    ),
    ("piechart", "matlab.graphics.chart.PieChart", SHARES, "Data Names"),
    ("donutchart", "matlab.graphics.chart.DonutChart", SHARES, "Data Names InnerRadius"),
    ("subplottext", _PRIMITIVES + "Text", TEXT, "String FontSize FontWeight FontName Color"),
    (
        "textboxshape",
        "matlab.graphics.shape.TextBox",
        SHAPE,
        "String FontSize Color EdgeColor Position Units",
    ),
    (
        "textarrowshape",
        "matlab.graphics.shape.TextArrow",
        SHAPE,
        "String FontSize Color X Y Units",
    ),
    (
        "arrowshape",
        "matlab.graphics.shape.Arrow",
        SHAPE,
        "Color HeadStyle LineStyle LineWidth X Y Position Units",
    ),
    (
        "doubleendarrowshape",
        "matlab.graphics.shape.DoubleEndArrow",
        SHAPE,
        "Color LineStyle LineWidth X Y Units",
    ),
    (
        "lineshape",
        "matlab.graphics.shape.Line",
        SHAPE,
        "Color LineStyle LineWidth X Y Position Units",
    ),
    (
        "rectangleshape",
        "matlab.graphics.shape.Rectangle",
        SHAPE,
        "Color FaceColor LineStyle LineWidth Position Units",
    ),
    (
        "ellipseshape",
        "matlab.graphics.shape.Ellipse",
        SHAPE,
        "Color FaceColor LineStyle LineWidth Position Units",
    ),
    (
        "uicontrol",
        "matlab.ui.control.UIControl",
        CONTROL,
        "Style String BackgroundColor Callback Value Position Units",
    ),
    ("uimenu", "matlab.ui.container.Menu", MENU, "MenuSelectedFcn Checked Enable Separator Text"),
    (
        "uicontextmenu",
        "matlab.ui.container.ContextMenu",
        "Callback any ''\nPosition row 0 0\n",
        "Children Callback",
    ),
    ("uipanel", "matlab.ui.container.Panel", PANEL, "Title BackgroundColor Position Units"),
    (
        "uibuttongroup",
        "matlab.ui.container.ButtonGroup",
        PANEL,
        "Title BackgroundColor SelectedObject Position Units",
    ),
    (
        "uitable",
        "matlab.ui.control.Table",
        TABLE,
        "Data ColumnWidth ColumnEditable CellEditCallback Position Units",
    ),
    (
        "annotationinformation",
        "matlab.graphics.eventdata.Annotation",
        INFORMATION,
        "LegendInformation",
    ),
    (
        "legendinformation",
        "matlab.graphics.eventdata.LegendEntry",
        INFORMATION,
        "IconDisplayStyle",
    ),
    (
        "datatiptemplate",
        "matlab.graphics.datatip.DataTipTemplate",
        FONT + "DataTipRows any []\nInterpreter choice(tex latex none)\n",
        "DataTipRows Interpreter FontSize FontName",
    ),
    (
        "baseline",
        "matlab.graphics.chart.decoration.Baseline",
        STROKE.replace("0 0.447 0.741", "0 0 0") + "BaseValue number 0\n",
        "Color LineStyle LineWidth BaseValue",
    ),
    ("uitoolbar", "matlab.ui.container.Toolbar", "", "Children Visible"),
    ("uitab", "matlab.ui.container.Tab", PANEL, "Title BackgroundColor Position Units"),
    ("uitabgroup", "matlab.ui.container.TabGroup", PANEL, "SelectedTab Position Units"),
)


#: Ways of working with the mouse, which `zoom` and its kin give.
MODES = ("zoom", "pan", "rotate3d", "brush", "datacursormode")
_ROWS += tuple(
    (mode, f"matlab.graphics.interaction.{mode}", MODE, "Enable FigureHandle") for mode in MODES
)


def _kinds() -> dict[str, Kind]:
    found = {}
    for names, class_name, text, shown in _ROWS:
        name, _, kind = names.partition(":")
        of_type = {"subplottext": "text"}.get(name, kind or name)
        found[name] = Kind(name, class_name, of_type, text, shown)
    return found


KINDS = _kinds()
#: Charts that stand where axes stand, and are no axes.
CHARTS = frozenset(
    "heatmap stackedplot parallelplot scatterhistogram wordcloud piechart donutchart".split()
)


@cache
def properties_of(name: str) -> dict[str, Property]:
    """The properties of a class of objects, in the order of their names."""
    found = table(BASE + KINDS[name].text)
    return dict(sorted(found.items(), key=lambda item: item[0]))


@cache
def types() -> tuple[str, ...]:
    """The words that ``Type`` may say, long ones first."""
    return tuple(sorted({kind.type for kind in KINDS.values()}, key=len, reverse=True))
