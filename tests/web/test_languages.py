"""The languages bar: a language has the same colour everywhere, no two the same."""

from __future__ import annotations

from devrag.web.pages.languages import share_languages


def colors(**lines: int) -> dict[str, int]:
    return {each.name: each.color for each in share_languages(lines)}


def test_a_language_keeps_its_colour_wherever_it_stands() -> None:
    first = colors(python=90, go=10)
    last = colors(go=90, javascript=50, python=10)
    assert first["Python"] == last["Python"]
    assert first["Go"] == last["Go"]


def test_no_two_of_a_bar_look_alike() -> None:
    many = colors(shell=9, bash=8, brainfuck=7, zig=6, nim=5, ada=4, perl=3)
    assert len(set(many.values())) == len(many) == 6
    assert many["Other"] == 20
