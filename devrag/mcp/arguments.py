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
        description="A question in plain words or a name. Filters: lang:go, "
        "kind:method, path:src/, -path:tests, label:auth, status:open, "
        '"phrase"; exact:"text" or /regex/ returns lines.',
    ),
]
Limit = Annotated[
    int, Field(ge=1, le=MAX_LIMIT, description="Number of results, 1 to 50.")
]
AnyCollection = Annotated[
    str, Field(description="A source or product from list_collections; '' for all.")
]
CollectionName = Annotated[
    str, Field(min_length=1, description="A source or product from list_collections.")
]
SourceName = Annotated[
    str, Field(min_length=1, description="The source, as named in results.")
]
ProductName = Annotated[
    str, Field(min_length=1, description="A product from list_collections.")
]
Tokens = Annotated[
    int,
    Field(
        ge=100, le=50_000, description="Approximate number of tokens of text to return."
    ),
]
Mode = Annotated[types.Mode, Field(description="bm25 is an alias of keyword.")]
Strategy = Literal["snippet", "entry", "full"]
