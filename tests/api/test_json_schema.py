"""The names of JSON fields come from the names in Python, by one rule."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from ninja import Schema
from pydantic import ValidationError

import devrag.api
import devrag.api.chat
from devrag.api.json_schema import JsonSchema
from devrag.api.sources import IndexRequest
from devrag.api.wikis import WikiSource
from devrag.core.json_names import json_name

# Without those whose names OpenAI gave.
_MODULES = {
    name
    for name in sys.modules
    if name.startswith(f"{devrag.api.__name__}.")
    and not name.startswith(devrag.api.chat.__name__)
}
_BY_HAND = 2  # priority that pydantic gives to `Field(alias=…)`

# What the rule does not give; `is_` is there for Python alone.
EXCEPTIONS = {
    "ExportQuery.kind": "format",
    "WantedFile.kind": "format",
    "IndexRequest.is_full": "fullIndex",
    "IndexRequest.is_wiki_wanted": "generateWiki",
    "NewSource.is_full": "fullIndex",
    "NewSource.is_wiki_wanted": "generateWiki",
    "NewUpload.is_wiki_wanted": "generateWiki",
    "ProductChange.is_external_models_allowed": "externalModelsAllowed",
    "ProductChange.is_ssh_key_allowed": "sshKeyAllowed",
    "ProductOut.is_external_models_allowed": "externalModelsAllowed",
    "ProductOut.is_ssh_key_allowed": "sshKeyAllowed",
    "SearchRequest.is_rewritten": "rewrite",
    "SourceChange.is_wiki_wanted": "generateWiki",
    "SourceOut.is_wiki_scheduled": "generateWiki",
}


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("path", "path"),
        ("commit_hash", "commitHash"),
        ("is_up_to_date", "isUpToDate"),
        ("source_id", "sourceID"),
        ("behind_job_id", "behindJobID"),
        ("source_url", "sourceURL"),
        ("hook_urls", "hookURLs"),
        ("id", "id"),
        ("id_number", "idNumber"),
        ("sha256_sum", "sha256Sum"),
        ("sum_sha256", "sumSha256"),
    ],
)
def test_a_name_becomes_a_key(name: str, key: str) -> None:
    assert json_name(name) == key


def test_every_schema_of_the_interface_follows_the_rule() -> None:
    own = {each for each in _below(Schema) if each.__module__ in _MODULES}
    assert own == {JsonSchema, *_below(JsonSchema)}


def test_only_keys_that_the_rule_does_not_give_are_written_down() -> None:
    written = {
        f"{schema.__name__}.{name}": field.alias
        for schema in _below(JsonSchema)
        for name, field in schema.model_fields.items()
        if name in schema.__annotations__ and field.alias_priority == _BY_HAND
    }
    assert written == EXCEPTIONS
    names = {field: field.partition(".")[2] for field in written}
    assert [f for f, name in names.items() if json_name(name) == written[f]] == []


def test_a_body_has_no_names_of_python() -> None:
    assert IndexRequest.model_validate({"sourceName": "shop"}).source_name == "shop"
    with pytest.raises(ValidationError, match="Extra inputs are not permitted"):
        IndexRequest.model_validate({"sourceName": "shop", "commit_hash": "a" * 40})


def test_answers_are_made_by_names_of_python() -> None:
    made = WikiSource(source_name="shop", ref="main", commit_hash="a" * 40)
    assert set(made.model_dump(by_alias=True)) == {"sourceName", "ref", "commitHash"}


def _below(schema: type[Schema]) -> Iterator[type[Schema]]:
    for each in schema.__subclasses__():
        yield each
        yield from _below(each)
