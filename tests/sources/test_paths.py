"""Paths inside a source."""

from __future__ import annotations

import pytest

from devrag.sources.paths import is_plain, is_unicode, printable


@pytest.mark.parametrize("path", ["a/../b", "/a", "a//b", "./a", "a/", ""])
def test_paths_that_could_leave_are_not_plain(path: str) -> None:
    assert not is_plain(path)


def test_undecodable_names_are_told_apart_and_shown() -> None:
    name = b"caf\xe9.txt".decode("utf-8", "surrogateescape")
    assert not is_unicode(name)
    assert is_unicode("日本語.txt")
    assert printable(name) == "caf\\xe9.txt"
