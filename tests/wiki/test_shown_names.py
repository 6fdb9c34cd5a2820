"""Which names stand in lines, whatever the index holds."""

from __future__ import annotations

import pytest

from devrag.wiki.checking.shown_names import is_of_language, is_shown, missing_names

TEXT = (
    "E1 code shop/src/tea/pot.py\n"
    "class Pot:\n    def pour(self): return client.get(url)\n"
    "os.environ['HTTPS_PROXY'], no_proxy, /etc/tea/pot.toml, https://tea.example/a\n"
    "crate::cups::Cup, tea-pot, LLM_MODEL, Handler, Cup_Filling, 'oolong'"
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
        *(
            "Pots",
            "Handlers",
            "OOLONG",
            "no-proxy",
            "TeaPot",
        ),
    ],
)
def test_it_stands_there(span: str) -> None:
    assert is_shown(span, TEXT)


@pytest.mark.parametrize(
    "span",
    [
        *("po", "proxy", "Pot.fill()", "/etc/cup.toml", "…", "*", "LLM_KEY", "gets"),
        *("Pottery", "yes_", "_Proxy", "pour-in", "TeaCup", "teaPot", "CLIENT"),
        *("LLM_", "HTTPS_", "_Filling", "_proxy"),
    ],
)
def test_it_does_not(span: str) -> None:
    assert not is_shown(span, TEXT)


@pytest.mark.parametrize(
    "sentence",
    [
        "All have the prefix `LLM_`.",
        "Their names begin with `HTTPS_`.",
        "Of names starting with `HTTPS_` it takes all.",
        "What ends with `_Filling` is for cups.",
        "The suffix `_proxy` means it.",
        "`LLM_` で始まる名前を読む。",
        "接尾辞は `_proxy` である。",
    ],
)
def test_a_prefix_or_suffix_stands_in_names_that_have_it(sentence: str) -> None:
    assert missing_names(sentence, [TEXT]) == []


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("It reads `LLM_` at the start.", "LLM_"),
        ("The cup takes `_Filling` in the end.", "_Filling"),
        ("Names begin with `yes_`.", "yes_"),
        ("The suffix is `_Cup`.", "_Cup"),
    ],
)
def test_a_part_of_a_name_is_another_name(sentence: str, name: str) -> None:
    assert missing_names(sentence, [TEXT]) == [name]


@pytest.mark.parametrize(("said", "text"), [("Pots", "Pot"), ("Pot", "Pots")])
def test_a_plural_that_the_index_has_is_another_type(said: str, text: str) -> None:
    assert is_shown(said, text, is_indexed={"Pot"}.__contains__)
    assert not is_shown(said, text, is_indexed={"Pot", "Pots"}.__contains__)


def test_labels_of_links_and_code_need_not_stand_there() -> None:
    sentence = "See [`Cup`](cup.md): `a + b` and `Pot` and `Jug`."
    assert missing_names(sentence, [TEXT]) == ["Jug"]


def test_a_keyword_of_a_language_names_nothing() -> None:
    sentence = "A `using` ends it, and `null` or `Jug` starts it."
    assert missing_names(sentence, [TEXT]) == ["Jug"]


@pytest.mark.parametrize(
    "sentence",
    [
        "`pour` has no `Retry` around it.",
        "It works without a `Retry` block.",
        "It passes the cup but not `saucer`.",
        "It does not call `rinse()`.",
        "It doesn't use `Sugar`.",
        "Instead of `Jug` there is `Pot`.",
        "`saucer` of a cup is not washed.",
        "`pour` に `Retry` はない。",
    ],
)
def test_what_is_said_not_to_be_there_need_not_be_there(sentence: str) -> None:
    assert missing_names(sentence, [TEXT]) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "It fills `Pot` rather than `Jug`.",
        "Unlike `Jug`, `Pot` is filled.",
        "`Pot` ignores `Jug`.",
        "`Pot` は `Jug` を使わない。",
    ],
)
def test_what_is_said_not_to_be_there_must_exist_elsewhere(sentence: str) -> None:
    assert missing_names(sentence, [TEXT], {"Saucer"}.__contains__) == ["Jug"]
    assert missing_names(sentence, [TEXT], {"Jug"}.__contains__) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "It does not only call `Jug`.",
        "`Jug` is not the same.",
        "Without it, `Jug` is `Pot`.",
        "No cup fits `Jug`.",
    ],
)
def test_a_negation_elsewhere_excuses_no_name(sentence: str) -> None:
    assert missing_names(sentence, [TEXT]) == ["Jug"]


def test_special_methods_are_of_the_language() -> None:
    assert is_of_language("__new__", "Construction stays in `__new__`.")
    assert not is_of_language("__private", "It reads `__private`.")
