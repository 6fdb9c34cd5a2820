"""What words alone tell of a claim, and what they do not."""

from __future__ import annotations

import pytest

from devrag.wiki.checking.support import Support, SupportClaim, judge_claim

PROSE = (
    "docs/tea.md\nThe kettle boils water before the cups are filled. Some guests may"
    " pour milk into the tea. The pot holds 30 cups and is never washed."
)
CODE = (
    "tea.py\n"
    "class Green(Tea):\n"
    "    def brew(self, minutes: int = 3, name='oolong'):\n"
    "        self.heat(minutes)\n"
    "        return pour(self)\n"
)


def judge(sentence: str, *excerpts: str) -> Support:
    return judge_claim(SupportClaim(1, sentence, excerpts)).support


@pytest.mark.parametrize(
    ("sentence", "excerpt"),
    [
        ("The pot holds 40 cups.", PROSE),
        ("The kettle boils water after the cups are filled.", PROSE),
        ("Most guests may pour milk into the tea.", PROSE),
        ("Guests must pour milk into the tea.", PROSE),
        ("Only guests pour milk into the tea.", PROSE),
        ("The pot holds 30 cups and is washed.", PROSE),
        ("The kettle does not boil water before the cups are filled.", PROSE),
        ("It calls `stir()` for each cup.", CODE),
        ("`pour()` calls `brew()` at the end.", CODE),
        ("`Tea` extends `Green`.", CODE),
        ("By default `minutes` is `5`.", CODE),
        ('Unless it is given, `name` is `"sencha"`.', CODE),
        (
            "Slowly, the `milk` is poured into the `tea`.",
            "a.md\nThe `tea` is poured into the `milk`, slowly.",
        ),
    ],
)
def test_a_contradiction_is_seen(sentence: str, excerpt: str) -> None:
    assert judge(sentence, excerpt) == "unsupported"


@pytest.mark.parametrize(
    "sentence",
    [
        "The kettle boils water before the cups are filled.",
        "Some of the guests may pour milk into their tea.",
        "The pot holds 30 cups and is never washed.",
    ],
)
def test_what_a_document_says_is_supported(sentence: str) -> None:
    assert judge(sentence, PROSE) == "supported"


@pytest.mark.parametrize(
    "sentence",
    [
        "`brew()` calls `pour()`.",
        "`Green` extends `Tea`.",
        "By default `minutes` is `3`.",
        "Unless it is given, `name` is `'oolong'`.",
        "`brew()` takes 2 parameters.",
        "お茶を淹れる。",
        "It never fails.",
    ],
)
def test_what_words_cannot_tell_of_code_is_unknown(sentence: str) -> None:
    assert judge(sentence, CODE) == "unknown"


def test_the_number_of_a_status_is_shown_by_its_name() -> None:
    code = "http.py\nif response.status == codes.SEE_OTHER:\n    return GET\n"
    assert judge("After a 303 it asks with `GET`.", code) == "unknown"
    assert judge("After a 307 it asks with `GET`.", code) == "unsupported"


def test_a_verdict_gives_its_reason() -> None:
    verdict = judge_claim(SupportClaim(7, "`pour()` calls `brew()`.", (CODE,)))
    assert (verdict.number, verdict.reason) == (
        7,
        "the lines of `brew` name `pour`, not the other way round",
    )
