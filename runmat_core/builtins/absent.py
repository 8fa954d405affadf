"""What is not here and will be missed: a sentence for names of MATLAB that have no builtin.

Such names stay unknown, so that programs that ask with ``exist`` find another way.
"""

from __future__ import annotations

GRAPHICS = "Graphics is not part of the runtime: nothing is drawn."

_WHY = {
    "There is no symbolic engine here: expressions are numbers.": (
        "sym syms symfun symsum symprod vpa vpasolve dsolve subs digits "
        "matlabFunction assume sym2poly poly2sym laplace ilaplace ztrans iztrans taylor"
    ),
    GRAPHICS: (
        "figure plot plot3 plotyy axes axis hold subplot title xlabel ylabel zlabel legend grid "
        "colorbar surf mesh surfc meshc contour contourf contour3 bar barh histogram pie "
        "scatter scatter3 stem stairs errorbar quiver quiver3 fill fill3 patch line text image "
        "imagesc imshow semilogx semilogy loglog polar polarplot gcf gca gco clf cla close drawnow "
        "shg print saveas savefig openfig getframe movie view camlight lighting shading colormap "
        "caxis xlim ylim zlim daspect rotate3d zoom pan linkaxes annotation set findobj findall "
        "get ishold box copyobj newplot trisurf trimesh triplot tetramesh waterfall ribbon fplot "
        "ezplot ezsurf boxplot gscatter exportgraphics tiledlayout nexttile yline xline"
    ),
    "There are no windows or dialogs here.": (
        "uicontrol uimenu uipanel uitable uifigure uibutton uiwait uiresume waitfor waitbar "
        "questdlg warndlg errordlg msgbox helpdlg inputdlg listdlg uigetfile uiputfile uigetdir "
        "guidata guihandles gui_mainfcn getappdata setappdata rmappdata isappdata ginput "
        "waitforbuttonpress uicontextmenu uibuttongroup guide appdesigner"
    ),
    "There is no desktop or editor here.": (
        "edit open publish snapnow web inspect workspace commandwindow commandhistory desktop "
        "dbstop dbclear dbcont dbstep dbquit profview openvar filebrowser"
    ),
    "There is no Java here.": (
        "javaaddpath javaclasspath javaMethod javaObject javaArray javarmpath"
    ),
    "Compiled functions (MEX) cannot be built or called here.": "mex mbuild loadlibrary calllib",
}


def reason(name: str) -> str:
    """Why there is no builtin of a name; empty where nothing is known."""
    return next((why for why, names in _WHY.items() if name in names.split()), "")
