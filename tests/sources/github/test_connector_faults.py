"""Faults of the server and of our own process lose nothing."""

from __future__ import annotations

import signal
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from devrag.core.errors import InvalidInput, PermissionDenied, SourceError
from tests.sources.github.github_server import TOKEN, Hub, fill
from tests.sources.pages.faulty_server import once
from tests.sources.pages.reading import (
    Open,
    later,
    read_in_process,
    texts,
    unlisted,
)
from tests.tiers import mostly_slow


@pytest.mark.parametrize("part", ["/issues?", "/issues/comments?", "/pulls"])
@pytest.mark.parametrize(
    "reply",
    [
        (429, {}, {"Retry-After": "1"}),
        (403, {}, {"Retry-After": "1"}),
        (403, {}, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "5"}),
        (403, {"message": "You have exceeded a secondary rate limit."}, {}),
        (500, {}, {}),
        (200, b'[{"number": 1, "ti', {"Content-Length": "900"}),
        (200, b"<html>Sign in</html>", {}),
    ],
)
def test_a_passing_fault_loses_nothing(
    hub: Hub, opened: Open, reply: Any, part: str
) -> None:
    fill(hub, 12)
    hub.faults = [once(reply, 1, part)]
    found = texts(opened())
    assert len(found) == 12
    assert sum("## Comments" in each for each in found.values()) == 8


def test_a_used_up_allowance_ends_the_run_and_the_next_goes_on(
    hub: Hub, opened: Open
) -> None:
    fill(hub, 250)
    reset = str(int(hub.clock.timestamp()) + 3_000)
    limits = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": reset}
    hub.faults = [once((403, {}, limits), 3, "/issues?")]
    with pytest.raises(SourceError, match="used up for another 50 minutes") as caught:
        opened().resolve()
    assert not caught.value.permanent
    later(hub)
    assert len(texts(opened())) == 250
    assert "since=" in hub.requests[0]  # what was listed is not listed again


def test_a_token_that_expires_in_the_middle_goes_on_with_the_next_run(
    hub: Hub, opened: Open
) -> None:
    fill(hub, 250)
    hub.faults = [once((401, {"message": "Bad credentials"}, {}), 1, "/pulls/comments")]
    connector = opened()
    with pytest.raises(PermissionDenied, match="expired"):
        connector.resolve()
    connector.close()
    later(hub)
    found = texts(opened())
    assert len(found) == 250
    assert sum("on `src/pay.py:12`" in each for each in found.values()) == 42
    assert set(hub.kinds_of_requests()) == {"pulls/comments"}


@pytest.mark.parametrize(
    "part",
    mostly_slow(["/issues?", "/pulls?", "/issues/comments", "/pulls/comments"]),
)
def test_a_run_that_is_killed_goes_on_where_it_was(
    hub: Hub, opened: Open, url: str, tmp_path: Path, part: str
) -> None:
    hub.most = 20
    fill(hub, 240)
    hub.clock += timedelta(minutes=1)
    with read_in_process("github", url, TOKEN, tmp_path) as process:
        count = 0

        def kill(hub: Hub, path: str) -> None:
            nonlocal count
            count += part in path
            if count == 2:
                process.kill()
                hub.faults.clear()

        hub.faults = [kill]
    assert process.returncode == -signal.SIGKILL
    hub.requests.clear()
    found = texts(opened())
    assert len(found) == 240
    assert sum("### ken" in each for each in found.values()) == 120
    assert sum("- Branches" in each for each in found.values()) == 80
    before = {
        "/issues?": set(),
        "/pulls?": {"issues"},
        "/issues/comments": {"issues", "pulls"},
        "/pulls/comments": {"issues", "pulls", "issues/comments"},
    }
    assert not before[part] & hub.kinds_of_requests().keys()


def test_a_server_that_is_gone_for_an_hour_is_tried_again_later(
    hub: Hub, opened: Open
) -> None:
    hub.faults = [lambda *_: (503, {}, {})]
    with pytest.raises(SourceError, match="503") as caught:
        opened().resolve()
    assert not caught.value.permanent


def test_results_that_come_twice_and_without_end_end(
    hub: Hub, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(hub, 120)
    listed = hub._listed

    def endless(kind: str, asked: dict[str, str]) -> Any:
        asked.pop("since", None)
        asked["page"] = "1"  # whatever page was asked for, with a next one
        return listed(kind, asked)

    monkeypatch.setattr(hub, "_listed", endless)
    assert len(texts(opened())) >= 100
    assert len(hub.requests) < 20


def test_more_tickets_than_an_installation_reads_are_refused(
    hub: Hub, opened: Open
) -> None:
    fill(hub, 250)
    with pytest.raises(InvalidInput, match="more than 120"):
        opened({"max_files": 120}).resolve()
    assert hub.kinds_of_requests()["issues"] == 2  # before all is listed


def test_an_answer_larger_than_any_is_asked_for_in_smaller_parts(
    hub: Hub, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "devrag.sources.connectors.pages.client._MAX_ANSWER_BYTES", 40_000
    )
    fill(hub, 30)
    made = hub.issue("Endless", "x" * 50_000)
    fill(hub, 30)
    connector = opened()
    assert len(texts(connector)) == 60
    assert f"issues/{made}.md" not in texts(connector)
    assert unlisted(connector) == set()


def test_a_server_that_is_no_github(hub: Hub, opened: Open) -> None:
    hub.faults = [lambda *_: (200, {"message": "hello"}, {})]
    with pytest.raises(SourceError, match="does not return a list"):
        opened().resolve()
