"""Where a name is used that nothing indexed defines."""

from __future__ import annotations

import pytest

from devrag.ask.named.uses import uses_answer
from devrag.ask.types import AskRequest
from devrag.core.principal import SYSTEM
from tests.conftest import Repository

pytestmark = pytest.mark.django_db


def test_the_lines_that_write_it_are_listed(indexed: Repository) -> None:
    for question in ("Where is TAX_RATE used?", "TAX_RATE はどこで使われていますか？"):
        answer = uses_answer(AskRequest(question, SYSTEM))
        assert answer is not None
        assert "`TAX_RATE`" in answer.markdown
        assert all("TAX_RATE" in each.text for each in answer.citations)
        assert "shop/till.py" in {each.path for each in answer.citations}
        assert "[1](cite:1)" in answer.markdown


def test_why_a_line_is_listed_is_in_the_language_of_the_answer(
    indexed: Repository,
) -> None:
    for question, said in (
        ("Where is TAX_RATE used?", "Uses TAX_RATE"),
        ("TAX_RATE はどこで使われていますか？", "TAX_RATE を使用"),
    ):
        answer = uses_answer(AskRequest(question, SYSTEM))
        assert answer is not None
        assert said in answer.citations[0].why


def test_plain_words_and_names_that_are_nowhere_have_no_list(
    indexed: Repository,
) -> None:
    for question in ("Where is tea used?", "Where is TAX_BOARD used?"):
        assert uses_answer(AskRequest(question, SYSTEM)) is None
