#!/bin/sh
# Make the Python of embedding.proto, in place or below the folder given.
set -eu
cd "$(dirname "$0")/.."
out=${1:-.}
python -m grpc_tools.protoc -I. --python_out="$out" --pyi_out="$out" \
    --grpc_python_out="$out" devrag/llm/proto/embedding.proto
