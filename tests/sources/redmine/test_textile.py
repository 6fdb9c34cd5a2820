"""Textile as Redmine has it, as Markdown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devrag.sources.connectors.redmine.address import ProjectAddress
from devrag.sources.connectors.redmine.links import TextLinks
from devrag.sources.connectors.redmine.markup import to_markdown
from tests.tiers import mostly_slow

LINKS = TextLinks(ProjectAddress("https://r.example", "shop"), "issues/5")


def written(text: str) -> str:
    return to_markdown(text, LINKS, "textile")


@pytest.mark.parametrize(
    ("textile", "markdown"),
    [
        ("h1. Title", "# Title"),
        ("h3(#anchor). Title\nText", "### Title\n\nText"),
        ("one\ntwo\n\nthree", "one  \ntwo\n\nthree"),
        ("one\r\ntwo", "one  \ntwo"),
        ("p{color:red; margin: 1.5em}. Text", "Text"),
        ("p=. Text", "Text"),
        ("bq. said\nmore", "> said\n> more"),
        ("> said\n>> before\n> * a", "> said\n>\n> > before\n>\n> - a"),
        ("fn1. Note", "[1] Note"),
        ("one\n\n---\n\ntwo", "one\n\n---\n\ntwo"),
        ("text\n* a\n* b", "text\n\n- a\n- b"),
        ("* a\n** b\n*** c\n* d", "- a\n  - b\n    - c\n- d"),
        ("# a\n## b\n# c", "1. a\n   1. b\n2. c"),
        ("# a\n#* b\n# c", "1. a\n   - b\n2. c"),
        ("*** a", "- a"),
        ("* a\nmore", "- a\n  more"),
    ],
)
def test_blocks(textile: str, markdown: str) -> None:
    assert written(textile) == markdown


@pytest.mark.parametrize(
    ("textile", "markdown"),
    [
        ("a *b* _c_ -d- +e+", "a **b** *c* ~~d~~ e"),
        ("**b** __i__ ??t?? @c@", "**b** *i* *t* `c`"),
        ("*_both_*", "***both***"),
        ("%{color:red}red% (*b*)", "red (**b**)"),
        ("これは *重要* です。", "これは **重要** です。"),
        ("*重要*。", "**重要**。"),
        ("a_b_c 2*3*4 x - y - z", "a_b_c 2*3*4 x - y - z"),
        ('run --force -v, "q" -- it\'s...', 'run --force -v, "q" -- it\'s...'),
        ("<script>alert(1)</script> a < b", "\\<script>alert(1)\\</script> a < b"),
        ("@a_b@ and @c|d@", "`a_b` and `c|d`"),
        ("a@b.example and c@d.example", "a@b.example and c@d.example"),
        ("<notextile>*a*</notextile>", "*a*"),
        ('"the *guide*(title)":https://a.b/c.', "[the **guide**](https://a.b/c)."),
        ('(see "x":https://a.b/c_(d))', "(see [x](https://a.b/c_%28d%29))"),
        ('"a":javascript:alert(1)', "a"),
        ("!shot.png!", "![shot.png](5/shot.png)"),
        ("!>{width:10%}shot one.png!", "!>{width:10%}shot one.png!"),
        (
            "!https://a.b/c.png(A cat)!:https://d.e",
            "[![A cat](https://a.b/c.png)](https://d.e)",
        ),
        ("Stop! Now! Go.", "Stop! Now! Go."),
        ("<code>a_b</code>", "`a_b`"),
    ],
)
def test_words(textile: str, markdown: str) -> None:
    assert written(textile) == markdown


def test_code_keeps_every_character() -> None:
    code = 'def x\n  "a":http://b *c* #12 {{toc}} <b> ```\nend'
    text = f'Before\n<pre><code class="ruby">\n{code}\n</code></pre>\nafter'
    assert written(text) == f"Before\n\n````ruby\n{code}\n````\n\nafter"
    assert written(f"<pre>{code}") == f"````\n{code}\n````"
    assert written("<pre>\n</pre>") == ""
    assert written("Text\n\n```\n*a*\n```") == "Text\n\n```\n*a*\n```"


def test_tables() -> None:
    text = (
        "table{width:100%}.\n|_. Name |_=. *Value* |\n|/2. a | b|c |\n"
        "{background:red}. | d | e\nf |\n|\\2. g |"
    )
    assert written(text) == (
        "| Name | **Value** |  |\n| --- | --- | --- |\n| a | b | c |\n"
        "| a | d | e f |\n| g |  |  |"
    )


@given(st.text(alphabet='*_-+@%!"#|[]{}()<>`~^?.:= \nab1\x02', max_size=300))
def test_any_text_is_written(text: str) -> None:
    found = written(text)
    assert "\x02" not in found
    assert "\x03" not in found


@given(st.text(alphabet="ab cd1", max_size=80))
def test_words_stay_as_they_are(text: str) -> None:
    assert written(text).split() == text.split()


@pytest.mark.parametrize(
    "unit", mostly_slow(["|a", "<code>", ">\n", '"a":', "{{a\n", "*_", "[["], quick=5)
)
def test_marks_without_end_are_written(unit: str) -> None:
    """With patterns that try every pair of marks this would take hours."""
    text = unit * 20_000
    assert len(written(text)) > 0
