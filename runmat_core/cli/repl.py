"""``runmat repl``: the interactive prompt, with history, multi-line blocks and completion."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

from runmat_core import __version__
from runmat_core.api.errors import MatlabError
from runmat_core.api.folders import user_folder
from runmat_core.api.front import front_of
from runmat_core.builtins import registry
from runmat_core.cli import complete
from runmat_core.cli.run import new_session, print_report
from runmat_core.session.session import Session
from runmat_core.syntax import is_incomplete
from runmat_core.values import StructArray, Value

PROMPT = ">> "
CONTINUATION = ".. "


def repl(options: argparse.Namespace) -> int:
    session = new_session(options)
    if session is None:
        return 1
    front = front_of(session.interp)
    front.attended = True
    dialect = session.config["language.dialect"]
    print(f"runmat {__version__}, {dialect} dialect. Type help NAME for help, exit to leave.")
    prompt = line_editor(session, dialect)
    while True:
        try:
            code = prompt.prompt(PROMPT, prompt_continuation=lambda *_: CONTINUATION)
        except KeyboardInterrupt:
            continue
        except EOFError:
            return 0
        if code.strip():
            execute(session, code)
            front.wait()


def execute(session: Session, code: str) -> None:
    """Run one input; errors and Ctrl-C leave the session as it is."""
    try:
        session.run(code)
    except MatlabError as error:
        print_report(session, error)
    except KeyboardInterrupt:
        sys.stderr.write("Operation terminated by user.\n")
    sys.stdout.flush()


def line_editor(session: Session, dialect: str, **terminal: Any) -> PromptSession[str]:
    """Return the line editor: Enter runs what is complete and opens a new line where it is not.

    `terminal` holds prompt_toolkit's ``input`` and ``output``, which tests replace.
    """
    keys = KeyBindings()

    @keys.add("enter")
    def _(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        at_end = not buffer.document.text_after_cursor.strip()
        if at_end and not is_incomplete(buffer.text, dialect):
            buffer.validate_and_handle()
        else:
            buffer.newline(copy_margin=True)

    return PromptSession(
        multiline=True,
        key_bindings=keys,
        history=history(),
        completer=SessionCompleter(SessionNames(session)),
        complete_while_typing=False,
        enable_history_search=True,
        **terminal,
    )


def history() -> History:
    """History kept from one start to the next; in memory where no file can be written."""
    folder = user_folder("state")
    if folder is None:
        return InMemoryHistory()
    path = Path(folder) / "history"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    except OSError:
        return InMemoryHistory()
    return FileHistory(str(path))


class SessionNames:
    """What `complete` asks of a session."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def variables(self) -> Iterable[str]:
        return self.session.interp.base().names()

    def functions(self) -> Iterable[str]:
        interp = self.session.interp
        folders = [interp.current_directory(), *interp.search_path()]
        files = (file.stem for folder in folders for file in Path(folder).glob("*.m"))
        return {*registry.names(), *(stem for stem in files if stem.isidentifier())}

    def fields(self, path: list[str]) -> Iterable[str]:
        value: Any = self.session.interp.base().get(path[0])
        for name in path[1:]:
            try:
                value = value.field(name) if isinstance(value, Value) else None
            except MatlabError:
                return []
        return value.field_names() if isinstance(value, StructArray) else []

    def folder(self) -> Path:
        return Path(self.session.interp.current_directory())


class SessionCompleter(Completer):
    """prompt_toolkit's view of `complete`."""

    def __init__(self, names: complete.Names) -> None:
        self.names = names

    def get_completions(self, document: Document, event: CompleteEvent) -> Iterable[Completion]:
        for found in complete.complete(document.current_line_before_cursor, self.names):
            yield Completion(found.text, start_position=found.start, display_meta=found.kind)
