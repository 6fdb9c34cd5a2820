"""Repositories below the roots that make git read what lies elsewhere."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from devrag.core.errors import DevragError, PermissionDenied
from devrag.sources.connectors import ConnectorContext, open_connector
from devrag.sources.connectors.git import location
from devrag.sources.connectors.git.confine import confinement
from tests.sources.repositories import Repository, contents, make_repository

SECRET = b"what another product keeps\n"


@pytest.fixture
def roots(tmp_path: Path) -> Path:
    (tmp_path / "roots").mkdir()
    return tmp_path / "roots"


@pytest.fixture
def outside(tmp_path: Path) -> Repository:
    made = make_repository(tmp_path / "outside")
    made.commit({"secret.txt": SECRET.decode()})
    return made


@pytest.fixture
def crafted(roots: Path, outside: Repository) -> Repository:
    """A repository of one's own; its branch may name the other one's commit."""
    made = make_repository(roots / "crafted")
    made.commit({"own.txt": "own\n"})
    return made


def read_all(
    path: Path, roots: Path, source_root: Path | None = None
) -> dict[str, bytes]:
    context = ConnectorContext(
        repos_dir=roots.parent / "mirrors", source_roots=(source_root or roots,)
    )
    with closing(open_connector("git", {"path": str(path)}, context)) as connector:
        return contents(connector, connector.resolve())


def link(place: Path, target: Path) -> None:
    """Put a symlink in place of a file or folder."""
    if place.exists():
        place.rename(place.with_name(f"{place.name}.own"))
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(target)


def borrow(git: Path, line: str) -> None:
    (git / "objects/info/alternates").write_text(f"{line}\n")


def chain(git: Path, other: Path) -> None:
    """Borrow from a folder below the roots that borrows from outside."""
    between = git.parent.parent / "between"
    (between / "info").mkdir(parents=True)
    (between / "info/alternates").write_text(f"{other}/objects\n")
    borrow(git, str(between))


def point(git: Path, other: Path) -> None:
    """Replace `.git` by a file that names another place."""
    git.rename(git.with_name("own"))
    git.write_text(f"gitdir: {other}\n")


def climb(git: Path, other: Path) -> None:
    git.rename(git.with_name("own"))
    git.write_text(f"gitdir: ../../{other.parent.name}/.git\n")


def share(git: Path, other: Path) -> None:
    (git / "commondir").write_text(f"{other}\n")


def include(git: Path, other: Path, text: str) -> None:
    with (git / "config").open("a") as file:
        file.write(text.format(other=other))


def pipe_for_head(git: Path, other: Path) -> None:
    (git / "HEAD").rename(git / "own")
    os.mkfifo(git / "HEAD")


Craft = Callable[[Path, Path], None]
CRAFTS: dict[str, Craft] = {
    "objects": lambda git, other: link(git / "objects", other / "objects"),
    "pack": lambda git, other: link(git / "objects/pack", other / "objects/pack"),
    "one pack": lambda git, other: link(
        git / "objects/pack/pack-1.pack", other / "HEAD"
    ),
    "loose": lambda git, other: link(git / "objects/ab", other / "objects"),
    "objects/info": lambda git, other: link(
        git / "objects/info", other / "objects/info"
    ),
    "alternates": lambda git, other: borrow(git, f"{other}/objects"),
    "relative alternates": lambda git, other: borrow(
        git, "../../../../outside/.git/objects"
    ),
    "quoted alternates": lambda git, other: borrow(git, f'"{other}/objects"'),
    "chained alternates": chain,
    "linked alternates": lambda git, other: link(
        git / "objects/info/alternates", other / "HEAD"
    ),
    "HEAD": lambda git, other: link(git / "HEAD", other / "HEAD"),
    "refs": lambda git, other: link(git / "refs", other / "refs"),
    "one ref": lambda git, other: link(
        git / "refs/heads/other", other / "refs/heads/main"
    ),
    "packed-refs": lambda git, other: link(git / "packed-refs", other / "HEAD"),
    "config": lambda git, other: link(git / "config", other / "config"),
    "include": lambda git, other: include(
        git, other, "[include]\n path = {other}/config\n"
    ),
    "includeIf": lambda git, other: include(
        git, other, '[core] [INCLUDEIF "gitdir:/"] path = {other}/config\n'
    ),
    "promisor": lambda git, other: include(
        git, other, '[remote "o"]\n promisor = true\n url = {other}\n'
    ),
    "shallow": lambda git, other: link(git / "shallow", other / "HEAD"),
    "grafts": lambda git, other: link(git / "info/grafts", other / "HEAD"),
    "commondir": share,
    "linked commondir": lambda git, other: link(git / "commondir", other / "HEAD"),
    "gitdir": point,
    "relative gitdir": climb,
    ".git": link,
    "alternates with a NUL": lambda git, other: borrow(git, "a\0b"),
    "gitdir with a NUL": lambda git, other: point(git, Path("a\0b")),
    "pipe": lambda git, other: os.mkfifo(git / "refs/heads/pipe"),
    "pipe for HEAD": pipe_for_head,
}


@pytest.mark.parametrize("name", CRAFTS)
def test_a_repository_that_reads_elsewhere_is_refused(
    roots: Path, crafted: Repository, outside: Repository, name: str
) -> None:
    CRAFTS[name](crafted.path / ".git", outside.path / ".git")
    with pytest.raises(PermissionDenied, match="outside the folders that sources"):
        read_all(crafted.path, roots)


@pytest.mark.parametrize("name", ["objects", "alternates", "include"])
def test_a_bare_repository_is_looked_at_likewise(
    roots: Path, crafted: Repository, outside: Repository, name: str
) -> None:
    crafted.git("clone", "-q", "--bare", ".", "../bare.git")
    bare = roots / "bare.git"
    CRAFTS[name](bare, outside.path / ".git")
    with pytest.raises(PermissionDenied):
        read_all(bare, roots)


def test_a_huge_pointer_file_is_not_read(
    roots: Path, crafted: Repository, outside: Repository
) -> None:
    git = crafted.path / ".git"
    git.rename(crafted.path / "own")
    with git.open("wb") as file:
        file.truncate(100 * 10**9)
    with pytest.raises(PermissionDenied, match="too large"):
        read_all(crafted.path, roots)


@pytest.mark.parametrize(
    "name", ["HEAD", "refs/heads/huge", "packed-refs", "shallow", "info/grafts"]
)
def test_a_huge_list_of_refs_is_not_read(
    roots: Path, crafted: Repository, name: str
) -> None:
    with (crafted.path / ".git" / name).open("ab") as file:
        file.truncate(200_000_000)
    with pytest.raises(PermissionDenied, match="too large"):
        read_all(crafted.path, roots)


def test_a_huge_ref_behind_a_symlink_is_not_read(
    roots: Path, crafted: Repository
) -> None:
    huge = crafted.path / ".git/objects/huge"
    with huge.open("wb") as file:
        file.truncate(200_000_000)
    link(crafted.path / ".git/refs/heads/huge", huge)
    with pytest.raises(PermissionDenied, match="too large"):
        read_all(crafted.path, roots)


# -- what people do have


def test_a_repository_whose_own_folder_is_all_that_it_may_use_is_read(
    roots: Path, crafted: Repository
) -> None:
    assert read_all(crafted.path, roots, crafted.path) == {"own.txt": b"own\n"}


def test_a_work_tree_below_the_roots_is_read(roots: Path, crafted: Repository) -> None:
    crafted.git("worktree", "add", "-q", "../tree", "-b", "side")
    assert read_all(roots / "tree", roots) == {"own.txt": b"own\n"}


def test_a_clone_that_borrows_below_the_roots_is_read(
    roots: Path, crafted: Repository
) -> None:
    crafted.git("clone", "-q", "--shared", ".", "../shared")
    assert read_all(roots / "shared", roots) == {"own.txt": b"own\n"}


def test_storage_linked_below_the_roots_is_read(
    roots: Path, crafted: Repository
) -> None:
    """As Android's repo tool lays it out."""
    store = roots / "store"
    store.mkdir()
    for name in ("objects", "refs", "config"):
        (crafted.path / ".git" / name).rename(store / name)
        (crafted.path / ".git" / name).symlink_to(f"../../store/{name}")
    assert read_all(crafted.path, roots) == {"own.txt": b"own\n"}


