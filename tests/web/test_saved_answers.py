"""Answers as pages of the wiki, in the browser's pages."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from devrag.ask.models import Conversation
from devrag.core.hashing import sha256_hex
from devrag.sources.models import File, GitRef, RefFile
from devrag.wiki.models import Page, SavedAnswer, Wiki

from .conftest import CODE
from .markup import squeeze

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}
TITLE = "How greeting works"
PAGE = "/p/harbour/wiki/notes/how-greeting-works"


@pytest.fixture(autouse=True)
def _wikis(settings: Any, tmp_path: Any) -> None:
    settings.WIKI_OUTPUT_DIR = tmp_path / "wikis"


def form_url(conversation: Conversation) -> str:
    return f"/ask/{conversation.uuid}/1/page/"


@pytest.fixture
def saved(asked: Conversation, wiki: Wiki, alice: Client) -> Page:
    """Alice's answer as a page."""
    sent = alice.post(form_url(asked), {"title": TITLE})
    assert (sent.status_code, sent.headers["Location"]) == (303, PAGE)
    return Page.objects.get(kind="note")


def test_an_answer_is_saved_under_a_title_of_ones_own(
    asked: Conversation, wiki: Wiki, alice: Client
) -> None:
    thread = squeeze(alice.get(f"/ask/{asked.uuid}/"))
    assert f'hx-get="{form_url(asked)}"' in thread
    form = squeeze(alice.get(form_url(asked), headers=HTMX))
    assert form.startswith("<form")
    assert 'value="Where does Greeter greet?"' in form
    sent = alice.post(form_url(asked), {"title": TITLE}, headers=HTMX)
    assert sent.headers["HX-Redirect"] == PAGE
    page = squeeze(alice.get(PAGE))
    assert "Answer saved as this page." in page
    assert f"<h1>{TITLE}</h1>" in page or f">{TITLE}</h1>" in page
    assert "Where does Greeter greet?" in page
    assert "An answer that alice saved" in page
    assert 'class="cite"' in page
    assert f'aria-current="page">{TITLE}</a>' in page
    assert "Saved as page" in squeeze(alice.get(f"/ask/{asked.uuid}/"))


def test_notes_are_a_section_of_the_list_of_pages(saved: Page, bob: Client) -> None:
    page = squeeze(bob.get("/p/harbour/wiki/"))
    above, _, below = page.partition('id="dr-tree-notes">Saved answers</h3>')
    assert f'<a href="{PAGE}">{TITLE}</a>' in below
    assert TITLE not in above


def test_saved_again_it_leads_to_the_same_page(
    saved: Page, asked: Conversation, alice: Client
) -> None:
    alice.get(PAGE)  # shows what was said before
    sent = alice.post(form_url(asked), {"title": "Another"})
    assert sent.headers["Location"] == PAGE
    assert "was already saved as this page" in squeeze(alice.get(PAGE))
    assert Page.objects.filter(kind="note").count() == 1
    assert PAGE in squeeze(alice.get(form_url(asked)))


@pytest.mark.parametrize("title", ["", "  ", "x" * 201])
def test_a_bad_title_is_refused_where_it_was_typed(
    asked: Conversation, wiki: Wiki, alice: Client, title: str
) -> None:
    sent = alice.post(form_url(asked), {"title": title})
    assert sent.status_code == 422
    assert f'value="{title}"' in sent.content.decode()
    assert 'role="alert"' in sent.content.decode()
    assert not SavedAnswer.objects.exists()


def test_a_product_without_a_wiki_says_what_to_do(
    asked: Conversation, alice: Client
) -> None:
    sent = alice.post(form_url(asked), {"title": TITLE})
    assert "Generate the wiki first" in squeeze(sent)


def test_readers_of_a_shared_answer_cannot_save_it(
    asked: Conversation, wiki: Wiki, alice: Client, bob: Client, charlie: Client
) -> None:
    alice.post(f"/ask/{asked.uuid}/share/")
    asked.refresh_from_db()
    key = f"?key={asked.share_key}"
    assert "Save as page" not in squeeze(bob.get(f"/ask/{asked.uuid}/{key}"))
    assert 'name="title"' not in squeeze(bob.get(form_url(asked) + key))
    assert bob.post(form_url(asked) + key, {"title": TITLE}).status_code == 403
    assert bob.post(form_url(asked), {"title": TITLE}).status_code == 404
    for method in (charlie.get, charlie.post):
        assert method(form_url(asked) + key).status_code == 404
    assert not SavedAnswer.objects.exists()


