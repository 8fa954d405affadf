#!/bin/sh
# Runs the benchmark on a machine without a network, from wheels that were carried there.
#
#   benchmarks/offline.sh WHEELS [ARGUMENT ...]
#   MODULE=benchmarks.arrays benchmarks/offline.sh WHEELS [ARGUMENT ...]
#
# WHEELS is a folder with those of this repository (`make wheels`) and of whatever the machine lacks
# (`pip download`, see docs/benchmarks.md). They go into a folder of their own, $SITE, which is made
# anew when they are newer; nothing else of the machine is changed. The arguments are those of
# `runmat bench`, or of the module that MODULE names; PYTHON names the interpreter that has NumPy,
# PyTorch and JAX.
set -eu
wheels=$1
shift
python=${PYTHON:-python3}
site=${SITE:-${TMPDIR:-/tmp}/runmat-bench-site}
if [ ! -d "$site" ] || [ -n "$(find "$wheels" -name '*.whl' -newer "$site" | head -n 1)" ]; then
    rm -rf "$site"
    "$python" -m pip install --quiet --disable-pip-version-check --no-index --no-deps \
        --no-compile --target "$site" "$wheels"/*.whl
fi
root=$(cd "$(dirname "$0")/.." && pwd)
# what is installed comes before the sources beside it, which lack what is generated
export PYTHONSAFEPATH=1 PYTHONPATH="$site:$root${PYTHONPATH:+:$PYTHONPATH}"
exec "$python" -m "${MODULE:-runmat_bench}" "$@"
