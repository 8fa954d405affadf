"""The classes of objects and their properties, as data (`properties.table` reads them)."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from runmat_plot.scene.properties import Property, table

#: What every object has.
_BASE = """
!BeingDeleted onoff off
BusyAction choice(queue cancel)
ButtonDownFcn any ''
!Children any
ContextMenu node
CreateFcn any ''
DeleteFcn any ''
HandleVisibility choice(on callback off)
HitTest onoff
Interruptible onoff
Parent node
PickableParts choice(visible all none)
Selected onoff off
SelectionHighlight onoff
Tag text
!Type text
UIContextMenu node
UserData any []
Visible onoff
"""
_CHART = """
!Annotation any []
Clipping onoff
DisplayName strings
SeriesIndex any []
"""
_FONT = """
FontAngle choice(normal italic)
FontName text Helvetica
FontSize positive 10
FontUnits choice(points inches centimeters normalized pixels)
FontWeight choice(normal bold)
"""
_STROKE = """
Color color(none) 0 0.447 0.741
LineStyle choice(- -- : -. none)
LineWidth positive 0.5
LineJoin choice(round miter chamfer)
AlignVertexCenters onoff off
"""
_MARKS = """
Marker choice(none + o * . x square diamond v ^ > < pentagram hexagram _ |)
MarkerSize positive 6
MarkerEdgeColor color(auto none flat)
MarkerFaceColor color(none auto flat)
MarkerIndices any []
"""
_XY = """
XData data []
YData data []
XDataMode choice(manual auto)
XDataSource text
YDataSource text
"""
_XYZ = (
    _XY
    + """
ZData data []
ZDataSource text
"""
)
_EDGES = """
EdgeColor color(none flat interp auto) 0 0 0
FaceColor color(flat none interp texturemap auto)
FaceAlpha number 1
EdgeAlpha number 1
LineStyle choice(- -- : -. none)
LineWidth positive 0.5
"""
_LIT = """
AmbientStrength number 0.3
DiffuseStrength number 0.6
SpecularStrength number 0.9
SpecularExponent number 10
SpecularColorReflectance number 1
FaceLighting choice(flat gouraud none)
EdgeLighting choice(none flat gouraud)
BackFaceLighting choice(reverselit unlit lit)
FaceNormals any []
VertexNormals any []
"""
_PLACED = """
Position row 0 0 1 1
OuterPosition row 0 0 1 1
InnerPosition row 0 0 1 1
Units choice(normalized pixels inches centimeters points characters)
"""


def _rulers() -> str:
    """What the axes have for each of x, y and z."""
    return "".join(
        f"""
{a}Axis any []
{a}AxisLocation choice({places})
{a}Color color(none) 0.15 0.15 0.15
{a}ColorMode choice(auto manual)
{a}Dir choice(normal reverse)
{a}Grid onoff off
!{a}Label any
{a}Lim limits 0 1
{a}LimMode choice(auto manual)
{a}LimitMethod choice(tickaligned tight padded)
{a}MinorGrid onoff off
{a}MinorTick onoff off
{a}Scale choice(linear log)
{a}Tick ticks
{a}TickMode choice(auto manual)
{a}TickLabel strings
{a}TickLabelMode choice(auto manual)
{a}TickLabelRotation number 0
"""
        for a, places in (
            ("X", "bottom top origin"),
            ("Y", "left right origin"),
            ("Z", "left right"),
        )
    )


_AXES = (
    _FONT
    + _PLACED
    + _rulers()
    + """
