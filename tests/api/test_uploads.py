"""Uploading files over REST."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings as installation
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from devrag.jobs.models import Job
from devrag.products.models import SourceLimit
from devrag.sources.models import RefFile, Source
from tests.conftest import run_job
from tests.people import People, bearer
from tests.sources.uploads.archives import zipped

from .requests import problem

UPLOAD = "/api/v1/sources/upload"


def sent(name: str = "handbook.zip", **files: bytes) -> SimpleUploadedFile:
    named = {key.replace("__", "/") + ".md": data for key, data in files.items()}
    return SimpleUploadedFile(name, zipped(named or {"a.md": b"# Tea\n"}))


def stored() -> list[str]:
    root = installation.UPLOADS_DIR
    return [path.name for path in root.iterdir()] if root.exists() else []


def paths() -> set[str]:
    rows = RefFile.objects.filter(until=None, ref__is_current=True)
    return set(rows.values_list("file__path", flat=True))


def test_an_archive_becomes_a_source_that_is_indexed(
    client: Client, people: People
) -> None:
    body = {"file": sent(a=b"# Tea\n", docs__b=b"# Pot\n"), "productName": "teahouse"}
    answer = client.post(UPLOAD, body, headers=bearer("index", user=people.alice))
    assert answer.status_code == 202, answer.content
    said = answer.json()
    assert said["sourceName"] == "handbook"
    assert (said["fileCount"], said["bytes"], said["leftOutCount"]) == (2, 12, 0)
    assert answer["Location"] == f"/api/v1/jobs/{said['jobID']}"
    assert run_job(Job.objects.get()).report["added"] == 2
    assert paths() == {"a.md", "docs/b.md"}
    source = Source.objects.get(pk=said["sourceID"])
    assert (source.source_type, source.location) == ("upload", "handbook.zip")


def test_the_wiki_language_of_a_new_product_is_chosen(
    client: Client, people: People
) -> None:
    body = {"file": sent(a=b"# Tea\n"), "productName": "new", "wikiLanguage": "ja"}
    answer = client.post(UPLOAD, body, headers=bearer("index"))
    assert answer.status_code == 202, answer.content
    source = Source.objects.get(pk=answer.json()["sourceID"])
    assert source.product.wiki_settings == {"language": "ja"}


def test_a_second_upload_parses_only_what_changed(
    client: Client, people: People
) -> None:
    body = {"file": sent(a=b"# Tea\n", b=b"# Pot\n"), "productName": "teahouse"}
    said = client.post(UPLOAD, body, headers=bearer("index", user=people.alice)).json()
    run_job(Job.objects.get())
    again = f"/api/v1/sources/{said['sourceID']}/upload"
    second = {"file": sent("v2.zip", b=b"# Pot\n", c=b"# Cup\n")}
    answer = client.post(again, second, headers=bearer("index", user=people.alice))
    assert answer.status_code == 202, answer.content
    report = run_job(Job.objects.get(pk=answer.json()["jobID"])).report
    assert (report["added"], report["removed"], report["unchanged"]) == (1, 1, 1)
    assert paths() == {"b.md", "c.md"}
    source = Source.objects.get(pk=said["sourceID"])
    assert source.location == "v2.zip"
    assert stored() == [source.metadata["upload"]]


def test_several_files_and_members(client: Client, people: People) -> None:
    body = {
        "file": [
            SimpleUploadedFile("a.md", b"# A\n"),
            SimpleUploadedFile("b.txt", b"b"),
        ],
        "productName": "teahouse",
        "sourceName": "notes",
        "members": ["alice"],
        "generateWiki": "true",
    }
    answer = client.post(UPLOAD, body, headers=bearer("index", user=people.alice))
    assert answer.status_code == 202, answer.content
    assert SourceLimit.objects.get().members.get().username == "alice"
    assert Job.objects.get().params["generateWiki"]


@pytest.mark.parametrize(
    ("changes", "status", "detail"),
    [
        ({"file": SimpleUploadedFile("a.7z", b"7z")}, 400, "not supported"),
        ({"file": SimpleUploadedFile("a.zip", b"no zip")}, 400, "damaged"),
        (
            {"file": sent("../x.zip"), "sourceName": "a/b"},
            400,
            "Invalid source name",
        ),
        ({"members": ["nobody"]}, 400, "User nobody not found"),
        ({"sourceName": "teahouse-code"}, 409, "not available"),
        ({"shape": "round"}, 400, "Unknown field 'shape'"),
    ],
)
def test_a_refused_upload_leaves_nothing(
    client: Client, people: People, changes: dict[str, Any], status: int, detail: str
) -> None:
    body = {"file": sent(), "productName": "teahouse", **changes}
    answer = client.post(UPLOAD, body, headers=bearer("index", user=people.alice))
    assert detail in problem(answer, status)["detail"]
    assert Source.objects.count() == 1
    assert not Job.objects.exists()
    assert stored() == []


def test_an_upload_needs_a_file(client: Client, people: People) -> None:
    body = {"productName": "teahouse"}
    problem(client.post(UPLOAD, body, headers=bearer("index", user=people.alice)), 422)


def test_an_upload_is_a_form(client: Client, people: People) -> None:
    headers = bearer("index", user=people.alice)
    answer = client.post(UPLOAD, {"file": "x"}, "application/json", headers=headers)
    assert "multipart/form-data" in problem(answer, 415)["detail"]


def test_a_token_without_the_scope_is_refused(client: Client, people: People) -> None:
    body = {"file": sent(), "productName": "teahouse"}
    assert problem(
        client.post(UPLOAD, body, headers=bearer("read", user=people.alice)), 403
    )


def test_uploads_can_be_turned_off(
    client: Client, people: People, settings: Any
) -> None:
    settings.MAX_UPLOAD_BYTES = 0
    body = {"file": sent(), "productName": "teahouse"}
    answer = client.post(UPLOAD, body, headers=bearer("index", user=people.alice))
    assert "disabled" in problem(answer, 403)["detail"]


def test_only_uploads_are_replaced(client: Client, people: People) -> None:
    path = f"/api/v1/sources/{people.source.pk}/upload"
    answer = client.post(
        path, {"file": sent()}, headers=bearer("index", user=people.alice)
    )
    assert "not a source of uploaded files" in problem(answer, 400)["detail"]


def test_a_location_is_no_upload(client: Client, people: People) -> None:
    body = {"sourceURL": "/tmp", "productName": "teahouse", "sourceType": "upload"}
    answer = client.post(
        "/api/v1/sources",
        body,
        "application/json",
        headers=bearer("index", user=people.alice),
    )
    assert "cannot be added by location" in problem(answer, 400)["detail"]


def test_deleting_the_source_removes_its_files(client: Client, people: People) -> None:
    body = {"file": sent(), "productName": "teahouse"}
    said = client.post(UPLOAD, body, headers=bearer("index", user=people.alice)).json()
    run_job(Job.objects.get())
    assert len(stored()) == 1
    path = f"/api/v1/sources/{said['sourceID']}"
    job = client.delete(path, headers=bearer("admin", user=people.alice)).json()[
        "jobID"
    ]
    report = run_job(Job.objects.get(pk=job)).report
    assert report["uploadBytes"] > 0
    assert stored() == []
