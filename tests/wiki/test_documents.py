"""The sections of a document, with the lines where they stand."""

from __future__ import annotations

import pytest

from devrag.wiki.analysis.documents import read_sections


@pytest.mark.parametrize("separator", ["\f", "\x0b", "\x85", "\u2028"])
def test_only_a_line_feed_ends_a_line(separator: str) -> None:
    sections = read_sections(
        f"# One\n\nFirst{separator}and more.\n\n# Two\n\nSecond.\n"
    )
    assert [section.line for section in sections] == [1, 5]
    assert sections[1].blocks[0].start_line == 7


def test_a_code_block_without_an_end_ends_with_the_document() -> None:
    (section,) = read_sections("# One\n\n```\ncode\n")
    (block,) = section.blocks
    assert (block.text, block.end_line) == ("code", 4)


def test_the_title_of_a_japanese_item_is_apart_from_its_text() -> None:
    (section,) = read_sections("# 句\n\n- 論理名の記載  \n  左辺をカラムにする。\n")
    assert [block.text for block in section.blocks] == [
        "論理名の記載：左辺をカラムにする。"
    ]


def test_lines_of_a_paragraph_are_joined_with_a_blank() -> None:
    (section,) = read_sections("# One\n\n- First  \n  and more.\n\nA line\\\nends.\n")
    assert [block.text for block in section.blocks] == [
        "First and more.",
        "A line ends.",
    ]


MYST = """\
# Output

```{admonition} Take care
:class: hint

Pages are written to a terminal.
```

```{code-block} python
:caption: page.py

print("page")
```

```{eval-rst}
.. click:example::

    @command()
    def pages(): ...

.. click:run::

    invoke(pages)
```

```{toctree}
:maxdepth: 1

first
```
"""


def test_directives_of_myst_are_prose_code_or_nothing() -> None:
    (section,) = read_sections(MYST)
    assert [(b.kind, b.text, b.language) for b in section.blocks] == [
        ("text", "Pages are written to a terminal.", ""),
        ("code", '\nprint("page")', "python"),
        ("code", "@command()\ndef pages(): ...", "python"),
    ]
    assert [b.start_line for b in section.blocks] == [6, 9, 16]


def test_options_of_a_directive_are_no_code() -> None:
    text = "Usage\n=====\n\n.. code-block:: go\n    :linenos:\n\n    run()\n"
    (section,) = read_sections(text)
    (block,) = section.blocks
    assert (block.text, block.language) == ("run()", "go")
