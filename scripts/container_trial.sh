#!/bin/sh
# Build the image, run docker-compose.yml with podman-compose, and try what production
# asks of it; see container_trial/trial.py. Ends with 0 when every step worked.
set -eu
here=$(dirname "$(readlink -f "$0")")
for tool in podman podman-compose git gzip python3; do
    command -v "$tool" >/dev/null || { echo "$tool is needed" >&2; exit 2; }
done
exec python3 "$here/container_trial/trial.py" "$@"
