#!/bin/sh
# Make stand-ins for the images that the trial needs and no registry gives: Python,
# PostgreSQL with pgvector and Valkey on a Debian made by debootstrap.
#
# Usage: base_images.sh. Needs root, podman and debootstrap. PYTHON_IMAGE, POSTGRES_IMAGE
# and VALKEY_IMAGE name what is wanted; TRIAL_BUILD_OPTIONS is given to `podman build`.
set -eu
here=$(dirname "$(readlink -f "$0")")
debian=localhost/devrag-trial-debian:bookworm
mirror=${TRIAL_DEBIAN_MIRROR:-http://deb.debian.org/debian}

has() {
    podman image exists "$1" || podman pull --quiet "$1" >/dev/null 2>&1
}

make_debian() {
    podman image exists "$debian" && return
    folder=$(mktemp -d "${TMPDIR:-/tmp}/devrag-debian.XXXXXX")
    trap 'umount -q "$folder/proc" || true; rm -rf --one-file-system "$folder"' EXIT
    debootstrap --variant=minbase --include=ca-certificates bookworm "$folder" "$mirror" >&2
    # As the official slim images: no documentation, no languages, no lists of packages.
    rm -rf "$folder"/var/cache/apt/* "$folder"/var/lib/apt/lists/* \
        "$folder"/usr/share/doc/* "$folder"/usr/share/man/* "$folder"/usr/share/locale/*
    printf '%s\n' 'DPkg::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb /var/cache/apt/*.bin"; };' \
        'Dir::Cache::pkgcache "";' 'Dir::Cache::srcpkgcache "";' \
        >"$folder/etc/apt/apt.conf.d/docker-clean"
    for each in doc man info locale lintian; do
        echo "path-exclude /usr/share/$each/*"
    done >"$folder/etc/dpkg/dpkg.cfg.d/docker"
    tar -C "$folder" -c . | podman import --quiet - "$debian" >&2
}

# stand_in IMAGE FILE: build FILE as IMAGE if the machine and the registry have none.
stand_in() {
    if has "$1"; then
        echo "$1 is there"
        return
    fi
    make_debian
    # shellcheck disable=SC2086 - options are several words
    podman build --quiet --pull=never --isolation "${TRIAL_ISOLATION:-oci}" \
        ${TRIAL_BUILD_OPTIONS:-} --build-arg PYTHON_IMAGE="$PYTHON_IMAGE" \
        -t "$1" -f "$here/stand_ins/$2" "$here/stand_ins" >&2
    echo "$1 stands in for the registry's"
}

stand_in "$PYTHON_IMAGE" python.Dockerfile
stand_in "$POSTGRES_IMAGE" postgres.Dockerfile
stand_in "$VALKEY_IMAGE" valkey.Dockerfile
