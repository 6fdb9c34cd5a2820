"""Two commands or two fields side by side, which are no definitions of their own.

What is the difference between `tool dir` and `tool git`?  →  both commands
What is the difference between PreRun and PostRun?         →  both fields of a type
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import reduce
from operator import or_
from textwrap import dedent

from django.db.models import Q
from django.utils.translation import gettext

from devrag.ask.evidence.candidates import PassageCandidate
from devrag.ask.evidence.facts import fact_candidate
from devrag.ask.evidence.passages import read_passages
from devrag.ask.evidence.retrieval import retrieve
from devrag.ask.named.question import is_code_like
from devrag.ask.quotations import escaped, fenced
from devrag.ask.types import Answer, AskRequest, Passage
from devrag.core.text import code_text, shorten
from devrag.parsing.path_roles import is_aside, is_test
from devrag.search.types import Hit
from devrag.sources.models import Fact, Source

_HITS, _SAID = 20, 240
_COMMENT = re.compile(r"^\s*(?://+!?|#+|\*+|/\*+)\s?")


def compare_declared(
    request: AskRequest, sides: tuple[str, str], source_ids: Collection[int]
) -> Answer | None:
    """Return both commands or both fields that a question compares, else None."""
    names = [side.strip("`\"' ") for side in sides]
    found = _commands(names, source_ids) or _fields(request, names)
    passages = tuple(read_passages(found, request.principal)) if found else ()
    if len(passages) != len(names):
        return None
    blocks = [
        block
        for number, each in enumerate(passages, 1)
        for block in _blocks(number, each)
    ]
    return Answer("\n\n".join(blocks) + "\n", passages, passages, "answered")


def _commands(
    names: Sequence[str], source_ids: Collection[int]
) -> list[PassageCandidate]:
    """Return the command of each name, none where one names none or several.

    The name of the product may come before it.
    """
    written = [name.lower() for name in names]
    written += [rest for name in written if (rest := name.partition(" ")[2])]
    rows = Fact.objects.filter(
        reduce(or_, (Q(name__iexact=name) for name in written)),
        kind="command",
        file__source__in=source_ids,
        file__manifests__until=None,
        file__manifests__ref__is_current=True,
    )
    rows = rows.select_related("file__source__product").defer("file__text")
    own = [each for each in rows.order_by("pk") if not is_aside(each.file.path)]
    found = [
        [each for each in own if each.name.lower() in _without_owner(name, each)]
        for name in names
    ]
    if any(len(each) != 1 for each in found):
        return []
    return [_of_command(each[0]) for each in found]


def _without_owner(name: str, fact: Fact) -> set[str]:
    source: Source = fact.file.source
    words = name.lower().split()
    owners = {source.name.lower(), source.product.name.lower()}
    rest = words[1:] if words and words[0] in owners else words
    return {" ".join(rest)} if rest else set()


def _of_command(fact: Fact) -> PassageCandidate:
    return fact_candidate(fact, weight=1.0, why=str(fact.data.get("help") or ""))


def _fields(request: AskRequest, names: Sequence[str]) -> list[PassageCandidate]:
    """Return where each name is declared below a comment, none where one is not."""
    if not all(is_code_like(name) or name[:1].isupper() for name in names):
        return []
    found = [_field(request, name) for name in names if " " not in name]
    fields = [each for each in found if each is not None]
    return fields if len(fields) == len(names) else []


def _field(request: AskRequest, name: str) -> PassageCandidate | None:
    hits = retrieve(request, name, mode="keyword", limit=_HITS).hits
    declares = re.compile(
        rf"^\s*(?:\w+\s+)?{re.escape(name)}(?:\s+[\w*\[(]|\??\s*[:=](?!=))", re.ASCII
    )
    for hit in hits:
        is_own = hit.file_kind == "code" and not is_test(hit.path)
        if is_own and not is_aside(hit.path):
            lines = hit.text.split("\n")
            for at, line in enumerate(lines):
                is_told = at > 0 and _COMMENT.match(lines[at - 1])
                if is_told and declares.match(line) and not _COMMENT.match(line):
                    return _of_field(hit, lines, at, name)
    return None


def _of_field(hit: Hit, lines: Sequence[str], at: int, name: str) -> PassageCandidate:
    first = at
    while first > 0 and _COMMENT.match(lines[first - 1]):
        first -= 1
    text = "\n".join(_COMMENT.sub("", line).strip() for line in lines[first:at])
    said = " ".join(text.strip().split("\n\n")[-1].split())
    said = re.sub(rf"^{re.escape(name)}\s*:\s*", "", said)
    return PassageCandidate(
        source=hit.source_name,
        path=hit.path,
        start_line=hit.start_line + first,
        end_line=hit.start_line + at,
        kind="definition",
        weight=1.0,
        file_weight=1.0,
        title=name,
        why=said,
    )


def _blocks(number: int, passage: Passage) -> Iterator[str]:
    yield f"**`{code_text(passage.title)}`**"
    place = gettext("`%(path)s`, line %(line)s") % {
        "path": code_text(passage.path),
        "line": passage.start_line,
    }
    place += f" [{number}](cite:{number})"
    said = escaped(shorten(passage.why, _SAID))
    yield f"{place}: {said}" if said else place
    yield fenced(dedent(passage.text).rstrip(), passage.language)
