"""Asks a model whether the cited lines say what sentences say, many in one call.

It is given claims and their excerpts and nothing else, and names those that are not
supported. The others are supported only where it confirms that it checked all of them;
without that they stay as words alone tell.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from devrag.core.text import one_line, shorten
from devrag.llm.chat import ChatModel, Completion, Message
from devrag.llm.errors import ChatInternal, ChatInvalidArgument, ChatRefused
from devrag.llm.fence import Fence
from devrag.parsing.tokens import estimate_tokens
from devrag.wiki.checking.support import SupportClaim, Verdict, judge_claim
from devrag.wiki.evidence.blocks import plain
from devrag.wiki.writing.model.claim_excerpts import ShownExcerpts, show_excerpts
from devrag.wiki.writing.prompts import fill

MOST_CLAIMS, MOST_TOKENS = 150, 30_000
_LONGEST_REASON = 160
_ROLE = "You check whether cited lines show what is said of them."
_LINE = re.compile(
    r"^[^\w\n]*(\d+)[ \t]*\|[ \t]*(?:(?:not |un)supported\b[ \t|:—–-]*)?(.*?)[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
_PIECES = re.compile(r"\bP(\d+)(?:\s?[-–]\s?P?\d+)?\b")
_SUPPORTED = re.compile(r"supported\b", re.IGNORECASE)
_CHECKED = re.compile(
    r"^[^\w\n]*checked\b[^\w\n]*(\d+)[^\w\n]*$", re.MULTILINE | re.IGNORECASE
)


def check_support(
    chat: ChatModel, claims: Sequence[SupportClaim], most_tokens: int = MOST_TOKENS
) -> list[Verdict]:
    """Return a verdict on each claim, in order. most_tokens: of a request's claims."""
    verdicts = {claim.number: judge_claim(claim) for claim in claims}
    for request in support_requests(claims, most_tokens):
        found = request.read(_ask(chat, request.messages))
        verdicts.update({verdict.number: verdict for verdict in found})
    return [verdicts[claim.number] for claim in claims]


@dataclass(frozen=True, slots=True)
class SupportRequest:
    """One call about some claims. files: of the pieces that it shows."""

    claims: tuple[SupportClaim, ...]
    messages: tuple[Message, ...]
    files: tuple[str, ...]

    def read(self, text: str) -> list[Verdict]:
        """Return the verdicts of the model's answer; reasons name files."""
        return [_with_files(v, self.files) for v in read_verdicts(text, self.claims)]


def support_requests(
    claims: Iterable[SupportClaim], most_tokens: int = MOST_TOKENS
) -> Iterator[SupportRequest]:
    """Yield the calls about claims, mostly one. most_tokens: of the claims of each."""
    for batch in batches(claims, most_tokens):
        shown = show_excerpts(text for claim in batch for text in claim.excerpts)
        messages = support_request(batch, shown)
        yield SupportRequest(tuple(batch), tuple(messages), tuple(shown.files))


def batches(
    claims: Iterable[SupportClaim], most_tokens: int = MOST_TOKENS
) -> Iterator[list[SupportClaim]]:
    """Yield the claims in portions that fit into one call; mostly all of a page."""
    batch: list[SupportClaim] = []
    shown: set[str] = set()
    size = 0
    for claim in claims:
        new = set(claim.excerpts) - shown
        more = estimate_tokens(claim.sentence) + sum(map(estimate_tokens, new))
        if batch and (len(batch) >= MOST_CLAIMS or size + more > most_tokens):
            yield batch
            batch, shown, size = [], set(), 0
            more = estimate_tokens(claim.sentence)
            more += sum(map(estimate_tokens, set(claim.excerpts)))
        batch.append(claim)
        shown.update(claim.excerpts)
        size += more
    if batch:
        yield batch


def support_request(
    claims: Sequence[SupportClaim], shown: ShownExcerpts
) -> list[Message]:
    """Return what the model is asked about claims whose excerpts are shown."""
    lines: list[str] = []
    above = ""
    for claim in claims:
        if claim.context != above:
            lines.append(f"= {one_line(claim.context)}".rstrip())
            above = claim.context
        pieces = shown.references(claim.excerpts)
        lines.append(f"{claim.number}| ({pieces}) {plain(claim.sentence)}")
    fence = Fence([*shown.keys, *lines])
    content = fill(
        "support",
        fence=fence.word,
        excerpts=fence.around("excerpts", shown.text(fence.word)),
        claims=fence.around("claims", "\n".join(lines)),
    )
    return [Message("system", _ROLE), Message("user", content)]


def _with_files(verdict: Verdict, files: Sequence[str]) -> Verdict:
    """Return a verdict whose reason names files, for numbers mean nothing elsewhere."""

    def name(match: re.Match[str]) -> str:
        number = int(match.group(1))
        is_known = 1 <= number <= len(files)
        return posixpath.basename(files[number - 1]) if is_known else "the excerpt"

    return replace(verdict, reason=_PIECES.sub(name, verdict.reason))


def read_verdicts(text: str, claims: Sequence[SupportClaim]) -> list[Verdict]:
    """Return the verdicts of an answer on these claims.

    Those that it does not name are supported if it ends by saying that it checked as
    many as there are; else nothing is known of them.
    """
    failed = {
        int(number): shorten(reason, _LONGEST_REASON)
        for number, reason in _LINE.findall(text)
        if not _SUPPORTED.match(reason)
    }
    checked = _CHECKED.findall(text)
    has_checked_all = checked[-1:] == [str(len(claims))]
    found = []
    for claim in claims:
        if claim.number in failed:
            reason = failed[claim.number] or "the cited lines do not show it"
            found.append(Verdict(claim.number, "unsupported", reason))
        elif has_checked_all:
            found.append(Verdict(claim.number, "supported"))
    return found


def _ask(chat: ChatModel, messages: Sequence[Message]) -> str:
    """Return the answer; without one the claims stay as their words tell."""
    try:
        said: Completion = chat.complete(
            messages, max_output_tokens=2048, temperature=0.2
        )
    except (ChatRefused, ChatInternal, ChatInvalidArgument) as error:
        if isinstance(error, ChatInternal) and error.permanent:
            raise
        return ""
    return said.text
