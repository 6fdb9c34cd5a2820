"""Branches, tags and commits: which version is meant."""

from __future__ import annotations

import pytest

from devrag.core.errors import InvalidInput, NotFound
from tests.sources.repositories import Connect, Repository, contents


@pytest.mark.parametrize(
    ("ref", "kind"),
    [
        ("topic/x", "branch"),
        ("refs/heads/topic/x", "branch"),
        ("v1", "tag"),
        ("light", "tag"),
        ("refs/tags/v1", "tag"),
    ],
)
def test_branches_and_tags(
    repository: Repository, connect: Connect, ref: str, kind: str
) -> None:
    repository.git("branch", "topic/x")
    repository.git("tag", "light")
    repository.git("tag", "-a", "v1", "-m", "annotated")  # peeled to its commit
    head = repository.git("rev-parse", "HEAD")
    repository.commit({"later": "1"})
    version = connect(repository).resolve(ref)
    assert (version.identifier, version.ref_kind) == (head, kind)
    assert version.ref_name == ref.removeprefix("refs/heads/").removeprefix(
        "refs/tags/"
    )


def test_a_branch_goes_before_a_tag_of_its_name(
    repository: Repository, connect: Connect
) -> None:
    repository.git("tag", "same")
    repository.git("checkout", "-q", "-b", "same")
    on_branch = repository.commit({"b": "1"})
    version = connect(repository).resolve("same")
    assert (version.identifier, version.ref_kind) == (on_branch, "branch")
    assert connect(repository).resolve("refs/tags/same").ref_kind == "tag"


def test_tag_and_branch_on_one_commit(repository: Repository, connect: Connect) -> None:
    repository.git("tag", "v1.0.0")
    connector = connect(repository)
    tag, branch = connector.resolve("v1.0.0"), connector.resolve("main")
    assert tag.identifier == branch.identifier
    assert (tag.ref_kind, branch.ref_kind) == ("tag", "branch")


def test_a_full_hash_is_a_ref(repository: Repository, connect: Connect) -> None:
    first = repository.git("rev-parse", "HEAD")
    repository.commit({"b": "1"})
    version = connect(repository).resolve(first.upper())
    assert (version.identifier, version.ref_name) == (first, first)
    assert version.ref_kind == "commit"


def test_a_commit_on_the_ref(repository: Repository, connect: Connect) -> None:
    first = repository.git("rev-parse", "HEAD")
    repository.commit({"b": "1"})
    for ref in ("main", None):
        version = connect(repository).resolve(ref, first)
        assert (version.identifier, version.ref_name) == (first, "main")


def test_a_commit_off_the_ref(repository: Repository, connect: Connect) -> None:
    repository.git("checkout", "-q", "-b", "topic")
    elsewhere = repository.commit({"b": "1"})
    with pytest.raises(InvalidInput, match="not on the branch main"):
        connect(repository).resolve("main", elsewhere)


@pytest.mark.parametrize("unknown", ["0" * 40, "f" * 40])
def test_an_unknown_commit(
    repository: Repository, connect: Connect, unknown: str
) -> None:
    with pytest.raises(NotFound, match="No branch or tag"):
        connect(repository).resolve("main", unknown)
    with pytest.raises(NotFound, match="No branch or tag"):
        connect(repository).resolve(unknown)


@pytest.mark.parametrize("commit", ["abc1234", "HEAD", "--all", "main"])
def test_a_commit_needs_its_full_hash(
    repository: Repository, connect: Connect, commit: str
) -> None:
    with pytest.raises(InvalidInput, match="40 digits"):
        connect(repository).resolve("main", commit)


def test_a_missing_ref_names_its_neighbours(
    repository: Repository, connect: Connect
) -> None:
    for name in ("release-1", "release-2", "other"):
        repository.git("branch", name)
    with pytest.raises(NotFound, match=r"'relase-1'. There is release-1, release-2"):
        connect(repository).resolve("relase-1")
    with pytest.raises(NotFound, match="all 40 digits"):
        connect(repository).resolve("abc1234")


