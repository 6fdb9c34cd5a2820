"""Which names stand in lines, whatever the index holds."""

from __future__ import annotations

import pytest

from devrag.wiki.checking.shown_names import is_shown, missing_names

TEXT = (
    "E1 code shop/src/tea/pot.py\n"
    "class Pot:\n    def pour(self): return client.get(url)\n"
    "os.environ['HTTPS_PROXY'], no_proxy, /etc/tea/pot.toml, https://tea.example/a\n"
    "crate::cups::Cup, tea-pot, LLM_MODEL"
)


@pytest.mark.parametrize(
    "span",
    [
        *("get", "get()", "no_proxy", "HTTPS_PROXY", "/etc/tea/pot.toml", "/etc/…"),
        *(
            "https://tea.example/a",
            "https://…",
            "shop/src/tea/pot.py",
            "src/tea/pot.py",
        ),
        *("Pot.pour()", "Pot.pour(self)", "Pot", "cups::Cup", "tea-pot", "LLM_*"),
        *("shop/src/tea/", "pour", "client.get(url)"),
    ],
)
def test_it_stands_there(span: str) -> None:
    assert is_shown(span, TEXT)


@pytest.mark.parametrize(
    "span", ["po", "Pots", "proxy", "Pot.fill()", "/etc/cup.toml", "…", "*", "LLM_KEY"]
)
def test_it_does_not(span: str) -> None:
    assert not is_shown(span, TEXT)


def test_labels_of_links_and_code_need_not_stand_there() -> None:
    sentence = "See [`Cup`](cup.md): `a + b` and `Pot` and `Jug`."
    assert missing_names(sentence, [TEXT]) == ["Jug"]
