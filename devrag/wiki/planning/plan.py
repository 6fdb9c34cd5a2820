"""Which pages the wiki has: a deterministic tree that covers every file.

Slugs come from paths, or from the previous version. A file that no page covers is in
`left_out` with the reason.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from devrag.core.hashing import sha256_hex
from devrag.core.text import slugify_ascii
from devrag.wiki.analysis.analysis import CODE_ROLES, Analysis
from devrag.wiki.analysis.glossary import terms_of
from devrag.wiki.analysis.operations import operations_of
from devrag.wiki.analysis.survey import SurveyFact, SurveyFile
from devrag.wiki.wording import WORDINGS, Wording, phrase

_TERMS = 3
INDEX = "index.md"
ARCHITECTURE = "architecture.md"
OPERATIONS = "operations-and-security.md"
_FORMALITIES = {"license", "licence", "copying", "notice", "changelog", "changes"}
_FORMALITIES |= {"pull_request_template", "issue_template", "bug-report", "authors"}
_REASONS = {
    "doc": phrase("licence, change log or form"),
    "excluded": phrase("left out by the steering file of its source"),
    "steering": phrase("shapes this wiki"),
    "vendored": phrase("vendored or generated, not written here"),
    "lock": phrase("lock file, written by a tool"),
    "data": phrase("data or text without structure to describe"),
    "config": phrase("configuration without comments or settings to describe"),
    "markup": phrase("nothing in it explains itself"),
    "code": phrase("neither definitions nor documentation"),
    "migration": phrase("database migration"),
    "example": phrase("example or fixture"),
}


@dataclass(frozen=True, slots=True)
class PlannedPage:
    """A page to be written. part: index into the analysis' parts, for features."""

    path: str
    kind: str
    title: str
    files: tuple[int, ...]
    parent: str
    ordinal: int
    part: int | None = None


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Files that no page covers, and why."""

    reason: str
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """The pages in reading order, and what they leave out."""

    pages: tuple[PlannedPage, ...]
    left_out: tuple[LeftOut, ...]
    warnings: tuple[str, ...] = ()
    steering: str = ""
    language: str = "en"

    def page(self, path: str) -> PlannedPage | None:
        return next((page for page in self.pages if page.path == path), None)

    def page_of_part(self, part: int) -> PlannedPage | None:
        return next((page for page in self.pages if page.part == part), None)


def make_plan(analysis: Analysis, language: str = "en") -> Plan:
    """Plan the pages of a product; only their titles depend on the language."""
    wording = WORDINGS[language]
    pages: list[PlannedPage] = []

    def add(
        path: str,
        kind: str,
        title: str,
        files: Iterable[SurveyFile],
        part: int | None = None,
        parent: str = INDEX,
    ) -> None:
        ids = tuple(dict.fromkeys(file.id for file in files))
        pages.append(PlannedPage(path, kind, title, ids, parent, len(pages), part))

    add(INDEX, "index", analysis.title, root_documents(analysis), parent="")
    add(
        ARCHITECTURE,
        "architecture",
        wording.say("Architecture"),
        package_markers(analysis),
    )
    slugs = _slugs(analysis)
    for index, part in enumerate(analysis.parts):
        parent = _parent(analysis, index, slugs)
        add(
            slugs[index],
            "feature",
            wording.part_name(part.name),
            part.files,
            index,
            parent,
        )
    for path, kind, title, files in _topics(analysis, wording):
        if files:
            add(path, kind, title, files)
    return Plan(
        pages=tuple(pages),
        left_out=_left_out(analysis, pages, wording),
        warnings=analysis.warnings,
        steering=analysis.steering_digest,
        language=language,
    )


def root_documents(analysis: Analysis) -> list[SurveyFile]:
    """Return the README files at the top of each source."""
    readmes = [
        f
        for f in analysis.survey.files
        if not f.directory
        and f.stem.lower() == "readme"
        and analysis.roles[f.id] != "excluded"
    ]
    preferred = {f.source: f for f in sorted(readmes, key=lambda f: -len(f.name))}
    return sorted(preferred.values(), key=lambda f: f.source)


def package_markers(analysis: Analysis) -> list[SurveyFile]:
    """Return files that only mark a package: their directory is all they say."""
    return [
        f
        for f in analysis.with_role(*CODE_ROLES)
        if f.name == "__init__.py" and f.lines <= 1
    ]


def _slugs(analysis: Analysis) -> list[str]:
    """Return each part's page: the one it had before, else by its name."""
    had = analysis.before.slugs
    taken = {had[part.name] for part in analysis.parts if part.name in had}
    return [had.get(p.name) or _free(_slug(p.name), taken) for p in analysis.parts]


