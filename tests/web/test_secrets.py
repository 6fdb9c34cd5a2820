"""The page of masked secrets: who sees it, filters, dismissing; REST, the command."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from devrag.audit.models import AuditEvent
from devrag.parsing.types import FACTS_VERSION
from devrag.products.models import SourceLimit
from devrag.sources.models import SecretDismissal, SecretFinding
from tests.people import bearer
from tests.stored import add_secret

from .conftest import Harbour

PAGE = "/p/harbour/secrets/"
FILE = "/p/harbour/s/harbour-code/-/current/src/keys.py"


@pytest.fixture
def finding(harbour: Harbour) -> SecretFinding:
    harbour.ref.facts_version = FACTS_VERSION
    harbour.ref.save()
    file = harbour.add_file("src/keys.py", "A = '••••'\nB = '••'\n", "python", "code")
    add_secret(file, 2, "password")
    return add_secret(file)


def _text(client: Client, query: str = "") -> str:
    return client.get(PAGE + query).content.decode()


def test_maintainers_see_rule_place_and_day(
    alice: Client, finding: SecretFinding
) -> None:
    text = _text(alice)
    assert f'href="{FILE}#L1"' in text
    assert "github-pat" in text
    assert "2 findings" in text
    assert "bbbbbbbb" in text
    assert "indexed before findings were listed" not in text


def test_readers_may_not_open_it(
    bob: Client, charlie: Client, finding: SecretFinding
) -> None:
    assert bob.get(PAGE).status_code == 403
    assert charlie.get(PAGE).status_code == 404
    assert bob.post(f"{PAGE}{finding.pk}/", {"reason": "x"}).status_code == 403
    assert not SecretDismissal.objects.exists()


def test_the_settings_lead_to_it(alice: Client, harbour: Harbour) -> None:
    assert f'href="{PAGE}"' in alice.get("/p/harbour/settings/").content.decode()


def test_filters_by_rule_and_source(alice: Client, finding: SecretFinding) -> None:
    text = _text(alice, "?rule=password")
    assert "1 finding" in text
    assert f'href="{FILE}#L1"' not in text
    assert "No findings match this filter." in _text(alice, "?source=elsewhere")
    assert f'href="{FILE}#L1"' in _text(alice, "?source=harbour-code")


def test_nothing_found_is_said(alice: Client, harbour: Harbour) -> None:
    assert "Nothing in the indexed files looks like a secret." in _text(alice)
    assert "No findings have been dismissed." in _text(alice, "?state=dismissed")


def test_a_source_that_was_read_before_is_named(
    alice: Client, finding: SecretFinding, harbour: Harbour
) -> None:
    harbour.ref.facts_version = 16  # the last without a list
    harbour.ref.save()
    assert "harbour-code was indexed before findings were listed" in _text(alice)


def test_dismissing_needs_a_reason_and_unmasks_nothing(
    alice: Client, finding: SecretFinding
) -> None:
    address = f"{PAGE}{finding.pk}/"
    assert alice.post(address, {"reason": " "}).status_code == 400
    assert alice.post(address, {"reason": "A checksum."}).status_code == 303
    assert f'href="{FILE}#L1"' not in _text(alice)
    text = _text(alice, "?state=dismissed")
    assert "A checksum." in text
    assert "dismissed by alice" in text
    finding.file.refresh_from_db()
    assert finding.file.text.startswith("A = '••••'")
    event = AuditEvent.objects.get(action="secret.dismissed")
    assert (event.target, event.details["rule"]) == ("src/keys.py:1", "github-pat")


def test_a_dismissal_holds_for_later_versions_of_the_file(
    alice: Client, finding: SecretFinding, harbour: Harbour
) -> None:
    alice.post(f"{PAGE}{finding.pk}/", {"reason": "A checksum."})
    later = harbour.add_file("src/moved.py", "A = '••••'\n", "python", "code")
    SecretFinding.objects.filter(pk=add_secret(later).pk).update(key=finding.key)
    assert "moved.py" not in _text(alice)


def test_a_dismissed_finding_is_listed_again(
    alice: Client, finding: SecretFinding
) -> None:
    alice.post(f"{PAGE}{finding.pk}/", {"reason": "A checksum."})
    alice.post(f"{PAGE}{finding.pk}/", {"state": "open"})
    assert f'href="{FILE}#L1"' in _text(alice)
    assert AuditEvent.objects.filter(action="secret.reopened").count() == 1


def test_findings_of_a_limited_source_are_hidden(
    alice: Client, finding: SecretFinding, harbour: Harbour
) -> None:
    SourceLimit.objects.create(product=harbour.product, source_id=harbour.source.pk)
    assert "src/keys.py" not in _text(alice)
    assert alice.post(f"{PAGE}{finding.pk}/", {"reason": "x"}).status_code == 404


def test_rest_lists_counts_and_dismisses(
    client: Client, alice: Client, finding: SecretFinding, harbour: Harbour
) -> None:
    headers = bearer("index", user=User.objects.get(username="alice"))
    address = f"/api/v1/products/{harbour.product.pk}/secrets"
    first, second = client.get(address, headers=headers).json()
    assert (first["path"], first["line"], first["rule"], first["state"]) == (
        *("src/keys.py", 1, "github-pat", "open"),
    )
    assert second["rule"] == "password"
    paged = client.get(f"{address}?limit=1", headers=headers)
    assert len(paged.json()) == 1
    assert 'rel="next"' in paged["Link"]
    answer = client.patch(
        f"{address}/{finding.pk}",
        {"isDismissed": True, "reason": "A checksum."},
        content_type="application/json",
        headers=headers,
    )
    assert answer.json()["state"] == "dismissed"
    summary = client.get(f"{address}/summary", headers=headers).json()
    assert summary == {
        "rules": [{"rule": "password", "findings": 1}],
        "unlistedSources": [],
    }
    again = client.patch(
        f"{address}/{finding.pk}",
        {"isDismissed": False},
        content_type="application/json",
        headers=headers,
    )
    assert again.json()["state"] == "open"


def _print(*argv: str) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    call_command("secrets", "harbour", *argv, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def test_the_command_prints_findings_and_numbers(
    finding: SecretFinding, harbour: Harbour
) -> None:
    out, err = _print()
    assert "harbour-code src/keys.py:1  github-pat  first indexed 2026-01-01" in out
    assert "     1 github-pat" in out
    assert err == ""
    [one] = json.loads(_print("--json", "--rule", "password")[0])
    assert one["line"] == 2
    assert _print("--state", "dismissed")[0] == "No findings.\n"
    harbour.ref.facts_version = 1
    harbour.ref.save()
    assert "Indexed before findings were listed: harbour-code." in _print()[1]
