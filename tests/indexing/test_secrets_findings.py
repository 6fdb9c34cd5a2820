"""What is masked in a file is listed with it: rule and line, never the secret."""

from __future__ import annotations

import pytest

from devrag.indexing.extract import extract_text, mask_texts
from devrag.parsing.text import Decoded
from devrag.search.deletion import delete_file_versions
from devrag.sources.models import File, GitRef, SecretFinding, Source
from devrag.sources.services import update_source
from tests.conftest import Repository, run_job
from tests.indexing.test_index import add, index
from tests.indexing.test_secrets import CONF, PASSWORD, TOKEN

pytestmark = pytest.mark.django_db


@pytest.fixture
def indexed(repository: Repository) -> Repository:
    repository.commit({"conf.py": CONF, "plain.py": "x = 1\n"})
    index(repository)
    return repository


def _current() -> list[SecretFinding]:
    rows = SecretFinding.objects.filter(
        file__manifests__until=None, file__manifests__ref__is_current=True
    )
    return list(rows.order_by("line", "rule"))


def test_findings_have_rule_line_commit_and_time(indexed: Repository) -> None:
    found = _current()
    assert [(each.line, each.rule) for each in found] == [
        (3, "github-pat"),
        (6, "password"),
        (7, "github-pat"),
    ]
    assert {each.first_version for each in found} == {indexed.git("rev-parse", "HEAD")}
    assert {each.file.path for each in found} == {"conf.py"}


def test_no_column_holds_a_secret_or_a_hash_of_one(indexed: Repository) -> None:
    stored = str(list(SecretFinding.objects.values_list()))
    assert TOKEN not in stored
    assert TOKEN[4:12] not in stored
    assert PASSWORD not in stored
    other = TOKEN.replace("a1B2", "c3D4")
    keys = {
        each.key
        for token in (TOKEN, other)
        for masked in mask_texts([("a.py", _text(f"TOKEN = '{token}'\n"))])
        for each in masked.secrets
    }
    assert len(keys) == 1


def _text(text: str) -> Decoded:
    found = extract_text("a.py", text.encode())
    assert isinstance(found, Decoded)
    return found


def test_a_finding_keeps_its_first_day_while_the_file_changes(
    indexed: Repository,
) -> None:
    before = {each.key: each for each in _current()}
    indexed.commit({"conf.py": f"# moved\n{CONF}DATABASE_PASSWORD = '{PASSWORD}'\n"})
    index(indexed)
    after = _current()
    assert [each.line for each in after] == [4, 7, 8, 10]
    known = [each for each in after if each.key in before]
    assert [each.line for each in known] == [4, 7, 8]
    for each in known:
        assert each.first_seen_at == before[each.key].first_seen_at
        assert each.first_version == before[each.key].first_version
    assert after[-1].first_version == indexed.git("rev-parse", "HEAD")


def test_a_secret_that_leaves_is_listed_no_more(indexed: Repository) -> None:
    indexed.commit({"conf.py": "x = 1\n"})
    index(indexed)
    assert _current() == []


def test_other_chunk_sizes_take_the_findings_along(indexed: Repository) -> None:
    before = [(each.line, each.rule, each.first_seen_at) for each in _current()]
    versions = set(GitRef.objects.values_list("facts_version", flat=True))
    update_source(source=Source.objects.get(), settings={"chunk_tokens": 100})
    assert run_job(add(indexed)).state == "completed"
    assert set(GitRef.objects.values_list("facts_version", flat=True)) != versions
    after = [(each.line, each.rule, each.first_seen_at) for each in _current()]
    assert after == before


def test_a_full_run_stores_nothing_twice(indexed: Repository) -> None:
    before = SecretFinding.objects.count()
    index(indexed, is_full=True)
    assert SecretFinding.objects.count() == before


def test_findings_go_with_their_file_version(indexed: Repository) -> None:
    ids = File.objects.filter(path="conf.py").values_list("pk", flat=True)
    delete_file_versions(list(ids))
    assert SecretFinding.objects.count() == 0
