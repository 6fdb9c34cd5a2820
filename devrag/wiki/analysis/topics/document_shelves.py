"""The topics of documents alone, by where people put them, and what is left over."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

from devrag.wiki.analysis.topics.document_groups import (
    DocumentGroup,
    TopicDocument,
    centre_of,
    cluster,
    likeness,
    modularity_of,
    vectors_of,
)

MOST_TOPICS = 20
_MOST_OF_ALL = 60  # topics with their parts
_MOST_PARTS, _MOST_LEFT_OVER = 8, 12
_SMALLEST, _FEW = 3, 20  # documents of a topic; of all, where two are enough
_WHOLE = 0.8  # of the documents below one folder: it is no topic
_LOOSE = 6  # documents on no shelf that are grouped by what they share
_DIVIDED_BY_SHELF, _DIVIDED_BY_WORDS = 10, 80  # documents
_CLEAR = 0.3  # modularity of what is divided by words
_NEAR = 0.08
_LONG = 600  # words of a document that is a topic of its own


def shelve(documents: Sequence[TopicDocument]) -> list[DocumentGroup]:
    """Return the groups of documents, each document in one."""
    documents = _below_common(documents)
    by_shelf: dict[str, list[TopicDocument]] = defaultdict(list)
    for document in documents:
        by_shelf[document.shelf[0] if document.shelf else ""].append(document)
    loose = by_shelf.pop("", [])
    ranked = sorted(by_shelf, key=lambda name: (-len(by_shelf[name]), name))
    least = _SMALLEST if len(documents) > _FEW else _SMALLEST - 1
    large = [n for n in ranked if _is_large(by_shelf[n], least)][:MOST_TOPICS]
    groups = {name: by_shelf[name] for name in large}
    small = [name for name in ranked if name not in groups]
    found = [DocumentGroup(tuple(own), (name,)) for name, own in groups.items()]
    if len(small) > 2 or not groups:
        found += _joined({name: by_shelf[name] for name in small})
    else:
        loose = [*loose, *(d for name in small for d in by_shelf[name])]
    found, rest = _with_loose(found, loose)
    if len(rest) >= _LOOSE:
        room = max(2, MOST_TOPICS - len(found))
        found += [DocumentGroup(tuple(own)) for own in cluster(rest, room)]
    elif rest:
        found.append(DocumentGroup(tuple(rest)))
    return _with_parts(found)


def _with_parts(groups: Sequence[DocumentGroup]) -> list[DocumentGroup]:
    """Return groups with their parts, the largest first as long as there is room."""
    left = _MOST_OF_ALL - len(groups)
    found = list(groups)
    for n in sorted(range(len(found)), key=lambda n: (-len(found[n].documents), n)):
        divided = _divided(found[n])
        if len(divided.parts) <= left:
            left -= len(divided.parts)
            found[n] = divided
    return found


def _is_large(documents: Sequence[TopicDocument], least: int = _SMALLEST) -> bool:
    return len(documents) >= least or sum(d.size for d in documents) >= _LONG


def _below_common(documents: Sequence[TopicDocument]) -> list[TopicDocument]:
    """Return documents without the shelves that hold nearly all of them."""
    found = list(documents)
    while True:
        tops = Counter(d.shelf[0] for d in found if d.shelf)
        top, count = tops.most_common(1)[0] if tops else ("", 0)
        if count < _WHOLE * len(found) or count < 2:
            return found
        found = [
            replace(d, shelf=d.shelf[1:]) if d.shelf[:1] == (top,) else d for d in found
        ]


def _joined(shelves: dict[str, list[TopicDocument]]) -> list[DocumentGroup]:
    """Return small shelves together with those that tell of the same."""
    units = []
    for name, own in sorted(shelves.items()):
        words = Counter[str]()
        for document in own:
            words.update(document.words)
        units.append(replace(own[0], title=name, words=words))
    if not units:
        return []
    groups = cluster(units, _MOST_LEFT_OVER) if len(units) > _LOOSE else [units]
    found = []
    for group in groups:
        names = [unit.title for unit in group]
        names.sort(key=lambda name: (-len(shelves[name]), name))
        members = tuple(d for name in names for d in shelves[name])
        found.append(DocumentGroup(members, tuple(names)))
    return found


def _with_loose(
    groups: Sequence[DocumentGroup], loose: Sequence[TopicDocument]
) -> tuple[list[DocumentGroup], list[TopicDocument]]:
    """Add documents that lie nowhere to what they are most like; return the rest."""
    if not loose or not groups:
        return list(groups), list(loose)
    members = [d for group in groups for d in group.documents]
    vectors = vectors_of([d.words for d in (*members, *loose)])
    of = dict(zip((d.file.id for d in (*members, *loose)), vectors, strict=True))
    centres = [
        centre_of([of[d.file.id] for d in g.documents])
        if len(g.documents) >= _SMALLEST
        else {}
        for g in groups
    ]
    added: dict[int, list[TopicDocument]] = defaultdict(list)
    rest = []
    for document in loose:
        score = [likeness(of[document.file.id], centre) for centre in centres]
        best = max(range(len(score)), key=lambda n: (score[n], -n))
        if score[best] < _NEAR:
            rest.append(document)
        else:
            added[best].append(document)
    found = [
        replace(group, documents=(*group.documents, *added.get(n, ())))
        for n, group in enumerate(groups)
    ]
    return found, rest


def _divided(group: DocumentGroup) -> DocumentGroup:
    """Return a big group with its parts: its shelves, else what is clearly apart."""
    documents = group.documents
    if len(documents) >= _DIVIDED_BY_SHELF and len(group.shelves) == 1:
        by_shelf: dict[str, list[TopicDocument]] = defaultdict(list)
        for document in documents:
            if len(document.shelf) > 1:
                by_shelf[document.shelf[1]].append(document)
        by_shelf.pop(group.shelves[0], None)  # the chapter that its part is named after
        large = {n: own for n, own in by_shelf.items() if _is_large(own)}
        if 1 < len(large) <= _MOST_PARTS:
            parts = [DocumentGroup(tuple(own), (n,)) for n, own in large.items()]
            return replace(group, parts=tuple(parts))
    if len(documents) >= _DIVIDED_BY_WORDS and len(group.shelves) < 2:
        parts = [DocumentGroup(tuple(own)) for own in cluster(documents, _MOST_PARTS)]
        is_clear = modularity_of([p.documents for p in parts]) >= _CLEAR
        if 1 < len(parts) <= _MOST_PARTS and is_clear:
            return replace(group, parts=tuple(parts))
    return group
