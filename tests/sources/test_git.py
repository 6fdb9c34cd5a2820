"""Git repositories on this machine: listings, contents, what is refused."""

from __future__ import annotations

import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from devrag.core.errors import DevragError, InvalidInput, SourceError
from devrag.sources.connectors import ConnectorContext, Entry, Revision, open_connector
from tests.sources.repositories import (
    Connect,
    Repository,
    contents,
    make_repository,
    skips,
)


def test_the_whole_way(repository: Repository, connect: Connect) -> None:
    connector = connect(repository)
    version = connector.resolve()
    assert version == Revision(
        repository.git("rev-parse", "HEAD"),
        "main",
        "branch",
        datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
        "first",
    )
    assert contents(connector, version) == {
        "README.md": b"# Hello\n",
        "src/app.py": b"print()\n",
    }
    connector.close()


def test_entries_carry_git_s_facts(repository: Repository, connect: Connect) -> None:
    (repository.path / "run.sh").write_text("#!/bin/sh\n")
    (repository.path / "run.sh").chmod(0o755)
    repository.commit({})
    connector = connect(repository)
    entries = {e.path: e for e in connector.list(connector.resolve())}
    blob = repository.git("rev-parse", "HEAD:run.sh")
    assert entries["run.sh"] == Entry("run.sh", blob, 10, 0o100755)


def test_only_committed_files_count(repository: Repository, connect: Connect) -> None:
    (repository.path / "README.md").write_text("not yet")
    (repository.path / "new.txt").write_text("not yet")
    repository.git("add", "new.txt")
    connector = connect(repository)
    read = contents(connector, connector.resolve())
    assert read["README.md"] == b"# Hello\n"
    assert "new.txt" not in read


def test_a_new_commit_is_seen(repository: Repository, connect: Connect) -> None:
    connector = connect(repository)
    first = connector.resolve()
    expected = repository.commit({"src/app.py": None, "b": "2"})
    second = connector.resolve()
    assert second.identifier == expected
    assert sorted(contents(connector, second)) == ["README.md", "b"]
    assert sorted(contents(connector, first)) == ["README.md", "src/app.py"]


def test_nothing_new_writes_nothing(
    repository: Repository, connect: Connect, repos_dir: Path
) -> None:
    connect(repository).resolve()
    before = {p: p.stat().st_mtime_ns for p in repos_dir.rglob("*") if p.is_file()}
    connect(repository).resolve()
    after = {p: p.stat().st_mtime_ns for p in repos_dir.rglob("*") if p.is_file()}
    assert after == before


def test_any_process_can_list_a_resolved_version(
    repository: Repository, connect: Connect
) -> None:
    version = connect(repository).resolve()
    assert len(contents(connect(repository), version)) == 2


def test_a_shallow_source(repository: Repository, connect: Connect) -> None:
    repository.commit({"b": "1"})
    url = f"file://{repository.path}"
    repository.git("clone", "-q", "--depth=1", url, "../shallow")
    connector = connect(Repository(repository.path.parent / "shallow"))
    assert len(contents(connector, connector.resolve())) == 3


def test_a_partial_source(repository: Repository, connect: Connect) -> None:
    repository.git("config", "uploadpack.allowFilter", "true")
    url = f"file://{repository.path}"
    repository.git("clone", "-q", "--no-checkout", "--filter=blob:none", url, "../part")
    partial = Repository(repository.path.parent / "part")
    trace = repository.path.parent / "ran"
    partial.git("config", "remote.origin.uploadpack", f"touch {trace};")
    with pytest.raises(SourceError) as caught:
        connect(partial).resolve()
    assert "missing or damaged" in caught.value.message
    assert not trace.exists()


def test_urls_of_submodules_are_never_used(
    repository: Repository, connect: Connect, tmp_path: Path
) -> None:
    trace = tmp_path / "ran"
    module = (
        '[submodule "x"]\n\tpath = x\n\turl = ext::sh -c "touch {0}"\n'
        '[submodule "-u./y"]\n\tpath = y\n\turl = -u./y\n\tupdate = !touch {0}\n'
    )
    repository.commit({".gitmodules": module.format(trace)})
    head = repository.git("rev-parse", "HEAD")
    for path in ("x", "y"):
        repository.git("update-index", "--add", "--cacheinfo", f"160000,{head},{path}")
    repository.git("commit", "-q", "-m", "modules")
    connector = connect(repository)
    version = connector.resolve()
    assert skips(connector, version) == {"x": "submodule", "y": "submodule"}
    assert ".gitmodules" in contents(connector, version)
    assert not trace.exists()


