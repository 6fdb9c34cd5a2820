"""Errors that a browser can meet are marked for translation where they are made."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache

from tests.architecture.modules import nodes, relative

# Packages and modules whose errors no page shows, with their readers. All others appear
# in forms, pages or job reports and are marked for translation (CONTRIBUTING, “A text
# of the interface”).
ENGLISH = {
    "devrag/api/": "programs",
    "devrag/ask/agent/": "the model that calls tools",
    "devrag/cli/": "people at a terminal",
    "devrag/core/config_file.py": "people at a terminal",
    "devrag/core/new_file.py": "people at a terminal",
    "devrag/core/terminal.py": "people at a terminal",
    "devrag/core/generated_secrets.py": "who starts the server",
    "devrag/core/user_folders.py": "people at a terminal",
    "devrag/use_cases/search_comparison.py": "people at a terminal",
    "devrag/use_cases/search_evaluation.py": "people at a terminal",
    "devrag/operations/consistency_checks/": "people at a terminal",
    "devrag/use_cases/evaluation.py": "people at a terminal",
    "devrag/use_cases/job_feed.py": "people at a terminal",
    "devrag/use_cases/push_events.py": "git hosts",
    "devrag/use_cases/watch.py": "people at a terminal",
    "devrag/jobs/request_limits.py": "programs",
    "devrag/jobs/selectors.py": "people at a terminal, by the beginning of an id",
    "devrag/llm/": "who sets models up: quotes what an API answered",
    "devrag/mcp/": "agents",
    "devrag/parsing/isolated/process.py": "jobs",
    "devrag/products/wiki_settings.py": "people at a terminal",
    "devrag/runtime/": "who starts the server",
    "devrag/operations/backup.py": "people at a terminal",
    "devrag/operations/encrypted.py": "people at a terminal",
    "devrag/operations/secret_keys.py": "people at a terminal",
    "devrag/operations/passphrase.py": "people at a terminal",
    "devrag/operations/upgrade.py": "people at a terminal",
    "devrag/search/evaluation/": "people at a terminal",
    "devrag/search/lexical/store.py": "the follower's log",
    "devrag/search/semantic/specs.py": "people at a terminal",
    "devrag/search/semantic/spec_switch.py": "people at a terminal",
    "devrag/wiki/publishing/folder.py": "people at a terminal",
    "devrag/wiki/publishing/html.py": "who installed it",
}
_COMMANDS = "/management/"


def _error_names() -> set[str]:
    """Return the names of DevragError and all that descend from it."""
    bases = {
        node.name: {base.id for base in node.bases if isinstance(base, ast.Name)}
        for _, node in nodes(ast.ClassDef)
    }
    names = {"DevragError"}
    while more := {name for name, of in bases.items() if of & names} - names:
        names |= more
    return names


def _is_english(node: ast.expr) -> bool:
    """Return whether it is a sentence that no translation replaces."""
    if isinstance(node, ast.JoinedStr):
        return any(isinstance(part, ast.Constant) for part in node.values)
    return isinstance(node, ast.Constant) and bool(node.value)


@cache
def _unmarked() -> tuple[tuple[str, int], ...]:
    return tuple(_find_unmarked(_error_names()))


def _find_unmarked(names: set[str]) -> Iterator[tuple[str, int]]:
    for path, node in nodes(ast.Call):
        if (
            isinstance(node.func, ast.Name)
            and node.func.id in names
            and node.args
            and _is_english(node.args[0])
        ):
            yield relative(path), node.lineno


def test_errors_of_pages_and_forms_are_marked_for_translation() -> None:
    found = [
        f"{name}:{line}"
        for name, line in _unmarked()
        if _COMMANDS not in name and not name.startswith(tuple(ENGLISH))
    ]
    assert found == []


def test_the_exceptions_are_still_needed() -> None:
    names = [name for name, _ in _unmarked()]
    needed = [place for place in ENGLISH if any(n.startswith(place) for n in names)]
    assert needed == list(ENGLISH)
