"""Names that are spelled alike, found among very many."""

from __future__ import annotations

from devrag.wiki.conflicts.spelling import Spellings


def test_the_name_that_is_most_alike_is_found() -> None:
    names = Spellings(["run_server", "run_shell", "stop_server"])
    assert names.nearest("run_servers", 0.8) == "run_server"
    assert names.nearest("walk", 0.8) == ""


def test_what_all_names_begin_with_tells_nothing() -> None:
    names = Spellings((f"SHOP_{n:04}_LIMIT" for n in range(2_000)), "SHOP_")
    assert names.nearest("SHOP_0042_LIMITS", 0.8) == "SHOP_0042_LIMIT"


def test_a_name_that_begins_and_ends_alike_goes_before_many_that_begin_so() -> None:
    names = Spellings([*(f"get_{n}_order" for n in range(1_000)), "get_tea_till"])
    assert names.nearest("get_teas_till", 0.8) == "get_tea_till"
