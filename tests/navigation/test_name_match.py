"""How well a name fits what was typed, and which letters do."""

from __future__ import annotations

import pytest

from devrag.navigation.name_match import MatchClass, NameMatch, NameQuery


def show(name: str, text: str) -> str | None:
    """Return how a name fits, with the letters that do in brackets."""
    match = NameQuery.parse(text).match(name)
    if match is None:
        return None
    letters = (f"[{c}]" if n in match.places else c for n, c in enumerate(name))
    return f"{match.how.name} {''.join(letters).replace('][', '')}"


@pytest.mark.parametrize(
    ("name", "text", "shown"),
    [
        ("Pot", "Pot", "EXACT [Pot]"),
        ("Pot", "pot", "ANY_CASE [Pot]"),
        ("potter", "pot", "PREFIX [pot]ter"),
        ("_pot", "pot", "HUMPS _[pot]"),
        ("HttpServer", "HS", "HUMPS [H]ttp[S]erver"),
        ("HttpServer", "hs", "HUMPS [H]ttp[S]erver"),
        ("HttpServer", "htSe", "HUMPS [Ht]tp[Se]rver"),
        ("HttpServer", "htse", "SPLIT [Ht]tp[Se]rver"),
        ("HttpServer", "http_server", "HUMPS [HttpServer]"),
        ("HttpServer", "http server", "HUMPS [HttpServer]"),
        ("http_server", "HttpServ", "HUMPS [http]_[serv]er"),
        ("http_server", "httpserver", "SPLIT [http]_[server]"),
        ("http_server_handler", "HSH", "HUMPS [h]ttp_[s]erver_[h]andler"),
        ("HTTPServer", "HTTPSe", "PREFIX [HTTPSe]rver"),
        ("HTTPServer", "hS", "HUMPS [H]TTP[S]erver"),
        ("the_pot", "pot", "WORD the_[pot]"),
        ("teapot", "pot", "PART tea[pot]"),
        ("注文サービス", "注文", "PREFIX [注文]サービス"),
        ("新規注文", "注文", "PART 新規[注文]"),
        ("Été", "éTÉ", "ANY_CASE [Été]"),
        ("İstanbul", "stan", "PART İ[stan]bul"),
        ("server_http", "HS", None),  # in the other order
        ("shop", "HS", None),  # not at words
        ("teapot", "kettle", None),
    ],
)
def test_a_name_fits_by_its_letters(name: str, text: str, shown: str | None) -> None:
    assert show(name, text) == shown


@pytest.mark.parametrize(
    ("text", "owner", "name"),
    [
        ("add", "", "add"),
        ("Cart.add", "cart", "add"),
        (" Cart::add() ", "cart", "add"),
        ("shop.Cart#add", "shop.cart", "add"),
        ("cart->add", "cart", "add"),
        ("Cart.", "", "Cart"),
        ("..", "", ""),
    ],
)
def test_what_stands_before_the_last_dot_is_the_owner(
    text: str, owner: str, name: str
) -> None:
    assert NameQuery.parse(text) == NameQuery(name, owner)


def test_a_similar_name_shows_what_is_the_same() -> None:
    match = NameQuery.parse("chekout").match_similar("checkout")
    assert match == NameMatch(MatchClass.SIMILAR, (0, 1, 2, 4, 5, 6, 7), 9)
    assert NameQuery.parse("chekout").match_similar("check_in") is None


@pytest.mark.parametrize("length", [1, 3, 8, 9, 16, 17, 200])
def test_a_text_is_read_in_few_ways(length: int) -> None:
    query = NameQuery.parse(("abcdefgh" * 25)[:length])
    assert len(query.by_words) + len(query.splits) <= 16
