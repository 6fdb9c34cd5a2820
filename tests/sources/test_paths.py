"""Paths inside a source."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devrag.sources.paths import is_plain, is_unicode, printable, safe_path

pieces = st.lists(st.sampled_from(["..", ".", "", "a", "b c", "日本"]), max_size=8)


@pytest.mark.parametrize(
    ("hostile", "harmless"),
    [  # T55, S3-ADR-009
        ("../../etc/passwd", "etc/passwd"),
        ("docs/../../x.md", "x.md"),
        ("a/b/../c.md", "a/c.md"),
        ("..\\..\\win.ini", "win.ini"),
        ("/etc/passwd", "etc/passwd"),
        ("//etc/passwd", "etc/passwd"),
        ("", ""),
        ("..", ""),
        ("..a/b", "..a/b"),
    ],
)
def test_hostile_paths_become_harmless(hostile: str, harmless: str) -> None:
    assert safe_path(hostile) == harmless


@given(pieces, st.sampled_from("/\\"))
def test_a_safe_path_is_plain_and_stays_as_it_is(parts: list[str], sep: str) -> None:
    path = safe_path(sep.join(parts))
    assert path == "" or is_plain(path)
    assert safe_path(path) == path


@pytest.mark.parametrize("path", ["a/../b", "/a", "a//b", "./a", "a/", ""])
def test_paths_that_could_leave_are_not_plain(path: str) -> None:
    assert not is_plain(path)


def test_undecodable_names_are_told_apart_and_shown() -> None:
    name = b"caf\xe9.txt".decode("utf-8", "surrogateescape")
    assert not is_unicode(name)
    assert is_unicode("日本語.txt")
    assert printable(name) == "caf\\xe9.txt"
