"""Mirrors that several processes use, and that survive being killed."""

from __future__ import annotations

import fcntl
import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from devrag.core.errors import ConfigurationError, SourceError
from devrag.sources.connectors import ConnectorContext, open_connector
from devrag.sources.connectors.git import mirror_path
from devrag.sources.connectors.git.failures import explain
from devrag.sources.connectors.git.lock import exclusive_lock
from tests.sources.repositories import Connect, Repository, contents


def resolve_elsewhere(path: str, repos_dir: str) -> str:
    context = ConnectorContext(Path(repos_dir), is_local_user=True)
    connector = open_connector("git", {"path": path}, context)
    try:
        return connector.resolve().identifier
    finally:
        connector.close()


@pytest.mark.slow
def test_several_processes_fetch_one_after_the_other(
    repository: Repository, repos_dir: Path
) -> None:
    head = repository.commit({f"f{n}": str(n) for n in range(50)})
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(3, mp_context=spawn) as pool:
        arguments = [str(repository.path)] * 6, [str(repos_dir)] * 6
        assert set(pool.map(resolve_elsewhere, *arguments)) == {head}


def test_waiting_is_told_and_ends(tmp_path: Path) -> None:
    told: list[str] = []
    lock = tmp_path / "app.lock"
    with lock.open("a") as holder:
        fcntl.flock(holder, fcntl.LOCK_EX)
        with (
            pytest.raises(
                SourceError, match="Another process is fetching into app"
            ) as caught,
            exclusive_lock(lock, timeout_seconds=0, on_wait=lambda: told.append("x")),
        ):
            pass
    assert told == ["x"]
    assert not caught.value.permanent


def test_a_lock_outlives_its_process_with_its_child(tmp_path: Path) -> None:
    lock = tmp_path / "app.lock"
    with exclusive_lock(lock, timeout_seconds=0, on_wait=lambda: None) as descriptor:
        child_s = os.dup(descriptor)
    with (
        pytest.raises(SourceError),
        exclusive_lock(lock, timeout_seconds=0, on_wait=lambda: None),
    ):
        pass
    os.close(child_s)
    with exclusive_lock(lock, timeout_seconds=0, on_wait=lambda: None):
        pass


def test_what_a_killed_fetch_left_is_no_obstacle(
    repository: Repository, connect: Connect, repos_dir: Path
) -> None:
    connect(repository).resolve()
    mirror = mirror_path(repos_dir, str(repository.path))
    for name in ("packed-refs.lock", "refs/heads/main.lock", "shallow.lock"):
        (mirror / name).touch()
    (mirror / "objects/pack/tmp_pack_x").write_bytes(b"half")
    expected = repository.commit({"b": "1"})
    assert connect(repository).resolve().identifier == expected
    assert not (mirror / "objects/pack/tmp_pack_x").exists()


def test_an_interrupted_first_fetch_goes_on(
    repository: Repository, connect: Connect, repos_dir: Path
) -> None:
    mirror = mirror_path(repos_dir, str(repository.path))
    (mirror / "objects").mkdir(parents=True)
    connector = connect(repository)
    assert len(contents(connector, connector.resolve())) == 2


def test_an_updated_mirror_never_checks_out(
    repository: Repository, connect: Connect, repos_dir: Path
) -> None:
    connect(repository).resolve()
    mirror = mirror_path(repos_dir, str(repository.path))
    names = {path.name for path in mirror.iterdir()}
    assert not names & {"README.md", "index", "hooks", "FETCH_HEAD", "logs"}


def test_mirrors_of_like_named_repositories_are_apart(tmp_path: Path) -> None:
    first = mirror_path(tmp_path, "https://a.example/team/app.git")
    second = mirror_path(tmp_path, "https://b.example/team/app.git")
    assert first != second
    assert first.name.startswith("app-")
    assert mirror_path(tmp_path, "/日本").name.startswith("repository-")


def test_a_folder_that_cannot_be_made(repository: Repository, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    context = ConnectorContext(tmp_path / "file/repos", is_local_user=True)
    with pytest.raises(ConfigurationError, match="Cannot create the folder"):
        open_connector("git", {"path": str(repository.path)}, context)


def test_a_machine_without_git_says_so(
    repository: Repository, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    connector = connect(repository)
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(ConfigurationError, match="git is not installed"):
        connector.resolve()


FACTS = {
    "place": "https://a.example/tls-redirect",
    "mirror": "/m",
    "known_hosts": "/k",
    "scan": "ssh-keyscan a.example >> /k",
}


@pytest.mark.parametrize(
    ("stderr", "says", "permanent"),
    [
        ("fatal: write error: No space left on device", "disk is full", False),
        ("fatal: loose object abc is corrupt", "missing or damaged", True),
        ("corruption on the remote side.\nearly EOF", "missing or damaged", True),
        ("error: RPC failed; curl 92", "Cannot reach", False),
        ("fatal: SSL certificate problem: expired", "is not trusted", True),
        ("fatal: 'https://a.example/tls-redirect/': timed out", "Cannot reach", False),
        (
            "remote: API rate limit exceeded\nerror: 403",
            "has limited the number",
            False,
        ),
        ("error: RPC failed; HTTP 429", "has limited the number", False),
        ("REMOTE HOST IDENTIFICATION HAS CHANGED!", "has changed", True),
        ("fatal: something new\n", "something new", True),
        ("", "no reason given", True),
    ],
)
def test_complaints_become_sentences(stderr: str, says: str, permanent: bool) -> None:
    error = explain(stderr, FACTS)
    assert says in error.message
    assert error.permanent == permanent
    assert error.message.endswith((".", FACTS["scan"]))
