"""What a text speaks of: tickets, pages of the web, and code."""

from __future__ import annotations

import pytest

from devrag.parsing.mentions import address_key, name_key, read_mentions
from devrag.parsing.source import SourceText


def found(text: str, *, is_prose: bool = True) -> list[tuple[str, str, int]]:
    mentions = read_mentions(SourceText("a.md", text), is_prose=is_prose)
    return [(each.kind, each.name, each.line) for each in mentions]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("see #12, GH-3 and !4.", ["#12", "#3", "!4"]),
        ("# 12 things, a#1, &#39; and #0 are none", []),
        ("page.html#12 is an anchor, #12px a rule", []),
        ("日本語の#7です", []),  # no space before it, as in a word
        ("(#7)", ["#7"]),
    ],
)
def test_tickets_of_prose(text: str, names: list[str]) -> None:
    assert [name for kind, name, _ in found(text) if kind == "ticket"] == names


@pytest.mark.parametrize(
    ("line", "is_one"),
    [
        ("# fixes #12", True),
        ("x = 1  # see #12", True),
        ("/* #12 */", True),
        (" * of #12", True),
        ("message = 'closes #12'", True),
        ("color: #123;", False),
        ("array #12", False),
        ("#12", False),
    ],
)
def test_tickets_of_code_stand_in_comments_or_behind_a_word(
    line: str, is_one: bool
) -> None:
    assert bool(found(line, is_prose=False)) is is_one


def test_names_and_paths_are_those_of_documents() -> None:
    text = "Use `Client.send()` of src/http/client.py or `a b`.\n``retry_count``\n"
    assert found(text) == [
        ("mention", "Client.send()", 1),
        ("mention", "src/http/client.py", 1),
        ("mention", "retry_count", 2),
    ]
    assert found(text, is_prose=False) == []


def test_addresses_of_tickets_and_pages_alone() -> None:
    text = (
        "// https://github.com/o/r/pull/5#discussion, https://example.com/licence\n"
        "// (https://wiki.example.com/display/SHOP/Home)\n"
    )
    assert found(text, is_prose=False) == [
        ("address", "https://github.com/o/r/pull/5#discussion", 1),
        ("address", "https://wiki.example.com/display/SHOP/Home", 2),
    ]


def test_a_generated_list_is_cut() -> None:
    assert len(found("\n".join(f"#{n}" for n in range(1, 5_000)))) == 1_000


def test_a_line_that_no_person_wrote_is_left_out() -> None:
    assert found("x" * 6_000 + " #12") == []


def test_keys() -> None:
    assert address_key("HTTPS://Host.example/a%20b/?v=1#x") == "host.example/a b"
    assert name_key("src/a.py") == "a.py"
    assert name_key("settings.py") == "settings.py"
    assert name_key("Settings.load()") == "load"
