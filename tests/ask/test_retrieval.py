"""Search within the scope of a question, for what it is about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from devrag.ask.evidence.gathering import gather_evidence
from devrag.ask.types import AskRequest, Scope
from devrag.core.principal import SYSTEM
from tests.conftest import Repository
from tests.indexing.test_index import index

pytestmark = pytest.mark.django_db
SIGNATURE = "-----BEGIN PGP SIGNATURE-----\n\noolong\n-----END PGP SIGNATURE-----\n"
FILES: dict[str, str | bytes | None] = {
    "tea.py": "def brew_oolong():\n    return 'oolong'\n",
    "release-oolong.asc": SIGNATURE,
    "package-lock.json": '{"name": "oolong"}\n',
}


@pytest.fixture
def indexed(repository: Repository, follow: Callable[[], Any]) -> Repository:
    repository.commit(FILES)
    index(repository)
    follow()
    return repository


def paths(question: str, scope: Scope = Scope()) -> set[str]:  # noqa: B008 - frozen
    found = gather_evidence(AskRequest(question, SYSTEM, scope)).passages
    return {each.path for each in found}


def test_locks_and_signatures_are_evidence_only_on_request(indexed: Repository) -> None:
    assert paths("How is oolong brewed?") == {"tea.py"}
    assert "package-lock.json" in paths("Which oolong is in the lock file?")
    assert "release-oolong.asc" in paths("Who signed release-oolong.asc?")
    assert paths("oolong?", Scope(path="package-lock.json")) == {"package-lock.json"}
