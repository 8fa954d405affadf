"""What a first program meets on a GPU: whole processes, with empty caches and with warm ones.

    python -m benchmarks.wgpu.first [--save FILE] [--warm 3]

Programs that nobody tuned for run in turns as a user starts them: with provider none, with the
default configuration (``auto``), with a named provider, and with one that is measured at first use.
The cold run of each has caches of its own, which are empty; drivers have caches that cannot be
emptied here, so what compiles a shader first pays for all. What programs print has to agree.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.wgpu.records import save
from runmat_core.accel.devices.providers import start

PROGRAMS = {
    "heat": """
        n = 2000; u = zeros(n); u(1,:) = 1;
        for k = 1:200
            u(2:end-1,2:end-1) = 0.25*(u(1:end-2,2:end-1) + u(3:end,2:end-1) ...
                + u(2:end-1,1:end-2) + u(2:end-1,3:end));
        end
        fprintf('%.8f\\n', sum(u(:)));""",
    "walks": """
        rng(1); n = 4e6; S = 100*ones(n,1);
        for t = 1:20
            S = S .* exp(-0.0005 + 0.02*randn(n,1));
        end
        fprintf('%.4f\\n', mean(max(S-100,0)));""",
    "products": """
        rng(1); A = rand(4000); B = A*A'; C = B/4000 + A; D = C*B;
        fprintf('%.6e\\n', sum(D(:)));""",
    "waves": """
        x = linspace(0,1,1e5); s = 0;
        for k = 1:50, s = s + sum(sin(k*x).*exp(-x)); end
        fprintf('%.6f\\n', s);""",
    "escapes": """
        [x,y] = meshgrid(linspace(-2,1,1500), linspace(-1.5,1.5,1500));
        c = x+1i*y; z = zeros(size(c)); n = zeros(size(c));
        for k = 1:40, z = z.^2+c; m = abs(z)<2; n = n + m; z(~m) = 2; end
        fprintf('%d\\n', sum(n(:)));""",
}
#: Provider and when it is measured.
MODES = {
    "none": ("none", "never"),
    "auto": ("auto", "kept"),
    "named": ("wgpu", "kept"),
    "measured": ("wgpu", "once"),
}


def timed(program: Path, mode: str, caches: Path) -> tuple[float, str]:
    """Return the seconds of a process that runs a program, and what it printed."""
    provider, calibrate = MODES[mode]
    environment = os.environ | {
        "RUNMAT_ACCEL_PROVIDER": provider,
        "RUNMAT_ACCEL_OFFLOAD_CALIBRATE": calibrate,
        "RUNMAT_CACHE_DIR": str(caches),
    }
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "runmat_core", str(program)],
        env=environment, cwd=program.parent, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return time.perf_counter() - started, done.stdout.strip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--save")
    parser.add_argument("--warm", type=int, default=3, help="runs of which the least counts")
    options = parser.parse_args()
    records = []
    with tempfile.TemporaryDirectory() as folder:
        for name, text in PROGRAMS.items():
            program = Path(folder) / f"{name}.m"
            program.write_text(text)
            printed = set()
            for mode in MODES:
                caches = Path(folder) / f"{name}-{mode}"
                caches.mkdir(mode=0o700)
                cold, shown = timed(program, mode, caches)
                warm = min(timed(program, mode, caches)[0] for _ in range(options.warm))
                printed.add(shown)
                record = {"program": name, "mode": mode, "cold s": cold, "warm s": warm}
                records.append(record)
                print(f"{name:<10}{mode:<10}{cold:8.2f}{warm:8.2f}  {shown}")
            assert len(printed) == 1, f"{name} printed {printed}"
    if options.save:
        provider = start("wgpu")
        save(options.save, provider.capabilities, records=records)
        provider.close()


if __name__ == "__main__":
    main()
