#!/bin/sh
# As the official image: the server runs as the user valkey.
set -eu
if [ "$1" = valkey-server ] && [ "$(id -u)" = 0 ]; then
    chown valkey .
    exec setpriv --reuid=valkey --regid=valkey --clear-groups -- "$@"
fi
exec "$@"
