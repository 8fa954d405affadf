"""Messages and questions, which a terminal shows and answers."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_core.api.front import front_of
from runmat_core.api.progress import Progress
from runmat_plot.functions.arguments import python
from runmat_plot.functions.support import new_figure, scene_of
from runmat_plot.scene.node import Node
from runmat_plot.scene.properties import lines_of


def _text(value: Any) -> str:
    found = lines_of(value)
    return "\n".join(found) if isinstance(found, list) else found or ""


def _told(name: str, args: Sequence[Any], nargout: int, interp: Interp) -> Any:
    rest = python(interp, args)
    default = {
        "msgbox": "",
        "errordlg": "This is the default error string.",
        "warndlg": "This is the default warning string.",
        "helpdlg": "This is the default help string.",
    }
    message = _text(rest[0]) if rest else default[name]
    title = _text(rest[1]) if len(rest) > 1 and isinstance(rest[1], str) else ""
    interp.write(f"{title}: {message}\n" if title else f"{message}\n")
    if not nargout:
        return None
    return Node(scene_of(interp), "hggroup", None)


@builtin("msgbox", family="plot/dialogs", nargin=(1, None), needs=("nargout", "interp"))
def msgbox(*args: Any, nargout: int, interp: Interp) -> Any:
    """Show a message, which is printed.

    msgbox(TEXT), msgbox(TEXT, TITLE), msgbox(TEXT, TITLE, ICON)

    Examples:
        >> msgbox('Done', 'Run')
        Run: Done

    See also: warndlg, errordlg, helpdlg, questdlg.
    """
    return _told("msgbox", args, nargout, interp)


@builtin("warndlg", family="plot/dialogs", nargin=(0, None), needs=("nargout", "interp"))
def warndlg(*args: Any, nargout: int, interp: Interp) -> Any:
    """Show a warning, which is printed.

    warndlg(TEXT), warndlg(TEXT, TITLE)

    Examples:
        >> warndlg('Low')
        Low

    See also: msgbox, errordlg, warning.
    """
    return _told("warndlg", args, nargout, interp)


@builtin("errordlg", family="plot/dialogs", nargin=(0, None), needs=("nargout", "interp"))
def errordlg(*args: Any, nargout: int, interp: Interp) -> Any:
    """Show an error, which is printed; the program goes on.

    errordlg(TEXT), errordlg(TEXT, TITLE)

    Examples:
        >> errordlg('Bad', 'Input')
        Input: Bad

    See also: msgbox, warndlg, error.
    """
    return _told("errordlg", args, nargout, interp)


@builtin("helpdlg", family="plot/dialogs", nargin=(0, None), needs=("nargout", "interp"))
def helpdlg(*args: Any, nargout: int, interp: Interp) -> Any:
    """Show a help text, which is printed.

    helpdlg(TEXT), helpdlg(TEXT, TITLE)

    Examples:
        >> helpdlg('Press a key')
        Press a key

    See also: msgbox, help.
    """
    return _told("helpdlg", args, nargout, interp)


# -- questions -----------------------------------------------------------------------------------


def _asked(name: str, prompt: str, interp: Interp) -> str:
    """A line that a person types.

    Raises:
        MatlabError: there is no terminal.
    """
    if not sys.stdin.isatty():
        raise MatlabError(
            "RunMat:graphics:noTerminal",
            f"{name} asks a person, and this program runs without a terminal.",
        )
    return interp.read_line(prompt).strip()


@builtin("inputdlg", family="plot/dialogs", nargin=(1, None), needs=("interp",))
def inputdlg(*args: Any, interp: Interp) -> Any:
    """Ask for texts, in the terminal.

    C = inputdlg(PROMPTS, TITLE, LINES, DEFAULTS)

    Examples:
        >> try, inputdlg('Name'); catch e, disp(e.identifier), end
        RunMat:graphics:noTerminal

    See also: input, questdlg, listdlg.
    """
    rest = python(interp, args)
    prompts = lines_of(rest[0])
    prompts = [prompts] if isinstance(prompts, str) else prompts or []
    defaults = lines_of(rest[3]) if len(rest) > 3 else []
    defaults = [defaults] if isinstance(defaults, str) else defaults or []
    answers = []
    for k, prompt in enumerate(prompts):
        default = defaults[k] if k < len(defaults) else ""
        shown = f"{prompt} [{default}]: " if default else f"{prompt}: "
        answers.append(_asked("inputdlg", shown, interp) or default)
    made = interp.builtin("transpose")
    found = interp.to_matlab(answers)
    return found if made is None else made(1, found)


@builtin("questdlg", family="plot/dialogs", nargin=(1, None), needs=("interp",))
def questdlg(*args: Any, interp: Interp) -> Any:
    """Ask which of up to three answers holds, in the terminal.

    A = questdlg(QUESTION), A = questdlg(QUESTION, TITLE, A1, A2, A3, DEFAULT)

    Examples:
        >> try, questdlg('Go on?'); catch e, disp(e.identifier), end
        RunMat:graphics:noTerminal

    See also: inputdlg, listdlg, msgbox.
    """
    rest = [_text(value) for value in python(interp, args)]
    words = rest[2:] or ["Yes", "No", "Cancel"]
    default = words[-1] if len(rest) > 3 else words[0]
    choices = list(
        dict.fromkeys(words[:-1] if len(rest) > 3 and words[-1] in words[:-1] else words)
    )
    answer = _asked("questdlg", f"{rest[0]} ({'/'.join(choices)}) [{default}]: ", interp)
    if not answer:
        return default
    near = [word for word in choices if word.lower().startswith(answer.lower())]
    return near[0] if near else ""


@builtin("listdlg", family="plot/dialogs", nargin=(0, None), nargout=2, needs=("nargout", "interp"))
def listdlg(*args: Any, nargout: int, interp: Interp) -> Any:
    """Ask which items of a list to take, in the terminal.

    [K, OK] = listdlg("ListString", ITEMS, "PromptString", TEXT, "SelectionMode", MODE)

    Examples:
        >> try, listdlg('ListString', {'a', 'b'}); catch e, disp(e.identifier), end
        RunMat:graphics:noTerminal

    See also: questdlg, inputdlg.
    """
    rest = python(interp, args)
    options = {str(name).lower(): value for name, value in zip(rest[::2], rest[1::2], strict=False)}
    items = lines_of(options.get("liststring", "")) or []
    items = [items] if isinstance(items, str) else items
    listed = "".join(f"{k}: {item}\n" for k, item in enumerate(items, 1))
    prompt = _text(options.get("promptstring", "Numbers"))
    answer = _asked("listdlg", f"{listed}{prompt}: ", interp)
    picked = [float(part) for part in answer.replace(",", " ").split() if part.isdigit()]
    picked = [k for k in picked if 1 <= k <= len(items)]
    return (np.array([picked]) if picked else np.zeros((0, 0)), bool(picked))[: max(nargout, 1)]


@builtin(
    "uigetfile",
    "uiputfile",
    family="plot/dialogs",
    nargin=(0, None),
    nargout=3,
    needs=("nargout", "interp"),
)
def uigetfile(*args: Any, nargout: int, interp: Interp) -> Any:
    """Ask for the name of a file, in the terminal.

    [NAME, FOLDER, K] = uigetfile(FILTER, TITLE), [NAME, FOLDER, K] = uiputfile(FILTER, TITLE, NAME)
    NAME is 0 where none is given

    Examples:
        >> try, uigetfile('*.m'); catch e, disp(e.identifier), end
        RunMat:graphics:noTerminal

    See also: uigetdir, fopen, dir.
    """
    rest = python(interp, args)
    title = next((v for v in rest[1:2] if isinstance(v, str)), "File")
    answer = _asked("uigetfile", f"{title}: ", interp)
    if not answer:
        return (0.0, 0.0, 0.0)[: max(nargout, 1)]
    whole = os.path.join(interp.current_directory(), os.path.expanduser(answer))
    folder, name = os.path.split(whole)
    return (name, folder + os.sep, 1.0)[: max(nargout, 1)]


@builtin("uigetdir", family="plot/dialogs", nargin=(0, 2), needs=("interp",))
def uigetdir(*args: Any, interp: Interp) -> Any:
    """Ask for a folder, in the terminal.

    FOLDER = uigetdir(START, TITLE), which is 0 where none is given

    Examples:
        >> try, uigetdir; catch e, disp(e.identifier), end
        RunMat:graphics:noTerminal

    See also: uigetfile, cd.
    """
    rest = python(interp, args)
    title = rest[1] if len(rest) > 1 and isinstance(rest[1], str) else "Folder"
    answer = _asked("uigetdir", f"{title}: ", interp)
    return os.path.join(interp.current_directory(), os.path.expanduser(answer)) if answer else 0.0


@builtin("waitbar", family="plot/dialogs", nargin=(1, None), needs=("nargout", "interp"))
def waitbar(*args: Any, nargout: int, interp: Interp) -> Any:
    """Bar that tells how much is done, in the terminal.

    H = waitbar(X, TEXT) begins one, with X from 0 to 1
    waitbar(X, H), waitbar(X, H, TEXT), waitbar(X) move it; close(H) takes it away
    Nothing is shown where the error output is no terminal.

    Examples:
        >> h = waitbar(0, 'Working'); waitbar(0.5, h); close(h)

    See also: msgbox, disp.
    """
    scene = scene_of(interp)
    rest = python(interp, args)
    if not isinstance(rest[0], float):
        raise MatlabError("MATLAB:waitbar:InvalidInputs", "The first argument must be a number.")
    bar = next((value for value in rest[1:] if isinstance(value, Node)), None)
    texts = [value for value in rest[1:] if isinstance(value, str | list)]
    kept = scene.root.info
    if bar is None and not texts:
        bar = kept.get("waitbar")
    if bar is None or bar.deleted:
        bar = new_figure(scene)
        # a window of its own, which does not become the current figure
        scene.figures.remove(bar)
        scene.figures.insert(0, bar)
        bar.values.update(Tag="TMWWaitbar", HandleVisibility="callback", Visible="off")
        kept["waitbar"] = bar
    bar.check()
    if texts:
        bar.info["text"] = _text(texts[0])
    part = min(max(rest[0], 0.0), 1.0)
    bar.info["part"] = part
    if "progress" not in bar.info:
        made = bar.info["progress"] = Progress("", 1, soon=0)
        bar.info["ended"] = made.close
        front_of(interp).ends.append(made.close)
    bar.info["progress"].show(part, bar.info.get("text", ""))
    if not nargout:
        return None
    return bar


@builtin(
    "uisetcolor",
    "uisetfont",
    "uialert",
    "uiconfirm",
    family="plot/dialogs",
    nargin=(0, None),
    needs=("interp",),
)
def uisetcolor(*args: Any, interp: Interp) -> Any:
    """Ask for a colour or a font: an error where there is no window.

    C = uisetcolor

    Examples:
        >> try, uisetcolor; catch e, disp(e.identifier), end
        RunMat:graphics:noWindow

    See also: inputdlg.
    """
    raise MatlabError("RunMat:graphics:noWindow", "There is no window to ask in.")
