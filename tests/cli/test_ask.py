"""`devrag ask`, on this machine and at another devrag."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from devrag.access.services import create_token
from devrag.cli.remote.destination import read_command_line
from devrag.cli.remote.run import run_remote
from devrag.core.errors import InvalidInput, NotFound
from devrag.core.exit_codes import INTERRUPTED, NEGATIVE
from tests.asgi_server import asgi_server
from tests.conftest import Stand
from tests.scripted_server import Scripted, ScriptedServer, serving
from tests.search.shop import index_shop
from tests.standing import Standing
from tests.waiting import wait_until

from .here import Ask, here

pytestmark = pytest.mark.django_db
_QUESTION = "Where is the customer charged?"


def _open_shop(folder: Path) -> str:
    index_shop(folder)
    return create_token(name="laptop", scopes=["read"])[1]


@pytest.fixture(scope="module")
def standing_shop(stand: Stand) -> Standing[str]:
    return stand(_open_shop)


@pytest.fixture
def secret(standing_shop: Standing[str], db: None, tmp_path: Path) -> str:
    return standing_shop.furnish(tmp_path / "home")


@pytest.fixture
def there(secret: str, capsys: pytest.CaptureFixture[str]) -> Iterator[Ask]:
    with asgi_server() as address:

        def ask(*words: str) -> str:
            server = ("--server", address, "--token", secret)
            assert run_remote(read_command_line(["devrag", *server, *words]))
            return capsys.readouterr().out

        yield ask


def test_an_answer_ends_with_places_of_files(secret: str) -> None:
    printed = here("ask", _QUESTION, "--product", "tea")
    answer, _, places = printed.partition("\n\n[1] ")
    assert "[1]" in answer
    assert places.startswith("shop/")


def test_another_devrag_answers_the_same(there: Ask) -> None:
    words = ("ask", _QUESTION, "--source", "shop", "--path", "shop/till.py")
    assert there(*words) == here(*words)
    found, found_here = (json.loads(ask(*words, "--json")) for ask in (there, here))
    assert found["outcome"] == "answered"
    urls = [each.pop("url") for each in found["citations"]]
    assert urls[0].startswith("http://localhost:")
    assert [each.pop("url") for each in found_here["citations"]] == [""] * len(urls)
    assert found["citations"] == found_here["citations"]


def test_a_terminal_shows_the_same_text_as_a_pipe(
    there: Ask, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    piped = there("ask", _QUESTION)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert there("ask", _QUESTION) == piped
    assert there("ask", _QUESTION, "--no-stream") == piped


def test_a_question_without_an_answer_has_its_own_exit_code(there: Ask) -> None:
    for ask in (there, here):
        with pytest.raises(SystemExit) as ended:
            ask("ask", "zymurgy_of_quokkas", "--json")
        assert ended.value.code == NEGATIVE


def test_what_cannot_be_asked_is_an_error(
    there: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    for ask in (there, here):
        with pytest.raises(InvalidInput, match="question is empty"):
            ask("ask", " ")
        with pytest.raises(NotFound, match="nowhere"):
            ask("ask", _QUESTION, "--product", "nowhere")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    with pytest.raises(NotFound, match="nowhere"):
        there("ask", _QUESTION, "--product", "nowhere")


def test_ctrl_c_ends_at_once_without_a_word_of_jobs() -> None:
    with serving(ScriptedServer()) as server:
        server.script = [Scripted(is_late=True)]
        there = ("--server", server.url.removesuffix("/v1"), "--token", "t")
        command = subprocess.Popen(
            [sys.executable, "-m", "devrag", "ask", _QUESTION, *there],
            stderr=subprocess.PIPE,
            text=True,
            # What a shell starts in the background ignores Ctrl+C, and so would this.
            preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
        )
        with command:
            wait_until(lambda: server.seen, what="the question")
            command.send_signal(signal.SIGINT)
            _, told = command.communicate()
    assert (command.returncode, told) == (INTERRUPTED, "\ndevrag: Interrupted.\n")
