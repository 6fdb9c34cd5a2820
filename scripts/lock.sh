#!/bin/sh
# Pin the .in files: all platforms, hashes, no addresses. Needs `uv` on PATH.
set -eu
cd "$(dirname "$0")/../requirements"
for name in base dev; do
    uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
        --no-header --no-emit-index-url --no-emit-find-links "$@" \
        "$name.in" --output-file "$name.txt"
done
