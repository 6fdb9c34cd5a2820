"""The arguments that several tools take, told to a model once and the same way."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from devrag.search import types
from devrag.search.types import MAX_LIMIT, MAX_QUERY_CHARS

Query = Annotated[
    str,
    Field(
        min_length=1,
        max_length=MAX_QUERY_CHARS,
        description="A question in words or a name. May hold filters: lang:go, "
        'kind:method, path:src/, -path:tests, label:auth, status:open, "phrase"; or be '
        'exact:"text" or /regex/ to get lines.',
    ),
]
Limit = Annotated[int, Field(ge=1, le=MAX_LIMIT, description="How many, 1 to 50.")]
AnyCollection = Annotated[
    str, Field(description="A source or product of list_collections; '' is all.")
]
CollectionName = Annotated[
    str, Field(min_length=1, description="A source or product of list_collections.")
]
SourceName = Annotated[
    str, Field(min_length=1, description="The source, as results name it.")
]
ProductName = Annotated[
    str, Field(min_length=1, description="A product of list_collections.")
]
Tokens = Annotated[
    int,
    Field(ge=100, le=50_000, description="About how many tokens of text come back."),
]
Mode = Annotated[
    types.Mode, Field(description="bm25 is another name of keyword, search by words.")
]
Strategy = Literal["snippet", "entry", "full"]
