"""The properties of charts, as tables."""

from __future__ import annotations

from runmat_plot.scene.declared import (
    CYCLED,
    EDGES,
    FONT,
    LIT,
    MARKS,
    PLACED,
    STROKE,
    VARIABLES,
    XY,
    XYZ,
)

SURFACE = (
    XYZ
    + EDGES
    + MARKS
    + LIT
    + """
AlignVertexCenters onoff off
AlphaData any 1
AlphaDataMapping choice(scaled none direct)
CData cdata []
CDataMapping choice(scaled direct)
CDataMode choice(manual auto)
CDataSource text
MeshStyle choice(both row column)
"""
)
PATCH = (
    EDGES
    + MARKS
    + LIT
    + """
AlignVertexCenters onoff off
AlphaDataMapping choice(scaled none direct)
CData cdata []
CDataMapping choice(scaled direct)
Faces data []
FaceVertexAlphaData any []
FaceVertexCData cdata []
LineJoin choice(round miter chamfer)
Vertices data []
XData data []
YData data []
ZData data []
"""
)
GRAPH = """
ArrowPosition number 0.5
ArrowSize positive 7
EdgeAlpha number 0.5
EdgeCData any []
EdgeColor color(none flat) 0 0.447 0.741
EdgeFontSize positive 8
EdgeLabel strings
EdgeLabelColor color(none) 0 0 0
Interpreter choice(tex latex none)
LineStyle choice(- -- : -. none)
LineWidth data 0.5
Marker choice(o none + * . x square diamond v ^ > < pentagram hexagram _ |)
MarkerSize data 4
NodeCData any []
NodeColor color(none flat) 0 0.447 0.741
NodeFontSize positive 8
NodeLabel strings
NodeLabelColor color(none) 0 0 0
ShowArrows onoff off
XData data []
YData data []
ZData data []
"""
IMAGE = """
AlphaData any 1
AlphaDataMapping choice(none scaled direct)
CData cdata []
CDataMapping choice(direct scaled)
Interpolation choice(nearest bilinear)
MaxRenderedResolution any none
XData data []
YData data []
"""
BAR = (
    XY
    + """
BarLayout choice(grouped stacked)
BarWidth positive 0.8
BaseValue number 0
CData cdata []
EdgeAlpha number 1
EdgeColor color(none flat) 0 0 0
FaceAlpha number 1
FaceColor color(none flat) 0 0.447 0.741
FaceColorMode choice(auto manual)
Horizontal onoff off
LineStyle choice(- -- : -. none)
LineWidth positive 0.5
ShowBaseLine onoff
!BaseLine any []
!XEndPoints any []
!YEndPoints any []
"""
)
AREA = (
    XY
    + """
AlignVertexCenters onoff off
BaseValue number 0
EdgeAlpha number 1
EdgeColor color(none flat) 0 0 0
FaceAlpha number 1
FaceColor color(none flat) 0 0.447 0.741
FaceColorMode choice(auto manual)
LineStyle choice(- -- : -. none)
LineWidth positive 0.5
ShowBaseLine onoff
!BaseLine any []
"""
)
SCATTER = (
    XYZ
    + VARIABLES
    + """
AlphaData any 1
AlphaDataMapping choice(scaled direct none)
AlphaDataMode choice(auto manual)
AlphaDataSource text
AlphaVariable any ''
CData cdata []
CDataMode choice(manual auto)
CDataSource text
ColorVariable any ''
LineWidth positive 0.5
Marker choice(o + * . x square diamond v ^ > < pentagram hexagram _ | none)
MarkerEdgeAlpha number 1
MarkerEdgeColor color(flat none)
MarkerFaceAlpha number 1
MarkerFaceColor color(none flat auto)
SizeData data 36
SizeDataMode choice(auto manual)
SizeDataSource text
SizeVariable any ''
XJitter choice(none density rand randn)
XJitterWidth number 0.9
YJitter choice(none density rand randn)
YJitterWidth number 0.9
ZJitter choice(none density rand randn)
ZJitterWidth number 0.9
"""
)
VIOLIN = (
    XY
    + """
BandwidthMode choice(auto manual)
DensityDirection choice(both positive negative)
DensityWidth positive 0.9
EdgeColor color(none) 0 0.447 0.741
FaceAlpha number 0.5
FaceColor color(none) 0 0.447 0.741
LineStyle choice(- -- : -. none)
LineWidth positive 0.5
Orientation choice(vertical horizontal)
"""
)
ERRORBAR = (
    XY
    + STROKE
    + CYCLED
    + MARKS
    + """
CapSize number 6
XNegativeDelta data []
XNegativeDeltaSource text
XPositiveDelta data []
XPositiveDeltaSource text
YNegativeDelta data []
YNegativeDeltaSource text
YPositiveDelta data []
YPositiveDeltaSource text
"""
)
QUIVER = (
    XYZ
    + STROKE
    + CYCLED
    + MARKS
    + """
Alignment choice(tail center head)
AutoScale onoff
AutoScaleFactor number 0.9
MaxHeadSize number 0.2
ShowArrowHead onoff
UData data []
UDataSource text
VData data []
VDataSource text
WData data []
WDataSource text
"""
)
CONTOUR = (
    XYZ
    + """
!ContourMatrix any []
EdgeAlpha number 1
EdgeColor color(flat none)
FaceAlpha number 1
FaceColor color(none flat)
Fill onoff off
LabelColor color(flat auto) 0 0 0
LabelFormat any %g
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
TextListMode choice(auto manual)
TextStep number 0
TextStepMode choice(auto manual)
ZLocation any zero
"""
)
HISTOGRAM = """
BinCounts data []
BinCountsMode choice(auto manual)
BinEdges vector []
BinLimits limits 0 1
BinLimitsMode choice(auto manual)
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
SHAPE = (
    FONT
    + PLACED
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
TextBackgroundColor color(none)
TextColor color 0 0 0
TextEdgeColor color(none)
TextLineWidth positive 0.5
TextMargin positive 5
TextRotation number 0
VerticalAlignment choice(top middle bottom)
X vector 0.3 0.4
Y vector 0.3 0.4
"""
)
CONSTANT = (
    FONT
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
REGION = """
EdgeColor color(none)
FaceAlpha number 0.3
FaceColor color(none) 0.466 0.674 0.188
InterceptAxis choice(x y)
Layer choice(bottom top)
LineStyle choice(- -- : -. none)
LineWidth positive 0.5
Value row 0 1
"""
LAYOUT = (
    PLACED
    + """
GridSize row 1 1
Layout any []
Padding choice(loose compact tight none)
PositionConstraint choice(outerposition innerposition)
!Subtitle any
TileArrangement choice(fixed flow)
TileIndexing choice(rowmajor columnmajor)
TileSpacing choice(loose compact tight none)
!Title any
!XLabel any
!YLabel any
"""
)
HEATMAP = (
    FONT
    + PLACED
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
BOXCHART = """
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
STEM = XYZ + STROKE + CYCLED + MARKS + "!BaseLine any []\nBaseValue number 0\nShowBaseLine onoff\n"
LINE = (
    XYZ
    + STROKE
    + CYCLED
    + MARKS
    + VARIABLES
    + """
LatitudeData data []
LatitudeDataSource text
LongitudeData data []
LongitudeDataSource text
MarkerIndicesMode choice(auto manual)
RData data []
RDataSource text
ThetaData data []
ThetaDataSource text
"""
)
LIGHT = "Color color 1 1 1\nPosition point 1 0 1\nStyle choice(infinite local)\n"
RECTANGLE = """
AlignVertexCenters onoff off
Curvature any 0
EdgeColor color(none) 0 0 0
FaceColor color(none)
FaceAlpha number 1
LineStyle choice(- -- : -. none)
LineWidth positive 0.5
Position row 0 0 1 1
"""
ANIMATED = STROKE + MARKS + "MaximumNumPoints any []\nXData data []\nYData data []\nZData data []\n"
FUNCTION = (
    STROKE
    + CYCLED
    + MARKS
    + """
Function any []
MeshDensity number 23
XRange limits -5 5
ShowPoles onoff
XRangeMode choice(auto manual)
!XData data []
!YData data []
!ZData data []
"""
)
_WHOLE = FONT + PLACED + "Title strings\n"
STACKED = (
    _WHOLE
    + STROKE
    + """
DisplayLabels strings
DisplayVariables any []
GridVisible onoff off
Marker choice(none + o * . x square diamond v ^ > < pentagram hexagram _ |)
XData any []
XLabel strings
XLimits limits 0 1
"""
)
PARALLEL = (
    _WHOLE
    + """
Color colormap
CoordinateLabel strings
CoordinateTickLabels strings
DataLabel strings
DataNormalization choice(range none zscore scale center norm)
Jitter number 0.1
LegendVisible onoff off
LegendTitle strings
LineAlpha number 0.7
LineWidth positive 1
"""
)
SCATTERHISTOGRAM = (
    _WHOLE
    + """
HistogramDisplayStyle choice(bar stairs smooth)
LegendVisible onoff off
LegendTitle strings
LineWidth positive 0.5
MarkerAlpha number 1
MarkerFilled onoff
MarkerSize positive 36
MarkerStyle text o
ScatterPlotLocation text SouthWest
XData data []
XLabel strings
YData data []
YLabel strings
"""
)
WORDCLOUD = (
    _WHOLE
    + """
Box onoff off
Color color 0.25 0.25 0.25
HighlightColor color 0.851 0.325 0.098
LayoutNum number 1
MaxDisplayWords number 100
Shape choice(oval rectangle)
SizePower positive 0.5
SizeData data []
WordData any []
"""
)
SHARES = (
    _WHOLE
    + """
ColorOrder colormap
Data data []
EdgeColor color(none) 1 1 1
FaceAlpha number 0.6
InnerRadius number 0.5
LabelStyle text namepercent
LineWidth positive 0.5
Names any []
StartAngle number 0
"""
)
