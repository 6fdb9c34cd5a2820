"""A product with a source whose files are stored, and their versions."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from devrag.core.principal import Principal
from devrag.labels.api import (
    assign_by_rules,
    ensure_vocabulary,
    files_to_label,
    follow_files,
    labels_of_file,
)
from devrag.labels.models import Label
from devrag.sources.models import File, GitRef, RefFile, Source
from tests.people import People, principal
from tests.stored import store_files

FILES = {
    "app/auth.py": "def check():\n    return True\n",
    "app/cart.py": "def add():\n    return 1\n",
    "tests/test_cart.py": "def test_add():\n    assert True\n",
}


@dataclass
class Shelf:
    """The teahouse's source as labels see it."""

    people: People
    ref: GitRef

    @property
    def source(self) -> Source:
        return self.people.source

    @property
    def alice(self) -> Principal:
        return principal(self.people.alice)

    @property
    def bob(self) -> Principal:
        return principal(self.people.bob)

    def file(self, path: str) -> File:
        return File.objects.get(path=path, manifests__until=None)

    def label(self, name: str) -> Label:
        labels = ensure_vocabulary(self.people.teahouse.pk)
        return next(each for each in labels if each.name == name)

    def names(self, path: str) -> list[str]:
        return [each.name for each in labels_of_file(self.file(path).pk)]

    def assign(self) -> int:
        """Label what is to be labelled; return how many files that were."""
        follow_files(self.source.pk)
        ids = list(files_to_label(self.source).values_list("pk", flat=True))
        assign_by_rules(self.source, ids)
        return len(ids)

    def commit(self, files: dict[str, str], *gone: str) -> None:
        """Let new versions take the places of old ones, and label them."""
        old = RefFile.objects.filter(
            ref=self.ref, until=None, file__path__in=[*files, *gone]
        )
        self.ref.sequence += 1
        self.ref.save()
        old.update(until=self.ref.sequence)
        store_files(self.ref, files)
        self.assign()


@pytest.fixture
def shelf(people: People) -> Shelf:
    ref = GitRef.objects.create(
        source=people.source, name="main", kind="branch", sequence=1, is_current=True
    )
    store_files(ref, FILES)
    made = Shelf(people, ref)
    made.assign()
    return made
