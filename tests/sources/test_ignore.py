"""Which files are left out, and the reason given."""

from __future__ import annotations

import pytest

from devrag.core.errors import InvalidInput
from devrag.sources.ignore import IgnoreRules, is_ignore_file
from devrag.sources.selection import Selection, read_selection

EXAMPLE = "# what search should not see\nnode_modules/\ndist/\n*.log\n.git/\n"


@pytest.mark.parametrize(
    "path", ["node_modules/a/b.js", "web/dist/x.css", "deep/er/x.log", ".git/config"]
)
def test_a_devragignore_names_folders_and_kinds_of_files(path: str) -> None:
    rules = IgnoreRules.from_files({".devragignore": EXAMPLE})
    assert rules.reason(path, 1) is not None
    assert rules.reason("src/app.py", 1) is None


def test_gitignore_is_applied_first() -> None:
    rules = IgnoreRules.from_files({".devragignore": "*.log", ".gitignore": "*.log"})
    assert rules.reason("x.log", 1) == "ignored by .gitignore"


@pytest.mark.parametrize("later", [".devragignore", ".ragignore"])
def test_a_later_file_only_adds_exclusions(later: str) -> None:
    rules = IgnoreRules.from_files({".gitignore": "*.log", later: "!x.log\n*.tmp"})
    assert rules.reason("x.log", 1) == "ignored by .gitignore"
    assert rules.reason("x.tmp", 1) == f"ignored by {later}"


def test_a_nearer_file_overrules_a_farther_one() -> None:
    rules = IgnoreRules.from_files({".gitignore": "*.log", "a/.gitignore": "!keep.log"})
    assert rules.reason("a/keep.log", 1) is None
    assert rules.reason("keep.log", 1) == "ignored by .gitignore"


def test_nothing_comes_back_from_an_ignored_directory() -> None:
    rules = IgnoreRules.from_files({".gitignore": "out/", "out/.gitignore": "!x"})
    assert rules.reason("out/x", 1) == "ignored by .gitignore"


def test_git_s_own_directory_is_never_read() -> None:
    rules = IgnoreRules.from_files({})
    assert rules.reason("sub/.git/HEAD", 1) == "inside .git"


@pytest.mark.parametrize(
    "path",
    [".env", "a/.env.production", "tls/a.pem", "a.KEY", "id_ed25519", "id_rsa.old"],
)
def test_secrets_are_left_out(path: str) -> None:
    assert IgnoreRules.from_files({}).reason(path, 1) == "secret"


@pytest.mark.parametrize(
    "path", [".env.example", "id_rsa.pub", "id_generator.py", "environment.py"]
)
def test_what_only_looks_like_a_secret_counts(path: str) -> None:
    assert IgnoreRules.from_files({}).reason(path, 1) is None


def test_files_over_the_size_cap() -> None:
    rules = IgnoreRules.from_files({}, Selection(max_bytes=2_000_000))
    assert rules.reason("big.csv", 50_000_000) == "too large (50.0 MB > 2.0 MB)"
    assert rules.reason("fits.csv", 2_000_000) is None


@pytest.mark.parametrize("path", ["a.LOG", "b.tar.gz", "x.y.log"])
def test_excluded_extensions(path: str) -> None:
    rules = IgnoreRules.from_files({}, Selection(exclude_exts=("log", ".tar.gz")))
    reason = rules.reason(path, 1)
    assert reason is not None
    assert reason.startswith("extension .")
    assert rules.reason("a.gz", 1) is None
    assert rules.reason("log", 1) is None


def test_a_very_deep_path_is_judged() -> None:
    rules = IgnoreRules.from_files({".gitignore": "z"})
    assert rules.reason("a/" * 1500 + "z", 1) == "ignored by .gitignore"


def test_undecodable_names_are_judged_by_their_bytes() -> None:
    rules = IgnoreRules.from_files({".gitignore": "*.log"})
    name = b"\xff.log".decode("utf-8", "surrogateescape")
    assert rules.reason(name, 1) == "ignored by .gitignore"


def test_ignore_files_are_known_at_every_level() -> None:
    assert is_ignore_file("a/b/.ragignore")
    assert not is_ignore_file("a/gitignore")


def _kept(paths: list[str], **selection: tuple[str, ...]) -> list[str]:
    rules = IgnoreRules.from_files({}, Selection(**selection))  # type: ignore[arg-type]
    return [path for path in paths if rules.reason(path, 1) is None]


PLACES = ["docs/a.md", "docs/old/b.md", "src/c.py", "d.md", "src/docs/e.txt"]


@pytest.mark.parametrize(
    ("include", "kept"),
    [
        ((), PLACES),
        (("*.md",), ["docs/a.md", "docs/old/b.md", "d.md"]),
        (("/docs/",), ["docs/a.md", "docs/old/b.md"]),
        (("docs",), ["docs/a.md", "docs/old/b.md", "src/docs/e.txt"]),
        (("docs/", "!old/"), ["docs/a.md", "src/docs/e.txt"]),
        (("src/**/*.txt", "d.md"), ["d.md", "src/docs/e.txt"]),
    ],
)
def test_only_what_is_included_counts(
    include: tuple[str, ...], kept: list[str]
) -> None:
    assert _kept(PLACES, include=include) == kept


def test_what_is_not_included_says_so() -> None:
    rules = IgnoreRules.from_files({}, Selection(include=("*.md",)))
    assert rules.reason("a.py", 1) == "not included"


def test_a_source_excludes_by_patterns_after_the_ignore_files() -> None:
    selection = Selection(exclude=("*.sql", "!keep.log", "/out/"), include=("*",))
    rules = IgnoreRules.from_files({".ragignore": "*.log"}, selection)
    assert rules.reason("db/a.sql", 1) == "excluded by the source's settings"
    assert rules.reason("out/x", 1) == "excluded by the source's settings"
    assert rules.reason("keep.log", 1) == "ignored by .ragignore"
    assert rules.reason("in/out/x", 1) is None


def test_documents_have_a_size_cap_of_their_own() -> None:
    rules = IgnoreRules.from_files({}, Selection(max_bytes=1, max_document_bytes=10))
    assert rules.reason("a.PDF", 10) is None
    assert rules.reason("a.docx", 10) is None
    assert rules.reason("a.pdf", 11) is not None
    assert rules.reason("a.txt", 2) is not None


def test_a_selection_is_read_from_a_source_s_metadata() -> None:
    metadata = {
        "path": "/x",
        "include": ["docs/"],
        "exclude": ["*.tmp"],
        "exclude_exts": ["log"],
        "max_file_bytes": 5,
    }
    assert read_selection(metadata, max_bytes=9, max_document_bytes=99) == Selection(
        ("docs/",), ("*.tmp",), ("log",), max_bytes=5, max_document_bytes=5
    )
    assert read_selection({}, max_bytes=9, max_document_bytes=99) == Selection(
        max_bytes=9, max_document_bytes=99
    )


@pytest.mark.parametrize(
    "metadata",
    [
        {"include": "*.md"},
        {"exclude": [1]},
        {"exclude": ["a\nb"]},
        {"exclude_exts": {"log": True}},
        {"max_file_bytes": "5"},
        {"max_file_bytes": 0},
        {"max_file_bytes": True},
    ],
)
def test_a_wrong_selection_is_refused_by_its_name(metadata: dict[str, object]) -> None:
    with pytest.raises(InvalidInput, match=next(iter(metadata))):
        read_selection(metadata, max_bytes=9, max_document_bytes=99)
