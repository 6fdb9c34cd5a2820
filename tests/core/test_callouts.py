"""Containers of documentation tools as callouts."""

from __future__ import annotations

import pytest

from devrag.core.markdown import render_markdown
from devrag.core.plain_markdown import to_plain


@pytest.mark.parametrize(
    ("head", "look", "title"),
    [
        ("::: warning 有志で作成した規約", "warn", "有志で作成した規約"),
        (":::tip[Use `run()`]", "ok", "Use <code>run()</code>"),
        (":::note {#one}", "info", "Note"),
        (":::{danger} Hot", "bad", "Hot"),
        ("::: details Click {open}", "plain", "Click"),
        (":::: info", "info", "Information"),
        ("::: tip Read this: :::", "ok", "Read this"),
    ],
)
def test_a_container_is_a_callout(head: str, look: str, title: str) -> None:
    end = "::::" if head.startswith("::::") else ":::"
    html = render_markdown(f"{head}\nWith **care**.\n{end}\n\nAfter.").html
    assert f'<div class="callout callout-{look}">' in html
    assert f'<div class="callout-title">{title}</div>' in html
    assert "<strong>care</strong>" in html
    assert ":::" not in html
    assert html.endswith("</div>\n<p>After.</p>\n")


def test_a_container_of_another_kind_has_no_title() -> None:
    html = render_markdown("::: code-group labels=[npm,pnpm]\nrun\n:::").html
    assert "callout-title" not in html
    assert "<p>run</p>" in html


def test_containers_hold_others() -> None:
    html = render_markdown(":::: tip\n::: danger\nHot\n:::\nCold\n::::").html
    assert html.index("callout-ok") < html.index("callout-bad") < html.index("Cold")


def test_colons_alone_stay_text() -> None:
    assert render_markdown("a ::: b").html == "<p>a ::: b</p>\n"


def test_an_excerpt_has_the_title_alone() -> None:
    assert to_plain(":::{note} Hot\nWater\n:::") == "Hot Water"


def test_markup_of_a_title_does_not_run() -> None:
    assert "<script" not in render_markdown("::: tip <script>x</script>\nT\n:::").html


def test_a_very_long_head_is_text() -> None:
    html = render_markdown("::: note a" + " :" * 200_000 + "x{\nText\n:::").html
    assert html.startswith("<p>::: note a : :")
    assert "callout" not in html
