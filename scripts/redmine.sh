#!/bin/sh
# Install Debian's Redmine for the tests that read one; without root they are left out.
set -eu
if [ -e /usr/share/redmine ] && command -v puma >/dev/null; then exit 0; fi
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "Redmine is not installed: tests against a real one are skipped." \
        "For them: apt-get install --no-install-recommends redmine redmine-pgsql puma"
    exit 0
fi
export DEBIAN_FRONTEND=noninteractive
# The package's own instance and its database are not needed.
echo "redmine redmine/instances/default/dbconfig-install boolean false" |
    debconf-set-selections
apt-get update -qq
apt-get install -y -qq --no-install-recommends redmine redmine-pgsql puma >/dev/null
