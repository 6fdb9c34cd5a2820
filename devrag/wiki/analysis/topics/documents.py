"""Which documents explain the product, divided into sections of a page's size."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from devrag.wiki.analysis.documents import Section
from devrag.wiki.analysis.prose import count_words
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.analysis.topics.types import DocumentSection

_SECTION_WORDS = 500  # a longer one is divided at its headings
_LEAST_WORDS = 20
_DEEPEST = 3
_FORMAL_FILE = re.compile(
    r"^(licen[cs]e|copying|notice|patents|change(s|log)|history|news|releases?"
    r"|release[-_ ]?notes|authors|contributors|maintainers|code[-_]of[-_]conduct"
    r"|contributing|governance|security|support|funding|sponsors?|backers"
    r"|(pull_request|issue|bug_report|feature_request)[-_]?\w*|agents|claude|codeowners"
    r"|third[-_]?party[-_]?\w*|breaking[-_]changes|upgrad\w+[-_]?\w*|migrat\w+[-_]?\w*"
    r"|todo|citation|robots|requirements.*|what'?s?[-_]?new\S*|changelog\S*|eula|terms"
    r"|dictionary|word[-_]?list|spelling\w*|c?spell[-_.]?\w*"
    r"|.*licen[cs]e.*)$",
    re.IGNORECASE,
)
# Of wikis also the frames of their pages and what they ask of readers; a wiki's page
# on security or support explains something.
_FORMAL_PAGE = re.compile(
    r"^(_?(sidebar|footer|header|navigation|navbar|menu)|.*\bsponsor\w*|donat\w+)$",
    re.IGNORECASE,
)
_TELLING_PAGE = re.compile(r"^(security|support|terms|dictionary)$", re.IGNORECASE)
# Of documents alone: what shapes them and tells nothing.
_FORM = re.compile(
    r"^(licen[cs]e.*|copying|notice|code[-_]of[-_]conduct|contributing|contributors"
    r"|(pull_request|issue|bug_report|feature_request)[-_]?\w*|codeowners|_?template.*"
    r"|.*[-_]template|summary|_sidebar|_footer|_navbar|_?toc|robots|agents|claude"
    r"|(reference|custom)[-_](doc|styles?)|スタイル|.*テンプレート|.*(ひな|雛)[形型])$",
    re.IGNORECASE,
)
_LISTING = re.compile(
    r"^(summary|_sidebar|_?toc|contents|table[-_]of[-_]contents|index|_index|readme|home"
    r"|目次)$",
    re.IGNORECASE,
)
_MOST_DOCUMENTS = 0.6  # share of a source
_AT_END = re.compile(r"[-_.]+(?=[.]\w+$)")  # where a language stood
_FIRST_PAGES = {"index", "_index"}
_DOCUMENTATION = {"doc", "docs", "doc/source", "docs/source", "site/content"}
_OVERVIEWS = ("readme", "index", "_index", "home", "overview", "about", "introduction")
_OVERVIEWS_JAPANESE = ("概要", "はじめに", "トップページ", "ホーム")
_FORMAL_HEADING = re.compile(
    r"^\W*(licen[cs]e|licensing|contribut\w*|credits?|acknowledge?ments?|authors?"
    r"|sponsors?(hip)?|backers|thanks|support( us)?|(table of )?contents|toc|changelog"
    r"|release notes|code of conduct|((docs?|documentation) (and|&) )?community"
    r"|star history|donat\w+|supporters"
    r"|((current|core|project|past|emeritus)\W+)*(team|members|people|maintainers|owners"
    r"|committers|triagers|reviewers|emeriti)(\W+members)?"
    r"|(tc|tsc)( \(technical .*committee\))?( emeriti( members)?)?"
    r"|technical .*committee"
    r"|who uses .*|used by|see also|related( projects)?|links|badges"
    r"|(changes in )?(version )?v?\d+(\.\d+)+.*|downloads?|getting help|faq|news|fixes"
    r"|ライセンス.*|貢献.*|謝辞|目次|スポンサー.*|変更履歴|更新履歴|免責(事項)?"
    r"|disclaimers?|articles|resources|old(er)? versions?|参考(文献|資料|リンク)?"
    r"|関連(記事|リンク|資料))\W*$",
    re.IGNORECASE,
)
_FORMAL_FOLDER = re.compile(
    r"(^|/)(\.github|\.gitlab|\.changeset|changelogs?|releases?|blog|news|_posts|history|sigs?"
    r"|locales?|i18n|translations)(/|$)",
    re.IGNORECASE,
)
_LANGUAGE = re.compile(
    r"(^|[/._-])(?P<code>zh|ja|jp|ko|fr|de|es|pt|ru|it|tr|vi|id|pl|uk|ar|fa|cs|nl|sv|bn"
    r"|th|hi)([-_](cn|tw|hk|hans|hant|br|pt|jp|kr|es|419))?(?=[/._-]|$)",
    re.IGNORECASE,
)
_ENGLISH = re.compile(r"(^|[/._-])en([-_](us|gb))?(?=[/._-]|$)", re.IGNORECASE)


def explaining_documents(files: Iterable[SurveyFile]) -> list[SurveyFile]:
    """Return the documents that explain the product, translations once.

    Licences, change logs and forms explain nothing; of a document in several languages
    the one without a language in its path counts, else the English one.
    """
    return _without_translations(file for file in files if not _is_formal_file(file))


def topical_documents(files: Iterable[SurveyFile]) -> list[SurveyFile]:
    """Return the documents on topics where there is no code, translations once."""
    fit = (f for f in files if not _FORM.match(f.stem) or f.document_kind)
    return _without_translations((f for f in fit if f.lines > 2), is_beside=True)


def listing_documents(files: Iterable[SurveyFile]) -> list[SurveyFile]:
    """Return the documents that may list all others."""
    return [file for file in files if _LISTING.match(file.stem)]


def overview_documents(files: Iterable[SurveyFile]) -> list[SurveyFile]:
    """Return the documents that introduce each source, the outermost first.

    Those are READMEs, homes and the like above most documents of their source.
    """
    told = _without_translations(files, is_beside=True)
    inside = Counter((f.source, above) for f in told for above in _folders(f))
    names = (*_OVERVIEWS, *_OVERVIEWS_JAPANESE)

    def is_above(file: SurveyFile) -> bool:
        most = _MOST_DOCUMENTS * inside[file.source, ""]
        return not file.directory or inside[file.source, file.directory] > most

    def rank(file: SurveyFile) -> tuple[str, int, int, str]:
        place = names.index(file.stem.lower())
        return file.source, file.path.count("/"), place, file.path

    named = (f for f in told if f.stem.lower() in names)
    found = [f for f in named if f.document_kind != "ticket" and is_above(f)]
    return sorted(found, key=rank)


def _folders(file: SurveyFile) -> list[str]:
    """Return a file's folder and all above it, '' the outermost."""
    parts = file.directory.split("/") if file.directory else []
    return ["/".join(parts[:end]) for end in range(len(parts) + 1)]


