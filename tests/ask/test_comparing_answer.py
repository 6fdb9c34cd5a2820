"""Comparisons of documents and definitions, without a model."""

from __future__ import annotations

import pytest

from devrag.ask.comparing.answer import compare_answer
from devrag.ask.comparing.documents import choose_documents
from devrag.ask.types import Answer, AskRequest
from devrag.core.principal import SYSTEM
from devrag.sources.models import Fact, File, Source
from tests.ask.test_trace_answer import store
from tests.conftest import Repository

pytestmark = pytest.mark.django_db


def document(version: str, rule: str) -> str:
    return f"# Rules\n\n## Names\n\n{rule}\n\n## Dates of {version}\n\nSome.\n"


FILES = {
    "docs/Tea_rules_2.0.md": document("2.0", "Use short names."),
    "docs/Tea_rules_3.0.3.md": document("3.0.3", "Use long names."),
    "docs/Tea_rules.md": "keywords: Tea4\n\n" + document("4", "Use any names."),
    "docs/index.md": "# Tea 2.0 and 3.0.3\n\nAll rules.\n",
    "shop/till.py": (
        "def take_money(amount):\n"
        '    """Take the money."""\n'
        "    return count_money(amount)\n\n"
        "def count_money(amount):\n"
        '    """Count the money."""\n'
        "    return amount\n"
    ),
}


@pytest.fixture(scope="module")
def more_files() -> dict[str, str | bytes | None]:
    return {"shop/fields.go": FIELDS}


@pytest.fixture
def shop() -> None:
    store("shop", FILES)
    File.objects.filter(path__startswith="docs/").update(kind=File.Kind.DOC)


def ask(question: str) -> Answer | None:
    return compare_answer(AskRequest(question, SYSTEM))


@pytest.mark.parametrize(
    "question",
    ["What is the difference between Tea 2.0 and 3.0.3?", "Tea 2.0 と 3.0.3 の違い"],
)
def test_each_side_is_the_document_of_its_version(shop: None, question: str) -> None:
    answer = ask(question)
    assert answer is not None
    assert {each.path for each in answer.citations} == {
        "docs/Tea_rules_2.0.md",
        "docs/Tea_rules_3.0.3.md",
    }
    assert "- `Tea_rules_2.0.md`: Use short names. [1](cite:1)" in answer.markdown
    assert "- `Tea_rules_3.0.3.md`: Use long names. [2](cite:2)" in answer.markdown
    assert "Dates of 2.0" in answer.markdown
    assert answer.citations[0].text == "Use short names."


def test_a_version_may_stand_at_the_beginning_of_a_document(shop: None) -> None:
    ids = list(Source.objects.values_list("pk", flat=True))
    chosen = choose_documents(("Tea2.0", "Tea4"), ids)
    assert chosen is not None
    assert chosen[1].path == "docs/Tea_rules.md"
    assert choose_documents(("Tea 2", "Tea 5"), ids) is None


def test_a_topic_keeps_the_chapters_about_it(shop: None) -> None:
    answer = ask("What is the difference between Tea 2.0 and Tea 3.0.3 for names?")
    assert answer is not None
    assert "Names" in answer.markdown
    assert "Dates" not in answer.markdown


def test_a_word_that_names_the_documents_is_no_topic(shop: None) -> None:
    for question in ("Tea 2.0 と Tea 3.0.3 の rules の違い", "Tea 2.0 vs Tea 3.0.3"):
        answer = ask(question)
        assert answer
        assert "Use short names." in answer.markdown
        assert "Use long names." in answer.markdown


def test_a_topic_that_no_heading_has_is_looked_for_in_the_text(shop: None) -> None:
    answer = ask("What is the difference between Tea 2.0 and Tea 3.0.3 in long names?")
    assert answer
    assert "Use long names." in answer.markdown
    assert "Dates of" not in answer.markdown


def test_a_chapter_of_both_is_never_told_as_one_of_one_only(shop: None) -> None:
    brief = "# Guide\n\n## Steeping\n\nThree minutes.\n\n## Cups\n\nOf glass.\n"
    more = f"{brief}\n## Steeping and cooling\n\nThen wait.\n"
    store("brew", {"docs/Brew_guide_5.md": brief, "docs/Brew_guide_6.md": more})
    File.objects.filter(path__startswith="docs/Brew").update(kind=File.Kind.DOC)
    answer = ask(
        "What is the difference between Brew 5 and Brew 6 for steeping and cooling?"
    )
    assert answer
    assert "Chapters only in `Brew_guide_5.md`" not in answer.markdown
    assert "Chapters only in `Brew_guide_6.md`" in answer.markdown