ALim limits 0 1
ALimMode choice(auto manual)
Alphamap any []
AmbientLightColor color 1 1 1
Box onoff off
BoxStyle choice(back full)
CameraPosition point 0.5 0.5 9.1603
CameraPositionMode choice(auto manual)
CameraTarget point 0.5 0.5 0.5
CameraTargetMode choice(auto manual)
CameraUpVector point 0 1 0
CameraUpVectorMode choice(auto manual)
CameraViewAngle number 6.6086
CameraViewAngleMode choice(auto manual)
CLim limits 0 1
CLimMode choice(auto manual)
Clipping onoff
ClippingStyle choice(3dbox rectangle)
Color color(none) 1 1 1
ColorOrder colormap
ColorOrderIndex number 1
Colormap colormap
ColorScale choice(linear log)
!CurrentPoint any []
DataAspectRatio row 1 1 1
DataAspectRatioMode choice(auto manual)
GridAlpha number 0.15
GridAlphaMode choice(auto manual)
GridColor color(none) 0.15 0.15 0.15
GridColorMode choice(auto manual)
GridLineStyle choice(- -- : -. none)
GridLineWidth positive 0.5
LabelFontSizeMultiplier positive 1.1
Layer choice(bottom top)
Layout any []
!Legend any []
LineStyleOrder any '-'
LineStyleOrderIndex number 1
LineWidth positive 0.5
MinorGridAlpha number 0.25
MinorGridColor color(none) 0.1 0.1 0.1
MinorGridLineStyle choice(: - -- -. none)
NextPlot choice(replace add replacechildren replaceall)
PlotBoxAspectRatio row 1 1 1
PlotBoxAspectRatioMode choice(auto manual)
PositionConstraint choice(outerposition innerposition)
ActivePositionProperty choice(outerposition position)
Projection choice(orthographic perspective)
SortMethod choice(depth childorder)
!Subtitle any
SubtitleFontWeight choice(normal bold)
TickDir choice(in out both none)
TickDirMode choice(auto manual)
TickLabelInterpreter choice(tex latex none)
TickLength row 0.01 0.025
!TightInset any []
!Title any
TitleFontSizeMultiplier positive 1.1
TitleFontWeight choice(bold normal)
TitleHorizontalAlignment choice(center left right)
Toolbar any []
View row 0 90
WarpToFill onoff
ThetaLim limits 0 360
ThetaDir choice(counterclockwise clockwise)
ThetaZeroLocation choice(right top left bottom)
ThetaTick ticks
ThetaTickMode choice(auto manual)
ThetaTickLabel strings
ThetaTickLabelMode choice(auto manual)
RLim limits 0 1
RLimMode choice(auto manual)
RTick ticks
RTickMode choice(auto manual)
RTickLabel strings
RTickLabelMode choice(auto manual)
RAxisLocation number 80
YAxisSide choice(left right)
"""
)
_TEXT = (
    _FONT
    + """
BackgroundColor color(none)
Clipping onoff off
Color color(none) 0 0 0
EdgeColor color(none)
Editing onoff off
!Extent any []
HorizontalAlignment choice(left center right)
Interpreter choice(tex latex none)
LineStyle choice(- -- : -. none)
LineWidth positive 0.5
Margin positive 3
Position point 0 0 0
PositionMode choice(auto manual)
Rotation number 0
String strings
Units choice(data pixels normalized inches centimeters points characters)
VerticalAlignment choice(middle top bottom baseline cap)
"""
)
_FIGURE = """
Alphamap any []
CloseRequestFcn any closereq
Color color(none) 0.94 0.94 0.94
Colormap colormap
CurrentAxes node
!CurrentCharacter text
!CurrentObject node
!CurrentPoint any []
DockControls onoff
FileName text
GraphicsSmoothing onoff
IntegerHandle onoff
InvertHardcopy onoff
KeyPressFcn any ''
KeyReleaseFcn any ''
MenuBar choice(figure none)
Name text
NextPlot choice(add new replace replacechildren)
!Number any []
NumberTitle onoff
Position row 360 278 560 420
OuterPosition row 360 278 576 513
InnerPosition row 360 278 560 420
PaperOrientation choice(portrait landscape)
PaperPosition row 1.3333 3.3125 5.8333 4.375
PaperPositionMode choice(auto manual)
PaperSize row 8.5 11
PaperType text usletter
PaperUnits choice(inches centimeters normalized points)
Pointer text arrow
PointerShapeCData any []
PointerShapeHotSpot row 1 1
Renderer choice(opengl painters zbuffer)
RendererMode choice(auto manual)
Resize onoff
ResizeFcn any ''
SelectionType text normal
SizeChangedFcn any ''
ToolBar choice(auto figure none)
Units choice(pixels normalized inches centimeters points characters)
WindowButtonDownFcn any ''
WindowButtonMotionFcn any ''
WindowButtonUpFcn any ''
WindowKeyPressFcn any ''
WindowKeyReleaseFcn any ''
WindowScrollWheelFcn any ''
WindowState choice(normal maximized minimized fullscreen)
WindowStyle choice(normal modal docked)
XDisplay text
"""
_ROOT = """
!CallbackObject node
CurrentFigure node
!FixedWidthFontName text Monospaced
FormatSpacing text loose
Format text short
!MonitorPositions row 1 1 1920 1080
PointerLocation row 960 540
!ScreenDepth number 32
!ScreenPixelsPerInch number 96
!ScreenSize row 1 1 1920 1080
ShowHiddenHandles onoff off
Units choice(pixels normalized inches centimeters points characters)
"""
_CONTROL = (
    _FONT
    + """