def test_hooks_may_be_linked_anywhere(
    roots: Path, crafted: Repository, outside: Repository
) -> None:
    link(crafted.path / ".git/hooks", outside.path)
    assert read_all(crafted.path, roots) == {"own.txt": b"own\n"}


def test_the_local_operator_reads_what_the_account_may_read(
    roots: Path, crafted: Repository, outside: Repository
) -> None:
    borrow(crafted.path / ".git", f"{outside.path}/.git/objects")
    context = ConnectorContext(repos_dir=roots.parent / "mirrors", is_local_user=True)
    metadata = {"path": str(crafted.path)}
    with closing(open_connector("git", metadata, context)) as connector:
        assert contents(connector, connector.resolve()) == {"own.txt": b"own\n"}


# -- swapped right after the look


def has_landlock() -> bool:
    """Ask the kernel for the version of its Landlock (source: landlock(7))."""
    return ctypes.CDLL(None).syscall(444, None, 0, 1) > 0


@pytest.mark.parametrize("place", [".git", ".git/objects", "."])
@pytest.mark.parametrize("is_root", [False, True])
def test_what_is_swapped_after_the_look_is_not_read(
    roots: Path,
    crafted: Repository,
    outside: Repository,
    place: str,
    is_root: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The race at its worst. Where the kernel has no Landlock, only the look counts.

    is_root: nothing but the repository's own folder may be read.
    """
    source_root = crafted.path if is_root else roots
    swapped = (crafted.path / place).resolve()
    if place == ".git/objects":
        head = outside.git("rev-parse", "HEAD")
        (crafted.path / ".git/refs/heads/main").write_text(f"{head}\n")

    def look(folder: Path, source_roots: object) -> None:
        swapped.rename(roots / "own")
        swapped.symlink_to(outside.path / place)

    monkeypatch.setattr(location, "check_storage", look)
    if has_landlock():
        with pytest.raises(DevragError):
            read_all(crafted.path, roots, source_root)
    else:
        read_all(crafted.path, roots, source_root)


def test_a_confined_program_has_a_limit_of_memory(roots: Path) -> None:
    command = [*confinement([roots]), "sh", "-c", "ulimit -d"]
    assert int(subprocess.check_output(command)) * 1024 == 4 << 30


def test_a_confined_program_reads_what_it_is_given(roots: Path) -> None:
    (roots / "a.txt").write_text("own")
    command = [*confinement([roots]), "cat", str(roots / "a.txt")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "own"
    done = subprocess.run(
        [*confinement([roots]), "cat", __file__], capture_output=True, check=False
    )
    assert bool(done.returncode) == has_landlock()


@pytest.mark.skipif(not has_landlock(), reason="the kernel has no Landlock")
def test_what_is_beside_a_program_of_one_s_own_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    program = shutil.copy(shutil.which("cat") or "", tmp_path / "bin/show")
    (tmp_path / "notes.txt").write_text("own")
    command = [*confinement([]), str(program)]
    done = subprocess.run([*command, "/dev/null"], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    done = subprocess.run(
        [*command, str(tmp_path / "notes.txt")], capture_output=True, check=False
    )
    assert done.returncode != 0
