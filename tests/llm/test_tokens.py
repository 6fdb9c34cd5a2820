from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devrag.llm.local.tokens import Tokens
from devrag.llm.local.weights import Weights


@pytest.mark.parametrize("control", ["<s>", "</s>", "<pad>", "<unk>", "<mask>"])
def test_text_cannot_spell_a_control_token(
    tokens: Tokens, weights: Weights, control: str
) -> None:
    assert weights.vocabulary.pieces.index(control) not in tokens.encode(control)


def test_a_run_of_unknown_characters_is_one_token(
    tokens: Tokens, weights: Weights
) -> None:
    ids = tokens.encode("\U000e0fff\U000e0ffe\U000e0ffd")
    assert ids.count(weights.vocabulary.unknown) == 1


def test_spaces_and_line_ends_do_not_count(tokens: Tokens) -> None:
    assert tokens.encode("  a\n\n\t b　") == tokens.encode("a b")


def test_known_text_survives_decoding(tokens: Tokens) -> None:
    text = "def total(): return 全文検索 の 索引"
    assert tokens.decode(tokens.encode(text)) == text


def test_a_sequence_has_a_begin_and_an_end(tokens: Tokens, weights: Weights) -> None:
    vocabulary = weights.vocabulary
    assert tokens.wrap([7]) == [vocabulary.begin, 7, vocabulary.end]


@settings(deadline=None)
@given(st.text(max_size=80))
def test_any_text_becomes_ids_of_the_vocabulary(tokens: Tokens, text: str) -> None:
    assert all(0 <= i < 250_002 for i in tokens.encode(text))
