"""What tests of the interface share: sending JSON, reading problems."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.test import Client


def post(
    client: Client, path: str, headers: dict[str, str], **body: Any
) -> HttpResponse:
    return send(client, "post", path, headers, body)


def send(
    client: Client, method: str, path: str, headers: dict[str, str], body: Any
) -> HttpResponse:
    """Send JSON by any method."""
    ask = getattr(client, method)
    answer: HttpResponse = ask(
        path, body, content_type="application/json", headers=headers
    )
    return answer


def problem(response: HttpResponse, status: int) -> dict[str, Any]:
    """Return the problem details of an answer, checked in form."""
    assert response.status_code == status
    assert response["Content-Type"] == "application/problem+json"
    data: dict[str, Any] = response.json()
    assert set(data) == {"title", "status", "code", "detail"}
    assert data["status"] == status
    assert data["detail"].endswith(".")
    return data
