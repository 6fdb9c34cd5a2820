"""The interface describes itself, without help from other hosts."""

from __future__ import annotations

import json
import re

from django.test import Client
from jsonschema import Draft202012Validator

from devrag.api import api
from tests.architecture.modules import ROOT

from .operations import EXAMPLES, OPERATIONS

PROBLEM = "#/components/schemas/Problem"
# Only within others, whose examples show them.
INNER = {
    *("WaitingOut", "MatchedLineOut", "JobState", "SourceSettings", "WikiSettings"),
    *("ParameterOut", "ReferenceOut", "Callee"),
    *("ExchangeIn", "RemovedOut", "UsageOut"),
    *("SizeOut", "LanguageOut", "EndedJobsOut", "CitedFilesOut", "WikiMeasureOut"),
    *("AskedDayOut", "GapOut", "UseOut", "MonthCostOut"),
}
HOOK = "post /api/v1/hooks/{kind}/{source}"


def test_all_ways_are_there() -> None:
    assert set(OPERATIONS) == {
        # What scripts, CI and readers of a wiki call.
        "post /api/v1/sources/index",
        "post /api/v1/products/wiki",
        "delete /api/v1/sources/{sourceID}",
        "delete /api/v1/products/{productID}",
        "get /api/v1/jobs/{jobID}",
        "get /api/v1/products",
        "get /api/v1/products/{productID}",
        "get /api/v1/products/{productID}/sources",
        "get /api/v1/sources",
        "get /api/v1/sources/{sourceID}",
        "get /api/v1/products/{productID}/wiki",
        "get /api/v1/products/{productID}/wiki/files",
        "get /api/v1/products/{productID}/wiki/files/{path}",
        # What they need besides.
        "get /api/v1/audit",
        "get /api/v1/audit/export",
        "get /api/v1/model",
        "put /api/v1/model",
        "post /api/v1/model/test",
        "post /api/v1/products",
        "patch /api/v1/products/{productID}",
        "get /api/v1/sources/{sourceID}/snapshots",
        "get /api/v1/sources/{sourceID}/refs",
        "get /api/v1/sources/{sourceID}/files",
        "get /api/v1/sources/{sourceID}/files/{path}",
        "get /api/v1/sources/{sourceID}/mentions/{path}",
        "get /api/v1/symbols",
        "get /api/v1/symbols/{symbolID}",
        "get /api/v1/symbols/{symbolID}/references",
        "get /api/v1/symbols/{symbolID}/callers",
        "get /api/v1/symbols/{symbolID}/callees",
        "get /api/v1/products/{productID}/wiki/pages/{path}",
        "post /api/v1/products/{productID}/wiki/pages",
        "patch /api/v1/products/{productID}/wiki/pages/{path}",
        "delete /api/v1/products/{productID}/wiki/pages/{path}",
        "get /api/v1/products/{productID}/wiki/claims",
        "get /api/v1/products/{productID}/wiki/versions",
        "get /api/v1/products/{productID}/wiki/versions/{version}",
        "patch /api/v1/products/{productID}/wiki/versions/{version}",
        "get /api/v1/products/{productID}/wiki/diff",
        "get /api/v1/products/{productID}/wiki/status",
        "get /api/v1/products/{productID}/wiki/estimate",
        "get /api/v1/products/{productID}/wiki/export",
        "get /api/v1/products/{productID}/wiki/notes",
        "post /api/v1/products/{productID}/wiki/notes",
        "get /api/v1/products/{productID}/wiki/notes/{noteID}",
        "patch /api/v1/products/{productID}/wiki/notes/{noteID}",
        "delete /api/v1/products/{productID}/wiki/notes/{noteID}",
        "get /api/v1/jobs",
        "get /api/v1/jobs/{jobID}/log",
        "post /api/v1/jobs/{jobID}/cancel",
        "post /api/v1/jobs/{jobID}/retry",
        "get /api/v1/tokens",
        "post /api/v1/tokens",
        "delete /api/v1/tokens/{tokenID}",
        "get /api/v1/products/{productID}/conflicts",
        "get /api/v1/products/{productID}/conflicts/{conflictID}",
        "patch /api/v1/products/{productID}/conflicts/{conflictID}",
        "get /api/v1/products/{productID}/outdated-documents",
        "get /api/v1/products/{productID}/outdated-documents/{documentID}",
        "patch /api/v1/products/{productID}/outdated-documents/{documentID}",
        "get /api/v1/products/{productID}/secrets",
        "get /api/v1/products/{productID}/secrets/summary",
        "patch /api/v1/products/{productID}/secrets/{findingID}",
        "get /api/v1/products/{productID}/insights",
        "get /api/v1/products/{productID}/digest",
        "put /api/v1/products/{productID}/digest",
        "get /api/v1/products/{productID}/digest/preview",
        "post /api/v1/products/{productID}/digest/test",
        "post /api/v1/products/{productID}/digest/retry",
        "get /api/v1/products/{productID}/labels",
        "post /api/v1/products/{productID}/labels",
        "patch /api/v1/products/{productID}/labels/{labelID}",
        "delete /api/v1/products/{productID}/labels/{labelID}",
        "get /api/v1/products/{productID}/label-corrections",
        "put /api/v1/sources/{sourceID}/labels/{label}/{path}",
        "delete /api/v1/sources/{sourceID}/labels/{label}/{path}",
        "post /api/v1/search",
        "post /api/v1/search/related",
        "post /api/v1/ask",
        "post /api/v1/sources",
        "post /api/v1/sources/test",
        "post /api/v1/sources/{sourceID}/test",
        "post /api/v1/sources/upload",
        "post /api/v1/sources/{sourceID}/upload",
        "patch /api/v1/sources/{sourceID}",
        "post /api/v1/sources/{sourceID}/hook",
        HOOK,
    }


