"""Files of public repositories at the commits that a set of questions names.

A folder holds the repositories, each with its history: `owner+name/repo`,
`owner+name` or `name`, bare or with a work tree. Nothing in them is changed.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import tarfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath


@dataclass(frozen=True, slots=True)
class PinnedPart:
    """Files of a repository (`owner/name`) at a commit. paths: globs, () for all."""

    repository: str
    commit: str
    paths: tuple[str, ...] = ()


def find_repository(folder: Path, name: str) -> Path:
    """Return where a repository lies. Raises FileNotFoundError."""
    joined = name.replace("/", "+")
    places = (f"{joined}/repo", joined, name.rpartition("/")[2])
    for place in places:
        if (folder / place).is_dir():
            return folder / place
    raise FileNotFoundError(f"{folder} has none of {', '.join(places)}.")


def list_files(repository: Path, part: PinnedPart) -> list[str]:
    """Return the paths of a part, sorted."""
    listed = read_git(repository, "ls-tree", "-r", "-z", "--name-only", part.commit)
    paths = listed.decode().rstrip("\0").split("\0")
    if not part.paths:
        return paths
    return [path for path in paths if _is_wanted(path, part.paths)]


def _is_wanted(path: str, patterns: Sequence[str]) -> bool:
    """Return whether a glob matches the whole path; `*` is within a folder."""
    return any(
        path.count("/") == pattern.count("/") and PurePosixPath(path).match(pattern)
        for pattern in patterns
    )


def read_pinned(repository: Path, commit: str, path: str) -> str:
    """Return the text of a file at a commit."""
    return read_git(repository, "show", f"{commit}:{path}").decode("utf-8", "replace")


def check_out(folder: Path, parts: Sequence[PinnedPart], target: Path) -> None:
    """Write the files of all parts to a folder and nothing else."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for part in parts:
        repository = find_repository(folder, part.repository)
        wanted = list_files(repository, part) if part.paths else ()
        if part.paths and not wanted:
            raise FileNotFoundError(f"{part.repository} has no {part.paths}.")
        archive = read_git(repository, "archive", part.commit, "--", *wanted)
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extractall(target, filter="data")


def read_git(repository: Path, *argv: str) -> bytes:
    """Return what git prints. Raises CalledProcessError."""
    done = subprocess.run(
        ["git", "--literal-pathspecs", *argv],
        cwd=repository,
        capture_output=True,
        check=True,
    )
    return done.stdout
