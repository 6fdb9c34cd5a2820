#!/bin/sh
# The first start makes the cluster, the user and the database of POSTGRES_*.
set -eu
if [ "$1" = postgres ] && [ ! -s "$PGDATA/PG_VERSION" ]; then
    mkdir -p "$PGDATA"
    password=$(mktemp)
    printf '%s\n' "$POSTGRES_PASSWORD" >"$password"
    initdb --pgdata="$PGDATA" --username="$POSTGRES_USER" --pwfile="$password" \
        --auth-local=trust --auth-host=scram-sha-256 --encoding=UTF8 --locale=C.UTF-8
    rm "$password"
    echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
    echo "CREATE DATABASE \"$POSTGRES_DB\"" |
        postgres --single -D "$PGDATA" postgres >/dev/null
fi
if [ "$1" = postgres ]; then
    set -- "$@" -c listen_addresses='*' -c unix_socket_directories=/tmp
fi
exec "$@"
