"""Ask in the browser's pages: with and without scripts, alone and shared."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.core.asgi import get_asgi_application
from django.db import connection
from django.test import AsyncClient, Client
from django.test.utils import CaptureQueriesContext

from devrag.ask.models import Conversation, Turn
from devrag.core.hashing import sha256_hex
from devrag.core.markdown import Citation
from devrag.sources.models import File
from devrag.web.pages.ask import render_answer
from tests.ask.talking import held_up
from tests.waiting import wait_until

from .conftest import Harbour
from .markup import squeeze

pytestmark = pytest.mark.django_db(transaction=True)
URL = "/p/harbour/ask/"
HTMX = {"HX-Request": "true"}
QUESTION = "Where does Greeter greet?"


def thread(conversation: Conversation) -> str:
    return f"/ask/{conversation.uuid}/"


def send(client: Client, url: str, question: str) -> str:
    """Send a question as a form without scripts does; return the page of its answer."""
    sent = client.post(url, {"question": question})
    assert sent.status_code == 303
    return squeeze(client.get(sent.headers["Location"]))


def test_a_form_without_scripts_leads_to_the_answer(
    indexed: Harbour, alice: Client
) -> None:
    page = send(alice, URL, QUESTION)
    assert QUESTION in page
    assert 'class="cite"' in page
    assert "src/greeter.py" in page
    assert 'data-state="done"' in page


def test_a_question_with_scripts_waits_for_its_stream(
    indexed: Harbour, alice: Client
) -> None:
    response = alice.post(URL, {"question": QUESTION}, headers=HTMX)
    turn = Turn.objects.get()
    assert turn.state == Turn.State.WAITING
    assert response.headers["HX-Redirect"] == thread(turn.conversation)
    page = squeeze(alice.get(thread(turn.conversation)))
    assert f'data-stream="/ask/{turn.conversation.uuid}/1/stream/"' in page


def test_the_stream_brings_evidence_first_and_the_whole_turn_last(
    indexed: Harbour, alice: Client
) -> None:
    alice.post(URL, {"question": QUESTION}, headers=HTMX)
    turn = Turn.objects.get()
    events = _stream(alice, turn)
    assert events[0][0] == "evidence"
    assert "greeter.py" in events[0][1]["html"]
    name, data = events[-1]
    assert name == "finished"
    assert 'data-state="done"' in data["html"]
    assert QUESTION in data["html"]


def test_an_empty_question_is_refused_where_it_was_typed(
    indexed: Harbour, alice: Client
) -> None:
    response = alice.post(URL, {"question": "  "})
    assert response.status_code == 422
    assert "The question is empty" in squeeze(response)
    too_long = alice.post(URL, {"question": "x" * 100_000})
    assert too_long.status_code == 422
    part = alice.post(URL, {"question": "  "}, headers=HTMX)
    assert part.status_code == 422
    assert squeeze(part).startswith('<p class="field-error"')
    assert not Turn.objects.exists()


def test_a_follow_up_goes_on_in_the_thread(asked: Conversation, alice: Client) -> None:
    page = send(alice, thread(asked), "And its name?")
    assert QUESTION in page
    assert "And its name?" in page
    assert asked.turns.count() == 2
    part = alice.post(thread(asked), {"question": "More?"}, headers=HTMX)
    assert squeeze(part).startswith("<article")
    assert "data-stream" in squeeze(part)


def test_a_conversation_is_its_owners_alone(
    asked: Conversation, alice: Client, bob: Client
) -> None:
    assert alice.get(thread(asked)).status_code == 200
    for path in ("", "1/", "1/markdown", "markdown", "1/still-true/"):
        assert bob.get(thread(asked) + path).status_code == 404
    for path in ("", "1/", "1/stop/", "1/rating/", "rename/", "share/", "delete/"):
        assert bob.post(thread(asked) + path, {"title": "x"}).status_code == 404


def test_a_link_shows_it_to_those_who_may_see_the_product(
    asked: Conversation, alice: Client, bob: Client, charlie: Client
) -> None:
    alice.post(thread(asked) + "share/")
    asked.refresh_from_db()
    link = f"{thread(asked)}?key={asked.share_key}"
    page = squeeze(bob.get(link))
    assert QUESTION in page
    assert "Ask a follow-up" not in page
    assert charlie.get(link).status_code == 404
    assert bob.post(link, {"question": "mine?"}).status_code == 404
    alice.post(thread(asked) + "share/", {"end": "1"})
    assert bob.get(link).status_code == 404


def test_chips_show_their_lines(asked: Conversation, alice: Client) -> None:
    cited = asked.turns.get().citations.get(number=1)
    lines = alice.get(f"{thread(asked)}lines/{cited.pk}/")
    assert "dr-preview-head" in squeeze(lines)
    assert cited.path in squeeze(lines)


def test_still_true_tells_what_changed(asked: Conversation, alice: Client) -> None:
    fresh = squeeze(alice.get(f"{thread(asked)}1/still-true/", headers=HTMX))
    assert "up to date" in fresh
    changed = "print('other')\n"
    File.objects.update(text=changed, content_hash=sha256_hex(changed))
    stale = squeeze(alice.get(f"{thread(asked)}1/still-true/", headers=HTMX))
    assert "have changed" in stale
    assert "Ask again" in stale


def test_an_answer_is_copied_as_markdown_with_links(
    asked: Conversation, alice: Client
) -> None:
    text = alice.get(f"{thread(asked)}1/markdown").content.decode()
    assert f"## {QUESTION}" in text
    assert "](<http://" in text
    assert "cite:" not in text
    assert "<!--" not in text
    assert "<!--" not in alice.get(f"{thread(asked)}markdown").content.decode()


def test_an_ambiguous_question_offers_what_it_may_mean(
    asked: Conversation, alice: Client, bob: Client
) -> None:
    turn = asked.turns.get()
    turn.question = "How does `main` reach `greet`?"
    turn.outcome, turn.mode = "ambiguous", "trace"
    turn.markdown = "Which one?\n\n- `Greeter.greet` [1](cite:1)\n"
    turn.save()
    turn.citations.filter(number=1).update(title="Greeter.greet")
    page = squeeze(alice.get(thread(asked)))
    assert "Which one?" in page
    assert "Not found" not in page
    question = "How does `main` reach `Greeter.greet`?"
    assert f'name="question" value="{question}"' in page
    alice.post(thread(asked) + "share/")
    asked.refresh_from_db()
    shared = squeeze(bob.get(f"{thread(asked)}?key={asked.share_key}"))
    assert "Which one?" in shared
    assert 'name="question"' not in shared


@pytest.mark.slow
def test_another_window_gets_the_turns_that_it_lacks(
    asked: Conversation, alice: Client, bob: Client
) -> None:
    url = f"{thread(asked)}turns/"
    assert alice.get(url, {"after": 1}).status_code == 204
    send(alice, thread(asked), "And its name?")
    waiting = alice.post(thread(asked), {"question": "More?"}, headers=HTMX)
    assert 'data-ordinal="3"' in squeeze(waiting)
    page = squeeze(alice.get(url, {"after": 1}))
    assert page.count("<article") == 1
    assert 'data-ordinal="2"' in page
    assert squeeze(alice.get(url, {"after": "²"})).count("<article") == 2
    assert bob.get(url).status_code == 404


def test_it_is_renamed_rated_and_deleted(asked: Conversation, alice: Client) -> None:
    alice.post(thread(asked) + "rename/", {"title": "About greeting"})
    assert "About greeting" in squeeze(alice.get(URL))
    alice.post(thread(asked) + "1/rating/", {"rating": "down", "remark": "Too short."})
    turn = asked.turns.get()
    assert (turn.rating, turn.remark) == (-1, "Too short.")
    feedback = squeeze(alice.get("/p/harbour/wiki-feedback/"))
    assert "Too short." in feedback
    assert "Maintainers check these reports." in feedback
    alice.post(f"/p/harbour/ask-feedback/{turn.pk}/settle/")
    assert "Too short." not in squeeze(alice.get("/p/harbour/wiki-feedback/"))
    alice.post(thread(asked) + "delete/")
    assert not Conversation.objects.exists()


@pytest.mark.slow
def test_what_is_not_found_is_listed_for_maintainers(
    indexed: Harbour, alice: Client, bob: Client
) -> None:
    question = "Which quantum zeppelin greets the customer?"
    page = send(alice, URL, question)
    assert "nothing mentions “quantum”" in page
    assert '<details class="turn-nearest">' in page
    assert question in squeeze(alice.get("/searches/"))
    assert bob.get("/searches/").status_code == 403


@pytest.mark.slow
def test_questions_about_lines_keep_their_lines(
    indexed: Harbour, alice: Client
) -> None:
    lines: dict[str, str | int] = {
        "source": "harbour-code",
        "path": "src/greeter.py",
        "first": 4,
        "last": 6,
    }
    page = squeeze(alice.get(URL, lines))
    assert "src/greeter.py:4–6" in page
    alice.post(URL, {**lines, "question": "What is this?"})
    turn = Turn.objects.get()
    assert (turn.start_line, turn.end_line) == (4, 6)
    assert turn.conversation.path == "src/greeter.py"


def test_a_reader_without_account_has_conversations_of_their_session(
    indexed: Harbour, settings: Any
) -> None:
    settings.IS_OPEN_READING = True
    indexed.product.visibility = "everyone"
    indexed.product.save()
    mine, other = (Client(HTTP_HOST="localhost") for _ in range(2))
    mine.post(URL, {"question": QUESTION})
    found = Conversation.objects.get()
    assert found.owner is None
    assert mine.get(thread(found)).status_code == 200
    assert other.get(thread(found)).status_code == 404


def test_a_reader_who_leaves_the_stream_ends_the_answer_of_a_model(
    indexed: Harbour, alice: Client, settings: Any
) -> None:
    settings.LLM_PROVIDER = "openai"  # never asked: the search does not end
    alice.post(URL, {"question": QUESTION}, headers=HTMX)
    turn = Turn.objects.get()
    alice.get(thread(turn.conversation))  # brings the token
    scope = _post_scope(f"{thread(turn.conversation)}1/stream/", alice)

    async def leave() -> float:
        app = get_asgi_application()
        caller: Any = ApplicationCommunicator(app, scope)  # type: ignore[no-untyped-call]
        await caller.send_input({"type": "http.request", "body": b""})
        assert (await caller.receive_output(10))["status"] == 200
        await asyncio.to_thread(_wait_for, Turn.State.RUNNING)
        left_at = time.monotonic()
        await caller.send_input({"type": "http.disconnect"})
        await caller.wait(10)
        return time.monotonic() - left_at

    with held_up():
        assert asyncio.run(leave()) < 2
    assert Turn.objects.get().state == Turn.State.STOPPED
    assert "Stopped" in squeeze(alice.get(thread(turn.conversation)))


def _post_scope(path: str, client: Client) -> dict[str, Any]:
    cookies = "; ".join(f"{key}={each.value}" for key, each in client.cookies.items())
    token = client.cookies["csrftoken"].value
    headers = {"host": "testserver", "cookie": cookies, "x-csrftoken": token}
    return {
        "type": "http",
        "method": "POST",
        "path": path,
        "query_string": b"",
        "headers": [(key.encode(), value.encode()) for key, value in headers.items()],
    }


def _wait_for(state: str) -> None:
    try:
        wait_until(lambda: Turn.objects.get().state == state)
    finally:
        connection.close()


def test_the_page_says_when_no_model_is_set(indexed: Harbour, alice: Client) -> None:
    page = squeeze(alice.get(URL))
    assert "No language model is set up" in page
    assert "For example" in page


def test_the_form_tells_the_modes_apart(indexed: Harbour, alice: Client) -> None:
    page = squeeze(alice.get("/ask/"))
    assert "Quick searches once, Thorough lets a model read more" in page


def test_examples_are_about_what_a_product_has(harbour: Harbour, alice: Client) -> None:
    code = harbour.files["src/greeter.py"]
    File.objects.filter(pk=code.pk).update(lines=90)
    code.symbols.filter(name="Greeter").update(docstring="Greets.")
    for number in range(3):
        guide = harbour.add_file(f"docs/{number}.md", "# A\n", "markdown", "doc")
        guide.references.create(
            source=guide.source,
            kind="mention",
            name="Greeter",
            line=1,
            last_name="Greeter",
        )
    File.objects.filter(pk=guide.pk).update(title="Harbour lights", lines=9)
    page = squeeze(alice.get(URL))
    assert "How does Greeter work?" in page
    assert "What does “Harbour lights” say?" in page
    assert "How do I run the tests?" in page
    assert "How does Greeter work?" in squeeze(alice.get("/ask/"))


def test_examples_of_documents_alone_ask_about_documents(
    harbour: Harbour, alice: Client
) -> None:
    File.objects.filter(kind="code").delete()
    for name in ("Naming", "Layout"):
        harbour.add_file(f"{name}.md", f"# {name}\n", "markdown", "doc")
        File.objects.filter(path=f"{name}.md").update(title=name)
    page = squeeze(alice.get(URL))
    assert "What does “Naming” say?" in page
    assert "What does “Layout” say?" in page
    assert "run the tests" not in page


def test_examples_of_documents_ask_for_their_rules(
    harbour: Harbour, alice: Client
) -> None:
    File.objects.filter(kind="code").delete()
    rules = "# Boats\n\n## Naming boats\n\n- one\n- two\n- three\n"
    harbour.add_file("guide/boats.md", rules, "markdown", "doc")
    assert "What are the rules for “Naming boats”?" in squeeze(alice.get(URL))


def test_all_products_are_asked_from_ask(indexed: Harbour, alice: Client) -> None:
    page = send(alice, "/ask/", QUESTION)
    assert "src/greeter.py" in page
    assert Conversation.objects.get().product is None


def _stream(client: Client, turn: Turn) -> list[tuple[str, dict[str, Any]]]:
    """Return the events of a stream, read by a client of its own loop."""
    other = AsyncClient()
    other.cookies = client.cookies

    url = f"{thread(turn.conversation)}{turn.ordinal}/stream/"

    async def read() -> bytes:
        response: Any = await other.post(url)
        assert response["Content-Type"] == "text/event-stream"
        return b"".join([part async for part in response.streaming_content])

    blocks = [each for each in asyncio.run(read()).decode().split("\n\n") if each]
    found = []
    for block in blocks:
        name, data = block.split("\n", 1)
        found.append((name.removeprefix("event: "), json.loads(data[6:])))
    return found


def test_nobody_signed_out_reads_or_asks(indexed: Harbour, client: Client) -> None:
    assert client.get(URL).status_code == 303
    client.post(URL, {"question": QUESTION})
    assert not Turn.objects.exists()


def test_a_long_thread_takes_as_many_queries_as_a_short_one(
    asked: Conversation, alice: Client
) -> None:
    def count() -> int:
        with CaptureQueriesContext(connection) as found:
            assert alice.get(thread(asked)).status_code == 200
        return len(found)

    count()
    short = count()
    turn = asked.turns.get()
    for ordinal in range(2, 9):
        turn.pk, turn.ordinal = None, ordinal
        turn.save()
    assert count() == short


def test_a_few_chips_share_a_line() -> None:
    def chips(count: int) -> str:
        cited = " ".join(f"[{n}](cite:{n})" for n in range(1, count + 1))
        return render_answer(f"It greets. {cited}", lambda n: Citation(f"/{n}", n))

    assert chips(3).count("&nbsp;<a") == 2
    assert "&nbsp;" not in chips(1)
    assert "&nbsp;" not in chips(5)


def test_of_relative_links_those_to_the_wiki_stay() -> None:
    def linked(href: str) -> bool:
        return f'href="{href}"' in render_answer(f"[more]({href})", lambda _: None)

    assert linked("/p/harbour/wiki/features/greeter#greetergreet-step-by-step")
    assert linked("/p/harbour/wiki/")
    assert not linked("/p/harbour/settings/")
    assert not linked("docs/readme.md")
