"""The few lines of a definition that have most words of a question."""

from __future__ import annotations

from dataclasses import replace

from devrag.ask.reasons import read_words
from devrag.ask.telling_code import telling_code
from tests.ask.test_extractive import passage

LONG = "\n".join(
    [
        "def configure(app):",
        *(f"    step_{number}()" for number in range(10)),
        "    # the proxy that is trusted",
        "    app.trust_proxy = False",
        "    return app",
    ]
)


def test_the_lines_with_most_words_are_shown() -> None:
    long = replace(passage(1, "definition", "configure"), text=LONG, start_line=20)
    found = telling_code(long, read_words("Is the proxy trusted?"))
    assert found is not None
    assert found.line == 31
    assert not found.is_whole
    code = "# the proxy that is trusted\napp.trust_proxy = False\nreturn app"
    assert found.markdown == f"```\n{code}\n```"


def test_a_short_definition_is_shown_whole() -> None:
    short = replace(passage(1, "definition", "pay"), text="def pay():\n    charge()")
    found = telling_code(short, read_words("When do we charge?"))
    assert found is not None
    assert found.is_whole
    assert "def pay():\n    charge()" in found.markdown


def test_lines_without_a_word_are_not_shown() -> None:
    text = replace(passage(1, "definition", "pay"), text="def pay():\n    charge()")
    assert telling_code(text, read_words("Where are taxes computed?")) is None


def test_lines_with_all_words_come_before_many_with_one() -> None:
    lines = [
        "    default = default_map",
        *["    default = 1"] * 9,
        "",
        "    width = 80",
    ]
    text = "\n".join(["def configure(app):", *lines, "    return app"])
    long = replace(passage(1, "definition", "configure"), text=text)
    found = telling_code(long, read_words("What is the default width?"))
    assert found is not None
    assert "width = 80" in found.markdown
