"""How the table of a topic's surface shows calls."""

from __future__ import annotations

import pytest

from devrag.wiki.writing.structural.topic_page.surface import shortened_call


def test_a_shortened_call_has_the_names_of_its_parameters_alone() -> None:
    text = "storages(config: Config, when: str) -> tuple[Storage, Storage]"
    assert shortened_call(text) == "storages(config, when)"


@pytest.mark.parametrize("inside", ["at: Callable[[int], str]", "at=(1, 2)"])
def test_brackets_inside_do_not_end_the_parameters(inside: str) -> None:
    assert shortened_call(f"run({inside}, last: int) -> None").endswith("last)")


def test_what_does_not_fit_is_left_out() -> None:
    names = ", ".join(f"parameter_{number}: int" for number in range(9))
    assert shortened_call(f"run({names}) -> None").endswith("parameter_5, …)")


def test_names_behind_their_types_are_left_out() -> None:
    assert shortened_call("Map<K, V> Get<K>(Map<K, V> map, int at)") == (
        "Map<K, V> Get<K>(…)"
    )
