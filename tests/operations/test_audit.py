"""`devrag audit`, and what backups leave in the log."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from devrag.audit.api import record_event
from devrag.audit.models import AuditEvent
from devrag.core.errors import InvalidInput
from devrag.operations.backup_events import (
    note_restore,
    record_backup,
    record_restore,
)
from devrag.runtime.layout import Home
from tests.people import People


def _print(*argv: str) -> str:
    out = StringIO()
    call_command("audit", *argv, stdout=out)
    return out.getvalue()


def test_events_are_printed_as_lines(people: People) -> None:
    record_event("product.changed", product=people.market)
    line = _print("--action", "product", "--limit", "1")
    assert "product.changed  market (market)  by " in line
    assert line.endswith(", command\n")


def test_the_limit_counts_and_zero_is_all(people: People) -> None:
    for _ in range(3):
        record_event("product.changed", product=people.market)
    assert len(_print("--action", "product", "--limit", "2").splitlines()) == 2
    assert len(_print("--action", "product", "--limit", "0").splitlines()) == 3
    rows = _print("--action", "product", "--format", "csv").splitlines()
    assert rows[0].startswith("id,at,action")
    assert len(rows) == 4
    (first, *_) = _print("--json", "--action", "product").splitlines()
    assert json.loads(first)["productName"] == "market"


def test_days_and_moments_filter(people: People) -> None:
    assert _print("--until", "2020-01-01") == ""
    assert _print("--since", "2020-01-01T10:00") != ""
    with pytest.raises(InvalidInput, match="no day or moment"):
        _print("--since", "yesterday")


def test_a_restore_is_recorded_at_the_next_start(db: None, tmp_path: Path) -> None:
    home = Home(tmp_path).ensure()
    note_restore(home, {"file": "monday.devrag"})
    assert not AuditEvent.objects.exists()
    record_restore(home)
    record_restore(home)
    event = AuditEvent.objects.get(action="backup.restored")
    assert event.details == {"file": "monday.devrag"}


@pytest.mark.django_db(transaction=True)
def test_a_backup_is_recorded() -> None:
    record_backup({"file": "monday.devrag"})
    assert AuditEvent.objects.get().action == "backup.written"
