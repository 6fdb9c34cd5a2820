#!/bin/sh
# Build the image, run docker-compose.yml with podman-compose, and try what production
# asks of it; see container_trial/trial.py. Ends with 0 when every step worked.
#
# TRIAL_HOME  images, as a cache, and the files of the engine; default: a folder in TMPDIR.
#             Containers, networks and volumes are made in it, too, so that nothing of
#             this machine's other containers is touched.
set -eu
here=$(dirname "$(readlink -f "$0")")
for tool in podman debootstrap git gzip python3; do
    command -v "$tool" >/dev/null || { echo "$tool is needed" >&2; exit 2; }
done
[ "$(id -u)" = 0 ] || { echo "Run this as root: debootstrap needs it." >&2; exit 2; }
TRIAL_HOME=${TRIAL_HOME:-${TMPDIR:-/tmp}/devrag-container-trial}
export TRIAL_HOME TMPDIR="$TRIAL_HOME/tmp"
mkdir -p "$TRIAL_HOME/networks" "$TMPDIR"

# Settings of the engine that only this trial has. Without systemd, cgroups are made by the
# engine itself; limits are those of this shell, as the engine's own may be higher.
runtime=$(command -v runc || command -v crun)
manager=systemd
[ -d /run/systemd/system ] || manager=cgroupfs
cat >"$TRIAL_HOME/containers.conf" <<END
[engine]
runtime = "$(basename "$runtime")"
cgroup_manager = "$manager"
events_logger = "file"
[containers]
log_driver = "k8s-file"
default_ulimits = ["nofile=$(ulimit -Hn):$(ulimit -Hn)", "nproc=4000:4000"]
[network]
network_config_dir = "$TRIAL_HOME/networks"
END
cat >"$TRIAL_HOME/storage.conf" <<END
[storage]
driver = "overlay"
graphroot = "$TRIAL_HOME/storage"
runroot = "/run/devrag-trial-$(printf %s "$TRIAL_HOME" | cksum | cut -d' ' -f1)"
END
export CONTAINERS_CONF="$TRIAL_HOME/containers.conf"
export CONTAINERS_STORAGE_CONF="$TRIAL_HOME/storage.conf"

if ! command -v podman-compose >/dev/null; then
    tools=$TRIAL_HOME/tools
    [ -x "$tools/bin/podman-compose" ] || {
        python3 -m venv "$tools"
        "$tools/bin/python" -m pip install --quiet podman-compose==1.6.0 2>/dev/null
    }
    PATH=$tools/bin:$PATH
    export PATH
fi
exec python3 "$here/container_trial/trial.py" "$@"
