"""What is not here and will be missed: a sentence for names of MATLAB that have no builtin.

Such names stay unknown, so that programs that ask with ``exist`` find another way.
"""

from __future__ import annotations

_WHY = {
    "There is no desktop or editor here.": (
        "gui_mainfcn guide appdesigner edit publish snapnow web inspect workspace "
        "commandwindow commandhistory desktop dbstop dbclear dbcont dbstep dbquit profview "
        "openvar filebrowser"
    ),
    "There is no Java here.": (
        "javaaddpath javaclasspath javaMethod javaObject javaArray javarmpath"
    ),
    "Compiled functions (MEX) cannot be built or called here.": "mex mbuild loadlibrary calllib",
}


def reason(name: str) -> str:
    """Why there is no builtin of a name; empty where nothing is known."""
    return next((why for why, names in _WHY.items() if name in names.split()), "")