def _slug(name: str) -> str:
    """Return an ASCII slug; a name without ASCII gets one that stays its own."""
    return slugify_ascii(name, "") or f"part-{sha256_hex(name)[:6]}"


def _parent(analysis: Analysis, index: int, slugs: list[str]) -> str:
    """Return the page of the part that holds this one, else the front page."""
    name, source = analysis.parts[index].name, analysis.parts[index].source
    if analysis.parts[index].is_titled:
        wanted = (source, analysis.parents.get((source, name), ""))
        titled = {(p.source, p.name): n for n, p in enumerate(analysis.parts)}
        return slugs[titled[wanted]] if wanted in titled else INDEX
    while "/" in name:
        name = name.rpartition("/")[0]
        for other, part in enumerate(analysis.parts):
            if (part.name, part.source) == (name, source):
                return slugs[other]
    return INDEX


def _free(slug: str, taken: set[str]) -> str:
    path, count = f"features/{slug}.md", 1
    while path in taken:
        count += 1
        path = f"features/{slug}-{count}.md"
    taken.add(path)
    return path


def _topics(
    analysis: Analysis, wording: Wording
) -> Iterable[tuple[str, str, str, list[SurveyFile]]]:
    def holding(facts: Iterable[SurveyFact]) -> list[SurveyFile]:
        return [analysis.files[fact.file] for fact in facts]

    say = wording.say
    build = analysis.with_role("build", "ci")
    settings = holding(analysis.facts("setting"))
    config = [
        f for f in analysis.with_role("config") if settings or analysis.purpose(f)
    ]
    yield (
        "interfaces.md",
        "interfaces",
        say("Interfaces"),
        holding(analysis.entry_points),
    )
    yield (
        "data-model.md",
        "data-model",
        say("Data model"),
        holding(analysis.facts("model")),
    )
    yield "configuration.md", "configuration", say("Configuration"), settings + config
    yield "build-and-run.md", "build", say("Build and run"), build
    yield "testing.md", "testing", say("Testing"), analysis.with_role("test")
    operations = operations_of(analysis).files(analysis)
    yield OPERATIONS, "operations", say("Operations and security"), operations
    yield "documentation.md", "documentation", say("Documentation"), documents(analysis)
    yield "glossary.md", "glossary", say("Glossary"), _explaining(analysis)


def _explaining(analysis: Analysis) -> list[SurveyFile]:
    """Return the files that explain the product's words; few words make no page."""
    files = [term.file for term in terms_of(analysis) if term.file is not None]
    is_asked = any(said.glossary for said in analysis.steering.values())
    enough = is_asked or len(files) >= _TERMS
    return [analysis.files[file] for file in files] if enough else []


def documents(analysis: Analysis) -> list[SurveyFile]:
    """Return the documents beyond the README that have a title or text."""
    front = {file.id for file in root_documents(analysis)}
    docs = analysis.with_role("doc")
    return [
        f
        for f in docs
        if f.id not in front and f.lines > 2 and f.stem.lower() not in _FORMALITIES
    ]


def _left_out(
    analysis: Analysis, pages: Iterable[PlannedPage], wording: Wording
) -> tuple[LeftOut, ...]:
    covered = {file for page in pages for file in page.files}
    reasons: dict[str, list[str]] = {}
    for file in sorted(analysis.survey.files, key=lambda f: (f.source, f.path)):
        if file.id not in covered:
            role = analysis.roles[file.id]
            reason = wording.say(_REASONS.get(role, phrase("too short to describe")))
            reasons.setdefault(reason, []).append(f"{file.source}/{file.path}")
    return tuple(LeftOut(reason, tuple(paths)) for reason, paths in reasons.items())