BackgroundColor color 0.94 0.94 0.94
CData any []
Callback any ''
Enable choice(on off inactive)
!Extent any []
ForegroundColor color 0 0 0
HorizontalAlignment choice(center left right)
KeyPressFcn any ''
ListboxTop number 1
Max number 1
Min number 0
Position row 20 20 60 20
SliderStep row 0.01 0.1
String any ''
Style choice(pushbutton togglebutton checkbox radiobutton edit text slider frame listbox popupmenu)
TooltipString text
Tooltip text
Units choice(pixels normalized inches centimeters points characters)
Value any 0
"""
)
_PANEL = (
    _FONT
    + _PLACED
    + """
BackgroundColor color 0.94 0.94 0.94
BorderType choice(etchedin none line beveledin beveledout etchedout)
BorderWidth positive 1
ForegroundColor color 0 0 0
HighlightColor color 1 1 1
ResizeFcn any ''
SelectedObject node
SelectionChangedFcn any ''
SizeChangedFcn any ''
Title strings
TitlePosition text lefttop
"""
)
_MENU = """
Accelerator text
Callback any ''
Checked onoff off
Enable onoff
ForegroundColor color 0 0 0
Label text
MenuSelectedFcn any ''
Position number 1
Separator onoff off
Text text
"""
_TABLE = (
    _FONT
    + """
CellEditCallback any ''
CellSelectionCallback any ''
ColumnEditable any []
ColumnFormat any []
ColumnName any numbered
ColumnWidth any auto
Data any []
Position row 20 20 300 300
RowName any numbered
Units choice(pixels normalized inches centimeters points characters)
"""
)
_BOXED = (
    _FONT
    + _PLACED
    + """
Box onoff
Color color(none) 1 1 1
EdgeColor color(none) 0.15 0.15 0.15
Interpreter choice(tex latex none)
LineWidth positive 0.5
Location text northeast
TextColor color 0 0 0
"""
)
_LEGEND = (
    _BOXED
    + """
AutoUpdate onoff
!Axes node
IconColumnWidth number 30
ItemHitFcn any ''
ItemTokenSize row 30 18
NumColumns number 1
NumColumnsMode choice(auto manual)
Orientation choice(vertical horizontal)
PlotChildren any []
String any []
!Title any
"""
)
_COLORBAR = (
    _BOXED
    + """
!Axes node
AxisLocation choice(out in)
Direction choice(normal reverse)
!Label any
Limits limits 0 1
LimitsMode choice(auto manual)
TickDirection choice(in out both none)
TickLabelInterpreter choice(tex latex none)
TickLabels strings
TickLabelsMode choice(auto manual)
TickLength number 0.01
Ticks ticks
TicksMode choice(auto manual)
YTick ticks
"""
)
_SURFACE = (
    _XYZ
    + _EDGES
    + _MARKS
    + _LIT
    + """
AlphaData any 1
CData cdata []
CDataMapping choice(scaled direct)
CDataMode choice(manual auto)
MeshStyle choice(both row column)
XDataMode choice(manual auto)
YDataMode choice(manual auto)
"""
)
_PATCH = (
    _EDGES
    + _MARKS
    + _LIT
    + """
