"""Licences are known by the words of their files."""

from __future__ import annotations

import pytest

from devrag.parsing.api import parse_file

_MIT = """Copyright (c) 2020 Alice

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software, to deal in it without restriction.
The above copyright notice and this permission notice shall be included in all copies.
"""
_BSD = """Copyright (c) 2020 Bob
Redistribution and use in source and binary forms are permitted:
2. Redistributions in binary form must reproduce the above copyright notice.
"""
_APACHE = """                                 Apache License
                           Version 2.0, January 2004
   3. Grant of Patent License.
"""
_GPL = "GNU GENERAL PUBLIC LICENSE\n   Version 3, 29 June 2007\n"


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("LICENSE", _MIT, "MIT"),
        ("LICENSE.md", f"# MIT License\n\n> {_MIT}", "MIT"),
        ("COPYING", _BSD, "BSD-2-Clause"),
        ("LICENSE", f"{_BSD}3. Names may not be used to endorse.\n", "BSD-3-Clause"),
        ("LICENSE-APACHE", _APACHE, "Apache-2.0"),
        ("COPYING", _GPL, "GPL-3.0"),
        ("LICENSES/GPL.txt", _GPL, "GPL-3.0"),
        (
            "UNLICENSE",
            (
                "This is free and unencumbered software released into\n"
                "the public domain.\n"
            ),
            "Unlicense",
        ),
    ],
)
def test_a_licence_is_known_by_its_words(path: str, text: str, expected: str) -> None:
    (fact,) = parse_file(path, text).facts
    assert (fact.kind, fact.name, fact.data["spdx"]) == ("licence", expected, expected)


@pytest.mark.parametrize(
    "text",
    [
        f"{_MIT}\n{_BSD}",
        f"{_MIT}\nThe parts below vendor/ are under the Apache licence.\n",
        f"{_MIT}\nThe Software shall be used for Good, not for Evil.\n",
        f"{_MIT}{'Another paragraph with more terms. ' * 100}",
        "All rights reserved.\nNobody may use this.\n",
    ],
)
def test_a_text_that_is_no_one_licence_keeps_its_first_line(text: str) -> None:
    (fact,) = parse_file("LICENSE", text).facts
    assert fact.name == text.split("\n", 1)[0]
    assert "spdx" not in fact.data


def test_a_link_to_a_licence_is_none() -> None:
    assert parse_file("LICENSE", "../LICENSE").facts == ()
