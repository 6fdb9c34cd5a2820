"""The answer to a scrape: valid, complete, cheap, and there when others are not."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext

from devrag.core.metrics import COUNTERS, HISTOGRAMS, count, observe
from devrag.operations.metrics import document
from devrag.operations.metrics.document import describe_metrics, forget_kept
from tests.architecture.modules import ROOT
from tests.exposition import read_exposition

pytestmark = pytest.mark.django_db
DEPLOY = ROOT / "deploy"
RULES = DEPLOY / "prometheus" / "devrag.rules.yml"
DASHBOARD = DEPLOY / "grafana" / "devrag.json"
# Those that may have millions of rows.
_LARGE = {
    *("Chunk", "File", "RefFile", "Symbol", "Reference", "Fact", "SearchLog"),
    *("Embedding", "PendingText", "ModelCall", "JobEvent", "Claim", "Turn"),
}
_OF_PROMETHEUS = {"up", "scrape_duration_seconds"}


@pytest.fixture(autouse=True)
def looked_up_anew() -> Iterator[None]:
    forget_kept()
    yield
    forget_kept()


@pytest.fixture
def complete() -> str:
    """A document with a sample of everything that is counted."""
    for counter in COUNTERS:
        count(counter, *("x" for _ in counter.labels))
    for histogram in HISTOGRAMS:
        observe(histogram, *("x" for _ in histogram.labels), seconds=0.2)
    return describe_metrics()


def test_the_document_is_valid_and_complete(complete: str) -> None:
    types, values = read_exposition(complete)
    assert types["devrag_http_request_duration_seconds"] == "histogram"
    assert values['devrag_up{part="database"}'] == 1
    assert {key for key in values if key.startswith("devrag_metrics_incomplete")} == {
        f'devrag_metrics_incomplete{{part="{part}"}}'
        for part in ("counts", "parts", "work", "index", "database", "disk")
    }
    assert not any(
        value for key, value in values.items() if "metrics_incomplete" in key
    )
    assert values["devrag_postgres_max_connections"] > 0
    assert values["devrag_disk_free_bytes"] > 0


def test_a_scrape_reads_no_large_table_and_few_others() -> None:
    large = {
        model._meta.db_table for model in apps.get_models() if model.__name__ in _LARGE
    }
    assert len(large) >= len(_LARGE)
    with CaptureQueriesContext(connection) as queries:
        describe_metrics()
    statements = [query["sql"] or "" for query in queries]
    read = re.findall(r"(?:FROM|JOIN)\s+\W?(\w+)", "\n".join(statements))
    assert "jobs_batch" in read
    assert set(read) & large == set()
    assert len(statements) <= 45


def test_the_next_scrape_asks_nothing(django_assert_num_queries: Any) -> None:
    first = describe_metrics()
    with django_assert_num_queries(0):
        assert describe_metrics() == first


def test_counts_are_missing_without_a_broker_and_the_rest_is_there(
    settings: Any,
) -> None:
    settings.BROKER_URL = "redis://127.0.0.1:9/0"
    _types, values = read_exposition(describe_metrics())
    assert values['devrag_metrics_incomplete{part="counts"}'] == 1
    assert values['devrag_up{part="broker"}'] == 0
    assert values["devrag_postgres_max_connections"] > 0


def test_a_part_that_fails_is_told_and_the_rest_is_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def wait() -> list[Any]:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_sleep(60)")
        return []

    monkeypatch.setitem(document._GROUPS_OF_QUERIES, "work", wait)
    monkeypatch.setattr(document, "_STATEMENT_SECONDS", 0.05)
    _types, values = read_exposition(describe_metrics())
    assert values['devrag_metrics_incomplete{part="work"}'] == 1
    assert values["devrag_postgres_max_connections"] > 0


def _dashboard_queries() -> list[str]:
    panels = json.loads(DASHBOARD.read_text())["panels"]
    return [target["expr"] for panel in panels for target in panel.get("targets", ())]


def _rule_queries() -> list[str]:
    text = RULES.read_text()
    found = re.findall(r"^ +expr: (?:>-\n((?: {10}.+\n)+)|(.+)\n)", text, re.MULTILINE)
    return [long or short for long, short in found]


@pytest.mark.parametrize("queries", [_dashboard_queries, _rule_queries])
def test_queries_name_metrics_and_labels_that_are_there(
    queries: Any, complete: str
) -> None:
    types, values = read_exposition(complete)
    known = {re.sub(r"\{.*", "", key) for key in values} | _OF_PROMETHEUS
    # Without queues, workers or connections there is nothing to show.
    known |= set(types) | set(re.findall(r'"(devrag_[a-z_]+)"', _gauge_sources()))
    labels = set(re.findall(r'[{,]([a-z_]+)="', complete))
    labels |= {"instance", "job", "queue", "host"}
    found = queries()
    assert len(found) > 15
    for query in found:
        bare = re.sub(r'"[^"]*"', '""', query)
        assert set(re.findall(r"\bdevrag_[a-z_]+", bare)) <= known, query
        for names in re.findall(r"(?:by|without|on) \(([^)]*)\)", bare):
            assert {name.strip() for name in names.split(",")} <= labels, query
        for names in re.findall(r"\{([^}]*)\}", bare):
            assert set(re.findall(r"(\w+)\s*[=!]", names)) <= labels, query


def _gauge_sources() -> str:
    folder = ROOT / "devrag" / "operations" / "metrics"
    return "".join(path.read_text() for path in folder.glob("*.py"))


def test_every_metric_is_on_the_dashboard(complete: str) -> None:
    types, _values = read_exposition(complete)
    shown = " ".join(_dashboard_queries())
    assert [name for name in types if name not in shown] == []


@pytest.fixture
def promtool() -> str:
    """Prometheus' own checks, where it is installed; CI installs it."""
    found = shutil.which("promtool")
    if found is None:
        if os.environ.get("DEVRAG_REQUIRE_PROMTOOL"):
            pytest.fail("promtool is not on PATH")
        pytest.skip("promtool is not installed (Debian's package prometheus)")
    return found


def _check(argv: list[str], folder: Path, given: str = "") -> str:
    done = subprocess.run(
        argv,
        cwd=folder,
        input=given,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_promtool_accepts_the_document(promtool: str, complete: str) -> None:
    assert _check([promtool, "check", "metrics"], ROOT, complete) == ""


@pytest.mark.parametrize(
    "argv",
    [
        ["check", "rules", "devrag.rules.yml"],
        ["test", "rules", "devrag.rules.test.yml"],
        ["check", "config", "--syntax-only", "prometheus.yml"],
    ],
    ids=lambda argv: " ".join(argv[:2]),
)
def test_promtool_accepts_the_rules(promtool: str, argv: list[str]) -> None:
    _check([promtool, *argv], RULES.parent)
