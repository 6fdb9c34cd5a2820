"""Measure wikis of real projects; prints one JSON object.

    python benchmarks/wiki.py [--model PORT] NAME=REPOSITORY[,REPOSITORY] ...

Uses the running instance (`manage.py server start`). Each NAME becomes a product of
clones of its repositories, is indexed and written about; then one file of the first
clone gets blank lines, then another docstring, and the wiki is written each time.
--model: counts what a model is asked for, by one at that port (`wiki_model.py`), after
five docstrings from low to high ranks.
Shares are of 1. Bars: diagrams, links, citations and files 1.0, identifiers .995, names
in cited lines .95, paragraphs cited .9, top symbols .9, surfaces .95, duplicate
paragraphs below .02, citations no wider than 40 lines; blank lines rewrite nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wiki_figures import Wiki

    from devrag.wiki.drafts.page import DraftedPage
    from devrag.wiki.models import Version

sys.path.insert(0, str(Path(__file__).parent.parent))

_TENTHS = (1, 3, 7, 9)  # of the ranks, beside the middle
_FATES = {"added", "rewritten", "reused", "removed"}
_MARKS = ("", '"""', "/// ", "// ", "//! ", "* ", "/** ", "# ")  # before a docstring
_GIT = ("git", "-c", "user.name=bench", "-c", "user.email=bench@localhost")
# Arguments with which the test suite runs this, so that it keeps working.
SMALLEST = "tea={repository}"


