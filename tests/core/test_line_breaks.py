"""Where long names may be broken."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devrag.core.line_breaks import split_name, with_breaks, with_code, without_ticks


@pytest.mark.parametrize(
    ("name", "pieces"),
    [
        ("UseClientDefault", ["Use", "Client", "Default"]),
        ("starlette.middleware", ["starlette.", "middleware"]),
        ("get_user_by_id", ["get_", "user_", "by_id"]),
        ("HTTPConnection", ["HTTP", "Connection"]),
        ("src/app/FileName.py", ["src/", "app/", "File", "Name.py"]),
        ("internationalisation", ["internationalisation"]),
    ],
)
def test_a_name_is_broken_between_its_words(name: str, pieces: list[str]) -> None:
    assert split_name(name) == pieces


@given(st.text(alphabet="abcXYZ019._/<&`日本 ", max_size=60))
def test_what_is_copied_is_the_name_as_it_is(text: str) -> None:
    html = str(with_breaks(text)).replace("<wbr>", "")
    assert html == text.replace("&", "&amp;").replace("<", "&lt;")


def test_short_words_stay_whole() -> None:
    assert with_breaks("a getUser b") == "a getUser b"


def test_what_stands_in_backticks_is_code() -> None:
    assert with_code("Run `a<b` and ``x`y``.") == (
        "Run <code>a&lt;b</code> and <code>x`y</code>."
    )
    assert with_code("An open ` tick") == "An open ` tick"
    assert without_ticks("What `run` does") == "What run does"
