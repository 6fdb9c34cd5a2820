"""What a wiki cites and how much of it still holds, measured when something changed."""

from __future__ import annotations

import pytest

from devrag.insights.days import today
from devrag.insights.models import WikiMeasure
from devrag.insights.wiki_measures import measure_wiki, measure_wikis, wiki_measures
from devrag.products.models import SourceLimit
from devrag.sources.models import File, GitRef, RefFile, Snapshot
from devrag.wiki.models import Claim, Page, Version, Wiki
from tests.people import People
from tests.stored import store_files

pytestmark = pytest.mark.django_db
CODE = "def pour():\n    return 1\n\n\ndef brew():\n    return 2\n"


@pytest.fixture
def ref(people: People) -> GitRef:
    snapshot = Snapshot.objects.create(
        source=people.source, version_identifier="a" * 40, is_indexed=True
    )
    made = GitRef.objects.create(
        source=people.source,
        name="main",
        kind="branch",
        snapshot=snapshot,
        is_current=True,
    )
    files = {"tea.py": CODE, "milk.py": "MILK = 1\n", "README.md": "# Tea\n"}
    store_files(made, {**files, "tests/test_tea.py": "def test_pour():\n    pass\n"})
    return made


@pytest.fixture
def claim(people: People, ref: GitRef) -> Claim:
    wiki = Wiki.objects.create(product=people.teahouse)
    version = Version.objects.create(wiki=wiki, number=1, writer="structural")
    wiki.current = version
    wiki.save()
    page = Page.objects.create(
        version=version,
        path="index.md",
        ordinal=0,
        kind="index",
        title="T",
        markdown="",
    )
    return Claim.objects.create(
        page=page,
        ordinal=1,
        sentence="It pours.",
        source_name=people.source.name,
        path="tea.py",
        start_line=1,
        end_line=2,
        version_identifier="a" * 40,
        content_hash=File.objects.get(path="tea.py").content_hash,
        excerpt="def pour():\n    return 1",
    )


def change_file(ref: GitRef, text: str) -> None:
    ref.sequence += 1
    ref.save()
    RefFile.objects.filter(file__path="tea.py").update(until=ref.sequence)
    store_files(ref, {"tea.py": text})


def test_cited_files_and_definitions_count(people: People, claim: Claim) -> None:
    assert measure_wiki(people.teahouse)
    found = WikiMeasure.objects.get()
    assert found.files == {"code": [1, 2], "doc": [0, 1], "test": [0, 1]}
    assert (found.cited_definitions, found.definitions) == (1, 2)
    assert (found.citations, found.stale, found.pages) == (1, 0, 1)


def test_it_is_measured_again_when_a_source_changed(
    people: People, ref: GitRef, claim: Claim
) -> None:
    assert measure_wikis() == 1
    assert measure_wikis() == 0
    change_file(ref, "def serve():\n    return 3\n")
    assert measure_wikis() == 1
    assert WikiMeasure.objects.get().stale == 1


def test_limited_sources_are_no_part_of_it(people: People, claim: Claim) -> None:
    SourceLimit.objects.create(product=people.teahouse, source_id=people.source.pk)
    measure_wiki(people.teahouse)
    assert WikiMeasure.objects.get().files == {}


def test_the_last_measure_before_a_period_is_part_of_it(
    people: People, claim: Claim
) -> None:
    measure_wiki(people.teahouse)
    WikiMeasure.objects.update(day=today().replace(year=today().year - 1))
    assert len(wiki_measures(people.teahouse, today())) == 1


def test_a_product_without_a_wiki_has_no_measure(people: People) -> None:
    assert not measure_wiki(people.teahouse)
