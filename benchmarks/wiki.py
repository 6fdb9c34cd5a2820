"""Measure wikis of real projects; prints one JSON object.

    python benchmarks/wiki.py NAME=REPOSITORY[,REPOSITORY] ...

Uses the running instance (`manage.py server start`). Each NAME becomes a product of
clones of its repositories, is indexed and written about; then one file of the first
clone gets blank lines, then another docstring, and the wiki is written each time.
Shares are of 1. Bars: diagrams, links, citations and files 1.0, identifiers .995, names
in cited lines .95, paragraphs cited .9, top symbols .9, surfaces .95, duplicate
paragraphs below .02, citations no wider than 40 lines.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

_CITATION = re.compile(r"\]\(cite:\d+\)")
_CODE = re.compile(r"(?<!\\)(`+)(.+?)(?<!`)\1(?!`)")
_TOP_SYMBOLS = 100
_SURFACES = ("entry_point", "route", "command", "task", "model", "setting")
_FATES = {"added", "rewritten", "unchanged", "reused", "removed"}
_GIT = ("git", "-c", "user.name=bench", "-c", "user.email=bench@localhost")


def main() -> None:
    """Measure each product, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("products", nargs="+", metavar="NAME=REPOSITORY")
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "devrag.settings")
    import django

    django.setup()
    with tempfile.TemporaryDirectory(prefix="devrag-bench-wiki-") as scratch:
        figures = {}
        for each in options.products:
            name, _, places = each.partition("=")
            figures[name] = _measure(name, places.split(","), Path(scratch, name))
    print(json.dumps(figures, indent=2))


def _measure(name: str, places: Iterable[str], folder: Path) -> dict[str, Any]:
    clones = [_clone(place, folder) for place in places]
    for clone in clones:
        _index(name, clone)
    seconds = _write(name)
    wiki = _Written(name)
    first = {
        "seconds": round(seconds, 2),
        "lines": sum(file.lines for file in wiki.analysis.survey.files),
        "pages": len(wiki.pages),
        "claims": len(wiki.claims),
        **wiki.figures(),
    }
    path, docstring = wiki.documented(f"{name}-{clones[0].name}")
    for key, change in _CHANGES.items():
        change(clones[0], path, docstring)
        _index(name, clones[0])
        again = _write(name)
        first[key] = {"seconds": round(again, 2), **_changes(_Written(name))}
    return first


def _changes(wiki: _Written) -> dict[str, int]:
    """Count the pages by what became of them."""
    return {
        key: len(value)
        for key, value in wiki.version.report.items()
        if key in _FATES and isinstance(value, list)
    }


def _clone(place: str, folder: Path) -> Path:
    target = folder / Path(place).name.removesuffix(".git")
    subprocess.run(
        ["git", "clone", "--quiet", "--no-hardlinks", place, str(target)], check=True
    )
    return target


def _index(product: str, clone: Path) -> None:
    from devrag.core.principal import SYSTEM
    from devrag.flows.add_repository import add_repository
    from devrag.flows.follow import Follower

    job = add_repository(
        principal=SYSTEM,
        location=str(clone),
        product_name=product,
        source_name=f"{product}-{clone.name}",
        is_wiki_wanted=False,
        is_local_user=True,
    )
    Follower().wait(job)


def _write(product: str) -> float:
    from devrag.core.principal import SYSTEM
    from devrag.flows.follow import Follower
    from devrag.flows.wiki import request_wiki
    from devrag.products.models import Product

    began = time.perf_counter()
    found = Product.objects.get(name=product)
    Follower().wait(request_wiki(principal=SYSTEM, product=found))
    return time.perf_counter() - began


def _commit_blank_lines(clone: Path, path: str, _docstring: str) -> None:
    file = clone / path
    file.write_text(file.read_text("utf-8") + "\n\n\n", "utf-8")
    _commit(clone)


def _commit_a_docstring(clone: Path, path: str, docstring: str) -> None:
    file = clone / path
    first = docstring.strip().split("\n")[0].strip()
    text = file.read_text("utf-8").replace(first, f"Gladly: {first}", 1)
    file.write_text(text, "utf-8")
    _commit(clone)


def _commit(clone: Path) -> None:
    for command in (("add", "-A"), ("commit", "-qm", "Change one file")):
        subprocess.run([*_GIT, *command], cwd=clone, check=True)


@dataclass(frozen=True, slots=True)
class _Share:
    """How many of how many; 1.0 of nothing."""

    found: int
    of: int

    def __float__(self) -> float:
        return round(self.found / self.of, 4) if self.of else 1.0


