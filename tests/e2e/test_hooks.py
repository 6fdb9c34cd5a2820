"""A push, from the secret to the indexed commit, over HTTP and with real workers."""

from __future__ import annotations

import hashlib
import hmac
import json

import pytest

from tests.conftest import Repository

from .instance import Instance

pytestmark = pytest.mark.xdist_group("e2e")


def test_a_signed_push_is_indexed(instance: Instance, shop: Repository) -> None:
    (row,) = [
        row
        for row in instance.api("/sources").json()
        if row["sourceURL"] == str(shop.path)
    ]
    # A body, to make it a POST.
    made = instance.api(f"/sources/{row['sourceID']}/hook", "{}").json()
    commit = shop.commit({"shop/wrap.py": '"""Wraps."""\n'}, "Wrap presents")
    body = json.dumps({"ref": "refs/heads/main", "after": commit})
    digest = hmac.new(made["secret"].encode(), body.encode(), hashlib.sha256)
    path = made["hookURLs"]["github"].partition(f":{instance.port}")[2]
    headers = {
        "Content-Type": "application/json",
        "X-GitHub-Event": "push",
        "X-Hub-Signature-256": f"sha256={digest.hexdigest()}",
    }
    assert instance.http(path, body + " ", headers=headers).status == 401
    accepted = instance.http(path, body, headers=headers)
    assert accepted.status == 202
    job = instance.wait_job(accepted.json()["jobID"])
    assert (job["status"], job["report"]["commit"]) == ("completed", commit)


def test_an_endless_push_is_cut_off(instance: Instance, shop: Repository) -> None:
    answer = instance.http("/api/v1/hooks/github/shop", "x" * 5_000_001)
    assert answer.status == 413
    assert answer.headers["content-type"] == "application/problem+json"
