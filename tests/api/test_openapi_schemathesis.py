"""The interface keeps what its description promises, whatever is sent to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.people import People, bearer

pytestmark = [
    # Events come at once here: this interface to a server cannot wait for them.
    pytest.mark.filterwarnings(
        "ignore:StreamingHttpResponse must consume asynchronous iterators"
    ),
    # This client never closes an answer, with which Django closes uploaded files.
    pytest.mark.filterwarnings(
        "ignore:Exception ignored in. <_io.FileIO"
        ":pytest.PytestUnraisableExceptionWarning"
    ),
]
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]


def _send_all(people: People, mode: GenerationMode, examples: int) -> None:
    """Send that many made-up requests to each operation."""
    # The check of bodies does not unpack them.
    headers = {**bearer("admin", user=people.alice), "Accept-Encoding": "identity"}
    broken = []
    schema = schemathesis.openapi.from_wsgi(
        "/api/v1/openapi.json", get_wsgi_application()
    )
    bounded = settings(
        max_examples=examples,
        database=None,
        deadline=None,
        derandomize=True,
        phases=[Phase.generate],
        verbosity=Verbosity.quiet,
        suppress_health_check=list(HealthCheck),
    )
    for found in schema.get_all_operations():
        operation = found.ok()

        @bounded
        @given(operation.as_strategy(generation_mode=mode))
        def send(case: schemathesis.Case) -> None:
            answer = case.call(headers=headers)
            case.validate_response(answer, checks=CHECKS)

        try:
            send()
        except FailureGroup as failures:
            broken += [f"{operation.label}: {each}" for each in failures.exceptions]
    assert broken == []


@pytest.fixture(autouse=True)
def unlimited(settings: Any, people: People) -> Iterator[None]:
    """Count nothing, and keep the connection whose transaction is the test's."""
    settings.API_RATE_PER_MINUTE = 0
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)


@pytest.mark.slow
def test_any_request_is_answered_as_described(people: People) -> None:
    _send_all(people, GenerationMode.POSITIVE, examples=1)


@pytest.mark.slow
@pytest.mark.parametrize("mode", list(GenerationMode))
def test_many_requests_are_answered_as_described(
    people: People, mode: GenerationMode
) -> None:
    _send_all(people, mode, examples=25)