CData cdata []
CDataMapping choice(scaled direct)
Faces data []
FaceVertexAlphaData any []
FaceVertexCData cdata []
Vertices data []
XData data []
YData data []
ZData data []
"""
)
_IMAGE = """
AlphaData any 1
AlphaDataMapping choice(none scaled direct)
CData cdata []
CDataMapping choice(direct scaled)
Interpolation choice(nearest bilinear)
XData data []
YData data []
"""
_BAR = (
    _XY
    + """
BarLayout choice(grouped stacked)
BarWidth positive 0.8
BaseValue number 0
CData cdata []
EdgeAlpha number 1
EdgeColor color(none flat) 0 0 0
FaceAlpha number 1
FaceColor color(none flat) 0 0.447 0.741
Horizontal onoff off
LineStyle choice(- -- : -. none)
LineWidth positive 0.5
ShowBaseLine onoff
!XEndPoints any []
!YEndPoints any []
"""
)
_AREA = (
    _XY
    + """
AlignVertexCenters onoff off
BaseValue number 0
EdgeAlpha number 1
EdgeColor color(none flat) 0 0 0
FaceAlpha number 1
FaceColor color(none flat) 0 0.447 0.741
LineStyle choice(- -- : -. none)
LineWidth positive 0.5
ShowBaseLine onoff
"""
)
_SCATTER = (
    _XYZ
    + """
AlphaData any 1
CData cdata []
CDataMode choice(manual auto)
LineWidth positive 0.5
Marker choice(o + * . x square diamond v ^ > < pentagram hexagram _ | none)
MarkerEdgeAlpha number 1
MarkerEdgeColor color(flat none)
MarkerFaceAlpha number 1
MarkerFaceColor color(none flat auto)
SizeData data 36
"""
)
_ERRORBAR = (
    _XY
    + _STROKE
    + _MARKS
    + """
CapSize number 6
XNegativeDelta data []
XPositiveDelta data []
YNegativeDelta data []
YPositiveDelta data []
"""
)
_QUIVER = (
    _XYZ
    + _STROKE
    + _MARKS
    + """
Alignment choice(tail center head)
AutoScale onoff
AutoScaleFactor number 0.9
MaxHeadSize number 0.2
ShowArrowHead onoff
UData data []
VData data []
WData data []
"""
)
_CONTOUR = (
    _XYZ
    + """
!ContourMatrix any []
EdgeAlpha number 1
EdgeColor color(flat none)
FaceAlpha number 1
FaceColor color(none flat)
Fill onoff off
LabelSpacing number 144
LevelList vector []
LevelListMode choice(auto manual)
LevelStep number 0
LevelStepMode choice(auto manual)
LineColor color(flat none)
LineStyle choice(- -- : -. none)
LineWidth positive 0.5
ShowText onoff off
TextList vector []
ZLocation any zero
XDataMode choice(manual auto)
YDataMode choice(manual auto)
"""
)
_HISTOGRAM = """
BinCounts data []
BinCountsMode choice(auto manual)
BinEdges vector []
!BinLimits any []
BinMethod text auto
BinWidth any []
Categories any []
Data data []
DisplayStyle choice(bar stairs tile)
EdgeAlpha number 1
EdgeColor color(none auto) 0 0 0
FaceAlpha number 0.6
FaceColor color(auto none flat)
LineStyle choice(- -- : -. none)
LineWidth positive 0.5
Normalization choice(count probability countdensity pdf cumcount cdf percentage)
NumBins any []
Orientation choice(vertical horizontal)
!Values any []
XBinEdges vector []
YBinEdges vector []
"""
_SHAPE = (
    _FONT
    + _PLACED
    + """