def test_every_operation_says_what_it_does() -> None:
    silent = [name for name, each in OPERATIONS.items() if not each["summary"]]
    assert silent == []
    assert all(each["description"].endswith(".") for each in OPERATIONS.values())


def test_every_operation_describes_its_errors() -> None:
    for name, operation in OPERATIONS.items():
        assert {400, 401, 403, 422, 429, 503} <= set(operation["responses"]), name
        for status in (429, 503):
            assert set(operation["responses"][status]["headers"]) == {"Retry-After"}
        for status, response in operation["responses"].items():
            media = dict(response.get("content", {"": {"schema": {}}}))
            is_streamed = media.pop("text/event-stream", None) is not None
            assert is_streamed == (name == "post /api/v1/ask" and status == 200)
            if name == "get /api/v1/audit/export":
                media.pop("application/jsonl", None)
            ((kind, content),) = media.items()
            is_problem = content["schema"].get("$ref") == PROBLEM
            assert is_problem == (status >= 400), (name, status)
            assert (kind == "application/problem+json") == is_problem


def test_every_operation_names_the_scope_that_it_needs() -> None:
    scopes = {}
    for name in set(OPERATIONS) - {HOOK}:
        ((scopes[name],),) = (each["BearerToken"] for each in _security(name))
    assert {name for name, scope in scopes.items() if scope != "read"} == {
        *("post /api/v1/sources/index", "post /api/v1/sources"),
        *("post /api/v1/sources/test", "post /api/v1/sources/{sourceID}/test"),
        *("post /api/v1/sources/upload", "post /api/v1/sources/{sourceID}/upload"),
        *("patch /api/v1/sources/{sourceID}", "post /api/v1/sources/{sourceID}/hook"),
        *("post /api/v1/products/wiki", "post /api/v1/products"),
        "patch /api/v1/products/{productID}/conflicts/{conflictID}",
        "patch /api/v1/products/{productID}/outdated-documents/{documentID}",
        "get /api/v1/products/{productID}/secrets",
        "get /api/v1/products/{productID}/secrets/summary",
        "patch /api/v1/products/{productID}/secrets/{findingID}",
        "get /api/v1/products/{productID}/digest",
        "put /api/v1/products/{productID}/digest",
        "get /api/v1/products/{productID}/digest/preview",
        "post /api/v1/products/{productID}/digest/test",
        "post /api/v1/products/{productID}/digest/retry",
        "post /api/v1/products/{productID}/labels",
        "patch /api/v1/products/{productID}/labels/{labelID}",
        "delete /api/v1/products/{productID}/labels/{labelID}",
        "put /api/v1/sources/{sourceID}/labels/{label}/{path}",
        "delete /api/v1/sources/{sourceID}/labels/{label}/{path}",
        *("get /api/v1/audit", "get /api/v1/audit/export"),
        "delete /api/v1/sources/{sourceID}",
        "delete /api/v1/products/{productID}",
        "patch /api/v1/products/{productID}",
        "get /api/v1/products/{productID}/wiki/estimate",
        "patch /api/v1/products/{productID}/wiki/versions/{version}",
        "post /api/v1/products/{productID}/wiki/notes",
        "patch /api/v1/products/{productID}/wiki/notes/{noteID}",
        "delete /api/v1/products/{productID}/wiki/notes/{noteID}",
        "post /api/v1/products/{productID}/wiki/pages",
        "patch /api/v1/products/{productID}/wiki/pages/{path}",
        "delete /api/v1/products/{productID}/wiki/pages/{path}",
        "post /api/v1/tokens",
        *("get /api/v1/model", "put /api/v1/model", "post /api/v1/model/test"),
    }