def main() -> None:
    """Measure each product, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("products", nargs="+", metavar="NAME=REPOSITORY")
    parser.add_argument("--model", type=int, metavar="PORT")
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "devrag.settings")
    import django

    django.setup()
    with (
        _model(options.model),
        tempfile.TemporaryDirectory(prefix="devrag-bench-wiki-") as scratch,
    ):
        figures = {}
        for each in options.products:
            name, _, places = each.partition("=")
            figures[name] = _measure(name, places.split(","), Path(scratch, name))
    print(json.dumps(figures, indent=2))


def _model(port: int | None) -> AbstractContextManager[None]:
    if port is None:
        return nullcontext()
    from wiki_model import answering

    return answering(port)


def _measure(name: str, places: Iterable[str], folder: Path) -> dict[str, Any]:
    clones = [_clone(place, folder) for place in places]
    for clone in clones:
        _index(name, clone)
    seconds = _write(name)
    wiki, version = _written(name)
    full = _tokens(version)
    figures = {
        "seconds": round(seconds, 2),
        "lines": sum(file.lines for file in wiki.analysis.survey.files),
        "tokens": full,
        **wiki.figures(),
    }
    spots = _documented(wiki, f"{name}-{clones[0].name}")
    path, docstring = spots[len(spots) // 2]
    for key, change in _CHANGES.items():
        change(clones[0], path, docstring)
        _index(name, clones[0])
        again = _write(name)
        wiki, version = _written(name)
        figures[key] = {
            "seconds": round(again, 2),
            **_rewritten(wiki, version),
            "tokens_again": round(_tokens(version) / (full or 1), 4),
        }
    if full:
        others = (spots[len(spots) * tenth // 10] for tenth in _TENTHS)
        figures["docstring_tokens"] = [
            round(_after_docstring(name, clones[0], *spot) / full, 4) for spot in others
        ]
    return figures


def _after_docstring(name: str, clone: Path, path: str, docstring: str) -> int:
    """Return the tokens that another docstring costs."""
    _commit_a_docstring(clone, path, docstring)
    _index(name, clone)
    _write(name)
    return _tokens(_written(name)[1])


def _written(name: str) -> tuple[Wiki, Version]:
    """Return what readers of a product see, with what it was made from."""
    from django.conf import settings
    from wiki_figures import Wiki

    from devrag.products.models import Product
    from devrag.wiki.analysis.analysis import Analysis
    from devrag.wiki.analysis.selectors import (
        DatabaseTexts,
        current_versions,
        survey_product,
    )
    from devrag.wiki.checking.mermaid import shared_parser
    from devrag.wiki.publishing.versions import current_version, published_page

    product = Product.objects.get(name=name)
    version = current_version(product)
    assert version is not None
    survey = survey_product(product, current_versions(product.pk))
    paths = version.pages.order_by("ordinal").values_list("path", flat=True)
    drafts = [published_page(product.pk, path) for path in paths]
    wiki = Wiki(
        Analysis(survey, DatabaseTexts()),
        [draft for draft in drafts if draft is not None],
        version.coverage,
        shared_parser(settings.MERMAID_PATH).error_in,
    )
    return wiki, version


def _rewritten(wiki: Wiki, version: Version) -> dict[str, Any]:
    """Count the pages by what became of them, and what a model would be given anew."""
    fates = {key: list(paths) for key, paths in version.report.items() if key in _FATES}
    again = {*fates.get("rewritten", []), *fates.get("added", [])}
    sizes = {page.path: _evidence_size(page) for page in wiki.pages}
    share = sum(sizes[path] for path in again) / (sum(sizes.values()) or 1)
    return {
        **{fate: len(paths) for fate, paths in fates.items()},
        "pages_again": {path: version.report["why"][path] for path in sorted(again)},
        "evidence_again": round(share, 4),
    }


def _tokens(version: Version) -> int:
    return version.input_tokens + version.output_tokens


def _evidence_size(page: DraftedPage) -> int:
    return sum(len(claim.excerpt) for claim in page.claims)


def _documented(wiki: Wiki, source: str) -> list[tuple[str, str]]:
    """Return files, by rank, each with a docstring that the wiki tells."""
    ranks = wiki.analysis.file_rank
    files = {f.id: f for f in wiki.analysis.with_role("code") if f.source == source}
    told = {
        (claim.path, line.strip())
        for page in wiki.pages
        for claim in page.claims
        for line in claim.excerpt.split("\n")
    }
    found = sorted(
        (ranks.get(s.file, 0.0), files[s.file].path, s.start_line, line)
        for s in wiki.analysis.survey.symbols
        if s.file in files
        and len((line := s.docstring.strip().split("\n")[0].strip()).split()) > 3
        and any((files[s.file].path, mark + line) in told for mark in _MARKS)
    )
    return [(path, line) for _, path, _, line in found]


def _clone(place: str, folder: Path) -> Path:
    target = folder / Path(place).name.removesuffix(".git")
    subprocess.run(
        ["git", "clone", "--quiet", "--no-hardlinks", place, str(target)], check=True
    )
    return target


def _index(product: str, clone: Path) -> None:
    from django.conf import settings

    from devrag.core.principal import SYSTEM
    from devrag.jobs.models import Job
    from devrag.use_cases.add_repository import add_repository
    from devrag.use_cases.job_feed import wait_for_job

    job = add_repository(
        principal=SYSTEM,
        location=str(clone),
        product_name=product,
        source_name=f"{product}-{clone.name}",
        is_wiki_wanted=False,
        is_local_user=True,
    )
    embedding = wait_for_job(job)["report"].get("embedJobID")
    if embedding and settings.LLM_PROVIDER != "structural":
        wait_for_job(Job.objects.get(pk=embedding))  # it finds a model's evidence


def _write(product: str) -> float:
    from devrag.core.principal import SYSTEM
    from devrag.products.models import Product
    from devrag.use_cases.job_feed import wait_for_job
    from devrag.use_cases.wiki import request_wiki

    began = time.perf_counter()
    found = Product.objects.get(name=product)
    wait_for_job(request_wiki(principal=SYSTEM, product=found))
    return time.perf_counter() - began


def _commit_blank_lines(clone: Path, path: str, _docstring: str) -> None:
    file = clone / path
    file.write_text(file.read_text("utf-8") + "\n\n\n", "utf-8")
    _commit(clone)


def _commit_a_docstring(clone: Path, path: str, docstring: str) -> None:
    file = clone / path
    text = file.read_text("utf-8").replace(docstring, f"Gladly: {docstring}", 1)
    file.write_text(text, "utf-8")
    _commit(clone)


def _commit(clone: Path) -> None:
    for command in (("add", "-A"), ("commit", "-qm", "Change one file")):
        subprocess.run([*_GIT, *command], cwd=clone, check=True)


_CHANGES = {
    "blank_lines_commit": _commit_blank_lines,
    "docstring_commit": _commit_a_docstring,
}

if __name__ == "__main__":
    main()
