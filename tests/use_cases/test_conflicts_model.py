"""The conflicts job with a model: what it is asked, what it costs, what is kept."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from devrag.jobs.models import Job
from devrag.products.models import Product
from devrag.spending.models import ModelCall
from devrag.wiki.models import DocumentConflict, PassageComparison
from tests.conftest import Repository, run_job
from tests.indexing.test_index import index
from tests.llm.chat_server import Asked, ChatServer, Reply, chat_server, use_server

pytestmark = pytest.mark.django_db
FILES: dict[str, str | bytes | None] = {
    "docs/jobs.md": "# Jobs\n\n`run_job` is tried again three times.\n",
    "shop/jobs.py": "def run_job(job):\n    return retry(job, times=5)\n",
}
_CODE = re.compile(r"CODE (\d+) · shop/jobs.py")
_PASSAGE = re.compile(r"PASSAGE (\d+) · compare with [^·]* · docs/jobs.md")


@pytest.fixture
def server(settings: Any) -> Iterator[ChatServer]:
    with chat_server() as server:
        use_server(server, settings)
        server.write = contradict
        yield server


def contradict(asked: Asked) -> str:
    """Answer as a model that sees the contradiction wherever it is shown."""
    prompt = asked.body["messages"][-1]["content"]
    count = re.search(r'"checked": (\d+)', prompt)
    passage, code = _PASSAGE.search(prompt), _CODE.search(prompt)
    row = {
        "passage": int(passage[1]) if passage else 0,
        "code": int(code[1]) if code else 0,
        "kind": "behaviour",
        "document_quote": "is tried again three times.",
        "code_quote": "return retry(job, times=5)",
        "subject": "run_job",
        "says": "three times",
        "has": "times=5",
        "reason": "It is tried again five times.",
    }
    rows = [row] if passage and code else []
    return json.dumps({"conflicts": rows, "checked": int(count[1]) if count else 0})


def update(repository: Repository) -> Job:
    index(repository)
    job = run_job(Job.objects.get(kind="conflicts", state="pending"))
    assert job.state == "completed", job.error
    return job


def test_what_a_model_finds_has_both_sides_and_its_reason(
    server: ChatServer, repository: Repository
) -> None:
    repository.commit(FILES)
    job = update(repository)
    row = DocumentConflict.objects.get()
    assert (row.kind, row.is_by_model, row.value, row.actual) == (
        *("behaviour", True, "three times", "times=5"),
    )
    assert row.document_excerpt == "`run_job` is tried again three times."
    assert (row.code_path, row.code_start) == ("shop/jobs.py", 2)
    assert row.code_excerpt == "    return retry(job, times=5)"
    assert row.reason == "It is tried again five times."
    assert job.report["asked"] == 1
    assert ModelCall.objects.get().purpose == "conflicts"


def test_an_unchanged_pair_is_asked_about_once(
    server: ChatServer, repository: Repository
) -> None:
    repository.commit(FILES)
    update(repository)
    # Both sides move, and say what they said.
    repository.commit(
        {
            "docs/jobs.md": "# Jobs\n\nHello.\n\n## More\n\nNo.\n",
            "docs/more.md": "# Jobs\n\n`run_job` is tried again three times.\n",
            "shop/jobs.py": "import os\n\n\n" + str(FILES["shop/jobs.py"]),
        }
    )
    update(repository)
    assert len(server.seen) == 1
    row = DocumentConflict.objects.get(state="open")
    assert (row.document_path, row.code_start) == ("docs/more.md", 5)


def test_code_that_changed_is_asked_about_and_the_conflict_resolved(
    server: ChatServer, repository: Repository
) -> None:
    repository.commit(FILES)
    update(repository)
    repository.commit({"shop/jobs.py": "def run_job(job):\n    return again(job, 3)\n"})
    update(repository)
    assert len(server.seen) == 2
    assert DocumentConflict.objects.get().state == "resolved"


def test_no_conflict_stays_so(server: ChatServer, repository: Repository) -> None:
    repository.commit(FILES)
    update(repository)
    DocumentConflict.objects.update(state="dismissed")
    repository.commit({"docs/other.md": "# Other\n\n`run_job` ends first.\n"})
    update(repository)
    assert DocumentConflict.objects.get().state == "dismissed"


def test_pairs_of_documents_that_are_gone_are_forgotten(
    server: ChatServer, repository: Repository
) -> None:
    repository.commit(FILES)
    update(repository)
    assert PassageComparison.objects.exists()
    repository.commit({"docs/jobs.md": None})
    update(repository)
    assert not PassageComparison.objects.exists()


def test_no_more_is_spent_than_the_cap_and_the_job_goes_on(
    server: ChatServer, repository: Repository, settings: Any
) -> None:
    settings.CONFLICTS_CAP_PER_MONTH = 0.0001
    repository.commit(FILES | {"docs/limit.md": "`MAX_ITEMS` defaults to `20`.\n"})
    repository.commit({"shop/settings.py": "MAX_ITEMS = 50\n"})
    job = update(repository)
    assert server.seen == []
    assert job.events.filter(message__contains="CONFLICTS_CAP_PER_MONTH").exists()
    assert DocumentConflict.objects.get().subject == "MAX_ITEMS"


@pytest.mark.parametrize("reason", ["no model", "cap", "product"])
def test_nothing_is_asked_where_nobody_wants_it(
    server: ChatServer, repository: Repository, settings: Any, reason: str
) -> None:
    repository.commit(FILES)
    index(repository)
    if reason == "no model":
        settings.LLM_PROVIDER = "structural"
    elif reason == "cap":
        settings.CONFLICTS_CAP_PER_MONTH = 0
    else:
        Product.objects.update(is_external_models_allowed=False)
    job = run_job(Job.objects.get(kind="conflicts", state="pending"))
    assert job.state == "completed", job.error
    assert server.seen == []
    assert not PassageComparison.objects.exists()


def test_an_answer_that_cannot_be_read_is_asked_for_again_next_time(
    server: ChatServer, repository: Repository
) -> None:
    server.write = lambda asked: Reply("I see no conflicts.")
    repository.commit(FILES)
    update(repository)
    assert not DocumentConflict.objects.exists()
    server.write = contradict
    repository.commit({"x.py": "x = 1\n"})
    update(repository)
    assert DocumentConflict.objects.get().subject == "run_job"
