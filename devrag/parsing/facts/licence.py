"""The licence a source is under, known by the words that no other licence has."""

from __future__ import annotations

import re
from collections.abc import Iterator

from devrag.core.text import shorten
from devrag.parsing.source import SourceText
from devrag.parsing.types import FactFacts

_TITLE_LIMIT = 120
# Longer than any licence; a file that goes on holds more than one.
_READ_CHARACTERS = 60_000
_GRANT = "permission is hereby granted, free of charge, to any person obtaining"
_NOTICE = "the above copyright notice and this permission notice shall be included"
_ISC = "permission to use, copy, modify, and distribute this software for any"
_REDISTRIBUTION = "redistribution and use in source and binary forms"
_PUBLIC = "this is free and unencumbered software released into the public domain"

# SPDX id: (phrases that it has, phrases that it has not)
_LICENCES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "MIT": (
        (_GRANT, _NOTICE),
        ("except as contained in this notice", "advertis", "exception", "for evil"),
    ),
    "MIT-0": (
        (_GRANT, "to permit persons to whom the software is furnished to do so."),
        (_NOTICE,),
    ),
    "Apache-2.0": (("apache license version 2.0, january 2004", "grant of patent"), ()),
    "BSD-2-Clause": (
        (_REDISTRIBUTION, "in binary form must reproduce the above copyright"),
        ("neither the name", "advertising materials", "the name of", "endorse"),
    ),
    "BSD-3-Clause": (
        (_REDISTRIBUTION, "in binary form must reproduce the above", "endorse"),
        ("advertising materials", "nuclear", "patent"),
    ),
    "ISC": ((_ISC, "appear in all copies"), ()),
    "0BSD": ((_ISC,), ("appear in all copies",)),
    "Unlicense": ((_PUBLIC,), ()),
    "GPL-2.0": (("gnu general public license version 2, june 1991",), ()),
    "LGPL-2.0": (("gnu library general public license version 2, june 1991",), ()),
    "GPL-3.0": (("gnu general public license version 3, 29 june 2007",), ()),
    "LGPL-2.1": (("gnu lesser general public license version 2.1, february",), ()),
    "LGPL-3.0": (("gnu lesser general public license version 3, 29 june 2007",), ()),
    "AGPL-3.0": (("gnu affero general public license version 3, 19 november",), ()),
    "MPL-2.0": (("mozilla public license version 2.0 1. definitions",), ()),
    "EPL-1.0": (("eclipse public license - v 1.0 the accompanying",), ()),
    "EPL-2.0": (("eclipse public license - v 2.0 the accompanying",), ()),
    "BSL-1.0": (("boost software license - version 1.0 - august 17th, 2003",), ()),
    "BUSL-1.1": (("business source license 1.1", "licensed work", "change date"), ()),
    "CC0-1.0": (("creative commons legal code cc0 1.0 universal",), ()),
    "CC-BY-4.0": (("creative commons attribution 4.0 international public",), ()),
    "CC-BY-SA-4.0": (
        ("creative commons attribution-sharealike 4.0 international",),
        (),
    ),
    "Zlib": (
        (
            "the origin of this software must not be misrepresented",
            "altered source versions must be plainly marked",
        ),
        (),
    ),
}
# What stands where the text of the licence could stand.
_APACHE_NOTICE = (
    'licensed under the apache license, version 2.0 (the "license"); you may not use'
)
_OTHER_TEXTS = (_GRANT, _REDISTRIBUTION, "january 2004", "gnu", "mit license", " bsd ")
# A longer text with the words of one of these holds other terms, too.
_SHORT = {"MIT", "MIT-0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "0BSD", "Zlib"}
_SHORT_CHARACTERS = 3_000
_OTHERS = re.compile(
    r"\bdual\b|apache|creativecommons|public domain|gnu|mozilla|python software"
    r"|following files"
)


def licence(source: SourceText) -> Iterator[FactFacts]:
    """Yield the licence by its SPDX id; by its first line when the text is unknown."""
    written = [(n, line) for n, line in enumerate(source.lines, 1) if line.strip()]
    # A link to another file comes as a text of one word.
    if not written or len(source.text.split()) < 2:
        return
    found = recognise(source.text)
    number, first = written[0]
    data = {"title": shorten(first.strip(), _TITLE_LIMIT)}
    if written[1:]:
        data["next_line"] = shorten(written[1][1], _TITLE_LIMIT)
    if found:
        data["spdx"] = found
    last = written[-1][0] if found else number
    yield FactFacts("licence", found or data["title"], number, last, data)


def recognise(text: str) -> str:
    """Return the SPDX id of the one licence in a text, '' for none or several."""
    words = re.sub(r"[\s*#=/_]+", " ", text[:_READ_CHARACTERS]).lower()
    words = words.replace("and or distribute", "and distribute")
    found = [
        name
        for name, (has, has_not) in _LICENCES.items()
        if all(phrase in words for phrase in has)
        and not any(phrase in words for phrase in has_not)
    ]
    if not found and _APACHE_NOTICE in words and len(words) <= _SHORT_CHARACTERS:
        return "" if any(other in words for other in _OTHER_TEXTS) else "Apache-2.0"
    if len(found) != 1:
        return ""
    is_more = len(words) > _SHORT_CHARACTERS or _OTHERS.search(words)
    return "" if found[0] in _SHORT and is_more else found[0]
