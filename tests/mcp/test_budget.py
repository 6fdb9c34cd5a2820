"""How much an answer may say, however long a line or a neighbour is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from devrag.mcp.budget import CUT, fit_lines, fit_text
from devrag.parsing.tokens import estimate_tokens

MINIFIED = "var a=1;" * 50_000


@pytest.mark.parametrize("tokens", [100, 2_000])
@pytest.mark.parametrize("terms", [(), ("needle",)])
def test_a_long_line_is_cut(tokens: int, terms: tuple[str, ...]) -> None:
    text = "\n".join([MINIFIED, *["x"] * 20, "the needle", MINIFIED])
    shown = fit_text(text, tokens, terms)
    assert shown.endswith(CUT)
    assert estimate_tokens(shown) <= 2.5 * tokens


def test_lines_are_whole_but_for_a_long_first_one() -> None:
    assert fit_lines(["one", "two"], 100) == ["one", "two"]
    assert fit_lines(["one", MINIFIED], 100) == ["one"]
    (line,) = fit_lines([MINIFIED, "two"], 100)
    assert line == MINIFIED[:300] + CUT


@pytest.mark.slow
def test_neighbours_share_the_budget(ask: Callable[..., Any]) -> None:
    found = ask("search", query="step", collection="tea", context=2, budget=200)
    texts = [
        text
        for piece in found["results"]
        for text in (
            piece["content"],
            *piece.get("before", ()),
            *piece.get("after", ()),
        )
    ]
    assert len(texts) > len(found["results"])
    # Each text has forty tokens at least.
    assert sum(map(estimate_tokens, texts)) <= 200 + 45 * len(texts)
    assert "read_file" in found["next"]
