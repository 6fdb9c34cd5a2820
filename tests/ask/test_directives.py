"""What directives of MyST and Sphinx show of a document."""

from __future__ import annotations

from devrag.ask.quotations import Block, read_blocks


def read(text: str) -> list[tuple[str, str]]:
    blocks: list[Block] = read_blocks(text)
    return [(each.kind, each.text) for each in blocks]


def test_of_rest_the_first_example_is_shown() -> None:
    text = (
        "Give a count:\n\n```{eval-rst}\n.. click:example::\n\n    @command()\n"
        "    def greet():\n        pass\n\n.. click:run::\n\n    invoke(greet)\n```\n"
    )
    code = "@command()\ndef greet():\n    pass"
    assert read(text) == [("text", "Give a count:"), ("code", code)]


def test_lists_of_pages_and_modules_are_not_shown() -> None:
    text = "```{contents}\n:depth: 1\n```\n```{eval-rst}\n.. autoclass:: Context\n```\n"
    assert read(text) == []


def test_code_loses_the_options_of_its_directive() -> None:
    text = "```{code-block} python\n:caption: hello.py\n\nimport click\n```\n"
    assert read(text) == [("code", "import click")]
    assert read_blocks(text)[0].language == "python"


def test_notes_are_text() -> None:
    assert read("```{note}\nNot thread-safe.\n```\n") == [("text", "Not thread-safe.")]


def test_code_without_a_directive_stays_as_it_is() -> None:
    yaml = "---\nname: shop\nsteps:\n  - run"
    assert read(f"```yaml\n{yaml}\n```\n") == [("code", yaml)]
