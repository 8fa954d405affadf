"""``runmat config``: the settings that hold here, where each comes from, and what is wrong."""

from __future__ import annotations

import argparse
import os
import stat
import sys
import textwrap
from pathlib import Path

from runmat_core.accel.devices import checks
from runmat_core.api.errors import MatlabError
from runmat_core.cli.run import print_configuration_error
from runmat_core.session import config as configuration
from runmat_core.session.settings import ENVIRONMENT_PREFIX, SETTINGS, Setting


def config(options: argparse.Namespace) -> int:
    actions = {"show": show, "validate": validate, "paths": paths, "generate": generate}
    return actions[options.action]()


def show() -> int:
    """Every key, its value and its origin."""
    try:
        settings = configuration.load()
    except MatlabError as error:
        print_configuration_error(error)
        return 1
    sys.stdout.write(settings.show())
    return 0


# -- validate -------------------------------------------------------------------------------------


def validate() -> int:
    """Everything that is wrong, one line each; 1 where there is something."""
    problems, settings = configuration.problems()
    found: list[MatlabError] = [*problems, *checks.problems(settings)]
    for problem in found:
        print(problem.message)
        if problem.hint:
            print(f"    {problem.hint}")
    read = [str(path) for path in files() if path.is_file()] + list(variables())
    count = "1 problem" if len(found) == 1 else f"{len(found)} problems"
    print(f"{count} in {', '.join(read)}" if read else "nothing is configured", file=sys.stderr)
    return 1 if found else 0


# -- paths ----------------------------------------------------------------------------------------


def paths() -> int:
    """Return the files looked at, the variables set, and the folders of caches."""
    print("files, the later winning:")
    for path in files():
        print(f"  {path}  ({'there' if path.is_file() else 'not there'})")
    print("variables, which win over files:")
    for name, value in variables().items():
        print(f"  {name}={value}")
    if not variables():
        print("  none set")
    print("caches, which may be deleted at any time:")
    for folder, size, count in cache_folders():
        print(f"  {folder}  ({files_text(count)}, {size_text(size)})")
    return 0


def files() -> list[Path]:
    """Return the files looked at, whether they exist or not: the user's, and the project's."""
    found = configuration.user_file(os.environ)
    user = Path(found) if found else None
    project = Path(configuration.project_file() or configuration.FILE_NAME).absolute()
    return [path for path in (user, project) if path is not None]


def variables() -> dict[str, str]:
    """Return the environment variables that set something."""
    sections = {setting.key.partition(".")[0].upper() for setting in SETTINGS}
    starts = tuple(f"{ENVIRONMENT_PREFIX}{section}_" for section in sections)
    return {name: os.environ[name] for name in sorted(os.environ) if name.startswith(starts)}


def cache_folders() -> list[tuple[str, int, int]]:
    """Return the folders of caches with their bytes and numbers of files."""
    from runmat_core.accel import caches

    base = caches.base()
    if base is None:
        return []
    found = []
    for part in ("code", "accel", "providers"):
        sizes = [size for path in Path(base, part).rglob("*") if (size := file_size(path)) >= 0]
        found.append((str(Path(base, part)), sum(sizes), len(sizes)))
    return found


def file_size(path: Path) -> int:
    """Bytes of a file; -1 of what is none, or none any more: other sessions tidy caches up."""
    try:
        status = path.stat()
    except OSError:
        return -1
    return status.st_size if stat.S_ISREG(status.st_mode) else -1


def files_text(count: int) -> str:
    return "1 file" if count == 1 else f"{count} files"


def size_text(size: float) -> str:
    """Return a number of bytes for people."""
    for unit in ("bytes", "kB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"


# -- generate -------------------------------------------------------------------------------------


def generate() -> int:
    """Return a runmat.toml without settings: every key with meaning and default, commented."""
    sys.stdout.write(template())
    return 0


def template() -> str:
    """Return the text that ``runmat config generate`` prints."""
    lines = [
        "# runmat.toml: settings for the programs in this folder and below.",
        "# What is commented out shows the default. `runmat config show` tells what holds.",
    ]
    section = ""
    for setting in SETTINGS:
        table, _, key = setting.key.rpartition(".")
        if table != section:
            lines += ["", f"[{table}]"]
            section = table
        lines += [
            f"# {line}" for line in textwrap.wrap(meaning(setting), 90, break_on_hyphens=False)
        ]
        lines.append(f"#{key} = {configuration.toml(setting.default)}")
    return "\n".join(lines) + "\n"


def meaning(setting: Setting) -> str:
    """Return what a setting means and what it may be."""
    text = setting.meaning[0].upper() + setting.meaning[1:]
    choices = [configuration.toml(choice) for choice in setting.choices]
    if setting.numbers:
        choices.append("a whole number")
    return f"{text} ({', '.join(choices)})." if choices else f"{text}."
