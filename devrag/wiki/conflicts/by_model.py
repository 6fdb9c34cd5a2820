"""Let a model compare passages with code, and keep what it finds.

A pair of a passage and lines of code is asked about once: what it came to is kept by
the hashes of both. Code is chosen again for a passage only where it is new, or where a
file that it was compared with changed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef

from devrag.core.text import normalise_newlines
from devrag.llm.chat import ChatModel
from devrag.llm.errors import ChatInternal, ChatInvalidArgument, ChatRefused
from devrag.products.models import Product
from devrag.spending.language_model import is_model_set
from devrag.spending.model_settings import cap_of
from devrag.wiki.conflict_models import DocumentPassage, PassageComparison
from devrag.wiki.conflicts.asking import (
    ANSWER_SCHEMA,
    MOST_ANSWER_TOKENS,
    ConflictRequest,
    ModelVerdict,
    Question,
    conflict_requests,
    read_answer,
)
from devrag.wiki.conflicts.indexed_code import IndexedCode
from devrag.wiki.conflicts.passages import Passage
from devrag.wiki.conflicts.pieces import choose_pieces
from devrag.wiki.conflicts.reading import compared_files
from devrag.wiki.conflicts.types import CodeLines, Contradiction, StatementFacts

# Of one run, whatever they cost; the next run goes on.
MOST_PASSAGES = 5_000
_ROWS = 2_000


def may_compare(product: Product) -> bool:
    """Return whether a model is set that may read the product's texts, within a cap."""
    is_wanted = is_model_set() and cap_of("CONFLICTS_CAP_PER_MONTH") > 0
    return is_wanted and product.is_external_models_allowed