BackgroundColor color(none)
Color color(none) 0 0 0
EdgeColor color(none) 0 0 0
FaceAlpha number 1
FaceColor color(none)
FitBoxToText onoff off
HeadLength number 10
HeadStyle text vback2
HeadWidth number 10
HorizontalAlignment choice(left center right)
Interpreter choice(tex latex none)
LineStyle choice(- -- : -. none)
LineWidth positive 0.5
Margin positive 5
Rotation number 0
String strings
TextColor color 0 0 0
VerticalAlignment choice(top middle bottom)
X vector 0.3 0.4
Y vector 0.3 0.4
"""
)
_CONSTANT = (
    _FONT
    + """
Alpha number 0.7
Color color(none) 0.15 0.15 0.15
InterceptAxis choice(x y)
Interpreter choice(tex latex none)
Label strings
LabelColor color 0.15 0.15 0.15
LabelHorizontalAlignment choice(right left center)
LabelOrientation choice(aligned horizontal)
LabelVerticalAlignment choice(top middle bottom)
Layer choice(bottom top)
LineStyle choice(- -- : -. none)
LineWidth positive 0.5
Value number 0
"""
)
_LAYOUT = (
    _PLACED
    + """
GridSize row 1 1
Padding choice(loose compact tight none)
!Subtitle any
TileArrangement choice(fixed flow)
TileIndexing choice(rowmajor columnmajor)
TileSpacing choice(loose compact tight none)
!Title any
!XLabel any
!YLabel any
"""
)
_HEATMAP = (
    _FONT
    + _PLACED
    + """
CellLabelColor color(auto none)
CellLabelFormat text %0.4g
ColorData data []
ColorLimits limits 0 1
Colormap colormap
ColorbarVisible onoff
ColorScaling text scaled
GridVisible onoff
MissingDataColor color 0.15 0.15 0.15
Title strings
XData any []
XDisplayLabels any []
XLabel strings
YData any []
YDisplayLabels any []
YLabel strings
"""
)
_BOXCHART = """
BoxEdgeColor color(none flat) 0 0.447 0.741
BoxFaceAlpha number 0.2
BoxFaceColor color(none flat) 0 0.447 0.741
BoxMedianLineColor color(none) 0 0.447 0.741
BoxWidth positive 0.5
JitterOutliers onoff off
LineWidth positive 1
MarkerColor color(none) 0 0.447 0.741
MarkerSize positive 6
MarkerStyle choice(o + * . x square diamond v ^ > < pentagram hexagram none)
Notch onoff off
Orientation choice(vertical horizontal)
WhiskerLineColor color(none) 0.3 0.3 0.3
WhiskerLineStyle choice(- -- : -. none)
XData data []
YData data []
"""
_STEM = _XYZ + _STROKE + _MARKS + "BaseValue number 0\nShowBaseLine onoff\n"
_LIGHT = "Color color 1 1 1\nPosition point 1 0 1\nStyle choice(infinite local)\n"
_RECTANGLE = """
AlignVertexCenters onoff off
Curvature any 0
EdgeColor color(none) 0 0 0
FaceColor color(none)
FaceAlpha number 1
LineStyle choice(- -- : -. none)
LineWidth positive 0.5
Position row 0 0 1 1
"""
_ANIMATED = (
    _STROKE + _MARKS + "MaximumNumPoints any []\nXData data []\nYData data []\nZData data []\n"
)
_FUNCTION = (
    _STROKE
    + _MARKS
    + """
