"""Payloads and signatures of git hosts, as pure functions."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import hmac
import json
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from devrag.core.errors import InvalidInput
from devrag.use_cases import push_events
from devrag.use_cases.push_events import HOSTS, Ignored, Push, read_event, read_push

ZEROS, COMMIT = "0" * 40, "bffeb74224043ba2feb48d137756c8a9331c449a"
SECRET = "whsec_" + base64.b64encode(b"k" * 32).decode()
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)
REFS = st.text() | st.text().map("refs/heads/".__add__) | JSON
PUSHES = st.fixed_dictionaries(
    {"ref": REFS, "after": st.sampled_from([ZEROS, COMMIT, "0" * 64]) | JSON},
    optional={"repository": JSON, "project": JSON},
)


def payload(**fields: Any) -> bytes:
    return json.dumps({"ref": "refs/heads/main", "after": COMMIT, **fields}).encode()


@pytest.mark.parametrize(
    ("ref", "push"),
    [
        ("refs/heads/main", Push("main", "branch", "")),
        ("refs/heads/feature/枝", Push("feature/枝", "branch", "")),
        ("refs/tags/v1.0", Push("v1.0", "tag", "")),
    ],
)
def test_a_branch_and_a_tag_are_told_apart(ref: str, push: Push) -> None:
    assert read_push(payload(ref=ref)) == push


@pytest.mark.parametrize("key", ["repository", "project"])
def test_the_default_branch_is_read(key: str) -> None:
    found = read_push(payload(**{key: {"default_branch": "trunk"}}))
    assert found == Push("main", "branch", "trunk")


@pytest.mark.parametrize("zeros", [ZEROS, "0" * 64])
def test_a_deletion_is_nothing_to_index(zeros: str) -> None:
    found = read_push(payload(after=zeros, deleted=True))
    assert isinstance(found, Ignored)
    assert "deleted" in found.reason


@pytest.mark.parametrize("ref", ["refs/notes/commits", "refs/pull/7/head", "main"])
def test_other_refs_are_ignored(ref: str) -> None:
    assert isinstance(read_push(payload(ref=ref)), Ignored)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"ref": None}, "'ref'"),
        ({"ref": 7}, "'ref'"),
        ({"ref": "refs/heads/-x"}, "branch or tag"),
        ({"ref": "refs/heads/a\0b"}, "branch or tag"),
        ({"ref": "refs/heads/\ud800"}, "Unicode"),
        ({"ref": "refs/heads/"}, "branch or tag"),
        ({"after": None}, "'after'"),
        ({"after": "main"}, "'after'"),
        ({"after": COMMIT[:39]}, "'after'"),
    ],
)
def test_a_payload_that_is_no_push_is_refused(
    fields: dict[str, Any], said: str
) -> None:
    with pytest.raises(InvalidInput, match=said):
        read_push(payload(**fields))


def test_a_form_is_answered_with_the_way_out() -> None:
    with pytest.raises(InvalidInput, match="application/json"):
        read_push(b"payload=%7B%7D")


@given(st.binary())
@example(b"")
@example(b"[" * 200_000)
@example(b'{"ref":' * 100_000)
@example(b"1" * 10_000)
@example(b"\xff\xfe{}")
@example(b'{"ref": "refs/heads/\xff"}')
def test_no_bytes_break_the_reader(body: bytes) -> None:
    with contextlib.suppress(InvalidInput):
        read_push(body)


@given(JSON | PUSHES)
def test_no_json_breaks_the_reader(value: Any) -> None:
    with contextlib.suppress(InvalidInput):
        found = read_push(json.dumps(value).encode())
        assert isinstance(found, Push | Ignored)
        assert not isinstance(found, Push) or found.name.encode()


@pytest.mark.parametrize(
    ("kind", "event"),
    [
        ("github", "push"),
        ("gitlab", "Push Hook"),
        ("gitlab", "Tag Push Hook"),
        ("gitea", "push"),
    ],
)
def test_pushes_are_known_by_their_header(kind: str, event: str) -> None:
    headers = {HOSTS[kind].event_header: event}
    assert isinstance(read_event(HOSTS[kind], headers, payload()), Push)


@pytest.mark.parametrize(
    ("kind", "event"),
    [
        ("github", "ping"),
        ("github", "delete"),
        ("gitlab", "Merge Request Hook"),
        ("gitea", "create"),
        ("gitea", ""),
    ],
)
def test_other_events_are_ignored_unread(kind: str, event: str) -> None:
    headers = {HOSTS[kind].event_header: event}
    found = read_event(HOSTS[kind], headers, b"anything")
    assert found == Ignored(f"The event '{event}' is not a push.")


@pytest.fixture(autouse=True)
def _then(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let it be the time at which `standard` signs."""
    clock = SimpleNamespace(time=lambda: 1_700_000_000.0)
    monkeypatch.setattr(push_events, "time", clock)


