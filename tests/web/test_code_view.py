"""What stands beside the code: tree, versions, links, history."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from devrag.core.hashing import stable_uuid
from devrag.sources.api import BlamedLines, Change, HistoryUnavailable
from devrag.sources.models import GitRef, RefFile, Snapshot, Symbol
from tests.sources.repositories import make_repository
from tests.stored import store_files

from .conftest import COMMIT, Harbour
from .markup import squeeze

SOURCE = "/p/harbour/s/harbour-code/"
FILE = f"{SOURCE}-/current/src/greeter.py"
PART = {"HX-Request": "true"}
CHANGE = Change("c" * 40, "Ann Bo", timezone.now(), "greet <b>twice</b>")


def test_the_tree_is_open_along_a_path(bob: Client, harbour: Harbour) -> None:
    harbour.add_file("src/deep/er/x.py", "x = 1\n", "python", "code")
    tree = squeeze(bob.get(f"{SOURCE}tree/current/src/deep"))
    assert 'data-path="src/deep/er" aria-expanded="false"' in tree
    assert 'data-path="src" aria-expanded="true"' in tree
    assert 'data-path="docs" aria-expanded="false"' in tree
    assert "x.py" not in tree
    level = squeeze(bob.get(f"{SOURCE}tree/current/src/deep/er?level=1"))
    assert level.count("treeitem") == 1
    assert f'href="{SOURCE}-/current/src/deep/er/x.py"' in level


def test_the_tree_takes_a_query_a_folder(
    bob: Client, harbour: Harbour, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for n in range(40):
        harbour.add_file(f"src/{n}/x.py", "x = 1\n", "python", "code")
    with django_assert_max_num_queries(9):
        bob.get(f"{SOURCE}tree/current/src/7")


def test_nobody_sees_parts_of_what_they_may_not_see(charlie: Client) -> None:
    uuid = stable_uuid("greet")
    for part in (
        "tree/current/",
        "tree/current/src",
        "uses/current/src/greeter.py",
        "find/current/src/greeter.py?text=greet",
        "history/current/src/greeter.py",
        "blame/current/src/greeter.py",
        f"commit/current/{COMMIT}/src/greeter.py",
        "changes/current/",
        f"symbol/current/{uuid}/card/",
        f"symbol/current/{uuid}/references/",
    ):
        assert charlie.get(f"{SOURCE}{part}").status_code == 404, part


def test_a_branch_with_slashes_has_an_address(bob: Client, harbour: Harbour) -> None:
    snapshot = Snapshot.objects.create(
        source=harbour.source, version_identifier="d" * 40, is_indexed=True
    )
    ref = GitRef.objects.create(
        source=harbour.source,
        name="release/2.0/x",
        kind="branch",
        snapshot=snapshot,
        sequence=1,
    )
    file = harbour.files["src/greeter.py"]
    RefFile.objects.create(ref=ref, file=file, since=1)
    url = f"{SOURCE}-/release~2.0~x/src/greeter.py"
    current = squeeze(bob.get(FILE))
    assert f'class="menu-item" href="{url}"' in current
    page = squeeze(bob.get(url))
    assert f'href="{url}" aria-current="true"' in page
    assert "Show the current version" in page
    assert f'data-uses="{SOURCE}uses/release~2.0~x/src/greeter.py"' in page


def test_names_lead_to_their_definitions(bob: Client, harbour: Harbour) -> None:
    text = "def send(text):\n    return text\n\n\ndef run():\n    return send('send')\n"
    store_files(harbour.ref, {"src/post.py": text})
    sent = Symbol.objects.get(source=harbour.source, name="send")
    for _ in range(2):  # the second comes from the cache
        found = bob.get(f"{SOURCE}uses/current/src/post.py").json()
        assert found["uses"] == [[6, 11, 4, 0, 0]]
        ((url, card),) = found["targets"]
        assert url == f"{SOURCE}-/current/src/post.py#L1"
        assert card == f"{SOURCE}symbol/current/{sent.uuid}/card/"
    assert bob.get(f"{SOURCE}uses/current/none.py").status_code == 404


def test_a_card_has_signature_and_first_paragraph(
    bob: Client, harbour: Harbour
) -> None:
    text = 'def send(text: str):\n    """Send <it>\n    now.\n\n    More.\n    """\n'
    store_files(harbour.ref, {"src/post.py": text})
    uuid = Symbol.objects.get(source=harbour.source, name="send").uuid
    card = squeeze(bob.get(f"{SOURCE}symbol/current/{uuid}/card/"))
    assert "Send &lt;it&gt; now." in card
    assert "More." not in card
    assert '<span class="nf">send</span>' in card
    assert f'href="{SOURCE}-/current/src/post.py#L1"' in card


def test_references_are_listed_by_file(bob: Client, harbour: Harbour) -> None:
    files = {
        "src/post.py": "def send(text):\n    return text\n",
        "src/run.py": "from post import send\n\nsend('a')\nsend('b')\n",
    }
    store_files(harbour.ref, files)
    uuid = Symbol.objects.get(source=harbour.source, name="send").uuid
    part = squeeze(bob.get(f"{SOURCE}symbol/current/{uuid}/references/"))
    assert f'href="{SOURCE}-/current/src/run.py#L3"' in part
    assert f'href="{SOURCE}-/current/src/run.py#L4"' in part
    assert part.count("references-file") == 1


def test_a_text_is_found_in_all_lines(bob: Client, harbour: Harbour) -> None:
    lines = "".join(f"line {n} 🐙 Tea\n" for n in range(1, 3_001))
    harbour.add_file("long.txt", lines, "", "doc")
    url = f"{SOURCE}find/current/long.txt"
    found = bob.get(url, {"text": "tea"}).json()
    assert found["is_cut"]
    assert found["places"][0] == [1, 10, 3]
    exact = bob.get(url, {"text": "tea", "case": "on"}).json()
    assert exact == {"places": [], "is_cut": False}
    assert bob.get(url).status_code == 400


def test_markdown_is_read_as_text_beside_its_lines(
    bob: Client, harbour: Harbour
) -> None:
    text = (
        "---\nlang: en\n---\n# Use\n\nSee [it](guide.md#a) <img src=x onerror=y>.\n\n"
        "## Start\n\n```mermaid\ngraph LR\n  a --> b\n```\n"
    )
    harbour.add_file("docs/use.md", text, "markdown", "doc")
    url = f"{SOURCE}-/current/docs/use.md"
    preview = squeeze(bob.get(url))
    assert '<h1 id="use">Use</h1>' in preview
    assert f'<a href="{SOURCE}-/current/docs/guide.md#a"' in preview
    assert '<li class="depth-1"><a href="#start"' in preview
    assert '<h2 id="start">Start</h2>' in preview
    assert 'data-first="8" data-last="8"' in preview
    assert "onerror" not in preview
    assert "lang: en" not in preview
    assert "mermaid-view" in preview
    assert f'href="{url}?view=lines" data-keeps-lines>Code</a>' in preview
    lines = squeeze(bob.get(f"{url}?view=lines"))
    assert "onerror" in lines
    assert '<li class="depth-1"><a href="#L8"' in lines
    assert f'href="{url}" data-keeps-lines>Preview</a>' in lines


def test_markdown_too_long_to_set_shows_its_lines(
    bob: Client, harbour: Harbour
) -> None:
    harbour.add_file("long.md", "# Long\n" + "words\n" * 40_000, "markdown", "doc")
    page = squeeze(bob.get(f"{SOURCE}-/current/long.md"))
    assert "data-lines" in page
    assert "data-article" not in page


def test_a_readme_is_below_its_folder(bob: Client, harbour: Harbour) -> None:
    page = squeeze(bob.get(f"{SOURCE}-/current/"))
    assert f'<a href="{SOURCE}-/current/README.md">README.md</a></h2>' in page
    assert f'<a href="{SOURCE}-/current/docs/guide.md" rel=' in page
    assert "<script>alert" not in page
    harbour.add_file("src/ReadMe.rst", "Plain <b>text</b>\n", "", "doc")
    assert "Plain &lt;b&gt;text" in squeeze(bob.get(f"{SOURCE}-/current/src"))


def test_entries_have_sizes_and_later_their_last_changes(
    bob: Client, settings: Settings
) -> None:
    page = squeeze(bob.get(f"{SOURCE}-/current/"))
    assert "1 file" in page
    assert "bytes" in page
    assert f'hx-get="{SOURCE}changes/current/"' in page
    found = {"src": CHANGE}
    with patch("devrag.web.pages.file_history.last_changes", return_value=found):
        part = squeeze(bob.get(f"{SOURCE}changes/current/", headers=PART))
        settings.SHOW_AUTHORS = False
        without = squeeze(bob.get(f"{SOURCE}changes/current/", headers=PART))
    assert "greet &lt;b&gt;twice&lt;/b&gt;" in part
    assert "hx-get" not in part
    assert "Ann Bo" in part
    assert "Ann Bo" not in without


@pytest.mark.parametrize("part", ["history", "blame"])
def test_git_is_asked_when_the_page_has_opened(
    bob: Client, part: str, settings: Settings
) -> None:
    url = f"{SOURCE}{part}/current/src/greeter.py"
    blamed = (BlamedLines(1, 4, CHANGE), BlamedLines(5, 6, CHANGE))
    where = "devrag.web.pages.file_history"
    with (
        patch(f"{where}.list_changes", return_value=(CHANGE,)) as changes,
        patch(f"{where}.blame_lines", return_value=blamed) as lines,
    ):
        page = squeeze(bob.get(url))
        assert not changes.called
        assert not lines.called
        assert f'hx-get="{url}"' in page
        loaded = squeeze(bob.get(url, headers=PART))
        settings.SHOW_AUTHORS = False
        without = squeeze(bob.get(url, headers=PART))
        whole = squeeze(bob.get(url, {"now": "1"}))
    commit = f"{SOURCE}commit/current/{'c' * 40}/src/greeter.py"
    for shown in (loaded, without, whole):
        assert "greet &lt;b&gt;twice&lt;/b&gt;" in shown
        assert f'href="{commit}"' in shown
    assert "Ann Bo" in loaded
    assert "Ann Bo" not in without


def test_a_history_that_cannot_be_read_says_why(bob: Client) -> None:
    for part in ("history/current", "blame/current", f"commit/current/{COMMIT}"):
        answer = bob.get(f"{SOURCE}{part}/src/greeter.py", headers=PART)
        assert answer.status_code == 200
        assert "is not on this server" in squeeze(answer)
    slow = HistoryUnavailable("git did not respond within 2 seconds.")
    with patch("devrag.web.pages.file_history.list_changes", side_effect=slow):
        url = f"{SOURCE}history/current/src/greeter.py"
        assert "did not respond within 2 seconds" in squeeze(bob.get(url, headers=PART))
    assert bob.get(f"{SOURCE}commit/current/HEAD/src/greeter.py").status_code == 404


def test_a_commit_shows_what_it_changed_in_the_file(
    bob: Client, harbour: Harbour, tmp_path: Path, settings: Settings
) -> None:
    repository = make_repository(tmp_path / "code")
    first = repository.commit({"src/greeter.py": "a = 1\n"}, "begin")
    second = repository.commit({"src/greeter.py": "a = 2\n"}, "count on")
    ref = harbour.ref
    assert ref.snapshot is not None
    ref.snapshot.version_identifier = second
    ref.snapshot.save()
    with patch(
        "devrag.sources.git_read.mirror_of", return_value=repository.path / ".git"
    ):
        url = f"{SOURCE}commit/current/{second}/src/greeter.py"
        page = squeeze(bob.get(url, headers=PART))
        history = squeeze(
            bob.get(f"{SOURCE}history/current/src/greeter.py", headers=PART)
        )
    assert "count on" in page
    assert page.count("patch-removed") >= 1
    assert '<span class="mi">2</span>' in page
    assert first[:8] in history
    assert second[:8] in history