def test_submodules_and_symlinks_are_reported(
    repository: Repository, connect: Connect
) -> None:
    commit = repository.git("rev-parse", "HEAD")
    entry = f"160000,{commit},vendor/lib"
    (repository.path / "link").symlink_to("/etc/passwd")
    repository.git("add", "link")
    repository.git("update-index", "--add", "--cacheinfo", entry)
    repository.git("commit", "-q", "-m", "specials")
    connector = connect(repository)
    version = connector.resolve()
    assert skips(connector, version) == {"link": "symlink", "vendor/lib": "submodule"}
    assert len(contents(connector, version)) == 2


def test_strange_names(repository: Repository, connect: Connect) -> None:
    names = ["with space.txt", "two\nlines", "tab\there", "日本/語.md", '"q"', "-rf"]
    repository.commit(dict.fromkeys(names, "x"))
    connector = connect(repository)
    assert set(names) <= set(contents(connector, connector.resolve()))


def test_undecodable_names_are_reported(
    repository: Repository, connect: Connect
) -> None:
    Path(os.fsdecode(os.fsencode(repository.path) + b"/caf\xe9")).write_text("x")
    repository.commit({})
    connector = connect(repository)
    found = skips(connector, connector.resolve())
    assert found == {"caf\\xe9": "name is not valid UTF-8"}


def test_a_tree_that_climbs_out_is_reported(
    repository: Repository, connect: Connect
) -> None:
    blob = repository.git("rev-parse", "HEAD:README.md")
    record = b"100644 ..\0" + bytes.fromhex(blob)
    (repository.path / "raw").write_bytes(record)
    tree = repository.git("hash-object", "-t", "tree", "-w", "--literally", "raw")
    commit = repository.git("commit-tree", tree, "-m", "evil")
    repository.git("branch", "evil", commit)
    connector = connect(repository)
    version = connector.resolve("evil")
    assert skips(connector, version) == {"..": "path outside the tree"}


def test_empty_and_binary_files_arrive_whole(
    repository: Repository, connect: Connect
) -> None:
    binary = bytes(range(256)) * 5000
    (repository.path / "bin").write_bytes(binary)
    repository.commit({"empty": ""})
    connector = connect(repository)
    read = contents(connector, connector.resolve())
    assert (read["bin"], read["empty"]) == (binary, b"")


def test_odd_commits_have_versions(repository: Repository, connect: Connect) -> None:
    tree = repository.git("rev-parse", "HEAD^{tree}")
    raw = f"tree {tree}\nauthor A <a> 1 +0000\ncommitter A <a> {10**17} +0000\n\n\n"
    (repository.path / "raw").write_text(raw)
    commit = repository.git("hash-object", "-t", "commit", "-w", "--literally", "raw")
    repository.git("branch", "odd", commit)
    version = connect(repository).resolve("odd")
    assert (version.committed_at, version.message) == (None, "")


def test_an_empty_repository(tmp_path: Path, connect: Connect) -> None:
    with pytest.raises(InvalidInput, match="no commits yet"):
        connect(make_repository(tmp_path / "empty")).resolve()


def test_a_repository_with_tags_only(repository: Repository, connect: Connect) -> None:
    repository.git("tag", "v1")
    repository.git("clone", "-q", "--bare", ".", "../bare.git")
    bare = Repository(repository.path.parent / "bare.git")
    bare.git("update-ref", "-d", "refs/heads/main")
    with pytest.raises(InvalidInput, match=r"no branch. There is v1\."):
        connect(bare).resolve()
    assert connect(bare).resolve("v1").ref_kind == "tag"


def test_sha256_repositories_are_refused(tmp_path: Path, connect: Connect) -> None:
    (tmp_path / "modern").mkdir()
    modern = Repository(tmp_path / "modern")
    modern.git("init", "-q", "--object-format=sha256")
    modern.commit({"a": "1"})
    with pytest.raises(InvalidInput, match="SHA-256"):
        connect(modern).resolve()