class _Written:
    """The published version of a product, with the survey that it was made from."""

    def __init__(self, product: str) -> None:
        from devrag.products.models import Product
        from devrag.wiki.analysis import Analysis
        from devrag.wiki.blocks import split_blocks
        from devrag.wiki.selectors import (
            DatabaseTexts,
            current_versions,
            survey_product,
        )
        from devrag.wiki.versions import current_version

        row = Product.objects.get(name=product)
        version = current_version(row)
        assert version is not None
        self.version = version
        self.texts = DatabaseTexts()
        survey = survey_product(row, current_versions(row.pk))
        self.analysis = Analysis(survey, self.texts)
        self.pages = {page.path: page.markdown for page in version.pages.all()}
        self.blocks = {path: split_blocks(text) for path, text in self.pages.items()}
        self.claims = [
            claim for page in version.pages.all() for claim in page.claims.all()
        ]

    def documented(self, source: str) -> tuple[str, str]:
        """Return a file in the middle of the ranks and the docstring of a symbol."""
        ranks = self.analysis.file_rank
        files = {f.id: f for f in self.analysis.with_role("code") if f.source == source}
        found = [
            (ranks.get(s.file, 0.0), files[s.file].path, s.docstring)
            for s in self.analysis.survey.symbols
            if s.file in files and len(s.docstring.split()) > 3
        ]
        _, path, docstring = sorted(found)[len(found) // 2]
        return path, docstring

    def figures(self) -> dict[str, Any]:
        prose = [
            b.text for blocks in self.blocks.values() for b in blocks if b.is_prose
        ]
        widths = [claim.end_line - claim.start_line + 1 for claim in self.claims]
        coverage = self.version.coverage
        left = sum(group["count"] for group in coverage["leftOut"])
        return {
            "diagrams": float(self._diagrams()),
            "links": float(self._links()),
            "citations": float(self._citations()),
            "identifiers": float(self._identifiers(prose)),
            "names_in_cited_lines": float(self._names_in_cited_lines()),
            "citation_lines_median": median(widths) if widths else 0,
            "paragraphs_cited": float(
                _Share(sum(bool(_CITATION.search(p)) for p in prose), len(prose))
            ),
            "duplicate_paragraphs": float(_duplicates(prose)),
            "top_symbols": float(self._top_symbols()),
            "surfaces": {k: float(v) for k, v in self._surfaces().items()},
            "files": float(_Share(coverage["covered"] + left, coverage["files"])),
            "files_on_pages": float(_Share(coverage["covered"], coverage["files"])),
        }

    def _diagrams(self) -> _Share:
        from django.conf import settings

        from devrag.wiki.mermaid import shared_parser

        parser = shared_parser(settings.MERMAID_PATH)
        diagrams = [
            block.text
            for blocks in self.blocks.values()
            for block in blocks
            if block.kind == "fence" and block.lead == "mermaid"
        ]
        good = sum(parser.error_in(diagram) is None for diagram in diagrams)
        return _Share(good, len(diagrams))

    def _links(self) -> _Share:
        from devrag.wiki.blocks import anchors_of, links_in
        from devrag.wiki.check import linked_page

        anchors = {path: anchors_of(blocks) for path, blocks in self.blocks.items()}
        good = links = 0
        for path, blocks in self.blocks.items():
            for block in blocks:
                for _, target in [] if block.kind == "fence" else links_in(block.text):
                    if target.startswith("cite:"):
                        continue
                    page, _, fragment = target.partition("#")
                    there = anchors.get(linked_page(path, page) if page else path)
                    links += 1
                    good += there is not None and (not fragment or fragment in there)
        return _Share(good, links)

    def _citations(self) -> _Share:
        """A citation holds when its lines of that very version are its excerpt."""
        from devrag.wiki.evidence import excerpt_of

        files = {(f.source, f.path): f for f in self.analysis.survey.files}
        good = 0
        for claim in self.claims:
            file = files.get((claim.source_name, claim.path))
            if file is None or file.content_hash != claim.content_hash:
                continue
            lines = self.texts.text(file.id).split("\n")
            good += excerpt_of(lines, claim.start_line, claim.end_line) == claim.excerpt
        return _Share(good, len(self.claims))

    def _identifiers(self, prose: Iterable[str]) -> _Share:
        names = [name for text in prose for name in _names_in(text)]
        known = sum(self.analysis.names.knows(name) for name in names)
        return _Share(known, len(names))

    def _names_in_cited_lines(self) -> _Share:
        found = total = 0
        for claim in self.claims:
            there = f"{claim.path}\n{claim.excerpt}"
            for name in _names_in(claim.sentence):
                last = re.split(r"[./:]", name.removesuffix("()").rstrip("/"))[-1]
                total += 1
                found += last in there
        return _Share(found, total)

    def _top_symbols(self) -> _Share:
        own = {f.id for f in self.analysis.with_role("code")}
        ranks = self.analysis.symbol_rank
        symbols = [
            s
            for s in self.analysis.survey.symbols
            if s.file in own and s.kind not in {"module", "variable", "constant"}
        ]
        top = sorted(symbols, key=lambda s: (-ranks.get(s.id, 0.0), s.id))
        text = "\n".join(self.pages.values())
        names = [symbol.name for symbol in top[:_TOP_SYMBOLS]]
        return _Share(sum(name in text for name in names), len(names))

    def _surfaces(self) -> Mapping[str, _Share]:
        text = "\n".join(self.pages.values()).replace("\\", "")
        found = {}
        for kind in _SURFACES:
            facts = self.analysis.doors if kind in _DOORS else self.analysis.facts(kind)
            names = {fact.name for fact in facts if fact.kind == kind and fact.name}
            if names:
                found[kind] = _Share(sum(name in text for name in names), len(names))
        for role in ("ci", "test"):
            if files := self.analysis.with_role(role):
                covered = {f for page in self.version.pages.all() for f in page.files}
                paths = [f"{file.source}/{file.path}" for file in files]
                found[role] = _Share(sum(path in covered for path in paths), len(paths))
        return found


_CHANGES = {
    "blank_lines_commit": _commit_blank_lines,
    "docstring_commit": _commit_a_docstring,
}
_DOORS = {"entry_point", "command", "route", "task"}


def _names_in(text: str) -> list[str]:
    from devrag.wiki.names import is_name_like

    spans = [match.group(2).strip() for match in _CODE.finditer(text)]
    return [span for span in spans if is_name_like(span)]


def _duplicates(prose: Iterable[str]) -> _Share:
    """Count prose of some length that stands twice, citations aside."""
    bare = [re.sub(r"\[\d+\]\(cite:\d+\)", "", text).strip() for text in prose]
    counts = Counter(text for text in bare if len(text.split()) > 7)
    return _Share(sum(n - 1 for n in counts.values()), sum(counts.values()))


if __name__ == "__main__":
    main()
