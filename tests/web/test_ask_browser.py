"""Ask with scripts: keys, the answer in place, what is sent from other pages."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from devrag.ask.limits import MAX_RUNNING_PER_OWNER
from devrag.ask.models import Conversation, Turn

from .browser import open_page
from .conftest import Harbour

pytestmark = [
    pytest.mark.django_db(transaction=True),
    # The live server of tests is no ASGI server: it sends a stream when it has ended.
    pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume:Warning"),
]
ASK = "/p/harbour/ask/"
FILE = "/p/harbour/s/harbour-code/-/current/src/greeter.py"
DONE = "article[data-state=done]"


def test_an_answer_and_its_follow_up_come_in_place(
    browser: Browser, live_server: LiveServer, alice: Client, indexed: Harbour
) -> None:
    with open_page(browser, live_server.url, alice) as page:
        page.goto(ASK)
        expect(page.get_by_label("Question about Harbour")).to_be_focused()
        page.keyboard.type("Where does Greeter greet?")
        page.keyboard.press("Enter")
        expect(page.locator(DONE)).to_have_count(1)
        expect(page.locator("#dr-ask-status")).to_have_text("The answer is complete.")
        thread = page.url
        page.get_by_label("Follow-up question").fill("And its name?")
        page.keyboard.press("Enter")
        expect(page.locator(DONE)).to_have_count(2)
        expect(page.get_by_label("Follow-up question")).to_have_value("")
        assert page.url == thread
    assert Turn.objects.filter(state=Turn.State.DONE).count() == 2


def test_enter_sends_but_not_a_new_line_or_a_word_that_is_being_chosen(
    browser: Browser, live_server: LiveServer, alice: Client, indexed: Harbour
) -> None:
    with open_page(browser, live_server.url, alice) as page:
        page.goto(ASK)
        box = page.get_by_label("Question about Harbour")
        page.keyboard.type("Where does")
        page.keyboard.press("Shift+Enter")
        page.keyboard.type("Greeter greet?")
        expect(box).to_have_value("Where does\nGreeter greet?")
        for chosen in ({"isComposing": True}, {"keyCode": 229}):
            box.evaluate(
                "(box, init) => box.dispatchEvent(new KeyboardEvent('keydown',"
                " {key: 'Enter', bubbles: true, cancelable: true, ...init}))",
                chosen,
            )
        assert page.url.endswith(ASK)
        page.keyboard.press("Enter")
        expect(page.locator(DONE)).to_have_count(1)
    assert Turn.objects.get().question == "Where does\nGreeter greet?"


@pytest.mark.slow
def test_the_focus_goes_to_the_answer_or_back_to_the_box(
    browser: Browser, live_server: LiveServer, alice: Client, indexed: Harbour
) -> None:
    with open_page(browser, live_server.url, alice) as page:
        page.goto(ASK)
        page.keyboard.type("Where does Greeter greet?")
        page.keyboard.press("Enter")
        expect(page.locator(DONE)).to_be_focused()
        box = page.get_by_label("Follow-up question")
        box.fill("And its name?")
        ask = page.get_by_role("button", name="Ask", exact=True)
        ask.focus()
        page.keyboard.press("Enter")
        expect(page.locator(DONE)).to_have_count(2)
        expect(box).to_be_focused()
        box.fill("why " * 2_500)
        box.evaluate("box => box.removeAttribute('maxlength')")
        box.fill("why " * 2_500)
        ask.focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("alert")).to_contain_text("limit is 8,000")
        expect(box).to_be_focused()


def test_a_button_that_is_pressed_leaves_the_focus_in_its_answer(
    browser: Browser, live_server: LiveServer, alice: Client, asked: Conversation
) -> None:
    with open_page(browser, live_server.url, alice) as page:
        page.goto(f"/ask/{asked.uuid}/")
        helpful = page.get_by_role("button", name="Helpful", exact=True)
        helpful.press("Enter")
        expect(helpful).to_have_attribute("aria-pressed", "true")
        expect(helpful).to_be_focused()
        asked.turns.update(state=Turn.State.WAITING)
        page.route("**/stream/", lambda _route: None)  # an answer that takes long
        page.reload()
        page.get_by_role("button", name="Stop").press("Enter")
        expect(page.locator("article")).to_be_focused()


@pytest.mark.slow
def test_two_windows_show_all_turns_of_a_thread_once(
    browser: Browser, live_server: LiveServer, alice: Client, asked: Conversation
) -> None:
    with open_page(browser, live_server.url, alice) as page:
        page.goto(f"/ask/{asked.uuid}/")
        other = page.context.new_page()
        other.goto(f"/ask/{asked.uuid}/")
        for window, question in ((other, "And its name?"), (page, "Who calls it?")):
            window.get_by_label("Follow-up question").fill(question)
            window.keyboard.press("Enter")
            expect(window.locator(DONE).get_by_text(question)).to_be_visible()
        expect(page.locator(DONE)).to_have_count(3)
        questions = page.locator(".turn-question").all_text_contents()
        assert questions[1:] == ["And its name?", "Who calls it?"]
        other.evaluate("window.dispatchEvent(new Event('focus'))")
        expect(other.locator(DONE)).to_have_count(3)
        assert other.locator(".turn-question").all_text_contents() == questions


@pytest.mark.slow
def test_a_refused_question_stays_in_its_box(
    browser: Browser, live_server: LiveServer, alice: Client, asked: Conversation
) -> None:
    with open_page(browser, live_server.url, alice) as page:
        for url in (ASK, f"/ask/{asked.uuid}/"):
            page.goto(url)
            box = page.locator("form[data-ask]")
            text = box.locator("textarea")
            text.evaluate("box => box.removeAttribute('maxlength')")
            text.fill("why " * 2_500)
            page.keyboard.press("Enter")
            expect(box.get_by_role("alert")).to_contain_text("limit is 8,000")
            expect(text).to_have_value("why " * 2_500)
            expect(page.get_by_role("alert")).to_have_count(1)
        text.fill("And its name?")
        page.keyboard.press("Enter")
        expect(page.locator(DONE)).to_have_count(2)
        expect(page.get_by_role("alert")).to_have_count(0)


@pytest.mark.slow
def test_a_long_question_leaves_room_for_its_answer(
    browser: Browser, live_server: LiveServer, alice: Client, asked: Conversation
) -> None:
    asked.turns.update(question="How does the greeter greet? " * 250)
    with open_page(browser, live_server.url, alice) as page:
        page.goto(f"/ask/{asked.uuid}/")
        expect(page.locator(".turn-text").first).to_be_in_viewport()


def test_a_chip_shows_its_lines(
    browser: Browser, live_server: LiveServer, alice: Client, asked: Conversation
) -> None:
    with open_page(browser, live_server.url, alice) as page:
        page.goto(f"/ask/{asked.uuid}/")
        page.locator("a.cite[data-preview]").first.hover()
        expect(page.locator("#dr-preview")).to_contain_text("src/greeter.py")


@pytest.mark.slow
def test_a_key_opens_ask_and_the_list_of_keys_says_so(
    browser: Browser, live_server: LiveServer, alice: Client, indexed: Harbour
) -> None:
    with open_page(browser, live_server.url, alice) as page:
        page.goto("/p/harbour/")
        page.keyboard.press("?")
        expect(page.get_by_role("dialog")).to_contain_text("Ask a question")
        page.keyboard.press("Escape")
        page.keyboard.press("a")
        expect(page).to_have_url(re.compile(ASK))


@pytest.mark.slow
def test_marked_lines_are_asked_about(
    browser: Browser, live_server: LiveServer, alice: Client, indexed: Harbour
) -> None:
    with open_page(browser, live_server.url, alice) as page:
        page.goto(f"{FILE}#L4-L6")
        expect(page.locator(".is-marked")).to_have_count(3)
        page.get_by_role("link", name="Ask about these lines").click()
        expect(page.locator("main")).to_contain_text("src/greeter.py:4–6")


@pytest.mark.slow
def test_a_search_is_asked(
    browser: Browser, live_server: LiveServer, alice: Client, indexed: Harbour
) -> None:
    with open_page(browser, live_server.url, alice) as page:
        page.goto("/search?q=Greeter+%22greet%22&product=harbour")
        page.get_by_role("button", name="Ask this question").click()
        expect(page.locator("article.turn")).to_be_visible()
    assert Turn.objects.get().question == 'Greeter "greet"'


@pytest.mark.slow
def test_a_refused_start_can_be_tried_again(
    browser: Browser, live_server: LiveServer, alice: Client, asked: Conversation
) -> None:
    with open_page(browser, live_server.url, alice) as page:
        page.goto(f"/ask/{asked.uuid}/")
        for _ in range(MAX_RUNNING_PER_OWNER):
            busy = Turn.objects.get(ordinal=1)
            busy.pk, busy.ordinal = None, Turn.objects.count() + 1
            busy.state, busy.seen_at = Turn.State.RUNNING, timezone.now()
            busy.save()
        page.get_by_label("Follow-up question").fill("And its name?")
        page.keyboard.press("Enter")
        expect(page.get_by_text("of your questions are being answered")).to_have_count(
            2
        )
        Turn.objects.filter(state=Turn.State.RUNNING).update(state=Turn.State.STOPPED)
        page.get_by_role("button", name="Get the answer").click()
        expect(page.locator(DONE)).to_have_count(2)
