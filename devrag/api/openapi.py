"""The description of the interface: what ninja cannot know of it, added."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cached_property
from http import HTTPStatus
from typing import Any

from ninja import NinjaAPI
from ninja.errors import ValidationError, ValidationErrorContext
from ninja.openapi.schema import OpenAPISchema
from ninja.operation import Operation

from devrag.api.idempotency import HEADER
from devrag.api.json_schema import own_examples
from devrag.api.operations import BearerToken

_PROBLEM = "application/problem+json"
_PROBLEM_SCHEMA = "#/components/schemas/Problem"
_TEXT = {"schema": {"type": "string"}}
_HEADERS = {
    "Link": {**_TEXT, "description": 'URL of the next page: `<…>; rel="next"`.'},
    "ETag": {
        **_TEXT,
        "description": "Send it as `If-None-Match` to get 304 if unchanged.",
    },
    "Location": {**_TEXT, "description": "URL of the created resource."},
    "Retry-After": {"schema": {"type": "integer"}, "description": "Seconds."},
}
_KEY = {
    "name": HEADER,
    "in": "header",
    "required": False,
    "schema": {
        "type": "string",
        "minLength": 1,
        "maxLength": 255,
        "pattern": "^[!-~]+$",
    },
    "description": (
        "Within a day, the same request with the same key is only executed once."
    ),
}


# A body within the limit can hold a hundred thousand, which take a second and 64 MB to
# describe.
_MAX_INVALID = 100


class Api(NinjaAPI):
    """NinjaAPI whose description names scopes, headers, problems and examples."""

    def validation_error_from_error_contexts(
        self, error_contexts: list[ValidationErrorContext[Any]]
    ) -> ValidationError:
        """Return what is wrong with a request; only how much, if it is very much."""
        found = [each.pydantic_validation_error for each in error_contexts]
        count = sum(each.error_count() for each in found)
        if count <= _MAX_INVALID:
            return super().validation_error_from_error_contexts(error_contexts)
        text = f"{count} names or values are invalid"
        return ValidationError([{"loc": ("body",), "msg": text}])

    @cached_property
    def _described(self) -> dict[str, OpenAPISchema]:
        """Descriptions by the prefix of their paths."""
        return {}

    def get_openapi_schema(
        self,
        *,
        path_prefix: str | None = None,
        path_params: dict[str, Any] | None = None,
    ) -> OpenAPISchema:
        """Return the description, complete; made once, for that takes half a second.

        Nobody may change what is returned.
        """
        if path_prefix is None:
            path_prefix = self.get_root_path(path_params or {})
        if path_prefix not in self._described:
            self._described[path_prefix] = self._describe(path_prefix)
        return self._described[path_prefix]

    def _describe(self, path_prefix: str) -> OpenAPISchema:
        schema = super().get_openapi_schema(path_prefix=path_prefix)
        auths = dict(self._auths())
        for methods in schema["paths"].values():
            for method, operation in methods.items():
                _complete(method, operation, auths.get(operation["operationId"]))
        schemas = schema["components"]["schemas"]
        # Not by pydantic, which would sort the fields of each example by name.
        for name, example in own_examples().items():
            schemas[name]["examples"] = [example]
        written = json.dumps(schema["paths"]) + json.dumps(schemas)
        # Those of queries are taken apart into parameters; nobody refers to them.
        for name in [each for each in schemas if f'/{each}"' not in written]:
            del schemas[name]
        return schema

    def _auths(self) -> Iterator[tuple[str, BearerToken]]:
        """Yield each operation with the token that it needs."""
        for router in self._get_bound_routers():
            for view in router.path_operations.values():
                for operation in view.operations:
                    yield from self._auth_of(operation)

    def _auth_of(self, operation: Operation) -> Iterator[tuple[str, BearerToken]]:
        for auth in operation.auth_callbacks:
            if isinstance(auth, BearerToken):
                yield self.get_openapi_operation_id(operation), auth


def _complete(method: str, operation: dict[str, Any], auth: BearerToken | None) -> None:
    parameters = operation["parameters"]
    if auth is not None:
        operation["security"] = [{BearerToken.__name__: [auth.scope.value]}]
        if method == "post" and auth.takes_key:
            parameters.append(_KEY)
    for status in _more_failures(operation):
        operation["responses"].setdefault(status, _failure(status))
    is_paged = any(each["name"] == "cursor" for each in parameters)
    for status, response in operation["responses"].items():
        _describe_problem(response)
        names = _headers(int(status), method, is_paged=is_paged)
        if names:
            response["headers"] = {name: _HEADERS[name] for name in names}
    if method == "get":
        operation["responses"][304] = {"description": "Not modified since that ETag."}


def _more_failures(operation: dict[str, Any]) -> list[int]:
    """Return what auths before the operation answer: by key, by body, by services."""
    by_key = [409] if _KEY in operation["parameters"] else []
    by_body = [413, 415] if "requestBody" in operation else []
    return [*by_key, *by_body, 503]


def _failure(status: int) -> dict[str, Any]:
    content = {_PROBLEM: {"schema": {"$ref": _PROBLEM_SCHEMA}}}
    return {"description": HTTPStatus(status).phrase, "content": content}


def _describe_problem(response: dict[str, Any]) -> None:
    """Name the media type that problems have."""
    content = response.get("content", {})
    plain = content.get("application/json", {}).get("schema", {})
    if plain.get("$ref") == _PROBLEM_SCHEMA:
        content[_PROBLEM] = content.pop("application/json")


def _headers(status: int, method: str, *, is_paged: bool) -> list[str]:
    if status in {429, 503}:
        return ["Retry-After"]
    if status in {201, 202}:
        return ["Location"]
    if status != 200 or method != "get":
        return []
    return ["ETag", "Link"] if is_paged else ["ETag"]
