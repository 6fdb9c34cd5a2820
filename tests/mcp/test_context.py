"""Evidence as text: within the budget, best first, no line twice."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from devrag.ask.types import Passage
from devrag.mcp.context import render_context
from devrag.parsing.tokens import estimate_tokens


def _passage(
    start: int, end: int, path: str = "a.py", source: str = "shop", title: str = "f"
) -> Passage:
    return Passage(
        id="E1",
        product="tea",
        source=source,
        path=path,
        start_line=start,
        end_line=end,
        text="\n".join(f"{path} line {number}" for number in range(start, end + 1)),
        version_identifier="a" * 40,
        content_hash="b" * 64,
        kind="definition",
        title=title,
    )


def test_passages_come_in_their_order_with_headers() -> None:
    found = render_context([_passage(5, 6, "b.py"), _passage(1, 1, title="")], 1_000)
    assert found.text == (
        "b.py:5-6 f\nb.py line 5\nb.py line 6\n\na.py:1 definition\na.py line 1"
    )
    assert (found.left_out, found.is_cut) == ((), False)


def test_lines_that_were_shown_are_left_out() -> None:
    found = render_context([_passage(3, 4), _passage(1, 6), _passage(2, 4)], 1_000)
    headers = [line for line in found.text.split("\n") if line.startswith("a.py:")]
    assert headers == ["a.py:3-4 f", "a.py:1-2 f", "a.py:5-6 f"]


def test_sources_are_named_where_there_are_several() -> None:
    found = render_context([_passage(1, 1), _passage(1, 1, source="site")], 1_000)
    assert found.text.startswith("shop:a.py:1 f\n")
    assert "site:a.py:1 f" in found.text


def test_a_long_passage_leaves_room_for_others() -> None:
    found = render_context([_passage(1, 900), _passage(1, 9, "b.py")], 1_000)
    assert found.is_cut
    assert "…" in found.text
    assert "b.py:1-9 f" in found.text


def test_what_does_not_fit_is_named() -> None:
    found = render_context([_passage(1, 9), _passage(1, 90, "b.py")], 100)
    assert "a.py:1-9" in found.text
    assert found.left_out == ("b.py:1-90 f",)


_PASSAGES = st.builds(
    lambda start, size, path: _passage(start, start + size, path),
    st.integers(1, 40),
    st.integers(0, 60),
    st.sampled_from(["a.py", "b.py"]),
)


@given(st.lists(_PASSAGES, max_size=8), st.integers(100, 2_000))
def test_the_budget_holds_and_no_line_is_shown_twice(
    passages: list[Passage], tokens: int
) -> None:
    found = render_context(passages, tokens)
    assert estimate_tokens(found.text) <= tokens
    lines = [line for line in found.text.split("\n") if " line " in line]
    assert len(lines) == len(set(lines))
