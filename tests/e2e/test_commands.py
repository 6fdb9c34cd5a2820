"""The commands a person types, and the files they leave."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import SHOP, Repository

from .instance import Instance

pytestmark = pytest.mark.xdist_group("e2e")
COUNTS = ("added", "modified", "removed", "unchanged")


@pytest.fixture(scope="module")
def folder(instance: Instance, shop: Repository) -> Path:
    return instance.home / "wikis" / "shop"


@pytest.mark.slow
def test_index_prints_counts_then_nothing_to_do_then_one_change(
    instance: Instance,
) -> None:
    stall = Repository(instance.sources / "stall")
    stall.commit(dict(SHOP))
    argv = ("index", str(stall.path), "--product", "stall")
    first = instance.ask(*argv)
    assert [first[key] for key in COUNTS] == [len(SHOP), 0, 0, 0]
    again = instance.ask(*argv)
    assert "unchanged" in again["skipped"]
    stall.commit({"shop/till.py": "def charge(amount):\n    return amount\n"})
    changed = instance.ask(*argv)
    assert [changed[key] for key in COUNTS] == [0, 1, 0, len(SHOP) - 1]


@pytest.mark.slow
def test_search_prints_hits(instance: Instance, shop: Repository) -> None:
    found = instance.ask("search", "charge the customer", "--product", "shop")
    assert {"shop/cart.py", "shop/till.py"} <= {hit["path"] for hit in found["hits"]}


@pytest.mark.slow
def test_a_server_that_runs_answers_a_search_as_the_command_itself_would(
    instance: Instance, shop: Repository
) -> None:
    words = ("search", "charge the customer", "--mode", "keyword", "--json")
    beside = instance.run(*words)
    # Django's own options are none of the server's.
    alone = instance.run(*words, "--no-color")
    found = json.loads(beside.stdout)
    expected = json.loads(alone.stdout)
    assert found["hits"]
    assert {**found, "milliseconds": 0} == {**expected, "milliseconds": 0}


def test_the_wiki_is_there_as_files(folder: Path) -> None:
    assert (folder / "index.md").is_file()
    assert "```mermaid" in (folder / "architecture.md").read_text()
    assert list((folder / "features").glob("*.md"))


@pytest.mark.slow
def test_a_wiki_of_the_present_state_is_not_written_again(
    instance: Instance, shop: Repository
) -> None:
    done = instance.run("wiki", "generate", "--product", "shop")
    assert done.stdout.startswith("Nothing changed since version")


@pytest.mark.slow
def test_writing_again_replaces_edits_and_removes_old_pages(
    instance: Instance, folder: Path
) -> None:
    (folder / "index.md").write_text("edited by hand")
    (folder / "features" / "gone.md").write_text("a page of an older version")
    instance.ask("wiki", "generate", "--product", "shop", "--force")
    assert "edited by hand" not in (folder / "index.md").read_text()
    assert not (folder / "features" / "gone.md").exists()


@pytest.mark.slow
def test_status_as_json_names_every_process(instance: Instance) -> None:
    done = instance.run("server", "status", "--json")
    state = json.loads(done.stdout)
    assert state["healthy"]
    assert set(state["services"]) == {"PostgreSQL", "Valkey"}
    assert set(state["processes"]) == {
        *("web", "worker", "writer", "reader", "embed", "beat", "follower"),
        "watch",
    }
