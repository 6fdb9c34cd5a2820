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


@pytest.mark.parametrize(
    ("sentence", "lines"),
    [
        (
            "There is no integration of kettles with cups out of the box.",
            (
                "The house does not provide integration of kettles with cups out of the"
                " box, but there are several jugs of other makers for it."
            ),
        ),
        (
            "The old kettle is still there for guests.",
            "We no longer recommend the old kettle, but it is still there for guests.",
        ),
        (
            "A call of `brew_all` boils all kettles.",
            (
                "A call of `brew_all` boils all kettles, whether or not somebody"
                " has put them on the list of those to be boiled."
            ),
        ),
        (
            "An unknown leaf kind raises a `LeafError` here.",
            "Raises LeafError: If the leaf kind is not registered here.",
        ),
        (
            "A missing cup of tea raises `CupError`.",
            "Raises CupError: If the cup of tea is not found.",
        ),
        (
            "Only the green leaves are poured twice a day.",
            "No other leaves than the green ones are poured twice a day.",
        ),
        (
            "The cups must be warmed before the tea is poured slowly.",
            "Warmed cups are mandatory before the tea is poured slowly.",
        ),
        (
            "It would never boil fresh milk for guests of the house.",
            "It would not ever boil fresh milk for guests of the house.",
        ),
        (
            "`lid`, `cap` and `top` close the kettles of the house.",
            "To close the kettles of the house: `top`, `cap`, `lid`.",
        ),
        ("Since 10.0 tea is poured.", "docs/upgrading-to-10.md\nTea is poured."),
    ],
)
def test_the_same_in_other_words_is_no_contradiction(sentence: str, lines: str) -> None:
    verdict = judge_claim(SupportClaim(1, sentence, (f"tea.md\n{lines}",)))
    assert verdict.support != "unsupported", verdict.reason


def test_a_path_and_headings_are_no_part_of_a_sentence() -> None:
    lines = "docs/tea.md\nTea > Kettles\n## Kettles\nThe kettle boils water slowly."
    assert judge("The kettle does not boil water slowly.", lines) == "unsupported"


def test_must_for_can_is_seen_where_another_thing_is_needed() -> None:
    lines = "a.md\nIf guests need milk in tea, they can pour it from the jug."
    said = "If guests need milk in tea, they must pour it from the jug."
    assert judge(said, lines) == "unsupported"


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


def test_a_number_before_a_comma_is_read_without_it() -> None:
    code = "tea.py\n\nLIMIT = 45\n"
    assert judge("With `LIMIT` at 45, it stops.", code) == "unknown"
    assert judge("With `LIMIT` at 54, it stops.", code) == "unsupported"


def test_a_denial_may_stand_in_a_sentence_of_its_own() -> None:
    text = "pot.md\n\nDisables the accessor cache of the pot. Not recommended.\n"
    said = "It disables the accessor cache of the pot, which is not recommended."
    assert judge(said, text) != "unsupported"
    other = "It disables the accessor cache of the pot, which is not cleaned."
    assert judge(other, text) == "unsupported"


def test_what_is_imported_from_where_may_stand_in_any_order() -> None:
    lines = "s/tests/roots/tea_house/__init__.py\n\nfrom tea_house.c import SomeTea"
    said = "| `tea_house/__init__.py` | `SomeTea` from `tea_house.c` |"
    assert judge(said, lines) != "unsupported"


def test_a_value_belongs_to_the_name_beside_it() -> None:
    text = "INTERRUPTED = 2\nreturncode = exc.returncode\n"
    said = "`INTERRUPTED` is the state, unless the `returncode` is `None`."
    assert judge(said, text) != "unsupported"
    wrong = "Unless it is given, `INTERRUPTED` is `None`."
    assert judge(wrong, text) == "unsupported"
