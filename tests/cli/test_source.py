"""`source`: register, list, show and change sources from a shell."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from devrag.core.errors import Conflict, InvalidInput, NotFound, SourceError
from devrag.core.principal import SYSTEM
from devrag.jobs.models import Job
from devrag.sources.credentials import load_credentials, store_credentials
from devrag.sources.models import Source
from devrag.use_cases.add_repository import add_repository
from tests.conftest import Repository, run_job
from tests.sources.uploads.archives import zipped

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> str:
    output = io.StringIO()
    call_command("source", *arguments, stdout=output)
    return output.getvalue()


@pytest.fixture
def source(shop: Repository) -> Source:
    add_repository(principal=SYSTEM, location=str(shop.path), is_local_user=True)
    return Source.objects.get()


def test_adding_registers_and_indexes(shop: Repository) -> None:
    given = ("--product", "tea", "--wiki-language", "ja,en")
    given += ("--visibility", "members")
    answer = json.loads(run("add", str(shop.path), *given, "--json"))
    assert answer["name"] == "shop"
    assert run_job(Job.objects.get(pk=answer["jobID"])).report["added"] > 0
    product = Source.objects.get().product
    assert (product.name, product.wiki_settings) == ("tea", {"language": "ja,en"})
    assert product.visibility == "members"


def test_a_wiki_language_that_is_none_adds_nothing(shop: Repository) -> None:
    with pytest.raises(InvalidInput, match="Unknown wiki language 'fr'"):
        run("add", str(shop.path), "--wiki-language", "fr")
    with pytest.raises(InvalidInput, match="product update NAME"):
        run("upload", __file__, "--replace", "shop", "--wiki-language", "ja")
    assert not Source.objects.exists()


def test_a_connection_is_tested_without_storing_anything(shop: Repository) -> None:
    assert "branches: 1" in run("test", str(shop.path))
    found = json.loads(run("test", str(shop.path), "--product", "tea", "--json"))
    assert found["counts"] == [
        {"name": "branches", "count": 1},
        {"name": "tags", "count": 0},
    ]
    assert not Source.objects.exists()
    run("add", str(shop.path))
    assert json.loads(run("test", "shop", "--json"))["sourceName"] == "shop"


def test_the_ref_that_is_given_is_followed(shop: Repository) -> None:
    shop.git("branch", "stable")
    job = json.loads(run("add", str(shop.path), "--ref", "stable", "--json"))["jobID"]
    assert Source.objects.get().metadata["default_branch"] == "stable"
    assert run_job(Job.objects.get(pk=job)).report["ref"] == "stable"
    with pytest.raises(NotFound, match="'gone'"):
        run("add", str(shop.path), "--product", "other", "--ref", "gone")


def test_a_repository_can_be_read_as_a_folder(shop: Repository) -> None:
    run("add", str(shop.path), "--type", "local")
    assert Source.objects.get().source_type == "local"
    with pytest.raises(InvalidInput, match="Unknown source type 'svn'"):
        run("add", str(shop.path), "--type", "svn")


def test_sources_are_listed(source: Source) -> None:
    assert source.location in run("list")
    assert [row["name"] for row in json.loads(run("list", "--json"))] == ["shop"]
    assert json.loads(run("--json", "list"))


def test_a_source_is_shown_with_what_is_indexed(source: Source) -> None:
    run_job(Job.objects.get())
    shown = json.loads(run("show", "shop", "--json"))
    assert shown["indexed"].keys() == {"main"}
    assert shown["hasCredentials"] is False
    assert "main" in run("show", "shop")
    with pytest.raises(NotFound, match="source list"):
        run("show", "nothing")


def test_settings_are_changed_and_taken_away(source: Source) -> None:
    run("update", "shop", "--include", "src/**", "*.md", "--max-file-bytes", "5000")
    run("update", "shop", "--exclude", "docs/", "--default-branch", "stable")
    source.refresh_from_db()
    assert source.metadata["include"] == ["src/**", "*.md"]
    assert source.metadata["exclude"] == ["docs/"]
    assert source.metadata["max_file_bytes"] == 5000
    run("update", "shop", "--include", "--default-branch", "")
    source.refresh_from_db()
    assert not {"include", "default_branch"} & source.metadata.keys()
    assert source.metadata["exclude"] == ["docs/"]
    assert source.metadata["path"]


def test_chunk_sizes_are_changed_and_taken_away(source: Source) -> None:
    said = run("update", "shop", "--chunk-tokens", "400", "--chunk-overlap-tokens", "0")
    assert "The next index run splits all files into chunks again" in said
    source.refresh_from_db()
    assert source.metadata["chunk_tokens"] == 400
    assert source.metadata["chunk_overlap_tokens"] == 0
    said = run("update", "shop", "--chunk-tokens", "", "--max-file-bytes", "")
    assert "splits all files into chunks again" in said
    source.refresh_from_db()
    assert "chunk_tokens" not in source.metadata
    assert "splits" not in run("update", "shop", "--exclude", "a")


WRONG: tuple[list[str], ...] = (
    [],
    ["--chunk-tokens", "49"],
    ["--chunk-max-chars", "20001"],
    ["--chunk-tokens", "100", "--chunk-overlap-tokens", "51"],
    ["--include", "a\nb"],
    ["--exclude", ""],
    ["--max-file-bytes", "0"],
    ["--default-branch=--upload-pack=x"],
    ["--rename", "a/b"],
    ["--url", "https://a.example/b"],
)


def test_wrong_settings_change_nothing(source: Source) -> None:
    before = source.metadata
    for arguments in WRONG:
        with pytest.raises(InvalidInput):
            run("update", "shop", *arguments)
        source.refresh_from_db()
        assert (source.metadata, source.name) == (before, "shop"), arguments


def test_a_source_is_renamed_unless_the_name_is_taken(
    source: Source, shop: Repository
) -> None:
    run("update", "shop", "--rename", "till")
    assert Source.objects.get().name == "till"
    run("add", str(shop.path), "--product", "second", "--name", "other")
    with pytest.raises(Conflict, match="not available"):
        run("update", "other", "--rename", "till")


def test_credentials_are_stored_and_removed(
    source: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    store_credentials(source=source, changes={"hook_secret": "h"})
    monkeypatch.setattr("sys.stdin", io.StringIO("first\nsecond\n"))
    answer = run("credentials", "shop", "--token-stdin", "--username", "alice")
    source.refresh_from_db()
    assert load_credentials(source) == {
        "hook_secret": "h",
        "username": "alice",
        "token": "first",
    }
    assert "first" not in answer
    run("credentials", "shop", "--remove")
    source.refresh_from_db()
    assert load_credentials(source) == {"hook_secret": "h"}


@pytest.mark.parametrize("given", ["", "\n", "a\x00b\n"])
def test_no_token_is_no_credentials(
    source: Source, monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(given))
    with pytest.raises(InvalidInput, match="No token on standard input"):
        run("credentials", "shop", "--token-stdin")


def test_a_token_is_no_argument(source: Source, shop: Repository) -> None:
    with pytest.raises(CommandError):
        run("credentials", "shop", "s3cret", "--token-stdin")
    with pytest.raises(InvalidInput, match="Add --token-stdin"):
        run("add", str(shop.path), "--username", "alice")


def test_a_schedule_is_set_and_ended(source: Source) -> None:
    run("update", "shop", "--every", "30")
    assert json.loads(run("show", "shop", "--json"))["indexEveryMinutes"] == 30
    run("update", "shop", "--every", "0")
    assert json.loads(run("show", "shop", "--json"))["indexEveryMinutes"] is None


def test_a_hook_secret_is_shown_once(source: Source) -> None:
    answer = json.loads(run("hook", "shop", "--json"))
    source.refresh_from_db()
    assert load_credentials(source)["hook_secret"] == answer["secret"]
    assert f"/api/v1/hooks/github/{source.pk}" in answer["paths"]


def test_deleting_hides_the_source_at_once(source: Source) -> None:
    answer = json.loads(run("remove", "shop", "--yes", "--no-wait", "--json"))
    assert Job.objects.get(pk=answer["jobID"]).kind == "delete"
    assert not Source.objects.filter(name="shop").exists()


def test_a_token_is_tried_before_it_is_stored(
    source: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    source.metadata = {"url": "https://nowhere.invalid/shop.git"}
    source.save()
    monkeypatch.setattr("sys.stdin", io.StringIO("t0ken\n"))
    with pytest.raises(SourceError, match="Cannot resolve the host"):
        run("credentials", "shop", "--token-stdin")
    source.refresh_from_db()
    assert load_credentials(source) == {}
    monkeypatch.setattr("sys.stdin", io.StringIO("t0ken\n"))
    run("credentials", "shop", "--token-stdin", "--untested")
    source.refresh_from_db()
    assert load_credentials(source)["token"] == "t0ken"


def test_files_are_uploaded_and_replaced(tmp_path: Path) -> None:
    book, notes = tmp_path / "book.zip", tmp_path / "notes.md"
    book.write_bytes(zipped({"a.md": b"# Tea\n", "b.md": b"# Pot\n"}))
    notes.write_text("# Cup\n")
    made = json.loads(run("upload", str(book), "--product", "tea", "--json"))
    assert (made["name"], made["files"], made["leftOut"]) == ("book", 2, 0)
    assert run_job(Job.objects.get(pk=made["jobID"])).report["added"] == 2
    assert "book: 1 files stored" in run("upload", str(notes), "--replace", "book")
    source = Source.objects.get()
    assert (source.source_type, source.location) == ("upload", "notes.md")
    with pytest.raises(InvalidInput, match="File not found"):
        run("upload", str(tmp_path / "none.zip"))
    with pytest.raises(Conflict, match="already"):
        run("upload", str(book), "--product", "tea")
