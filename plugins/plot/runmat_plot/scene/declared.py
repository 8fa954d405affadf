"""The properties of figures, axes, controls and what stands beside the data, as tables.

`properties.table` reads these texts.
"""

from __future__ import annotations

#: What every object has.
BASE = """
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
CHART = """
ALimInclude onoff
!Annotation any []
CLimInclude onoff
Clipping onoff
!DataTipTemplate any []
DisplayName strings
EraseMode choice(normal none xor background)
SourceTable any []
SeriesIndex any []
XLimInclude onoff
YLimInclude onoff
ZLimInclude onoff
"""
TYPED = """
FontSizeMode choice(auto manual)
FontSmoothing onoff
"""
FONT = """
FontAngle choice(normal italic)
FontName text Helvetica
FontSize positive 10
FontUnits choice(points inches centimeters normalized pixels)
FontWeight choice(normal bold)
"""
STROKE = """
Color color(none) 0 0.447 0.741
LineStyle choice(- -- : -. none)
LineWidth positive 0.5
LineJoin choice(round miter chamfer)
AlignVertexCenters onoff off
"""
MARKS = """
Marker choice(none + o * . x square diamond v ^ > < pentagram hexagram _ |)
MarkerSize positive 6
MarkerEdgeColor color(auto none flat)
MarkerFaceColor color(none auto flat)
MarkerIndices any []
"""
XY = """
XData data []
YData data []
XDataMode choice(manual auto)
XDataSource text
YDataMode choice(manual auto)
YDataSource text
"""
XYZ = (
    XY
    + """
ZData data []
ZDataMode choice(manual auto)
ZDataSource text
"""
)
#: Properties of curves whose colours and styles follow the order of lines in the axes.
CYCLED = """
ColorMode choice(auto manual)
LineStyleMode choice(auto manual)
MarkerMode choice(auto manual)
"""
#: Properties that name the variables of a table.
VARIABLES = """
XVariable any ''
YVariable any ''
ZVariable any ''
"""
EDGES = """
EdgeColor color(none flat interp auto) 0 0 0
FaceColor color(flat none interp texturemap auto)
FaceAlpha alpha(flat interp texturemap) 1
EdgeAlpha alpha(flat interp) 1
LineStyle choice(- -- : -. none)
LineWidth positive 0.5
"""
LIT = """
AmbientStrength number 0.3
DiffuseStrength number 0.6
SpecularStrength number 0.9
SpecularExponent number 10
SpecularColorReflectance number 1
FaceLighting choice(flat gouraud none)
EdgeLighting choice(none flat gouraud)
BackFaceLighting choice(reverselit unlit lit)
FaceNormals any []
FaceNormalsMode choice(auto manual)
NormalMode choice(auto manual)
VertexNormals any []
VertexNormalsMode choice(auto manual)
"""
PLACED = """
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
{a}Ruler any []
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
{a}TickLabelRotationMode choice(auto manual)
"""
        for a, places in (
            ("X", "bottom top origin"),
            ("Y", "left right origin"),
            ("Z", "left right"),
        )
    )


AXES = (
    FONT
    + TYPED
    + PLACED
    + _rulers()
    + """
ALim limits 0 1
ALimMode choice(auto manual)
Alphamap any []
AlphaScale choice(linear log)
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
GridLineWidthMode choice(auto manual)
Interactions any []
LabelFontSizeMultiplier positive 1.1
Layer choice(bottom top)
Layout any []
LooseInset row 0.13 0.11 0.095 0.075
!Legend any []
LineStyleCyclingMethod choice(aftercolor beforecolor withcolor)
LineStyleOrder any '-'
LineStyleOrderIndex number 1
LineWidth positive 0.5
MinorGridAlpha number 0.25
MinorGridAlphaMode choice(auto manual)
MinorGridColor color(none) 0.1 0.1 0.1
MinorGridColorMode choice(auto manual)
MinorGridLineStyle choice(: - -- -. none)
MinorGridLineWidth positive 0.5
MinorGridLineWidthMode choice(auto manual)
NextPlot choice(replace add replacechildren replaceall)
NextSeriesIndex number 1
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
!TightInset row 0 0 0 0
!Title any
TitleFontSizeMultiplier positive 1.1
TitleFontWeight choice(bold normal)
TitleHorizontalAlignment choice(center left right)
Toolbar any []
View row 0 90
WarpToFill onoff
YAxisSide choice(left right)
"""
)
POLAR = (
    AXES
    + """