@pytest.mark.parametrize(
    "ref", ["--upload-pack=x", "-x", "a..b", "main^{tree}", "main:README.md", "@{-1}"]
)
def test_hostile_refs(repository: Repository, connect: Connect, ref: str) -> None:
    with pytest.raises(InvalidInput):
        connect(repository).resolve(ref)


def test_a_tag_on_a_tree_is_no_version(
    repository: Repository, connect: Connect
) -> None:
    repository.git("tag", "tree", "HEAD^{tree}")
    connector = connect(repository)
    assert connector.resolve().ref_name == "main"
    assert connector.resolve(repository.git("rev-parse", "HEAD")).ref_kind == "commit"
    with pytest.raises(InvalidInput, match="does not point to a commit"):
        connector.resolve("tree")


def test_a_checkout_s_default_is_its_current_branch(
    repository: Repository, connect: Connect
) -> None:
    repository.git("checkout", "-q", "-b", "develop")
    assert connect(repository).resolve().ref_name == "develop"


def test_a_bare_repository_s_default_is_main(
    repository: Repository, connect: Connect
) -> None:
    repository.git("checkout", "-q", "-b", "develop")
    repository.git("clone", "-q", "--bare", ".", "../bare.git")
    bare = Repository(repository.path.parent / "bare.git")
    assert connect(bare).resolve().ref_name == "main"
    bare.git("branch", "-m", "main", "trunk")
    assert connect(bare).resolve().ref_name == "develop"
    bare.git("symbolic-ref", "HEAD", "refs/heads/nowhere")
    assert connect(bare).resolve().ref_name == "develop"


def test_the_default_branch_can_be_set(
    repository: Repository, connect: Connect
) -> None:
    repository.git("branch", "stable")
    assert connect(repository, "stable").resolve().ref_name == "stable"
    with pytest.raises(NotFound, match="'gone'"):
        connect(repository, "gone").resolve()


def test_a_detached_checkout(repository: Repository, connect: Connect) -> None:
    repository.git("checkout", "-q", "--detach")
    lonely = repository.commit({"b": "1"})
    connector = connect(repository)
    version = connector.resolve()
    assert (version.identifier, version.ref_kind) == (lonely, "commit")
    assert "b" in contents(connector, version)
    repository.git("checkout", "-q", "main")
    assert connector.resolve().ref_name == "main"
    with pytest.raises(NotFound):
        connector.resolve(lonely)


def test_a_linked_work_tree(repository: Repository, connect: Connect) -> None:
    repository.git("worktree", "add", "-q", "-b", "side", "../side")
    linked = Repository(repository.path.parent / "side")
    assert connect(linked).resolve().ref_name == "side"


def test_a_force_pushed_branch(repository: Repository, connect: Connect) -> None:
    connector = connect(repository)
    old = connector.resolve()
    repository.git("commit", "-q", "--amend", "-m", "rewritten")
    new = connector.resolve()
    assert new.message == "rewritten"
    assert new.identifier != old.identifier
    with pytest.raises(InvalidInput, match="not on the branch main"):
        connector.resolve("main", old.identifier)


def test_a_deleted_branch(repository: Repository, connect: Connect) -> None:
    repository.git("branch", "topic")
    connector = connect(repository)
    assert connector.resolve("topic").ref_name == "topic"
    repository.git("branch", "-D", "topic")
    repository.git("branch", "topic/nested")  # needs the old name out of the way
    with pytest.raises(NotFound, match="'topic'"):
        connector.resolve("topic")
    assert connector.resolve("topic/nested").ref_kind == "branch"


def test_a_moved_tag(repository: Repository, connect: Connect) -> None:
    repository.git("tag", "v1")
    connector = connect(repository)
    connector.resolve("v1")
    moved = repository.commit({"b": "1"})
    repository.git("tag", "-f", "v1")
    assert connector.resolve("v1").identifier == moved
