"""A test file is named after the module that it tests."""

from __future__ import annotations

from functools import cache

from tests.architecture.modules import ROOT

# The folders of tests that ask the running product, the repository or its scripts.
_OF_THE_WHOLE = {"architecture", "benchmarks", "e2e", "recovery"}
_NEEDS_BROWSER = "pages and scripts together, in a real browser"
_LIMITED = "what only some members see does not exist for others, anywhere"
_HIDDEN = "what one may not see does not exist, at any address or tool"
_MATRIX = "who may do what, at every address, operation and tool"
# Behaviours that cross modules, each with what makes it cross them.
_BEHAVIOURS = {
    "access/roles": "one rule, asked of services, selectors, search and the wiki",
    "api/audited": "what each operation leaves in the audit log",
    "api/behaviour": "paging, ETags, keys and rates of all operations alike",
    "api/hidden": _HIDDEN,
    "api/limited": _LIMITED,
    "api/permissions": _MATRIX,
    "api/recipes": "the recipes of the guide, run as they are written",
    "indexing/encodings": "odd bytes and names, from a source to its rows",
    "indexing/ends": "cancels and crashes in every phase of a run",
    "indexing/index": "the index job through all of its phases",
    "jobs/real_worker": "a worker process, its queues and the files that kill it",
    "mcp/guide": "what the guide says of all tools",
    "mcp/hidden": _HIDDEN,
    "mcp/limited": _LIMITED,
    "mcp/permissions": _MATRIX,
    "parsing/bad_input": "every parser on hostile input",
    "parsing/fixtures": "every language on its fixture",
    "parsing/properties": "every parser on random text",
    "search/grpc_model": "an embedding server behind job, search and settings",
    "search/remote_model": "a remote model behind job, search and settings",
    "web/access": "who sees which page",
    "web/accessible": _NEEDS_BROWSER,
    "web/away": _NEEDS_BROWSER,
    "web/browser": _NEEDS_BROWSER,
    "web/hidden": _HIDDEN,
    "web/icons": "one icon for one meaning, in all templates",
    "web/layout_shift": _NEEDS_BROWSER,
    "web/hostile": "hostile content on every page",
    "web/hostile_browser": _NEEDS_BROWSER,
    "web/limited": _LIMITED,
    "web/permissions": _MATRIX,
    "web/reading": _NEEDS_BROWSER,
    "web/tasks": _NEEDS_BROWSER,
    "wiki/newcomer": "questions that the pages of a wiki answer together",
}


@cache
def _subjects(package: str) -> frozenset[str]:
    """Return the names of modules, packages and templates that tests may have."""
    folder = ROOT / "devrag" / package
    if not folder.is_dir():  # tests/sources/<kind>
        folder = ROOT / "devrag/sources/connectors" / package.rpartition("/")[2]
    modules = folder.rglob("*.py") if package else folder.glob("*.py")
    packages = folder.rglob("*/") if package else ()
    pages = (ROOT / "templates").rglob("*.html") if package == "web" else ()
    return frozenset(path.stem for path in (*modules, *packages, *pages))


def _has_subject(package: str, name: str) -> bool:
    """Return whether a name is that of a module, or a module's with an aspect."""
    words = name.split("_")
    starts = {"_".join(words[: end + 1]) for end in range(len(words))}
    return name == package or not starts.isdisjoint(_subjects(package))


def _misnamed() -> set[str]:
    """Return the files, as package/name, that no module gives their name."""
    tests = ROOT / "tests"
    return {
        f"{package}/{name}".removeprefix("/")
        for path in tests.rglob("test_*.py")
        for package in [path.relative_to(tests).parent.as_posix().removeprefix(".")]
        for name in [path.stem.removeprefix("test_")]
        if package not in _OF_THE_WHOLE and not _has_subject(package, name)
    }


def test_every_test_file_is_named_after_what_it_tests() -> None:
    assert _misnamed() - _BEHAVIOURS.keys() == set()


def test_every_exception_is_a_file_that_needs_one() -> None:
    assert _BEHAVIOURS.keys() - _misnamed() == set()


def test_a_name_is_that_of_a_module_alone_or_with_an_aspect() -> None:
    assert _has_subject("search", "fusion")
    assert _has_subject("search", "fusion_of_many_lists")
    assert not _has_subject("search", "fusions")
    assert not _has_subject("jobs", "fusion")
