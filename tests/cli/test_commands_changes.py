"""What is added, changed and removed at another devrag, and versions of its wikis.

Each answer is compared with what the same command says where the database is.
"""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from devrag.access.services import create_token
from devrag.core.errors import Conflict, InvalidInput, NotFound
from devrag.jobs.models import Job
from devrag.products.models import Product
from devrag.sources.models import Source
from devrag.wiki.models import Page, Version, Wiki
from devrag.wiki.writing.author import author_of
from tests.conftest import Repository, run_job
from tests.people import People

from .here import Ask, here

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def versions(people: People) -> Wiki:
    wiki = Wiki.objects.create(product=people.teahouse)
    for number, text in ((1, "It brews.\n"), (2, "It pours.\n")):
        made = Version.objects.create(wiki=wiki, number=number, writer="structural")
        Page.objects.create(
            version=made,
            path="index.md",
            ordinal=0,
            kind="index",
            title="Tea",
            markdown=f"# Tea\n\n{text}",
            fingerprint=str(number),
        )
    wiki.current = made
    wiki.save()
    return wiki


@pytest.mark.parametrize(
    "words",
    [
        ("product", "list"),
        ("product", "list", "--json"),
        ("source", "list"),
        ("jobs", "list"),
        ("jobs", "list", "--open"),
    ],
)
def test_lists_are_the_same_here_and_there(ask: Ask, words: tuple[str, ...]) -> None:
    assert ask(*words) == here(*words)


def test_a_product_is_added_changed_and_removed(ask: Ask) -> None:
    assert ask("product", "add", "stall", "--title", "A stall") == "Added stall.\n"
    given = ("--wiki", "language=ja", "--external-models", "no")
    given = (*given, "--description", "Sells tea.")
    changed = ask("product", "update", "stall", *given, "--json")
    assert json.loads(changed) == json.loads(here("product", "list", "--json"))[1]
    made = Product.objects.get(name="stall")
    assert (made.title, made.wiki_settings) == ("A stall", {"language": "ja"})
    assert made.description == "Sells tea."
    assert not made.is_external_models_allowed
    job = ask("product", "remove", "stall", "--yes", "--no-wait").strip()
    assert Job.objects.get(pk=job).kind == "delete"
    with pytest.raises(NotFound, match="no product 'stall'"):
        ask("product", "show", "stall")


def test_a_product_is_added_with_its_settings_at_once(ask: Ask) -> None:
    secret = create_token(name="ci", scopes=["index"])[1]
    given = ("--wiki", "language=ja", "--external-models", "no", "--token", secret)
    ask("product", "add", "stall", *given)
    made = Product.objects.get(name="stall")
    assert (made.wiki_settings, made.title) == ({"language": "ja"}, "")
    assert not made.is_external_models_allowed


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("product", "add", "teahouse"), Conflict),
        (("product", "update", "teahouse"), InvalidInput),
        (("product", "update", "nowhere", "--title", "x"), NotFound),
        (("product", "add"), InvalidInput),
        (("product", "add", "stall", "--wiki", "colour=red"), InvalidInput),
        (("source", "update", "teahouse-code"), InvalidInput),
        (("source", "update", "nowhere", "--every", "5"), NotFound),
        (("source", "remove", "nowhere", "--yes"), NotFound),
        (("jobs", "show"), InvalidInput),
        (("jobs", "cancel", "zz"), NotFound),
    ],
)
def test_what_cannot_be_is_the_same_error_here_and_there(
    ask: Ask, words: tuple[str, ...], error: type[Exception]
) -> None:
    for run in (here, ask):
        with pytest.raises(error):
            run(*words)
    assert not Product.objects.filter(name="stall").exists()


@pytest.mark.parametrize("noun", ["product", "source"])
def test_nothing_is_removed_without_a_yes(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, noun: str
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("no\n"))
    name = {"product": "teahouse", "source": "teahouse-code"}[noun]
    with pytest.raises(Conflict, match="Nothing was deleted"):
        ask(noun, "remove", name)
    assert Source.objects.filter(name="teahouse-code").exists()


class _Renames(io.StringIO):
    """A terminal at which a source is renamed before the yes is given."""

    def readline(self, *_size: object) -> str:  # type: ignore[override]
        Source.objects.filter(name="leaves").update(name="stems")
        Source.objects.filter(name="teahouse-code").update(name="leaves")
        return "yes\n"


@pytest.mark.parametrize("is_remote", [False, True])
def test_what_was_asked_about_is_removed_under_any_name(
    ask: Ask, people: People, monkeypatch: pytest.MonkeyPatch, *, is_remote: bool
) -> None:
    other = Source.objects.create(
        product=people.teahouse, name="leaves", source_type="git", metadata={"url": "x"}
    )
    monkeypatch.setattr(sys, "stdin", _Renames())
    (ask if is_remote else here)("source", "remove", "leaves", "--no-wait")
    assert list(Source.objects.values_list("name", flat=True)) == ["leaves"]
    assert not Source.objects.filter(pk=other.pk).exists()


def test_a_source_is_changed_and_removed(ask: Ask) -> None:
    given = ("--every", "30", "--exclude", "docs/**", "--max-file-bytes", "9000")
    ask("source", "update", "teahouse-code", *given, "--rename", "leaves")
    shown = json.loads(ask("source", "show", "leaves", "--json"))
    local = json.loads(here("source", "show", "leaves", "--json"))
    assert shown == {key: local[key] for key in local if key != "host"}
    assert shown["settings"] == {"exclude": ["docs/**"], "max_file_bytes": 9000}
    job = ask("source", "remove", "leaves", "--yes", "--no-wait").strip()
    assert Job.objects.get(pk=job).kind == "delete"
    assert not Source.objects.exists()


