"""Read what rules know of file versions, in a few statements for many files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from django.db.models import Case, TextField, Value, When
from django.db.models.fields.json import KT
from django.db.models.functions import Concat

from devrag.labels.rules import FileView
from devrag.sources.models import Fact, File, Reference

# A model is about storage only in some frameworks.
_SAID = Case(
    When(kind="model", then=Concat(Value("model:"), KT("data__framework"))),
    default="kind",
    output_field=TextField(),
)


def read_views(file_ids: Sequence[int]) -> dict[int, FileView]:
    """Return what rules know of these files. Queries: 3."""
    files = File.objects.filter(pk__in=file_ids)
    imports = _grouped(
        Reference.objects.filter(file__in=file_ids, kind="import").values_list(
            "file_id", "name"
        )
    )
    facts = _grouped(
        Fact.objects.filter(file__in=file_ids)
        .annotate(said=_SAID)
        .values_list("file_id", "said")
        .distinct()
    )
    return {
        pk: FileView(
            path=path,
            language=language,
            kind=kind,
            imports=frozenset(imports[pk]),
            facts=frozenset(facts[pk]),
        )
        for pk, path, language, kind in files.values_list(
            "pk", "path", "language", "kind"
        )
    }


def _grouped(pairs: Iterable[tuple[int, str]]) -> dict[int, set[str]]:
    found: dict[int, set[str]] = defaultdict(set)
    for file_id, value in pairs:
        found[file_id].add(value)
    return found
