"""runmat and Octave as processes of their own that run statements one after another."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

_DONE = "STATEMENTS-DONE"


class EndedError(Exception):
    """A process ended before it answered."""


class Octave:
    """An ``octave-cli`` that reads statements until it is closed."""

    def __init__(self, command: str) -> None:
        self._process = subprocess.Popen(
            [command, "--norc", "--quiet", "--no-line-editing"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, code: str) -> list[str]:
        """The lines that `code` prints."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{code}\nprintf('\\n{_DONE}\\n'); fflush(stdout);\n")
        self._process.stdin.flush()
        lines: list[str] = []
        for line in self._process.stdout:
            if line.strip() == _DONE:
                return lines
            lines.append(line.rstrip("\n"))
        raise EndedError("\n".join(lines))

    def close(self) -> None:
        """End the process."""
        self._process.communicate("exit\n", timeout=60)


class Runmat:
    """A session of this process, with host rules or a provider."""

    def __init__(self, provider: str) -> None:
        from runmat_core.session import Session

        self._session = Session(provider=provider)

    def run(self, code: str) -> list[str]:
        """The lines that `code` prints."""
        return self._session.capture(code).splitlines()

    def close(self) -> None:
        """Close the session."""
        self._session.close()


Engine = Octave | Runmat


class Exchange:
    """A folder through which data go to engines and results come back, as raw doubles or text."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._path = Path(self._folder.name)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._folder.cleanup()

    def written(self, data: dict[str, Any]) -> str:
        """MATLAB statements that read the variables `data`, which are written here."""
        lines: list[str] = []
        for name, value in data.items():
            path = self._path / name
            if isinstance(value, np.ndarray):
                path.write_bytes(value.astype(np.float64).tobytes(order="F"))
                rows, columns = value.shape
                lines.append(
                    f"f = fopen('{path.as_posix()}'); "
                    f"{name} = fread(f, [{rows} {columns}], 'double'); fclose(f);"
                )
            elif isinstance(value, str):
                path.write_text(value)
                lines.append(f"{name} = fileread('{path.as_posix()}');")
            else:
                path.write_text("\n".join(value))
                lines.append(f"{name} = regexp(fileread('{path.as_posix()}'), '\\n', 'split');")
        return "\n".join(lines)

    def result(self, engine: Engine, shown: str) -> NDArray[np.float64]:
        """The numbers of a MATLAB expression."""
        path = self._path / "result"
        engine.run(f"f = fopen('{path.as_posix()}', 'w'); fwrite(f, {shown}, 'double'); fclose(f);")
        return np.fromfile(path, np.float64)