RAxis any []
RColor color(none) 0.15 0.15 0.15
RColorMode choice(auto manual)
RDir choice(normal reverse)
RGrid onoff
RMinorGrid onoff off
RMinorTick onoff off
RTickLabelRotation number 0
RTickLabelRotationMode choice(auto manual)
ThetaAxis any []
ThetaColor color(none) 0.15 0.15 0.15
ThetaColorMode choice(auto manual)
ThetaGrid onoff
ThetaLim limits 0 360
ThetaLimMode choice(auto manual)
ThetaMinorGrid onoff off
ThetaMinorTick onoff off
ThetaAxisUnits choice(degrees radians)
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
RAxisLocationMode choice(auto manual)
"""
)
TEXT = (
    FONT
    + TYPED
    + """
AffectAutoLimits onoff
BackgroundColor color(none)
Clipping onoff off
Color color(none) 0 0 0
ColorMode choice(auto manual)
EdgeColor color(none)
Editing onoff off
EraseMode choice(normal none xor background)
!Extent any []
HorizontalAlignment choice(left center right)
HorizontalAlignmentMode choice(auto manual)
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
VerticalAlignmentMode choice(auto manual)
"""
)
FIGURE = """
Alphamap any []
AutoResizeChildren onoff
BackingStore onoff
Clipping onoff
CloseRequestFcn any closereq
Color color(none) 0.94 0.94 0.94
Colormap colormap
CurrentAxes node
!CurrentCharacter text
!CurrentObject node
!CurrentPoint any []
Dithermap any []
DockControls onoff
DoubleBuffer onoff
FileName text
GraphicsSmoothing onoff
Icon any ''
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
Scrollable onoff off
SelectionType text normal
ShareColors onoff
SizeChangedFcn any ''
ToolBar choice(auto figure none)
Theme choice(light dark)
ThemeChangedFcn any ''
ThemeMode choice(auto manual)
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
ROOT = """
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
CONTROL = (
    FONT
    + """
BackgroundColor color 0.94 0.94 0.94
CData any []
Callback any ''
Enable choice(on off inactive)
!Extent any []
ForegroundColor color 0 0 0
HorizontalAlignment choice(center left right)
InnerPosition row 20 20 60 20
KeyPressFcn any ''
KeyReleaseFcn any ''
ListboxTop number 1
Max number 1
Min number 0
OuterPosition row 20 20 60 20
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
PANEL = (
    FONT
    + PLACED
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
MENU = """
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
MODE = """
ActionPostCallback any ''
ActionPreCallback any ''
ButtonDownFilter any ''
Color color 1 0 0
Direction choice(in out)
DisplayStyle choice(datatip window)
Enable onoff off
FigureHandle node
Motion choice(both horizontal vertical)
RightClickAction text PostContextMenu
RotateStyle choice(orbit box)
SnapToDataVertex onoff
UIContextMenu node
UpdateFcn any ''
UseLegacyExplorationModes onoff off
"""
#: What a legend shows of an object.
INFORMATION = """
IconDisplayStyle choice(on off children)
!LegendInformation any []
"""
TABLE = (
    FONT
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
BOXED = (
    FONT
    + PLACED
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
_SIDES = "north south east west northoutside southoutside eastoutside westoutside"
_CORNERS = "northwest southeast southwest"
_AWAY = "northeastoutside northwestoutside southeastoutside southwestoutside"
LEGEND = (
    BOXED
    + f"Location choice(northeast {_CORNERS} {_SIDES} {_AWAY} best bestoutside none layout)\n"
    + """
AutoUpdate onoff
!Axes node
BackgroundAlpha number 1
Direction choice(normal reverse)
IconColumnWidth number 30
ItemHitFcn any ''
ItemTokenSize row 30 18
Layout any []
NumColumns number 1
NumColumnsMode choice(auto manual)
Orientation choice(vertical horizontal)
PlotChildren any []
String any []
!Title any
"""
)
BUBBLES = (
    BOXED
    + """
LimitLabels strings
NumBubbles number 3
Style choice(vertical horizontal telescopic)
!Title any
"""
)
COLORBAR = (
    BOXED
    + f"Location choice({_SIDES} manual layout) eastoutside\n"
    + """
!Axes node
AxisLocation choice(out in)
AxisLocationMode choice(auto manual)
Direction choice(normal reverse)
!Label any
Layout any []
Limits limits 0 1
LimitsMode choice(auto manual)
Ruler any []
TickDirection choice(in out both none)
TickLabelInterpreter choice(tex latex none)
TickLabels strings
TickLabelsMode choice(auto manual)
TickLength number 0.01
Ticks ticks
TicksMode choice(auto manual)
!Title any
!XLabel any
XTick ticks
XTickLabel strings
!YLabel any
YTick ticks
YTickLabel strings
"""
)