def test_a_maintainer_saves_what_was_shared_with_them(
    asked: Conversation, wiki: Wiki, alice: Client, bob: Client
) -> None:
    Conversation.objects.update(owner=None, owner_key="x", share_key="k" * 43)
    key = f"?key={'k' * 43}"
    thread = squeeze(alice.get(f"/ask/{asked.uuid}/{key}"))
    assert f'hx-get="{form_url(asked)}{key}"' in thread
    assert alice.post(form_url(asked) + key, {"title": TITLE}).status_code == 303
    page = squeeze(alice.get(PAGE))
    assert "Your conversation" not in page


def test_what_cannot_be_saved_says_why(
    asked: Conversation, wiki: Wiki, alice: Client, bob: Client
) -> None:
    Conversation.objects.update(product=None, products=[])
    thread = squeeze(alice.get(f"/ask/{asked.uuid}/"))
    assert "This conversation is about several products" in thread
    sent = alice.post(form_url(asked), {"title": TITLE})
    assert sent.status_code == 422
    assert "about several products" in squeeze(sent)
    asked.turns.update(outcome="not_found")
    assert "Save as page" not in squeeze(alice.get(f"/ask/{asked.uuid}/"))


def test_readers_see_where_a_page_comes_from_but_not_the_conversation(
    saved: Page, asked: Conversation, alice: Client, bob: Client
) -> None:
    own = squeeze(alice.get(PAGE))
    assert f'<a href="/ask/{asked.uuid}/#dr-turn-1">Your conversation</a>' in own
    read = squeeze(bob.get(PAGE))
    assert "An answer that alice saved" in read
    assert str(asked.uuid) not in read
    assert "/rename/" not in read
    asked.delete()
    assert "Your conversation" not in squeeze(alice.get(PAGE))


def test_a_page_tells_that_its_lines_changed(saved: Page, bob: Client) -> None:
    fresh = squeeze(bob.get(PAGE))
    assert "The citation is up to date." in fresh
    assert "have changed since it was given" not in fresh
    _write(CODE.replace("Hello", "Goodbye"))
    page = squeeze(bob.get(PAGE))
    assert "None of the lines that this answer cites exist any more." in page
    assert "/p/harbour/ask/?question=Where+does+Greeter+greet%3F" in page
    assert "1 of 1 citations outdated" in page


def test_a_page_whose_file_is_gone_still_shows_its_lines(
    saved: Page, bob: Client
) -> None:
    RefFile.objects.filter(file__path="src/greeter.py").update(until=2)
    _next_version()
    page = squeeze(bob.get(PAGE))
    assert "None of the lines that this answer cites exist any more." in page
    claim = saved.claims.get()
    preview = squeeze(bob.get(f"/p/harbour/wiki-claims/{claim.pk}/"))
    assert "Greeter" in preview


@pytest.mark.slow
def test_a_page_is_renamed_and_deleted_by_maintainers(
    saved: Page, alice: Client, bob: Client, charlie: Client
) -> None:
    base = f"/p/harbour/wiki-answers/{saved.pk}/"
    for client, status in ((bob, 403), (charlie, 404)):
        for path in ("rename/", "delete/"):
            assert client.post(base + path, {"title": "x"}).status_code == status
    sent = alice.post(base + "rename/", {"title": "Greeting <b>now</b>"})
    assert sent.headers["Location"] == PAGE
    page = squeeze(bob.get(PAGE))
    assert "Greeting &lt;b&gt;now&lt;/b&gt;" in page
    assert "<b>now" not in page
    assert alice.post(base + "rename/", {"title": " "}).status_code == 400
    assert alice.post(base + "delete/").headers["Location"] == "/p/harbour/wiki/"
    assert bob.get(PAGE).status_code == 404
    assert alice.post(base + "delete/").status_code == 404


def test_agents_read_it_as_markdown(saved: Page, bob: Client) -> None:
    text = bob.get(f"{PAGE}.md").content.decode()
    assert f"# {TITLE}" in text
    assert "](<http://" in text


def _write(text: str) -> None:
    File.objects.filter(path="src/greeter.py").update(
        text=text, content_hash=sha256_hex(text)
    )
    _next_version()


def _next_version() -> None:
    """Let what was compared before be compared again."""
    GitRef.objects.update(sequence=2)
