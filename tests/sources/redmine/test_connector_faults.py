"""Faults of the server and of our own process lose nothing."""

from __future__ import annotations

import signal
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from devrag.core.errors import PermissionDenied, SourceError
from tests.sources.pages.api_app import Reply
from tests.sources.pages.faulty_server import once
from tests.sources.pages.reading import Open, later, read_in_process, texts
from tests.sources.redmine.reading import read_alone
from tests.sources.redmine.redmine_server import KEY, Tracker, fill
from tests.tiers import mostly_slow


@pytest.mark.parametrize("part", mostly_slow(["/issues/", "/issues.json"]))
@pytest.mark.parametrize(
    "reply",
    [
        (429, {}, {"Retry-After": "1"}),
        (500, {}, {}),
        (503, {}, {"Retry-After": "Sun, 01 Mar 2026 12:00:05 GMT"}),
        (200, b'{"issues": [', {"Content-Length": "900"}),
        (200, b"<html>Sign in</html>", {}),
    ],
)
def test_a_passing_fault_loses_nothing(
    tracker: Tracker, opened: Open, reply: Any, part: str
) -> None:
    fill(tracker, 120)
    tracker.faults = [once(reply, 2, part)]
    assert len(texts(opened())) == 121


def test_a_key_that_expires_in_the_middle_goes_on_with_a_new_one(
    tracker: Tracker, opened: Open
) -> None:
    fill(tracker, 120)
    tracker.clock += timedelta(minutes=1)
    expired: Reply = (401, {}, {})
    tracker.faults = [once(expired, 61, "/issues/")]
    connector = opened()
    with pytest.raises(PermissionDenied, match="expired"):
        connector.resolve()
    connector.close()
    later(tracker)
    assert len(texts(opened())) == 121
    assert len(read_alone(tracker)) == 70  # what was read is not read again


def test_a_key_that_expires_before_deletions_are_looked_for_deletes_nothing(
    tracker: Tracker, opened: Open
) -> None:
    """In a public project, what its members alone see would be gone."""
    tracker.is_public = True
    fill(tracker, 3)
    connector = opened()
    connector.resolve()
    later(tracker, hours=25)
    del tracker.issues[2]
    tracker.faults = [once((401, {}, {}), 2, "/users/")]
    with pytest.raises(PermissionDenied):
        connector.resolve()
    tracker.faults.clear()
    assert len(texts(connector)) == 3


def test_a_run_that_is_killed_goes_on_where_it_was(
    tracker: Tracker, opened: Open, tmp_path: Path
) -> None:
    fill(tracker, 200)
    tracker.clock += timedelta(minutes=1)
    connector = opened()
    url = connector._place  # as the connector has it
    with read_in_process("redmine", url, KEY, tmp_path) as process:

        def kill(tracker: Tracker, path: str) -> None:
            if len(read_alone(tracker)) == 110:
                process.kill()
                tracker.faults.clear()

        tracker.faults = [kill]
    assert process.returncode == -signal.SIGKILL
    tracker.requests.clear()
    assert sum(path.startswith("issues/") for path in texts(connector)) == 200
    assert len(read_alone(tracker)) == 100  # batches of 25; the fifth was on its way


def test_a_server_that_is_gone_for_an_hour_is_tried_again_later(
    tracker: Tracker, opened: Open
) -> None:
    tracker.faults = [lambda *_: (503, {}, {})]
    with pytest.raises(SourceError, match="503") as caught:
        opened().resolve()
    assert not caught.value.permanent


def test_results_that_come_twice_and_without_end_end(
    tracker: Tracker, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tracker, 150)
    issues = tracker._issues

    def endless(asked: dict[str, str]) -> Any:
        rest = {k: v for k, v in asked.items() if k != "updated_on"}
        return issues({**rest, "offset": "0"}) | {"total_count": 10**9}

    monkeypatch.setattr(tracker, "_issues", endless)
    with pytest.raises(Exception, match="more than"):
        texts(opened())
    monkeypatch.setattr("devrag.sources.connectors.pages.limits.check_count", print)
    assert len(tracker.requests) < 20


def test_a_server_that_is_no_redmine(tracker: Tracker, opened: Open) -> None:
    tracker.faults = [lambda *_: (200, {"message": "hello"}, {})]
    with pytest.raises(SourceError, match="does not respond like Redmine"):
        opened().resolve()
