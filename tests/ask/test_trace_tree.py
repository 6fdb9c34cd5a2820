"""The calls that begin with one definition."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from devrag.ask.trace.answer import trace_answer
from devrag.ask.types import Answer, AskRequest
from devrag.core.principal import SYSTEM
from tests.ask.test_trace_answer import store

pytestmark = pytest.mark.django_db

APP = {
    "lib/express.js": (
        "var proto = require('./application')\n\n"
        "function createApplication() {\n"
        "  var app = function(req, res) {\n"
        "    app.handle(req, res)\n"
        "  }\n"
        "  return app\n"
        "}\n"
    ),
    "lib/application.js": (
        "var http = require('node:http')\n"
        "var app = exports = module.exports = {}\n\n"
        "app.handle = function handle(req, res) {\n"
        "  later(logerror)\n"
        "  this.router.handle(req, res)\n"
        "}\n\n"
        "app.listen = function listen() {\n"
        "  var server = http.createServer(this)\n"
        "  return server.listen()\n"
        "}\n\n"
        "function later(callback) {\n"
        "  setTimeout(callback)\n"
        "}\n\n"
        "function logerror(error) {\n"
        "  console.error(error)\n"
        "}\n"
    ),
}


def ask(question: str) -> Answer | None:
    return trace_answer(AskRequest(question, SYSTEM), is_final=True)


@pytest.mark.parametrize(
    "question",
    [
        "How does a request travel from app.listen to my route handler?",
        "app.listen からルートハンドラーまでの流れ",
    ],
)
def test_a_way_whose_end_is_in_plain_words_shows_the_calls_of_its_start(
    question: str,
) -> None:
    store("express", APP)
    answer = ask(question)
    assert answer is not None
    assert answer.outcome == "answered"
    lines = answer.markdown.split("\n")
    depths = {
        name: next(
            len(e) - len(e.lstrip()) for e in lines if f"`{name}`" in e and "- " in e
        )
        for name in ("app.listen", "http.createServer", "this.router.handle")
    }
    assert depths == {
        "app.listen": 0,
        "http.createServer": 2,
        "this.router.handle": 6,
    }
    assert "`createApplication.app`" in answer.markdown
    assert "app.handle" in answer.markdown
    assert "logerror" in answer.markdown


def test_a_model_answers_such_a_question_itself() -> None:
    store("express", APP)
    asked = "How does a request travel from app.listen to my route handler?"
    assert trace_answer(AskRequest(asked, SYSTEM)) is None


def test_calls_that_go_round_end() -> None:
    store("loop", {"a.py": "def one():\n    two()\n\n\ndef two():\n    one()\n"})
    answer = trace_answer(AskRequest("How does `one` work?", SYSTEM, mode="trace"))
    assert answer is not None
    assert answer.markdown.count("calls `two`") == 1
    assert answer.markdown.count("calls `one`") == 1


def test_values_that_are_passed_on_are_read_together() -> None:
    def queries(source: str, count: int) -> int:
        names = [f"LIMIT{n}" for n in range(count)]
        lines = [f"const {name} = 1\n" for name in names]
        lines += ["function use() {\n}\n", f"function {source}() {{\n  use(\n"]
        lines += [f"    {name},\n" for name in names]
        store(source, {f"{source}.js": "".join([*lines, "  )\n}\n"])})
        with CaptureQueriesContext(connection) as found:
            answer = trace_answer(
                AskRequest(f"How does `{source}` work?", SYSTEM, mode="trace")
            )
        assert answer is not None
        assert "calls `use`" in answer.markdown
        return len(found)

    queries("first", 2)  # what is read once for all
    assert queries("many", 12) == queries("few", 2)
