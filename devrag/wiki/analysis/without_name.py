"""What a docstring says of a name, for places where the name stands before it."""

from __future__ import annotations

import re

from devrag.wiki.analysis.prose import only_names

# `Commands are the basic building block of …`
_IS = re.compile(r"^(?P<subject>[\w ]{1,40}?) (?:is|are) (?P<what>(?:an?|the) .+)$")
_THIS = re.compile(r"^This (?:class|function|method|module|type|struct) ")
_VERB = r"(?!(?:is|was|does|this)\b)(?:[a-z]+s|will|can)\b"


def without_name(said: str, name: str) -> str:
    """Return a sentence without its subject where that is only the name.

    `NewCommand returns a command` → `returns a command`.
    """
    about = _IS.match(said)
    if about and only_names(about["subject"], name):
        return about["what"]
    said = _THIS.sub("", said)
    form = re.escape(name).replace("_", r"\\?_")
    return re.sub(rf"^`?{form}`? (?={_VERB})", "", said, count=1)
