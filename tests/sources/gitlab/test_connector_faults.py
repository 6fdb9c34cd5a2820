"""Faults of the server and of our own process lose nothing."""

from __future__ import annotations

import signal
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from devrag.core.errors import InvalidInput, PermissionDenied, SourceError
from tests.sources.gitlab.gitlab_server import TOKEN, Lab, fill
from tests.sources.pages.faulty_server import once
from tests.sources.pages.reading import (
    Open,
    later,
    read_in_process,
    texts,
    unlisted,
)
from tests.tiers import mostly_slow_rows


@pytest.mark.parametrize("part", ["/issues?", "/merge_requests?", "/notes"])
@pytest.mark.parametrize(
    "reply",
    [
        (429, {}, {"Retry-After": "1"}),
        (429, {}, {"RateLimit-Remaining": "0", "RateLimit-Reset": "5"}),
        (500, {}, {}),
        (200, b'[{"iid": 1, "ti', {"Content-Length": "900"}),
        (200, b"<html>Sign in</html>", {}),
    ],
)
def test_a_passing_fault_loses_nothing(
    lab: Lab, opened: Open, reply: Any, part: str
) -> None:
    fill(lab, 12)
    lab.faults = [once(reply, 1, part)]
    found = texts(opened())
    assert len(found) == 12
    assert sum("## Comments" in each for each in found.values()) == 6


def test_the_servers_allowance_is_kept_to(lab: Lab, opened: Open) -> None:
    fill(lab, 12)
    reset = str(int(lab.clock.timestamp()) + 3_000)
    limits = {"RateLimit-Remaining": "0", "RateLimit-Reset": reset}
    lab.faults = [once((200, b"[]", limits), 1, "/issues?")]
    with pytest.raises(SourceError, match="used up for another 50 minutes") as caught:
        opened().resolve()
    assert not caught.value.permanent
    assert len(lab.requests) == 2


def test_a_token_that_expires_in_the_middle_goes_on_with_the_next_run(
    lab: Lab, opened: Open
) -> None:
    fill(lab, 360)
    lab.clock += timedelta(minutes=1)
    lab.faults = [once((401, {}, {}), 100, "/notes")]
    connector = opened()
    with pytest.raises(PermissionDenied, match="expired"):
        connector.resolve()
    connector.close()
    later(lab)
    assert len(texts(opened())) == 360
    asked = sum(path.endswith("/notes") for path in lab.kinds_of_requests())
    assert asked <= 180 - 99 + 25  # what was read is not read again


@pytest.mark.parametrize(
    ("part", "number"), mostly_slow_rows([("/notes", 100), ("/merge_requests?", 2)])
)
def test_a_run_that_is_killed_goes_on_where_it_was(
    lab: Lab, opened: Open, url: str, tmp_path: Path, part: str, number: int
) -> None:
    lab.most = 20
    fill(lab, 240)
    lab.clock += timedelta(minutes=1)
    with read_in_process("gitlab", url, TOKEN, tmp_path) as process:
        count = 0

        def kill(lab: Lab, path: str) -> None:
            nonlocal count
            count += part in path
            if count == number:
                process.kill()
                lab.faults.clear()

        lab.faults = [kill]
    assert process.returncode == -signal.SIGKILL
    before = set(lab.kinds_of_requests())
    lab.requests.clear()
    found = texts(opened())
    assert len(found) == 240
    assert sum("### Ken" in each for each in found.values()) == 120
    again = before & set(lab.kinds_of_requests())
    assert sum(path.endswith("/notes") for path in again) <= 20


def test_a_server_that_is_gone_for_an_hour_is_tried_again_later(
    lab: Lab, opened: Open
) -> None:
    lab.faults = [lambda *_: (503, {}, {})]
    with pytest.raises(SourceError, match="503") as caught:
        opened().resolve()
    assert not caught.value.permanent


def test_results_that_come_twice_and_without_end_end(
    lab: Lab, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(lab, 160)
    listed = lab._listed

    def endless(kind: str, asked: dict[str, list[str]]) -> Any:
        found = listed(kind, {k: v for k, v in asked.items() if k != "updated_after"})
        return found[:100] * 50

    monkeypatch.setattr(lab, "_listed", endless)
    assert len(texts(opened(read_comments=False))) >= 100
    assert len(lab.requests) < 20


def test_more_tickets_than_an_installation_reads_are_refused(
    lab: Lab, opened: Open
) -> None:
    fill(lab, 360)
    with pytest.raises(InvalidInput, match="more than 120"):
        opened({"max_files": 120}).resolve()
    assert lab.kinds_of_requests()["issues"] == 2  # before all is listed


def test_an_answer_larger_than_any_is_asked_for_in_smaller_parts(
    lab: Lab, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "devrag.sources.connectors.pages.client._MAX_ANSWER_BYTES", 30_000
    )
    fill(lab, 60)
    made = lab.issue("Endless", "x" * 50_000)
    talk = lab.issue("Talk")
    for _ in range(30):
        lab.note("issues", talk, "y" * 2_000)
    fill(lab, 60)
    connector = opened()
    found = texts(connector)
    assert len(found) == 121
    assert f"issues/{made}.md" not in found
    assert found[f"issues/{talk}.md"].count("### Ken Sato") == 30
    assert unlisted(connector) == set()
