"""How the table of a topic's surface shows calls."""

from __future__ import annotations

import pytest

from devrag.wiki.writing.structural.topic_page.surface import plain_call, shortened_call


def test_a_shortened_call_has_the_names_of_its_parameters_alone() -> None:
    text = "storages(config: Config, when: str) -> tuple[Storage, Storage]"
    assert shortened_call(text, "python") == "storages(config, when)"


@pytest.mark.parametrize("inside", ["at: Callable[[int], str]", "at=(1, 2)"])
def test_brackets_inside_do_not_end_the_parameters(inside: str) -> None:
    assert shortened_call(f"run({inside}, last: int) -> None", "python").endswith(
        "last)"
    )


def test_what_does_not_fit_is_left_out() -> None:
    names = ", ".join(f"parameter_{number}: int" for number in range(9))
    assert shortened_call(f"run({names}) -> None", "python").endswith("parameter_5, …)")


def test_names_behind_their_types_are_left_out() -> None:
    text = "Map<K, V> Get<K>(Map<K, V> map, int at)"
    assert shortened_call(text, "java") == "Map<K, V> Get<K>(…)"


@pytest.mark.parametrize(
    ("parameters", "shown"),
    [
        ("ctx context.Context, opts ...option.Client", "ctx, opts"),
        ("from, to string, then func(n int, at string) error", "from, to, then"),
        ("*os.File, map[string]int", "…"),
        ("chan int", "…"),
    ],
)
def test_names_before_types_of_go_are_shown(parameters: str, shown: str) -> None:
    assert shortened_call(f"New({parameters}) (Fs, error)", "go") == f"New({shown})"


def test_a_receiver_is_no_part_of_a_call() -> None:
    assert plain_call("func (f *Fs) Name() string") == "Name() string"
    assert plain_call("func (s Set[T]) Add(one T)") == "Add(one T)"
