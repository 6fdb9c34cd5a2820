"""Which headings and terms can be titles, and how they are spelt."""

from __future__ import annotations

import pytest

from devrag.wiki.analysis.topics.titles import (
    Spelling,
    clarity_of,
    clause_of,
    distinctive_terms,
    fit_of_terms,
    is_title,
    is_vague,
    plain_heading,
    stems_of,
    support_of,
    terms_of_name,
    words_of_texts,
)

NO_SPELLING = Spelling([], [])


@pytest.mark.parametrize(
    ("heading", "plain"),
    [
        ("3.1 `Client` instances", "Client instances"),
        ("[Transports](transports.md)", "Transports"),
        ("🦙 Deployments 🤖", "Deployments"),
        ('<a id="x"></a> Type tokens', "Type tokens"),
        ("event-hooks", "Event hooks"),
        ("ユーザー辞書機能について", "ユーザー辞書機能"),
        ("read_file", "Read_file"),
    ],
)
def test_a_heading_loses_its_markup(heading: str, plain: str) -> None:
    assert plain_heading(heading) == plain


@pytest.mark.parametrize(
    "heading",
    [
        *(
            "Introduction",
            "Installation",
            "Getting started",
            "Examples",
            "FAQ",
            "Usage",
        ),
        *("Why use a client?", "src/cart.py", "read_file", "get()", "概要", ""),
        *("Shop User Guide", "A heading that goes on for a whole line and more"),
    ],
)
def test_headings_of_any_document_name_no_topic(heading: str) -> None:
    assert not is_title(heading)


@pytest.mark.parametrize("heading", ["Authentication", "Transports", "認証"])
def test_headings_of_a_subject_do(heading: str) -> None:
    assert is_title(heading)


def test_terms_are_the_telling_words_and_pairs_of_a_name() -> None:
    assert terms_of_name("VectorStore") == {"vector store", "vector", "store"}
    assert terms_of_name("reg-exp-router") == {
        *("reg", "exp", "router", "reg exp", "exp router", "reg exp router"),
    }
    assert terms_of_name("TypeConverter") == {"type converter", "converter"}
    assert terms_of_name("utils") == set()


def test_a_term_that_others_bear_too_tells_little() -> None:
    own = {"cart": 1.0, "shop": 1.0}
    fit = fit_of_terms(own, [{"shop": 1.0}, {"shop": 1.0}], frozenset())
    assert fit == {"cart": 1.0}


def test_the_name_of_the_product_is_no_term() -> None:
    fit = fit_of_terms({"gson": 1.0, "gson builder": 0.5}, [], frozenset({"gson"}))
    assert set(fit) == {"gson builder"}


def test_a_pair_goes_before_its_words() -> None:
    fit = {"vector": 0.5, "store": 0.5, "vector store": 0.5, "cache": 0.3}
    assert distinctive_terms(fit) == ["vector store", "cache"]


def test_a_heading_is_supported_by_kindred_names() -> None:
    fit = {"auth": 0.8}
    assert support_of("Authentication", fit) == 0.8
    assert support_of("Custom authentication", fit) == 0.4
    assert support_of("Proxies", fit) == 0.0


def test_titles_are_compared_without_endings() -> None:
    assert stems_of("Routers") == stems_of("Router")
    assert stems_of("Attribute") <= stems_of("Attributes and options")


def test_words_are_spelt_as_the_documents_spell_them() -> None:
    spelling = Spelling(["A WebSocket server. Each WebSocket has a Socket."], [])
    assert spelling.title("websocket") == "WebSocket"
    assert spelling.title("socket server") == "Socket server"


def test_capitals_in_the_names_of_types_are_kept() -> None:
    spelling = Spelling([], ["JSXNode", "SSGPlugin", "JSXElement", "Router"])
    assert spelling.title("jsx") == "JSX"
    assert spelling.title("router ssg") == "Router SSG"


def test_a_word_that_is_shouted_once_stays_small() -> None:
    spelling = Spelling(["Set PATH and PATH. The path is searched."], [])
    assert spelling.title("path") == "Path"


@pytest.mark.parametrize(
    ("term", "title"),
    [
        ("http transports", "HTTP transports"),
        ("config", "Configuration"),
        ("vector stores", "Vector stores"),
        ("sse", "SSE"),
    ],
)
def test_acronyms_and_abbreviations(term: str, title: str) -> None:
    assert NO_SPELLING.title(term) == title


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("Orders: from the basket to the bill.", "Orders"),
        ("Package till provides receipt printers for shops.", "Receipt printers"),
        ("package bill implements a set of tax rules that apply.", "Tax rules"),
        ("@module\nJWT utility.", "JWT utility"),
        ("Package io provides interfaces to streams.", ""),
        ("Everything that has to do with taking an order.", ""),
        ("テキスト解析", "テキスト解析"),
        ("プリセット関連の処理", "プリセット"),
        ("在庫管理機能を提供する API Router", "在庫管理"),
        ("音声波形を加工する。", ""),
        ("注文のモック", ""),
        ("とても長い名前ではない注文", ""),
        ("概要", ""),
    ],
)
def test_a_file_that_begins_with_a_name_gives_it(said: str, title: str) -> None:
    assert clause_of(said) == title


@pytest.mark.parametrize(
    ("term", "title"),
    [
        ("parse", "Parsing"),
        ("alloc", "Memory allocation"),
        ("zipfs", "Zip file system"),
        ("basepath", "Base path"),
        ("cli", "Command line"),
        ("prefs", "Preferences"),
    ],
)
def test_abbreviations_and_verbs_are_spelt_out(term: str, title: str) -> None:
    assert Spelling([], ["BasePathFs", "ZipFs"]).title(term) == title


@pytest.mark.parametrize(
    ("term", "title"),
    [
        ("orderfs", "Order file system"),
        ("ordermgr", "Order manager"),
        ("predict", "Predict"),
        ("complex", "Complex"),
    ],
)
def test_an_abbreviation_that_ends_a_word_is_spelt_out(term: str, title: str) -> None:
    spelling = Spelling(["An order is made pre sale."], ["Fs", "StockMgr", "Dict"])
    assert spelling.title(term) == title


def test_a_word_is_plural_where_the_documents_have_it_so() -> None:
    spelling = Spelling(["Headers are sent. All headers but one header."], [])
    assert spelling.title("header") == "Headers"


def test_a_word_that_is_always_a_name_keeps_its_capital() -> None:
    spelling = Spelling(["It runs on Nimbus and on Nimbus only. " * 3], [])
    assert spelling.title("nimbus workers", is_first=False) == "Nimbus workers"


def test_a_word_that_no_text_uses_tells_little() -> None:
    known = words_of_texts([" ".join(f"word{'abcdefgh'[n % 8]}" for n in range(9))])
    known |= {f"w{n}" for n in range(300)} | {"parser"}
    assert clarity_of("Jvx", known) < clarity_of("Parser", known) == 1


def test_identifiers_are_no_words_of_a_text() -> None:
    assert words_of_texts(["Calls `jvp_get` and jvp_set(), then parses."]) == {
        *("calls", "call", "and", "then", "parses", "parse"),
    }


@pytest.mark.parametrize(("title", "vague"), [("Models", True), ("Orders", False)])
def test_a_layer_alone_is_vague(title: str, vague: bool) -> None:
    assert is_vague(title) is vague