def _without_translations(
    files: Iterable[SurveyFile], *, is_beside: bool = False
) -> list[SurveyFile]:
    """Return documents by source and path, those in several languages once.

    is_beside: `guide.ja.md` is a translation of `guide.md`, too.
    """
    chosen: dict[tuple[str, str], SurveyFile] = {}
    for file in sorted(files, key=lambda f: (f.source, f.path)):
        path = _without_language(file.path)
        key = file.source, _AT_END.sub("", path) if is_beside else path
        known = chosen.get(key)
        if known is None or _language_rank(file.path) < _language_rank(known.path):
            chosen[key] = file
    return sorted(chosen.values(), key=lambda f: (f.source, f.path))


def _is_formal_file(file: SurveyFile) -> bool:
    """Return whether a document is a licence, change log, form or frame."""
    if file.document_kind and _FORMAL_PAGE.match(file.stem):
        return True
    if file.document_kind and _TELLING_PAGE.match(file.stem):
        return False
    is_formal = _FORMAL_FILE.match(file.stem) or _FORMAL_FOLDER.search(file.directory)
    return bool(is_formal)


def _without_language(path: str) -> str:
    return _LANGUAGE.sub(r"\1", _ENGLISH.sub(r"\1", path)).lower()


def _language_rank(path: str) -> int:
    if _LANGUAGE.search(path):
        return 2
    return 1 if _ENGLISH.search(path) else 0


def document_sections(
    file: SurveyFile, sections: Sequence[Section], *, is_front: bool
) -> Iterator[DocumentSection]:
    """Yield the sections of a document, of a size that a page can take in.

    is_front: a README, whose opening is the front page's.
    """
    words = list(map(_words, sections))
    level = _dividing_level(sections, words)
    starts = [n for n, s in enumerate(sections) if n == 0 or s.level <= level]
    ends = [*(n - 1 for n in starts[1:]), len(sections) - 1]
    seen: Counter[str] = Counter()
    for number, (first, last) in enumerate(zip(starts, ends, strict=False)):
        is_empty = (
            number == 1 and words[0] < _LEAST_WORDS and sections[first].level <= 1
        )
        is_opening = is_front and (number == 0 or is_empty)
        size = sum(words[first : last + 1])
        title = _title(file, sections, first, last)
        seen[title] += 1
        if is_opening or size < _LEAST_WORDS or _FORMAL_HEADING.match(title):
            continue
        yield DocumentSection(
            file=file.id,
            first=first,
            last=last,
            title=title,
            above=_above(sections, first),
            start_line=sections[first].line,
            end_line=_end(sections[first : last + 1]),
            words=size,
            ordinal=seen[title],
        )


def is_front(file: SurveyFile) -> bool:
    """Return whether a document opens its source: a README, a tracker's project.

    The first page of the documentation does, too.
    """
    is_project = bool(file.document_kind) and file.stem == "project"
    if file.stem.lower() in _FIRST_PAGES and file.directory.lower() in _DOCUMENTATION:
        return True
    return (file.is_readme or is_project) and not file.directory


def is_formal(heading: str) -> bool:
    """Return whether a heading stands above licences, sponsors or contents."""
    return bool(_FORMAL_HEADING.match(heading))


def _words(section: Section) -> int:
    return sum(count_words(b.text) for b in section.blocks if b.kind != "code")


def _dividing_level(sections: Sequence[Section], words: Sequence[int]) -> int:
    """Return the lowest level at which no section is longer than a page takes."""
    for level in range(2, _DEEPEST):
        size = longest = 0
        for section, count in zip(sections, words, strict=True):
            size = count if section.level <= level else size + count
            longest = max(longest, size)
        if longest <= _SECTION_WORDS:
            return level
    return _DEEPEST


def _title(file: SurveyFile, sections: Sequence[Section], first: int, last: int) -> str:
    """Return the first heading, else what the file calls itself."""
    titles = (s.title for s in sections[first : last + 1] if s.title)
    return next(titles, file.title or file.stem).strip()


def _above(sections: Sequence[Section], at: int) -> tuple[str, ...]:
    found: list[str] = []
    level = sections[at].level
    for section in reversed(sections[:at]):
        if 0 < section.level < level:
            found.append(section.title)
            level = section.level
    return tuple(reversed(found))


def _end(sections: Sequence[Section]) -> int:
    ends = [block.end_line for section in sections for block in section.blocks]
    return max([sections[-1].line, *ends])
