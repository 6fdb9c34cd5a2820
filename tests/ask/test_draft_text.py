"""What of a piece of a stream is shown."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from devrag.ask.writing.draft_text import DraftText


@given(st.integers(min_value=1, max_value=9))
def test_ids_are_left_out_however_they_come(size: int) -> None:
    text = (
        "It adds tax [[E1]] [[E12]]. See a[0] and [x] here [[E3, E4]].\n[[NONE]]\nEnd"
    )
    draft = DraftText()
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    shown = "".join(draft.add(piece) for piece in pieces)
    assert shown == "It adds tax. See a[0] and [x] here.\n\nEnd"
