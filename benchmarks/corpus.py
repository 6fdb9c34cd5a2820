"""A git repository of real code in several languages, of a chosen number of lines.

Taken from what is installed on every development machine: this interpreter's packages
and library, C headers, Perl and JavaScript below /usr. The same machine gives the same
corpus; another gives one of the same size.
"""

from __future__ import annotations

import random
import subprocess
import sysconfig
from collections.abc import Iterator
from pathlib import Path

_FOLDERS = (
    Path(sysconfig.get_paths()["purelib"]),
    Path(sysconfig.get_paths()["stdlib"]),
    Path("/usr/include"),
    Path("/usr/share"),
    Path("/usr/lib"),
)
# Shares of the lines; what a machine lacks of one goes to the others.
_SHARES = {
    (".py",): 0.50,
    (".h", ".c", ".hpp", ".cpp", ".cc"): 0.20,
    (".js", ".mjs", ".cjs", ".ts", ".pyi"): 0.12,
    (".pm", ".pl", ".sh"): 0.08,
    (".md", ".rst", ".txt", ".json", ".toml", ".css", ".html"): 0.10,
}
_MAX_BYTES = 500_000


def build(target: Path, lines: int, seed: int = 7) -> dict[str, int]:
    """Write and commit a corpus of about `lines` lines; return its figures."""
    found = list(_candidates())
    random.Random(seed).shuffle(found)
    taken = 0
    files = 0
    for suffixes, share in [*_SHARES.items(), (sum(_SHARES, ()), 1.0)]:
        budget = min(int(lines * share), lines - taken)
        for path in found:
            if budget <= 0:
                break
            if path.suffix in suffixes and (count := _copy(path, target)):
                budget -= count
                taken += count
                files += 1
    _git(target, "init", "-q", "-b", "main")
    commit(target, "A corpus")
    return {"files": files, "lines": taken}


def commit(target: Path, message: str) -> None:
    """Commit everything."""
    _git(target, "add", "-A")
    identity = ("-c", "user.name=bench", "-c", "user.email=bench@localhost")
    _git(target, *identity, "commit", "-q", "--no-gpg-sign", "-m", message)


def _candidates() -> Iterator[Path]:
    """Yield files in a fixed order, ignore files left out."""
    known = set().union(*_SHARES)
    for folder in _FOLDERS:
        for path in sorted(folder.rglob("*")):
            if path.suffix in known and path.is_file() and not path.is_symlink():
                yield path


def _copy(path: Path, target: Path) -> int:
    """Copy a file once; return its lines, 0 when it is there or of no use."""
    # Not the absolute path: vendored marks would see this machine's folders.
    place = target / "src" / Path(*path.parts[-4:])
    if place.exists() or path.stat().st_size > _MAX_BYTES:
        return 0
    data = path.read_bytes()
    if b"\0" in data:
        return 0
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data)
    return data.count(b"\n")


def _git(folder: Path, *argv: str) -> None:
    subprocess.run(["git", *argv], cwd=folder, check=True)