def test_of_code_the_lines_that_tell_something_are_shown(shop: None) -> None:
    rule = "```java\ncase 1:\nbreak;\n{}\n```"
    store(
        "brew",
        {
            f"docs/Brew_guide_{version}.md": document(version, rule.format(code))
            for version, code in (("5", "steep(leaf, 3);"), ("6", "infuse(leaf);"))
        },
    )
    File.objects.filter(path__startswith="docs/Brew").update(kind=File.Kind.DOC)
    File.objects.filter(path="docs/Brew_guide_6.md").update(
        text=document("6", rule.format("infuse(leaf);")).replace("break;", "stop;")
    )
    answer = ask("What is the difference between Brew 5 and Brew 6?")
    assert answer
    assert "`Brew_guide_5.md`: `steep(leaf, 3);`" in answer.markdown
    assert "`break;`" not in answer.markdown


def test_words_in_prose_are_the_types_that_they_name(shop: None) -> None:
    store(
        "post",
        {
            "post/parts.py": (
                'class Letter:\n    """A folded sheet."""\n\n\n'
                'class Parcel:\n    """A box."""\n'
            )
        },
    )
    answer = ask("What is the difference between a letter and a parcel?")
    assert answer
    assert "**`Letter`**" in answer.markdown
    assert "**`Parcel`**" in answer.markdown
    assert ask("What is the difference between a letter and a stamp?") is None


def test_definitions_stand_side_by_side(shop: None) -> None:
    answer = ask("What is the difference between take_money and count_money?")
    assert answer is not None
    assert answer.markdown.index("Take the money") < answer.markdown.index("Count the")
    assert "`take_money` calls `count_money`." in answer.markdown
    assert "[Used in 1 place.](/p/" in answer.markdown
    assert "#dr-used-by)" in answer.markdown


def test_a_call_of_one_by_the_other_tells_when(shop: None) -> None:
    store(
        "post",
        {
            "post/send.py": (
                "def send_text(text):\n    return text\n\n\n"
                "def send_any(body):\n"
                "    if body is None:\n"
                "        return None\n"
                "    if isinstance(body, str):\n"
                "        return send_text(body)\n"
                "    return body\n"
            )
        },
    )
    answer = ask("What is the difference between send_any and send_text?")
    assert answer is not None
    said = "`send_any` calls `send_text` when `isinstance(body, str)`. [3](cite:3)"
    assert said in answer.markdown
    assert (answer.citations[2].start_line, answer.citations[2].end_line) == (8, 9)


def test_other_questions_are_not_compared(shop: None) -> None:
    assert ask("What is the difference between coffee and cocoa?") is None
    assert ask("Which tea is sold?") is None


FIELDS = (
    "package shop\n\n"
    "type Till struct {\n"
    "\t// Opens and closes.\n"
    "\t//\n"
    "\t// PreOpen: runs before all tills.\n"
    "\tPreOpen func()\n"
    "\t// PostOpen: runs after one till.\n"
    "\tPostOpen func()\n"
    "}\n"
)


def test_fields_are_told_by_their_comments(indexed: Repository) -> None:
    answer = ask("What is the difference between PreOpen and PostOpen?")
    assert answer is not None
    assert answer.markdown.startswith(
        "**`PreOpen`**\n\n`shop/fields.go`, line 4 [1](cite:1): "
        "runs before all tills.\n\n```go\n// Opens and closes."
    )
    assert "line 8 [2](cite:2): runs after one till." in answer.markdown
    assert ask("What is the difference between PreOpen and PreClose?") is None


def test_commands_are_told_by_their_help(indexed: Repository) -> None:
    source = Source.objects.get()
    file = File.objects.get(source=source, path="shop/fields.go", kind="code")
    for line, name in ((7, "dir"), (9, "git")):
        Fact.objects.create(
            file=file,
            kind="command",
            name=name,
            start_line=line,
            end_line=line,
            data={"help": f"scan {name}s"},
        )
    answer = ask(f"What is the difference between {source.name} dir and git?")
    assert answer is not None
    assert "line 7 [1](cite:1): scan dirs" in answer.markdown
    assert "line 9 [2](cite:2): scan gits" in answer.markdown
    assert ask("What is the difference between `dir` and `file`?") is None
