"""Whether an answer has what was asked for, by words and by meaning."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from devrag.search.confidence import FLOORS, Floors, judge
from devrag.search.query_intent import read_question
from devrag.search.types import Confidence

_FLOORS = Floors(near=0.8, far=0.6, sure=0.85)


def judged(
    text: str,
    words: Collection[str] | None,
    cosine: float | None = 0.7,
    *,
    shown: Collection[str] = (),
    share: float = 1.0,
) -> Confidence:
    """Judge where these words are indexed and the best text is that near.

    shown: words that the hits have; share: of what the words say, the most of one hit.
    """
    return judge(
        text,
        read_question(text),
        shown,
        lambda asked: None if words is None else set(asked) & set(words),
        lambda: None if cosine is None else (cosine, _FLOORS),
        share,
    )


def test_a_name_that_stands_somewhere_is_found() -> None:
    assert judged("find_token", {"find_token"}, 0.1) == "high"
    assert judged("Cart.findToken", {"cart", "findtoken"}, 0.1) == "high"


def test_a_name_of_which_only_parts_stand_somewhere_is_not() -> None:
    assert judged("find_token", {"find", "token"}, 0.99) == "low"
    assert judged("Cart.findToken", {"cart", "find", "token"}) == "low"


@pytest.mark.parametrize(
    ("cosine", "confidence"), [(0.9, "low"), (0.7, "low"), (0.5, "none")]
)
def test_a_name_without_any_part_leads_only_to_what_is_near(
    cosine: float, confidence: Confidence
) -> None:
    assert judged("zzzqqqxx", (), cosine) == confidence


def test_a_question_needs_one_of_its_words() -> None:
    assert judged("where are tokens checked", {"checked"}, 0.1) == "high"


def test_words_that_hits_have_are_enough() -> None:
    assert judged("where are tokens checked", (), 0.1, shown={"tokens"}) == "high"
    assert judged("find_token", (), 0.1, shown={"find_token", "find"}) == "high"
    assert judged("find_token", {"find"}, 0.9, shown={"find", "token"}) == "low"


@pytest.mark.parametrize(
    ("cosine", "confidence"), [(0.8, "high"), (0.7, "low"), (0.5, "none")]
)
def test_a_question_without_a_word_needs_to_be_near(
    cosine: float, confidence: Confidence
) -> None:
    assert judged("リダイレクトの処理", (), cosine) == confidence


def test_words_in_hiragana_decide_nothing_beside_others() -> None:
    nonsense = "ぬるぽガッの量子冷蔵庫"
    assert judged(nonsense, {"ぬるい", "ぽい"}, shown={"ぽい"}) == "low"
    assert judged(nonsense, {"ぬるい", "量子"}) == "high"
    assert judged("ぬるい", {"ぬるい"}) == "high"


def test_japanese_words_that_japanese_texts_lack_are_not_answered() -> None:
    common = {"場合", "使用", "設定", "処理", "必要", "利用"}
    assert judged("量子冷蔵庫の解凍", common, 0.99) == "low"
    assert judged("量子冷蔵庫の解凍", {*common, "解凍"}, 0.1) == "high"
    assert judged("量子冷蔵庫の解凍", {"場合", "設定"}, 0.99) == "high"


def test_japanese_that_no_dictionary_knows_is_never_answered() -> None:
    assert judged("ゑゐヱヰぢゎ", (), 0.99) == "low"


def test_english_words_that_are_nowhere_are_never_answered() -> None:
    assert judged("glaxnimorf vweeptu", (), 0.99) == "low"


def test_without_a_floor_japanese_may_be_answered_by_english() -> None:
    assert judged("リダイレクトの処理", (), None) == "high"
    assert judged("glaxnimorf vweeptu", (), None) == "low"


def test_without_an_index_nothing_is_doubted() -> None:
    assert judged("zzzqqqxx", None, 0.1) == "high"


def test_floors_are_in_order() -> None:
    assert all(floors.far < floors.near for floors in FLOORS.values())


@pytest.mark.parametrize(
    ("share", "cosine", "confidence"),
    [(0.3, 0.84, "low"), (0.3, 0.86, "high"), (0.5, 0.1, "high"), (0.3, None, "high")],
)
def test_few_of_the_words_need_a_text_that_is_near(
    share: float, cosine: float | None, confidence: Confidence
) -> None:
    asked = "トランザクション分離レベル"
    assert judged(asked, {"レベル"}, cosine, share=share) == confidence
    assert judged("find_token", {"find_token"}, cosine, share=share) == "high"
