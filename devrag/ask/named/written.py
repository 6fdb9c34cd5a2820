"""Answer where a name is used that nothing indexed defines: the lines that write it.

Fields, keys of settings and names of other packages have no definition of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from django.utils import translation
from django.utils.translation import gettext, gettext_noop

from devrag.ask.evidence.candidates import PassageCandidate, kind_of
from devrag.ask.evidence.passages import read_passages
from devrag.ask.evidence.retrieval import retrieve
from devrag.ask.language import language_of
from devrag.ask.named.question import is_code_like
from devrag.ask.scoped_sources import visible_sources
from devrag.ask.trace.endpoints import find_named
from devrag.ask.types import MAX_FILES, Answer, AskRequest, Passage
from devrag.core.text import code_text, shorten
from devrag.parsing.path_roles import is_aside, is_test
from devrag.search.types import Hit

_CODE, _EXAMPLES = gettext_noop("Code"), gettext_noop("Examples")
_TESTS, _DOCUMENTS = gettext_noop("Tests"), gettext_noop("Documentation")
# Of each group so many lines are listed.
_MOST = {_CODE: 20, _EXAMPLES: 5, _TESTS: 8, _DOCUMENTS: 5}
_COMMENT = re.compile(r"\s*(?://|#\s|/?\*|--\s|<!--)")
_HITS, _LINES, _LONGEST = 50, 3, 100


def written_answer(request: AskRequest, name: str) -> Answer | None:
    """Return the lines that write a name, None where none does or it is a plain word.

    Raises NotFound for a scope that the asker cannot see.
    """
    rows = visible_sources(request.scope, request.principal)
    source_ids = list(rows.values_list("pk", flat=True))
    if not is_code_like(name) or find_named(name, source_ids):
        return None
    last = re.split(r"\.|::|->|#", name)[-1]
    hits = retrieve(request, last, mode="keyword", limit=_HITS).hits
    with translation.override(language_of(request)):
        groups: dict[str, list[PassageCandidate]] = {group: [] for group in _MOST}
        for each in _lines_with(last, hits):
            groups[_group(each)].append(each)
        shown = _in_room(
            each for group, most in _MOST.items() for each in groups[group][:most]
        )
        passages = read_passages(shown, request.principal)
        if not passages:
            return None
        blocks = list(_blocks(last, passages, sum(map(len, groups.values()))))
    return Answer(
        markdown="\n\n".join(blocks) + "\n",
        citations=tuple(passages),
        evidence=tuple(passages),
        outcome="answered",
    )


def _lines_with(name: str, hits: Iterable[Hit]) -> Iterator[PassageCandidate]:
    """Yield each line that writes a name as a whole, by path."""
    written = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])", re.ASCII)

    def is_use(line: str, hit: Hit) -> bool:
        is_comment = hit.file_kind != "doc" and _COMMENT.match(line) is not None
        return written.search(line) is not None and not is_comment

    found = {
        (hit.source_name, hit.path, number): hit
        for hit in hits
        for number, line in enumerate(hit.text.split("\n"), hit.start_line)
        if is_use(line, hit)
    }
    for (source, path, number), hit in sorted(found.items(), key=lambda item: item[0]):
        yield PassageCandidate(
            source=source,
            path=path,
            start_line=number,
            end_line=number + _LINES - 1,
            kind="caller" if kind_of(hit) == "definition" else kind_of(hit),
            weight=1.0,
            file_weight=1.0,
            title=hit.symbol_name,
            why=gettext("Uses %(name)s") % {"name": name},
            symbol_uuid=hit.symbol_uuid,
        )


def _group(found: PassageCandidate | Passage) -> str:
    if is_test(found.path):
        return _TESTS
    if found.kind == "documentation":
        return _DOCUMENTS
    return _EXAMPLES if is_aside(found.path) else _CODE


def _in_room(found: Iterable[PassageCandidate]) -> list[PassageCandidate]:
    """Return those of the first files, as many as an answer may cite."""
    chosen: list[PassageCandidate] = []
    files: set[tuple[str, str]] = set()
    for each in found:
        if each.file in files or len(files) < MAX_FILES:
            files.add(each.file)
            chosen.append(each)
    return chosen


def _blocks(name: str, passages: list[Passage], count: int) -> Iterator[str]:
    yield gettext(
        "No definition is named `%(name)s`: it may be a field or come from elsewhere. "
        "These lines write it:"
    ) % {"name": code_text(name)}
    numbered = list(enumerate(passages, 1))
    for group in _MOST:
        if own := [(n, each) for n, each in numbered if _group(each) == group]:
            yield f"**{gettext(group)}**"
            yield "\n".join(_item(number, each) for number, each in own)
    if count > len(passages):
        yield gettext("And %(count)s more.") % {"count": count - len(passages)}


def _item(number: int, passage: Passage) -> str:
    said = (
        gettext("`%(path)s`, line %(line)s, in `%(name)s`")
        if passage.title and passage.symbol_uuid
        else gettext("`%(path)s`, line %(line)s")
    ) % {
        "path": code_text(passage.path),
        "line": passage.start_line,
        "name": code_text(passage.title),
    }
    line = code_text(shorten(passage.text.split("\n")[0].strip(), _LONGEST))
    return f"- {said} [{number}](cite:{number})\\\n  `{line}`"
