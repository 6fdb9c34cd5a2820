"""What is found out about an analysis goes with it."""

from __future__ import annotations

import gc
import weakref

import pytest

from devrag.wiki.analysis.cached import cached_by_analysis
from devrag.wiki.analysis.flows import flows_of
from devrag.wiki.analysis.settings import settings_of
from devrag.wiki.generation.prepare import plan_in
from tests.wiki.shop import SHOP, analyse


def test_a_value_is_computed_once_for_each_analysis() -> None:
    asked: list[tuple[object, str]] = []

    @cached_by_analysis
    def length(analysis: object, word: str) -> int:
        asked.append((analysis, word))
        return len(word)

    one, other = analyse(SHOP), analyse(SHOP)
    pairs = [(one, "a"), (one, "bc"), (one, "a"), (other, "a")]
    assert [length(*pair) for pair in pairs] == [1, 2, 1, 1]
    assert asked == [(one, "a"), (one, "bc"), (other, "a")]


@pytest.mark.slow
def test_an_analysis_is_let_go_when_nobody_uses_it() -> None:
    analysis = analyse(SHOP)
    assert settings_of(analysis)
    assert plan_in(analysis, "en").pages
    assert len(flows_of(analysis).main()) == 1
    gone = weakref.ref(analysis)
    del analysis
    gc.collect()
    assert gone() is None