def digest(body: bytes, secret: str = SECRET) -> str:
    return hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


def standard(
    body: bytes, key: bytes = b"k" * 32, at: str = "1700000000"
) -> dict[str, str]:
    made = hmac.digest(key, f"msg_1.{at}.".encode() + body, hashlib.sha256)
    return {
        "webhook-id": "msg_1",
        "webhook-timestamp": at,
        "webhook-signature": f"v1,{base64.b64encode(made).decode()}",
    }


def signed(kind: str, headers: dict[str, str], body: bytes = b"{}") -> bool:
    return HOSTS[kind].is_signed(headers, body, SECRET)


@pytest.mark.parametrize(
    ("kind", "headers"),
    [
        ("github", {"X-Hub-Signature-256": f"sha256={digest(b'{}')}"}),
        ("gitea", {"X-Gitea-Signature": digest(b"{}")}),
        ("gitlab", {"X-Gitlab-Token": SECRET}),
        ("gitlab", standard(b"{}")),
        ("gitlab", {**standard(b"{}"), "X-Gitlab-Token": "another"}),
    ],
)
def test_each_host_signs_in_its_way(kind: str, headers: dict[str, str]) -> None:
    assert signed(kind, headers)


def test_the_signature_that_github_documents_is_accepted() -> None:
    # The worked example of "Validating webhook deliveries".
    headers = {
        "X-Hub-Signature-256": "sha256=757107ea0eb2509fc211221cce984b8a"
        "37570b6d7586c22c46f4379c8b043e17"
    }
    secret = "It's a Secret to Everybody"
    assert HOSTS["github"].is_signed(headers, b"Hello, World!", secret)


@pytest.mark.parametrize(
    ("kind", "headers"),
    [
        ("github", {}),
        ("github", {"X-Hub-Signature-256": ""}),
        ("github", {"X-Hub-Signature-256": digest(b"{}")}),
        ("github", {"X-Hub-Signature-256": f"sha256={digest(b'{ }')}"}),
        ("github", {"X-Hub-Signature-256": f"sha256={digest(b'{}', 'other')}"}),
        ("github", {"X-Hub-Signature": f"sha256={digest(b'{}')}"}),
        ("github", {"X-Hub-Signature-256": "sha256=é\udcff"}),
        ("gitea", {}),
        ("gitea", {"X-Gitea-Signature": f"sha256={digest(b'{}')}"}),
        ("gitlab", {}),
        ("gitlab", {"X-Gitlab-Token": SECRET[:-1]}),
        ("gitlab", {"X-Gitlab-Token": ""}),
        ("gitlab", standard(b"{ }")),
        ("gitlab", standard(b"{}", b"other")),
        ("gitlab", {**standard(b"{}"), "webhook-id": "msg_2"}),
        ("gitlab", {"webhook-signature": "v1,"}),
    ],
)
def test_no_other_signature_is_accepted(kind: str, headers: dict[str, str]) -> None:
    assert not signed(kind, headers)


def test_one_of_several_signatures_is_enough() -> None:
    headers = standard(b"{}")
    headers["webhook-signature"] = f"v1,b3RoZXI= {headers['webhook-signature']}"
    assert signed("gitlab", headers)


@pytest.mark.parametrize(
    ("at", "is_accepted"),
    [
        ("1700000300", True),
        ("1699999700", True),
        ("1700000301", False),
        ("1699999699", False),
        ("", False),
        ("-1", False),
        ("1700000000.0", False),
        ("9" * 400, False),
    ],
)
def test_a_signed_time_is_held_against_the_clock(at: str, is_accepted: bool) -> None:
    assert signed("gitlab", standard(b"{}", at=at)) is is_accepted


def test_a_delivery_is_told_from_others_by_what_is_signed() -> None:
    def identify(kind: str, **headers: str) -> bytes:
        return HOSTS[kind].identify(headers, b"{}")

    assert identify("github", **{"X-GitHub-Delivery": "1"}) == identify("github")
    assert identify("gitea", **{"X-Gitea-Delivery": "1"}) == identify("gitea")
    first, second = (
        identify("gitlab", **{"X-Gitlab-Event-UUID": each}) for each in "12"
    )
    assert first != second
    assert identify("gitlab", **{"webhook-id": "1"}) == first
    assert identify("gitlab") == b""
