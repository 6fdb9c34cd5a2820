"""Labels on pages: chips that lead to searches, the editor, the vocabulary."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from devrag.labels.api import assign_by_rules, label_pages, labels_of_file
from devrag.labels.models import LabelCorrection
from devrag.search.lexical.follower import catch_up
from devrag.use_cases.api import propose_labels
from devrag.wiki.models import Wiki

from .conftest import Harbour

FILE = "/p/harbour/s/harbour-code/-/current/src/auth.py"
EDIT = "/p/harbour/s/harbour-code/labels/src/auth.py"
CHIP = 'href="/search?q=label%3Aauth&amp;product=harbour"'


@pytest.fixture
def labelled(harbour: Harbour) -> Harbour:
    harbour.add_file("src/auth.py", "def greet(): pass\n", "python", "code")
    assign_by_rules(harbour.source, [file.pk for file in harbour.files.values()])
    return harbour


def names(harbour: Harbour) -> list[str]:
    return [each.name for each in labels_of_file(harbour.files["src/auth.py"].pk)]


def test_a_file_shows_its_labels_as_links(bob: Client, labelled: Harbour) -> None:
    text = bob.get(FILE).content.decode()
    assert CHIP in text
    assert ">Authentication</a>" in text
    assert "Edit labels" not in text


def test_labels_are_japanese_for_japanese_readers(
    bob: Client, labelled: Harbour
) -> None:
    with translation.override("ja"):
        title = translation.gettext("Authentication")
    text = bob.get(FILE, headers={"accept-language": "ja"}).content.decode()
    assert f">{title}</a>" in text


def test_a_maintainer_corrects_labels_of_a_file(
    alice: Client, labelled: Harbour
) -> None:
    assert "Edit labels" in alice.get(FILE).content.decode()
    answer = alice.post(EDIT, {"shown": ["auth"], "labels": ["storage"]})
    assert answer.status_code == 303
    assert answer["Location"] == FILE
    assert names(labelled) == ["storage"]
    assert LabelCorrection.objects.count() == 2
    text = alice.get(FILE).content.decode()
    assert "added by alice" in text
    assert "removed by alice" in text
    alice.post(EDIT, {"reset": "1", "labels": ["storage"]})
    assert names(labelled) == ["auth"]
    assert not LabelCorrection.objects.exists()


def test_a_correction_has_the_day_of_the_reader(
    alice: Client, labelled: Harbour
) -> None:
    alice.post(EDIT, {"shown": ["auth"], "labels": []})
    late = datetime(2026, 3, 1, 20, tzinfo=UTC)
    LabelCorrection.objects.update(updated_at=late)
    alice.cookies["timezone"] = "Asia/Tokyo"
    assert "removed by alice, 2026-03-02" in alice.get(FILE).content.decode()


def test_wiki_pages_follow_all_corrections_at_once(
    alice: Client, labelled: Harbour, wiki: Wiki
) -> None:
    chosen = {"shown": ["auth"], "labels": ["storage", "api"]}
    for form in (chosen, {"reset": "1"}):
        with CaptureQueriesContext(connection) as queries:
            alice.post(EDIT, form)
        deletes = 'DELETE FROM "labels_pagelabel"'
        assert sum((q["sql"] or "").startswith(deletes) for q in queries) == 1
    assert names(labelled) == ["auth"]


def test_what_is_chosen_as_it_is_corrects_nothing(
    alice: Client, labelled: Harbour
) -> None:
    page = alice.get(FILE).content.decode()
    assert '<input type="hidden" name="shown" value="auth">' in page
    alice.post(EDIT, {"shown": ["auth"], "labels": ["auth"]})
    # What the file got or lost since the form was shown is not corrected.
    alice.post(EDIT, {"shown": [], "labels": []})
    alice.post(EDIT, {"shown": ["api"], "labels": ["api"]})
    assert not LabelCorrection.objects.exists()


def test_readers_change_nothing(bob: Client, labelled: Harbour) -> None:
    assert bob.post(EDIT, {"labels": []}).status_code == 403
    assert bob.post("/p/harbour/labels/add/", {"name": "tea"}).status_code == 403
    assert names(labelled) == ["auth"]


def test_a_hit_shows_the_labels_of_its_file(
    bob: Client, labelled: Harbour, settings: object
) -> None:
    catch_up(settings.LEXICAL_DIR)  # type: ignore[attr-defined]
    text = bob.get("/search?q=greet+label:auth&product=harbour").content.decode()
    assert "auth.py" in text
    assert "greeter.py" not in text
    assert 'href="/search?q=greet+label%3Aauth&amp;product=harbour"' in text


def test_an_unknown_label_is_named_with_those_that_are_known(
    bob: Client, labelled: Harbour
) -> None:
    text = bob.get("/search?q=greet+label:nope").content.decode()
    assert "Unknown label &#x27;nope&#x27;. Use one of: api, auth" in text


def test_a_filter_completes_itself(bob: Client, labelled: Harbour) -> None:
    text = bob.get("/search/complete?word=label:au").content.decode()
    assert "label:auth" in text
    assert "label:" in bob.get("/search/complete?word=lab").content.decode()


def test_a_wiki_page_shows_the_labels_of_its_files(
    bob: Client, labelled: Harbour, wiki: Wiki
) -> None:
    cited = [("harbour-code", "src/auth.py")]
    label_pages(labelled.product.pk, "en", {"architecture.md": cited})
    assert CHIP in bob.get("/p/harbour/wiki/architecture").content.decode()


def test_the_vocabulary_is_for_all_to_read(bob: Client, labelled: Harbour) -> None:
    text = bob.get("/p/harbour/labels/").content.decode()
    assert "label:auth" in text
    assert "1 file" in text
    assert "Add a label" not in text


def test_a_maintainer_adds_changes_and_removes_a_topic(
    alice: Client, labelled: Harbour
) -> None:
    answer = alice.post(
        "/p/harbour/labels/add/",
        {"name": "Ships", "paths": "src/\n", "description": ""},
    )
    assert answer.status_code == 303
    label = labelled.product.labels.get(name="ships")
    assert label.paths == ["src/"]
    place = f"/p/harbour/labels/{label.pk}/"
    alice.post(place, {"name": "boats", "paths": "src/\ndocs/", "description": "x"})
    label.refresh_from_db()
    assert (label.name, label.paths, label.description) == (
        "boats",
        ["src/", "docs/"],
        "x",
    )
    alice.post(f"{place}remove/")
    assert not labelled.product.labels.filter(name="boats").exists()


def test_what_is_wrong_stands_beside_its_field(
    alice: Client, labelled: Harbour
) -> None:
    answer = alice.post("/p/harbour/labels/add/", {"name": "two words"})
    assert answer.status_code == 422
    text = answer.content.decode()
    assert "Invalid label name &#x27;two words&#x27;" in text
    assert 'value="two words"' in text
    label = labelled.product.labels.get(name="auth")
    taken = alice.post(f"/p/harbour/labels/{label.pk}/", {"name": "api"})
    assert taken.status_code == 422
    assert "The label &#x27;api&#x27; already exists" in taken.content.decode()


def test_topics_of_the_wiki_are_proposed_to_maintainers(
    alice: Client, bob: Client, labelled: Harbour, wiki: Wiki
) -> None:
    assert wiki.current is not None
    pages = wiki.current.pages
    pages.exclude(path="features/greeting.md").update(kind="architecture")
    greeting = pages.get(path="features/greeting.md")
    greeting.title, greeting.summary = "Greeting guests", "Says :func:`hello`."
    greeting.files = ["harbour-code/src/greeter.py"]
    greeting.save()
    assert "Topics of the wiki" not in bob.get("/p/harbour/labels/").content.decode()
    text = alice.get("/p/harbour/labels/").content.decode()
    assert "label:greeting-guests" in text
    assert 'href="/p/harbour/wiki/features/greeting"' in text
    [proposed] = propose_labels(labelled.product)
    form = {
        "name": proposed.name,
        "description": proposed.description,
        "paths": proposed.paths_text,
    }
    assert alice.post("/p/harbour/labels/add/", form).status_code == 303
    label = labelled.product.labels.get(name="greeting-guests")
    assert label.description == "Greeting guests: Says hello."
    assert label.paths == ["src/greeter.py"]
    assert propose_labels(labelled.product) == []
    pages.filter(pk=greeting.pk).update(title="Authentication")
    assert propose_labels(labelled.product) == []