def test_failures_leave_no_mirror(
    repository: Repository, connect: Connect, repos_dir: Path
) -> None:
    objects = repository.path / ".git/objects"
    for blob in objects.glob("??/*"):
        blob.unlink()
    with pytest.raises(DevragError):
        connect(repository).resolve()
    assert not list(repos_dir.glob("*.git"))


def test_a_repository_of_another_owner(
    repository: Repository, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    assert connect(repository).resolve().ref_name == "main"


def test_variables_of_a_surrounding_git_do_not_matter(
    repository: Repository, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = make_repository(repository.path.parent / "other", branch="else")
    other.commit({"other": "1"})
    monkeypatch.setenv("GIT_DIR", str(other.path / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other.path / ".git/index"))
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", "'core.bare'='false'")
    connector = connect(repository)
    assert "README.md" in contents(connector, connector.resolve())


def test_hooks_of_the_source_do_not_run(
    repository: Repository, connect: Connect, tmp_path: Path
) -> None:
    trace = tmp_path / "ran"
    hook = f"#!/bin/sh\ntouch {trace}\n"
    for name in ("post-checkout", "pre-receive", "reference-transaction", "update"):
        path = repository.path / ".git/hooks" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(hook)
        path.chmod(0o755)
    repository.git("config", "uploadpack.packObjectsHook", f"touch {trace};")
    trace.unlink(missing_ok=True)
    connector = connect(repository)
    contents(connector, connector.resolve())
    assert not trace.exists()


@pytest.mark.parametrize("kind", ["plain", "nested"])
def test_folders_that_are_no_repository(
    repository: Repository, connect: Connect, tmp_path: Path, kind: str
) -> None:
    folder = tmp_path / "plain" if kind == "plain" else repository.path / "src"
    folder.mkdir(exist_ok=True)
    expected = "is not a git repository" if kind == "plain" else "is inside the git"
    with pytest.raises(InvalidInput, match=expected):
        connect(Repository(folder))


@pytest.mark.parametrize("metadata", [{}, {"url": "https://a/b", "path": "/c"}])
def test_one_address_is_needed(metadata: dict[str, str], repos_dir: Path) -> None:
    with pytest.raises(InvalidInput, match="either a URL or a path"):
        open_connector("git", metadata, ConnectorContext(repos_dir=repos_dir))


def test_listing_needs_a_fetched_commit(
    repository: Repository, connect: Connect
) -> None:
    connector = connect(repository)
    connector.resolve()
    with pytest.raises(SourceError, match="damaged"):
        list(connector.list(Revision("0" * 40, "main", "branch")))
    with pytest.raises(InvalidInput):
        connector.list(Revision("--help", "main", "branch"))
    with pytest.raises(SourceError, match="damaged"):
        list(connector.read(connector.resolve(), [Entry("x", "0" * 40, 1, 0)]))


def test_a_listing_can_be_left_early(repository: Repository, connect: Connect) -> None:
    repository.commit({f"f{n}": str(n) for n in range(300)})
    connector = connect(repository)
    version = connector.resolve()
    entry = next(iter(connector.list(version)))
    assert isinstance(entry, Entry)
    assert len(list(connector.read(version, [entry]))) == 1
    connector.close()


@pytest.mark.parametrize("escape", ["gitdir", "alternates"])
def test_git_data_outside_the_roots_is_refused(
    repository: Repository, tmp_path: Path, escape: str
) -> None:
    inner = make_repository(tmp_path / "root/inner")
    if escape == "gitdir":
        subprocess.run(["rm", "-r", inner.path / ".git"], check=True)
        (inner.path / ".git").write_text(f"gitdir: {repository.path}/.git\n")
    else:
        alternates = inner.path / ".git/objects/info/alternates"
        alternates.write_text(f"{repository.path}/.git/objects\n")
    context = ConnectorContext(tmp_path / "repos", source_roots=(tmp_path / "root",))
    with pytest.raises(DevragError, match="outside the folders"):
        open_connector("git", {"path": str(inner.path)}, context)