def passages_to_compare(product_id: int) -> list[int]:
    """Return the passages to choose code for, those that say most of code first.

    Each text once. Queries: 3.
    """
    current = set(compared_files(product_id).values_list("pk", flat=True))
    done: dict[str, bool] = {}
    pairs = PassageComparison.objects.filter(product=product_id)
    for text_hash, file_id in pairs.values_list("passage_hash", "code_file"):
        is_current = file_id == 0 or file_id in current
        done[text_hash] = done.get(text_hash, True) and is_current
    rows = DocumentPassage.objects.filter(file__in=compared_files(product_id))
    wanted: dict[str, int] = {}
    for pk, text_hash in rows.order_by("-weight", "pk").values_list("pk", "text_hash"):
        if not done.get(text_hash):
            wanted.setdefault(text_hash, pk)
    return list(wanted.values())[:MOST_PASSAGES]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is to be asked of some passages, and what is known without asking.

    same: rows whose code is where it was or elsewhere in a new version of its file.
    """

    requests: tuple[ConflictRequest, ...]
    same: tuple[PassageComparison, ...]


def choose_comparisons(product: Product, passage_ids: Sequence[int]) -> Comparison:
    """Choose the code for passages; pairs that are known are not asked about again."""
    rows = DocumentPassage.objects.filter(pk__in=passage_ids).select_related("file")
    code = IndexedCode(product)
    known = _known(product.pk, [row.text_hash for row in rows])
    questions: list[Question] = []
    same: list[PassageComparison] = []
    for row in sorted(rows, key=lambda row: passage_ids.index(row.pk)):
        passage = _passage_of(row)
        pieces = choose_pieces(passage, code)
        new = [piece for piece in pieces if piece.text_hash not in known[row.text_hash]]
        for piece in pieces:
            if pair := known[row.text_hash].get(piece.text_hash):
                pair.code_file, pair.code_start = piece.file_id, piece.start_line
                same.append(pair)
        if not pieces:
            same.append(PassageComparison(passage_hash=row.text_hash))
        if new:
            questions.append(Question(row.file.path, passage, tuple(new)))
    return Comparison(tuple(conflict_requests(questions)), tuple(same))


def _known(
    product_id: int, hashes: Iterable[str]
) -> Mapping[str, dict[str, PassageComparison]]:
    found: dict[str, dict[str, PassageComparison]] = defaultdict(dict)
    rows = PassageComparison.objects.filter(
        product=product_id, passage_hash__in=list(hashes)
    )
    for row in rows:
        found[row.passage_hash][row.code_hash] = row
    return found


def _passage_of(row: DocumentPassage) -> Passage:
    lines = normalise_newlines(row.file.text).split("\n")
    text = "\n".join(lines[row.start_line - 1 : row.end_line])
    return Passage(row.start_line, row.end_line, row.about, text)


def keep_same(product_id: int, passage_ids: Sequence[int], found: Comparison) -> None:
    """Note where known pairs are now; forget those whose code changed."""
    hashes = DocumentPassage.objects.filter(pk__in=passage_ids).values("text_hash")
    pairs = PassageComparison.objects.filter(product=product_id)
    kept = [pair.pk for pair in found.same if pair.pk]
    current = compared_files(product_id).values("pk")
    old = pairs.filter(passage_hash__in=hashes).exclude(pk__in=kept)
    old.exclude(code_file__in=current).delete()
    for pair in found.same:
        pair.product_id = product_id
    PassageComparison.objects.bulk_update(
        [pair for pair in found.same if pair.pk], ["code_file", "code_start"]
    )
    PassageComparison.objects.bulk_create(
        [pair for pair in found.same if not pair.pk], ignore_conflicts=True
    )


def ask_request(chat: ChatModel, request: ConflictRequest) -> list[ModelVerdict] | None:
    """Return what contradicts; None where the model has no answer that can be read.

    Raises ChatErrors that another request would meet as well, and CapReached.
    """
    try:
        said = chat.complete(
            request.messages,
            max_output_tokens=MOST_ANSWER_TOKENS,
            temperature=0.0,
            schema=ANSWER_SCHEMA,
        )
    except (ChatRefused, ChatInternal, ChatInvalidArgument) as error:
        if isinstance(error, ChatInternal) and error.permanent:
            raise
        return None
    return read_answer(said.text, request)


def keep_verdicts(
    product_id: int, request: ConflictRequest, verdicts: Sequence[ModelVerdict]
) -> None:
    """Keep all pairs of a request as compared, with what contradicts in them."""
    found: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for each in verdicts:
        pair = (each.question.passage.text_hash, each.piece.text_hash)
        found[pair].append(_stored(each))
    rows = [
        PassageComparison(
            product_id=product_id,
            passage_hash=question.passage.text_hash,
            code_hash=piece.text_hash,
            code_file=piece.file_id,
            code_start=piece.start_line,
            verdicts=found[(question.passage.text_hash, piece.text_hash)],
        )
        for question in request.questions
        for piece in question.pieces
    ]
    PassageComparison.objects.bulk_create(rows, batch_size=_ROWS, ignore_conflicts=True)


def _stored(verdict: ModelVerdict) -> dict[str, Any]:
    return {
        "kind": verdict.kind,
        "subject": verdict.subject,
        "says": verdict.says,
        "has": verdict.has,
        "reason": verdict.reason,
        "documentLines": verdict.document_lines,
        "codeLines": verdict.code_lines,
    }


def model_contradictions(product_id: int) -> Iterator[tuple[int, Contradiction]]:
    """Yield what a model found, at today's lines: the document's file and a box.

    Only where both sides are as they were compared. Queries: 3.
    """
    pairs = PassageComparison.objects.filter(product=product_id).exclude(verdicts=[])
    found: dict[str, list[PassageComparison]] = defaultdict(list)
    for pair in pairs.order_by("pk"):
        found[pair.passage_hash].append(pair)
    current = compared_files(product_id)
    wanted = [pair.code_file for rows in found.values() for pair in rows]
    code = dict(current.filter(pk__in=wanted).values_list("pk", "path"))
    passages = DocumentPassage.objects.filter(file__in=current, text_hash__in=found)
    for row in passages.select_related("file").defer("file__text").order_by("pk"):
        for pair in found[row.text_hash]:
            if pair.code_file in code:
                for verdict in pair.verdicts:
                    box = _box(row, pair, code[pair.code_file], verdict)
                    yield row.file_id, box


def _box(
    row: DocumentPassage,
    pair: PassageComparison,
    path: str,
    verdict: Mapping[str, Any],
) -> Contradiction:
    first, last = (row.start_line + at for at in verdict["documentLines"])
    start, end = (pair.code_start + at for at in verdict["codeLines"])
    said = StatementFacts(
        verdict["kind"], verdict["subject"], verdict["says"], first, last, ""
    )
    return Contradiction(
        said,
        row.file.path,
        verdict["has"],
        CodeLines(path, start, end),
        is_by_model=True,
        reason=verdict["reason"],
    )


def delete_unused_comparisons(product_id: int) -> None:
    """Forget pairs whose passage no current document has."""
    passages = DocumentPassage.objects.filter(
        text_hash=OuterRef("passage_hash"), file__in=compared_files(product_id)
    )
    pairs = PassageComparison.objects.filter(product=product_id)
    pairs.filter(~Exists(passages)).delete()