def test_a_key_is_for_what_changes_something() -> None:
    posts = {name for name in OPERATIONS if name.startswith("post ")}
    asking = {
        *("post /api/v1/search", "post /api/v1/search/related"),
        *("post /api/v1/sources/test", "post /api/v1/sources/{sourceID}/test"),
    }
    # Their bodies are too large to be compared.
    uploads = {name for name in posts if name.endswith("/upload")}
    assert _with_key() == posts - asking - uploads - {HOOK}


def test_what_a_key_and_a_body_may_fail_with_is_described() -> None:
    keyed = _with_key()
    assert keyed
    for name, operation in OPERATIONS.items():
        if name in keyed:
            assert 409 in operation["responses"], name
        if "requestBody" in operation:
            assert {413, 415} <= set(operation["responses"]), name


def _with_key() -> set[str]:
    return {
        name
        for name, each in OPERATIONS.items()
        if any(given["name"] == "Idempotency-Key" for given in each["parameters"])
    }


def _security(name: str) -> list[dict[str, list[str]]]:
    found: list[dict[str, list[str]]] = OPERATIONS[name]["security"]
    return found


def test_every_request_and_answer_has_an_example_that_fits() -> None:
    schema = json.loads(json.dumps(api.get_openapi_schema(), default=str))
    parts = schema["components"]
    assert sorted(set(parts["schemas"]) - set(EXAMPLES) - INNER) == []
    for name, example in EXAMPLES.items():
        rule = {"$ref": f"#/components/schemas/{name}", "components": parts}
        Draft202012Validator(rule).validate(example)
        unknown = set(example) - set(parts["schemas"][name]["properties"])
        assert not unknown, name


def test_the_guide_has_every_operation_with_its_scope() -> None:
    guide = (ROOT / "docs" / "guide" / "rest.md").read_text()
    lines = [line for line in guide.splitlines() if line.startswith("| `")]
    missing = []
    for name, operation in OPERATIONS.items():
        method, path = name.split()
        wanted = f"| `{method.upper()} {path.removeprefix('/api/v1')}` |"
        (scopes,) = operation.get("security", [{"": ["none"]}])[0].values()
        line = next((each for each in lines if each.startswith(wanted)), "")
        missing += [] if f"| {scopes[0]} |" in line else [name]
    assert missing == []


def test_requests_have_these_names() -> None:
    schemas = api.get_openapi_schema()["components"]["schemas"]
    assert set(schemas["IndexRequest"]["properties"]) == {
        "sourceName",
        "ref",
        "commitHash",
        "generateWiki",
        "fullIndex",
    }
    assert set(schemas["WikiRequest"]["properties"]) == {
        "productName",
        "isForced",
        "isRedesigned",
    }


def test_no_name_has_an_underscore() -> None:
    schemas = api.get_openapi_schema()["components"]["schemas"]
    names = {name for each in schemas.values() for name in each.get("properties", ())}
    assert [name for name in names if "_" in name or "Id" in name] == []


def test_the_docs_page_asks_no_other_host() -> None:
    page = Client(HTTP_HOST="localhost").get("/api/v1/docs")
    assert page.status_code == 200
    addresses = re.findall(r'(?:src|href)="([^"]+)"', page.content.decode())
    assert addresses
    assert [a for a in addresses if not a.startswith("/static/")] == []
    assert "https://" not in page.content.decode()


def test_the_description_is_served() -> None:
    answer = Client(HTTP_HOST="localhost").get("/api/v1/openapi.json")
    assert answer.json()["info"]["title"] == "devrag"
