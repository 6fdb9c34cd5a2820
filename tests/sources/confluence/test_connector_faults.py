"""A server that fails, a token that expires, a run that is killed."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import pytest

from devrag.core.errors import PermissionDenied, SourceError
from tests.sources.confluence.confluence_server import SEARCH, TOKEN, Wiki, fill
from tests.sources.pages.api_app import Reply
from tests.sources.pages.faulty_server import once
from tests.sources.pages.reading import (
    Open,
    later,
    read_in_process,
    texts,
)


@pytest.mark.parametrize(
    "reply",
    [
        (429, {}, {"Retry-After": "1"}),
        (500, {}, {}),
        (503, {}, {"Retry-After": "Sun, 01 Mar 2026 12:00:05 GMT"}),
        (200, b'{"results": [', {"Content-Length": "900"}),
        (200, b"<html>Sign in</html>", {}),
    ],
)
def test_a_passing_fault_loses_nothing(wiki: Wiki, opened: Open, reply: Any) -> None:
    fill(wiki, 260)
    wiki.faults = [once(reply, 2, SEARCH)]
    assert len(texts(opened())) == 260


def test_a_token_that_expires_in_the_middle_goes_on_with_a_new_one(
    wiki: Wiki, opened: Open
) -> None:
    fill(wiki, 300)
    expired: Reply = (401, {"message": "expired"}, {})
    # after two listings and two answers with bodies
    wiki.faults = [once(expired, 5, SEARCH)]
    connector = opened()
    with pytest.raises(PermissionDenied, match="expired"):
        connector.resolve()
    connector.close()
    later(wiki, minutes=5)
    assert len(texts(opened())) == 300
    bodies = [path for path in wiki.requests if "body.storage" in path]
    assert len(bodies) == 4  # of six: what was read is not read again


def test_a_run_that_is_killed_goes_on_where_it_was(
    wiki: Wiki, opened: Open, tmp_path: Path
) -> None:
    fill(wiki, 300)
    connector = opened()
    url = connector._place  # as the connector has it
    with read_in_process("confluence", url, TOKEN, tmp_path) as process:

        def kill_at_the_fifth(wiki: Wiki, path: str) -> None:
            if sum("body.storage" in each for each in wiki.requests) == 5:
                process.kill()
                wiki.faults.clear()

        wiki.faults = [kill_at_the_fifth]
    assert process.returncode == -signal.SIGKILL
    wiki.requests.clear()
    assert len(texts(connector)) == 300
    bodies = [path for path in wiki.requests if "body.storage" in path]
    assert len(bodies) in {2, 3}  # of six: the fifth may have been on its way


def test_a_server_that_is_gone_for_an_hour_is_tried_again_later(
    wiki: Wiki, opened: Open
) -> None:
    wiki.faults = [lambda *_: (503, {}, {})]
    with pytest.raises(SourceError, match="503") as caught:
        opened().resolve()
    assert not caught.value.permanent


def test_results_that_come_twice_and_without_end_end(
    wiki: Wiki, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As Data Center does beyond 200 results (CONFSERVER-95396)."""
    fill(wiki, 30)
    results = wiki._results

    def endless(path: str, asked: dict[str, str], found: list[str]) -> Any:
        status, answer, headers = results(path, {**asked, "start": "0"}, found)
        answer["_links"]["next"] = f"{path}?cql={asked['cql'].replace(' ', '+')}"
        return status, answer, headers

    monkeypatch.setattr(wiki, "_results", endless)
    assert len(texts(opened())) > 0
    assert len(wiki.requests) < 10


@pytest.mark.parametrize("status", [401, 403])
def test_a_token_without_rights_is_told_by_a_probe(
    wiki: Wiki, opened: Open, status: int
) -> None:
    wiki.faults = [lambda *_: (status, {"message": "no"}, {})]
    with pytest.raises(PermissionDenied):
        opened().probe()
