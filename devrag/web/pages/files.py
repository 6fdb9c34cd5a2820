"""A file with highlighted lines and an outline, or a folder with what is in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from urllib.parse import urlencode
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext

from devrag.core.errors import NotFound
from devrag.core.languages import spell_language
from devrag.core.page_urls import file_url, raw_url, source_url, symbol_url
from devrag.core.principal import ANONYMOUS, Principal
from devrag.jobs.models import Job
from devrag.labels.api import labels_of_file
from devrag.labels.types import LabelView
from devrag.parsing.language import detect_language
from devrag.parsing.text import is_extracted
from devrag.products.models import Product
from devrag.products.services import may_maintain
from devrag.sources.api import DocumentFacts, document_of
from devrag.sources.models import File, GitRef, Source
from devrag.sources.selectors import CURRENT_VERSION
from devrag.use_cases.api import find_file, find_ref, stays_same
from devrag.web.pages.article import Article, get_article, get_preview
from devrag.web.pages.code import CodeBlock, get_blocks
from devrag.web.pages.folder import EntryChange, FolderRow, list_entries
from devrag.web.pages.jobs import open_poll_seconds
from devrag.web.pages.labels import LabelChoice, list_choices
from devrag.web.pages.outline import FIRST_ITEMS, MOST_ITEMS, FileOutline, get_outline
from devrag.web.pages.paths import resolve_repository_link
from devrag.web.pages.readme import FolderReadme, find_readme_name, get_readme

# Entries of a folder that are shown at once.
ENTRIES = 500


@dataclass(frozen=True, slots=True)
class Crumb:
    name: str
    url: str


@dataclass(frozen=True, slots=True)
class SourcePosition:
    """Where in a source the reader is: version, way back, and the same elsewhere.

    is_latest: it shows what the current version holds, under whatever name.
    """

    product: Product
    source: Source
    path: str
    version: str
    commit: str
    crumbs: tuple[Crumb, ...]
    permalink: str
    current_url: str
    is_latest: bool

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2] or self.source.name

    @property
    def is_current(self) -> bool:
        return self.version == CURRENT_VERSION

    @property
    def folder(self) -> str:
        """The path of the folder that a file is in."""
        return self.path.rpartition("/")[0]

    @property
    def is_git(self) -> bool:
        """Whether it has a history that git knows."""
        return self.source.source_type == Source.Type.GIT

    @property
    def view_url(self) -> str:
        """The address of this page without what is asked of it."""
        return self.current_url if self.is_current else self.permalink

    @property
    def is_markdown(self) -> bool:
        """Whether its page shows a preview, and the lines only when asked."""
        return detect_language(self.name).name == "markdown"

    @property
    def lines_url(self) -> str:
        """The address of its lines."""
        return f"{self.view_url}?view=lines" if self.is_markdown else self.view_url


@dataclass(frozen=True, slots=True)
class FilePage:
    """blocks: all lines, most of them to be sent later. label_choices: for those who
    may correct its labels. document: what is known of a page or ticket. article: the
    text of one, or of a Markdown file; is_article: that is shown, not the lines.
    """

    place: SourcePosition
    file: File
    blocks: tuple[CodeBlock, ...]
    outline: FileOutline
    raw_url: str
    labels: tuple[LabelView, ...] = ()
    label_choices: tuple[LabelChoice, ...] = ()
    document: DocumentFacts | None = None
    article: Article | None = None
    is_article: bool = False

    @property
    def ask_query(self) -> str:
        """The scope of questions about the file, of an address."""
        place = self.place
        return "?" + urlencode({"source": place.source.name, "path": place.path})

    @property
    def extracted_from(self) -> str:
        """The format that the text was extracted from, '' for a file that is a text."""
        encoding = self.file.encoding
        return spell_language(encoding) if is_extracted(encoding) else ""

    @property
    def line_count(self) -> int:
        return self.blocks[-1].last


@dataclass(frozen=True, slots=True)
class PageRange:
    """Which part of a page that has many: the block with a line, entries from one on.

    is_outline_whole: all definitions that an outline may list, not only the first.
    is_lines: the lines of a page, ticket or Markdown file, not its text for reading.
    has_readme: of a folder, its README, too.
    """

    line: int = 1
    entry: int = 0
    is_outline_whole: bool = False
    is_lines: bool = False
    has_readme: bool = False


@dataclass(frozen=True, slots=True)
class FolderPage:
    """entries: at most ENTRIES of the total; next_from, previous_from: those beside.

    poll_seconds: until an empty one may be indexed, 0 where nothing is at work on it.
    readme: of the folder, on its first page. has_changes: the entries have theirs.
    """

    place: SourcePosition
    entries: tuple[FolderRow, ...] = ()
    first: int = 0
    total: int = 0
    poll_seconds: int = 0
    readme: FolderReadme | None = None
    has_changes: bool = False

    @property
    def changes_url(self) -> str:
        """Where the entries come with their last changes from, '' without git."""
        place = self.place
        if self.has_changes or not place.is_git:
            return ""
        names = [place.product.name, place.source.name, place.version]
        url = reverse("web:folder_changes", args=[*names, *filter(None, [place.path])])
        return f"{url}?entry={self.first}" if self.first else url

    def with_changes(self, changes: Mapping[str, EntryChange]) -> FolderPage:
        """Return the page with the last change of each entry, by its name."""
        entries = tuple(
            replace(each, change=changes.get(each.name)) for each in self.entries
        )
        return replace(self, entries=entries, has_changes=True)

    @property
    def last(self) -> int:
        return self.first + len(self.entries)

    @property
    def next_from(self) -> int | None:
        return self.last if self.last < self.total else None

    @property
    def previous_from(self) -> int | None:
        return max(0, self.first - ENTRIES) if self.first else None


def get_source(product: Product, name: str, principal: Principal) -> Source:
    """Return a source of a product that the principal may read, if they may see it."""
    rows = Source.objects.within_limits(principal).filter(product=product, name=name)
    source = rows.first()
    if source is None:
        raise NotFound(
            gettext(
                "%(product)s has no source “%(name)s”. Its sources are listed on "
                "the product page."
            )
            % {"product": product, "name": name}
        )
    return source


def get_file_or_folder(
    product: Product,
    source: Source,
    version: str,
    path: str,
    wanted: PageRange = PageRange(),
    principal: Principal = ANONYMOUS,
) -> FilePage | FolderPage:
    """Return what stands at a path. Queries: 5 for a file, 5 for a folder.

    principal: who may be offered to correct labels: 3 queries more for maintainers.
    """
    ref = find_ref(source, version)
    place = locate(product, source, ref, version, path)
    folder = None
    if ref is not None and not _is_file(ref, path):
        folder = _list_folder(ref, place, wanted.entry)
        if folder is not None and wanted.has_readme:
            folder = _with_readme(folder, ref)
    if folder is None and not path and (ref is not None or version == CURRENT_VERSION):
        folder = (
            _await_files(place) if version == CURRENT_VERSION else FolderPage(place)
        )
    return folder or _with_choices(_get_file(place, ref, wanted), principal)


def _with_choices(page: FilePage, principal: Principal) -> FilePage:
    place = page.place
    if not place.is_current or not may_maintain(principal, place.product):
        return page
    choices = list_choices(place.product, place.source, place.path, page.labels)
    return replace(page, label_choices=choices)


def _await_files(place: SourcePosition) -> FolderPage:
    """Return the page of a source without files, which its index may bring."""
    jobs = Job.objects.filter(
        product=place.product, source_name=place.source.name, kind="index"
    )
    return FolderPage(place, poll_seconds=open_poll_seconds(jobs))


def get_text(source: Source, version: str, path: str) -> tuple[File, bool]:
    """Return a file for its raw text, and whether it stays the same. Queries: 2, 3."""
    ref = find_ref(source, version)
    return find_file(source, ref, version, path), stays_same(ref, version)


def _is_file(ref: GitRef, path: str) -> bool:
    if not path:
        return False
    return ref.manifest.filter(until=None, file__path=path).exists()


def locate(
    product: Product, source: Source, ref: GitRef | None, version: str, path: str
) -> SourcePosition:
    """Return the place of a path at a version; ref: the one that holds it, if any."""
    snapshot = ref.snapshot if ref else None
    commit = snapshot.version_identifier if snapshot else version
    parts = path.split("/") if path else []
    crumbs = [Crumb(gettext("files"), file_url(product.name, source.name, version, ""))]
    if source.name not in {product.name, str(product)}:
        own = Crumb(source.name, source_url(product.name, source.name))
        crumbs.insert(0, own)
    for depth, part in enumerate(parts, start=1):
        url = file_url(product.name, source.name, version, "/".join(parts[:depth]))
        crumbs.append(Crumb(part, url))
    return SourcePosition(
        product=product,
        source=source,
        path=path,
        version=version,
        commit=commit,
        crumbs=tuple(crumbs),
        permalink=file_url(product.name, source.name, commit, path),
        current_url=file_url(product.name, source.name, CURRENT_VERSION, path),
        is_latest=version == CURRENT_VERSION or (ref is not None and ref.is_current),
    )


def _get_file(place: SourcePosition, ref: GitRef | None, wanted: PageRange) -> FilePage:
    file = find_file(place.source, ref, place.version, place.path)
    to_url = _symbol_urls(place) if ref else None
    most = MOST_ITEMS if wanted.is_outline_whole else FIRST_ITEMS
    document = document_of(file) if place.source.has_documents else None
    article = get_article_at(place, file, is_document=document is not None)
    return FilePage(
        place=place,
        file=file,
        blocks=get_blocks(file, wanted.line, to_url),
        outline=get_outline(file, to_url, most),
        raw_url=raw_url(
            place.product.name, place.source.name, place.version, place.path
        ),
        labels=labels_of_file(file.pk),
        document=document,
        article=article,
        is_article=article is not None and not wanted.is_lines,
    )


def get_article_at(
    place: SourcePosition, file: File, *, is_document: bool
) -> Article | None:
    """Return a text for reading whose links lead to files beside it."""
    names = (place.product.name, place.source.name, place.version)
    read = get_article if is_document else get_preview
    return read(file, resolve_repository_link(*names, place.path))


def _symbol_urls(place: SourcePosition) -> Callable[[UUID], str]:
    return partial(symbol_url, place.product.name, place.source.name, place.version)


def _list_folder(ref: GitRef, place: SourcePosition, start: int) -> FolderPage | None:
    to_url = partial(file_url, place.product.name, place.source.name, place.version)
    found = list_entries(
        ref.pk,
        place.path,
        to_url,
        most=ENTRIES,
        start=start,
        has_documents=place.source.has_documents,
    )
    if start and not found.shown:
        return _list_folder(ref, place, 0)  # it has become shorter
    if not found.shown:
        return None
    return FolderPage(place, entries=found.shown, first=start, total=found.total)


def _with_readme(page: FolderPage, ref: GitRef) -> FolderPage:
    """Return the first page of a folder with its README, if it has one. Queries: 1."""
    files = [entry.name for entry in page.entries if not entry.is_folder]
    name = find_readme_name(files) if not page.first else ""
    if not name:
        return page
    place = page.place
    names = (place.product.name, place.source.name, place.version)
    path = f"{place.path}/{name}" if place.path else name
    return replace(page, readme=get_readme(ref, names, path, file_url(*names, path)))