Function any []
MeshDensity number 23
XRange limits -5 5
XRangeMode choice(auto manual)
!XData data []
!YData data []
"""
)


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
    ("root", "matlab.ui.Root", _ROOT, "CurrentFigure ScreenSize MonitorPositions Units"),
    ("figure", "matlab.ui.Figure", _FIGURE, "Number Name Color Position Units"),
    ("axes", "matlab.graphics.axis.Axes", _AXES, _AXES_SHOWN),
    ("polaraxes", "matlab.graphics.axis.PolarAxes", _AXES, "ThetaLim RLim Position Units"),
    ("line", _CHARTS + "Line", _XYZ + _STROKE + _MARKS + _CHART, _LINE_SHOWN),
    ("primitiveline:line", _PRIMITIVES + "Line", _XYZ + _STROKE + _MARKS + _CHART, _LINE_SHOWN),
    (
        "functionline",
        "matlab.graphics.function.FunctionLine",
        _FUNCTION + _CHART,
        "Function Color LineStyle LineWidth",
    ),
    (
        "animatedline",
        "matlab.graphics.animation.AnimatedLine",
        _ANIMATED + _CHART,
        "Color LineStyle LineWidth Marker MarkerSize MarkerFaceColor",
    ),
    ("stair", _CHARTS + "Stair", _XY + _STROKE + _MARKS + _CHART, _LINE_SHOWN),
    ("stem", _CHARTS + "Stem", _STEM + _CHART, _LINE_SHOWN),
    (
        "scatter",
        _CHARTS + "Scatter",
        _SCATTER + _CHART,
        "Marker MarkerEdgeColor MarkerFaceColor SizeData LineWidth XData YData ZData CData",
    ),
    (
        "errorbar",
        _CHARTS + "ErrorBar",
        _ERRORBAR + _CHART,
        "Color LineStyle LineWidth Marker XData YData XNegativeDelta XPositiveDelta YNegativeDelta "
        "YPositiveDelta",
    ),
    (
        "bar",
        _CHARTS + "Bar",
        _BAR + _CHART,
        "BarLayout BarWidth FaceColor EdgeColor BaseValue XData YData",
    ),
    (
        "area",
        _CHARTS + "Area",
        _AREA + _CHART,
        "FaceColor EdgeColor LineStyle LineWidth BaseValue XData YData",
    ),
    (
        "histogram",
        _CHARTS + "Histogram",
        _HISTOGRAM + _CHART,
        "Data Values NumBins BinEdges BinWidth BinLimits Normalization FaceColor EdgeColor",
    ),
    (
        "histogram2",
        _CHARTS + "Histogram2",
        _HISTOGRAM + _CHART,
        "Data Values NumBins XBinEdges YBinEdges Normalization FaceColor EdgeColor",
    ),
    (
        "quiver",
        _CHARTS + "Quiver",
        _QUIVER + _CHART,
        "Color LineStyle LineWidth XData YData ZData UData VData WData",
    ),
    (
        "contour",
        _CHARTS + "Contour",
        _CONTOUR + _CHART,
        "EdgeColor LineStyle LineWidth FaceColor LevelList XData YData ZData",
    ),
    ("boxchart", _CHARTS + "BoxChart", _BOXCHART + _CHART, "BoxFaceColor BoxWidth XData YData"),
    (
        "surface",
        _CHARTS + "Surface",
        _SURFACE + _CHART,
        "EdgeColor LineStyle FaceColor FaceLighting FaceAlpha XData YData ZData CData",
    ),
    (
        "primitivesurface:surface",
        _PRIMITIVES + "Surface",
        _SURFACE + _CHART,
        "EdgeColor LineStyle FaceColor FaceLighting FaceAlpha XData YData ZData CData",
    ),
    (
        "patch",
        _PRIMITIVES + "Patch",
        _PATCH + _CHART,
        "FaceColor FaceAlpha EdgeColor LineStyle Faces Vertices",
    ),
    ("image", _PRIMITIVES + "Image", _IMAGE + _CHART, "CData CDataMapping"),
    (
        "rectangle",
        _PRIMITIVES + "Rectangle",
        _RECTANGLE + _CHART,
        "FaceColor EdgeColor LineWidth LineStyle Curvature Position",
    ),
    (
        "text",
        _PRIMITIVES + "Text",
        _TEXT,
        "String FontSize FontWeight FontName Color HorizontalAlignment Position Units",
    ),
    ("light", _PRIMITIVES + "Light", _LIGHT, "Color Style Position Visible"),
    ("hggroup", _PRIMITIVES + "Group", _CHART, "Children Visible HitTest"),
    (
        "hgtransform",
        _PRIMITIVES + "Transform",
        _CHART + "Matrix any []\n",
        "Children Visible Matrix",
    ),
    (
        "legend",
        "matlab.graphics.illustration.Legend",
        _LEGEND,
        "String Location Orientation FontSize Position Units",
    ),
    (
        "colorbar",
        "matlab.graphics.illustration.ColorBar",
        _COLORBAR,
        "Location Limits FontSize Position Units",
    ),
    (
        "constantline",
        "matlab.graphics.chart.decoration.ConstantLine",
        _CONSTANT + _CHART,
        "InterceptAxis Value Color LineStyle LineWidth Label DisplayName",
    ),
    (
        "tiledlayout",
        "matlab.graphics.layout.TiledChartLayout",
        _LAYOUT,
        "TileArrangement GridSize Padding TileSpacing",
    ),
    ("heatmap", "matlab.graphics.chart.HeatmapChart", _HEATMAP, "XData YData ColorData"),
    ("subplottext", _PRIMITIVES + "Text", _TEXT, "String FontSize FontWeight FontName Color"),
    (
        "textboxshape",
        "matlab.graphics.shape.TextBox",
        _SHAPE,
        "String FontSize Color EdgeColor Position Units",
    ),
    (
        "textarrowshape",
        "matlab.graphics.shape.TextArrow",
        _SHAPE,
        "String FontSize Color X Y Units",
    ),
    (
        "arrowshape",
        "matlab.graphics.shape.Arrow",
        _SHAPE,
        "Color HeadStyle LineStyle LineWidth X Y Position Units",
    ),
    (
        "doubleendarrowshape",
        "matlab.graphics.shape.DoubleEndArrow",
        _SHAPE,
        "Color LineStyle LineWidth X Y Units",
    ),
    (
        "lineshape",
        "matlab.graphics.shape.Line",
        _SHAPE,
        "Color LineStyle LineWidth X Y Position Units",
    ),
    (
        "rectangleshape",
        "matlab.graphics.shape.Rectangle",
        _SHAPE,
        "Color FaceColor LineStyle LineWidth Position Units",
    ),
    (
        "ellipseshape",
        "matlab.graphics.shape.Ellipse",
        _SHAPE,
        "Color FaceColor LineStyle LineWidth Position Units",
    ),
    (
        "uicontrol",
        "matlab.ui.control.UIControl",
        _CONTROL,
        "Style String BackgroundColor Callback Value Position Units",
    ),
    ("uimenu", "matlab.ui.container.Menu", _MENU, "MenuSelectedFcn Checked Enable Separator Text"),
    (
        "uicontextmenu",
        "matlab.ui.container.ContextMenu",
        "Callback any ''\nPosition row 0 0\n",
        "Children Callback",
    ),
    ("uipanel", "matlab.ui.container.Panel", _PANEL, "Title BackgroundColor Position Units"),
    (
        "uibuttongroup",
        "matlab.ui.container.ButtonGroup",
        _PANEL,
        "Title BackgroundColor SelectedObject Position Units",
    ),
    (
        "uitable",
        "matlab.ui.control.Table",
        _TABLE,
        "Data ColumnWidth ColumnEditable CellEditCallback Position Units",
    ),
    ("uitoolbar", "matlab.ui.container.Toolbar", "", "Children Visible"),
    ("uitab", "matlab.ui.container.Tab", _PANEL, "Title BackgroundColor Position Units"),
    ("uitabgroup", "matlab.ui.container.TabGroup", _PANEL, "SelectedTab Position Units"),
)


def _kinds() -> dict[str, Kind]:
    found = {}
    for names, class_name, text, shown in _ROWS:
        name, _, kind = names.partition(":")
        of_type = {"subplottext": "text"}.get(name, kind or name)
        found[name] = Kind(name, class_name, of_type, text, shown)
    return found


KINDS = _kinds()


@cache
def properties_of(name: str) -> dict[str, Property]:
    """The properties of a class of objects, in the order of their names."""
    found = table(_BASE + KINDS[name].text)
    return dict(sorted(found.items(), key=lambda item: item[0]))


@cache
def types() -> tuple[str, ...]:
    """The words that ``Type`` may say, long ones first."""
    return tuple(sorted({kind.type for kind in KINDS.values()}, key=len, reverse=True))
