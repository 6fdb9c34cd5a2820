"""Long rows of citation chips become one chip that opens their list."""

from __future__ import annotations

import re

from devrag.core.citation_rows import RowLabel
from devrag.core.markdown import Citation, render_markdown

LABEL = RowLabel(lambda n: f"{n} Quellen", "de")


def _render(text: str, *, stale: str = "") -> str:
    return render_markdown(
        text,
        resolve_citation=lambda key: Citation(
            f"/f#L{key}", f"a.py:{key}", f"/preview/{key}", stale, "de"
        ),
        row_label=LABEL,
    ).html


def _chips(*numbers: int, between: str = "") -> str:
    return between.join(f"[{n}](cite:{n})" for n in numbers)


def test_a_long_row_is_one_chip_with_all_its_links() -> None:
    html = _render(f"It ranks.{_chips(1, 2, 3, 4)} Then it ends.")
    assert '<button type="button" class="cite cite-row"' in html
    assert 'popovertarget="dr-cites-1" lang="de">4 Quellen</button>' in html
    assert '<span class="cite-list" id="dr-cites-1" popover="auto">' in html
    assert re.findall(r'href="/f#L(\d)"', html) == ["1", "2", "3", "4"]
    assert '<span class="cite-place">a.py:3</span>' in html
    assert html.count("data-preview=") == 4
    assert html.endswith("</span> Then it ends.</p>\n")


def test_a_short_row_stays_as_it_is() -> None:
    html = _render(f"It ranks.{_chips(1, 2, 3)}")
    assert "<button" not in html
    assert html.count('class="cite"') == 3


def test_blanks_and_line_ends_do_not_divide_a_row() -> None:
    assert "4 Quellen" in _render(f"It ranks. {_chips(1, 2, 3, 4, between=' ')}")
    assert "4 Quellen" in _render(f"It ranks. {_chips(1, 2, 3, 4, between=chr(10))}")


def test_words_divide_rows() -> None:
    html = _render(f"`a()`{_chips(1, 2)} and `b()`{_chips(3, 4)}")
    assert "<button" not in html
    assert " and <code>b()</code>" in html


def test_each_list_has_a_name_of_its_own() -> None:
    html = _render(f"One.{_chips(1, 2, 3, 4)}\n\nTwo.{_chips(5, 6, 7, 8, 9)}")
    assert re.findall(r'id="([\w-]+)"', html) == ["dr-cites-1", "dr-cites-2"]
    assert "5 Quellen" in html


def test_what_changed_is_said_once() -> None:
    html = _render(f"It ranks.{_chips(1, 2, 3, 4)}", stale="geändert")
    assert '<span class="cite-place">a.py:1, geändert</span>' in html
    assert html.count("geändert") == 4