def test_chunk_sizes_are_changed_and_taken_away(ask: Ask) -> None:
    given = ("--chunk-tokens", "400", "--chunk-overlap-tokens", "0")
    said = ask("source", "update", "teahouse-code", *given)
    assert said == here("source", "update", "teahouse-code", *given)
    assert "splits all files into chunks again" in said
    ask("source", "update", "teahouse-code", "--chunk-tokens", "")
    shown = json.loads(ask("source", "show", "teahouse-code", "--json"))
    assert shown["settings"] == {"chunk_overlap_tokens": 0}


def test_a_source_is_added_with_the_branch_to_follow(
    ask: Ask, shop: Repository, settings: Any
) -> None:
    settings.SOURCE_ROOTS = [shop.path.parent]
    wanted = ("source", "add", str(shop.path), "--product", "stall")
    made = json.loads(ask(*wanted, "--name", "carts", "--ref", "main", "--json"))
    source = Source.objects.get(name=made["name"])
    assert source.metadata["default_branch"] == "main"
    assert Job.objects.get(pk=made["jobID"]).params["sourceID"] == source.pk


def test_a_repository_is_read_as_a_folder_when_asked(
    ask: Ask, shop: Repository, settings: Any
) -> None:
    settings.SOURCE_ROOTS = [shop.path.parent]
    wanted = ("source", "add", str(shop.path), "--product", "stall")
    with pytest.raises(InvalidInput, match="Unknown source type 'svn'"):
        ask(*wanted, "--type", "svn")
    ask(*wanted, "--type", "local")
    assert Source.objects.get(product__name="stall").source_type == "local"


@pytest.mark.parametrize(
    "words",
    [
        ("diff",),
        ("diff", "1", "2", "--full"),
        ("status",),
        ("show", "1"),
        ("show", "2"),
        ("pin", "1"),
    ],
)
@pytest.mark.parametrize("more", [(), ("--json",)])
@pytest.mark.usefixtures("versions")
def test_a_wiki_is_told_of_alike_here_and_there(
    ask: Ask, words: tuple[str, ...], more: tuple[str, ...]
) -> None:
    asked = ("wiki", *words, "--product", "teahouse", *more)
    assert ask(*asked) == here(*asked)


@pytest.mark.slow
def test_a_wiki_is_estimated_and_every_page_asked_for(
    shop: Repository, ask: Ask, settings: Any
) -> None:
    settings.SOURCE_ROOTS = [shop.path.parent]
    of = ("--product", "shop")
    run_job(Job.objects.get(pk=ask("index", str(shop.path), *of, "--no-wait").strip()))
    for more in ((), ("--json",)):
        asked = ("wiki", "estimate", *of, *more)
        assert ask(*asked) == here(*asked)
    assert "pages by structural" in ask("wiki", "estimate", *of)
    job = ask("wiki", "generate", *of, "--force", "--no-wait")
    assert Job.objects.get(pk=job.strip()).params["isForced"] is True
    job = ask("wiki", "generate", *of, "--redesign", "--no-wait")
    assert Job.objects.get(pk=job.strip()).params["isRedesigned"] is True


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_a_wiki_that_nothing_changed_for_is_not_written(
    ask: Ask, versions: Wiki, more: tuple[str, ...]
) -> None:
    author = author_of(versions.product)
    versions.versions.update(writer=author.name, prompt_version=author.version)
    asked = ("wiki", "generate", "--product", "teahouse", *more)
    assert ask(*asked) == here(*asked)
    assert "2" in ask(*asked)
    with pytest.raises(Conflict, match="no indexed source"):
        ask(*asked, "--force")


def test_a_full_run_is_one_job(ask: Ask, shop: Repository, settings: Any) -> None:
    settings.SOURCE_ROOTS = [shop.path.parent]
    told = ask("index", str(shop.path), "--product", "shop", "--full", "--no-wait")
    job = Job.objects.get()
    assert told.strip() == str(job.pk)
    assert job.params["full"] is True


def test_versions_of_a_wiki_are_compared_pinned_and_shown(
    ask: Ask, versions: Wiki
) -> None:
    of = ("--product", "teahouse")
    assert ask("wiki", "pin", *of, "1") == "Version 1 is kept permanently.\n"
    assert versions.versions.get(number=1).is_pinned
    ask("wiki", "unpin", *of, "1")
    assert not versions.versions.get(number=1).is_pinned
    assert "To follow the sources again" in ask("wiki", "show", *of, "1")
    versions.refresh_from_db()
    assert versions.current is not None
    assert versions.current.number == 1


def test_files_are_uploaded_to_a_server(ask: Ask, tmp_path: Path) -> None:
    """Names with quotes and Japanese arrive as they are."""
    large, note = tmp_path / '表 "a".md', tmp_path / "b.md"
    large.write_bytes(b"# Tea\n" * 300_000)
    note.write_text("# Pot\n")
    words = ("source", "upload", str(large), str(note), "--product", "teahouse")
    made = json.loads(ask(*words, "--name", "book", "--json"))
    assert (made["name"], made["files"], made["bytes"]) == ("book", 2, 1_800_006)
    report = run_job(Job.objects.get(pk=made["jobID"])).report
    assert report["added"] + sum(report.get("leftOut", {}).values()) == 2
    made = json.loads(ask("source", "upload", str(note), "--replace", "book", "--json"))
    assert run_job(Job.objects.get(pk=made["jobID"])).report["unchanged"] == 1
    note.with_suffix(".7z").write_text("7z")
    refused = ("source", "upload", str(note.with_suffix(".7z")), "--product", "tea")
    with pytest.raises(InvalidInput, match="not supported"):
        ask(*refused)
