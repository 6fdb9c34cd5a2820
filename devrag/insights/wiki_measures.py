"""What a product's wiki covers, and how much of it still holds, measured aside."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from django.db import connection
from django.db.models import Count

from devrag.core.hashing import sha256_hex
from devrag.insights.days import today
from devrag.insights.models import WikiMeasure
from devrag.parsing.path_roles import is_test
from devrag.products.models import Product
from devrag.sources.models import File, Symbol
from devrag.wiki.api import (
    SourceVersion,
    current_versions,
    find_stale_pages,
    shown_wiki,
)
from devrag.wiki.models import Claim, Page, Version

TESTS = "test"
_DEFINITIONS = ("class", "enum", "function", "interface", "method", "type")


def measure_wikis() -> int:
    """Measure each wiki that changed, or whose sources did; return how many."""
    products = Product.objects.filter(wikis__current__isnull=False).distinct()
    return sum(measure_wiki(product) for product in products)


def measure_wiki(product: Product) -> bool:
    """Keep what the wiki that readers see covers now; False if nothing changed.

    Reads every current file's name: for tasks, not for requests.
    """
    wiki = shown_wiki(product)
    if wiki is None or wiki.current is None:
        return False
    versions = tuple(current_versions(product.pk))
    key = sha256_hex(f"{wiki.current_id} {versions!r}")
    last = WikiMeasure.objects.filter(product=product).order_by("-day").first()
    if last is not None and last.key == key:
        return False
    WikiMeasure.objects.update_or_create(
        product=product,
        day=today(),
        defaults={"key": key, **_measure(wiki.current, versions)},
    )
    return True


def _measure(version: Version, versions: Sequence[SourceVersion]) -> dict[str, object]:
    refs = [each.ref for each in versions]
    claims = Claim.objects.filter(page__version=version)
    roles = dict(_roles(refs))
    cited = _cited_files(version, refs)
    tests = [file for file, role in roles.items() if role == TESTS]
    return {
        "version": version.number,
        "pages": Page.objects.filter(version=version).written().count(),
        "citations": claims.count(),
        "stale": sum(find_stale_pages(version.pk, versions).values()),
        "files": _count_files(roles, cited),
        "definitions": _count_definitions(refs, set(tests)),
        "cited_definitions": _count_cited(version, refs, tests),
    }


def _roles(refs: Sequence[int]) -> Iterable[tuple[int, str]]:
    """Return each current file that somebody wrote, with what it is for."""
    files = File.objects.filter(
        manifests__ref__in=refs, manifests__until=None, is_generated=False
    )
    for pk, path, kind in files.values_list("pk", "path", "kind"):
        yield pk, TESTS if kind == File.Kind.CODE and is_test(path) else kind


def _count_files(
    roles: Mapping[int, str], cited: frozenset[int]
) -> dict[str, list[int]]:
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for file, role in roles.items():
        counts[role][0] += file in cited
        counts[role][1] += 1
    return dict(counts)


def _cited_files(version: Version, refs: Sequence[int]) -> frozenset[int]:
    with connection.cursor() as cursor:
        cursor.execute(_CITED_FILES, {"version": version.pk, "refs": list(refs)})
        return frozenset(file for (file,) in cursor.fetchall())


def _count_definitions(refs: Sequence[int], tests: set[int]) -> int:
    symbols = Symbol.objects.filter(
        file__manifests__ref__in=refs,
        file__manifests__until=None,
        file__is_generated=False,
        kind__in=_DEFINITIONS,
    ).order_by()
    counted = symbols.values_list("file").annotate(Count("pk"))
    return sum(count for file, count in counted if file not in tests)


def _count_cited(version: Version, refs: Sequence[int], tests: Sequence[int]) -> int:
    params: dict[str, Any] = {
        "version": version.pk,
        "refs": list(refs),
        "tests": list(tests),
        "kinds": list(_DEFINITIONS),
    }
    with connection.cursor() as cursor:
        cursor.execute(_CITED_DEFINITIONS, params)
        return int(cursor.fetchone()[0])


def wiki_measures(product: Product, since: date) -> Sequence[WikiMeasure]:
    """Return what was measured from a day on, and the last before it. Queries: 1."""
    rows = list(WikiMeasure.objects.filter(product=product).order_by("day"))
    before = [row for row in rows if row.day < since][-1:]
    return before + [row for row in rows if row.day >= since]


_CITED = """
WITH cited AS (
  SELECT f.id AS file, f.is_generated, c.start_line, c.end_line
  FROM wiki_claim c
  JOIN wiki_page p ON p.id = c.page_id
  JOIN sources s ON s.name = c.source_name
  JOIN sources_file f ON f.source_id = s.id AND f.path = c.path
  JOIN sources_reffile m ON m.file_id = f.id AND m.until IS NULL
  WHERE p.version_id = %(version)s AND m.ref_id = ANY(%(refs)s)
)
"""
_CITED_FILES = f"{_CITED} SELECT DISTINCT file FROM cited"
# Lines of a citation that a definition has: of the version that was cited, near enough.
_CITED_DEFINITIONS = f"""
{_CITED}
SELECT count(DISTINCT y.id)
FROM cited JOIN sources_symbol y ON y.file_id = cited.file
WHERE NOT cited.is_generated AND y.kind = ANY(%(kinds)s)
  AND NOT y.file_id = ANY(%(tests)s)
  AND y.start_line <= cited.end_line AND y.end_line >= cited.start_line
"""
