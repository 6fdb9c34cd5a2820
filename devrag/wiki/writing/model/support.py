"""Asks a model whether the cited lines say what sentences say, many in one call.

It is given claims and their excerpts and nothing else, and names those that are not
supported. The others are supported only where it confirms that it checked all of them;
without that they stay as words alone tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from devrag.core.text import shorten
from devrag.llm.chat import ChatModel, Completion, Message
from devrag.llm.errors import ChatInternal, ChatInvalidArgument, ChatRefused
from devrag.llm.fence import Fence, all_around
from devrag.parsing.tokens import estimate_tokens
from devrag.wiki.checking.support import SupportClaim, Verdict, judge_claim
from devrag.wiki.evidence.blocks import plain
from devrag.wiki.writing.prompts import fill

MOST_CLAIMS, MOST_TOKENS = 150, 30_000
_LONGEST_REASON = 160
_ROLE = "You check whether cited lines show what is said of them."
_LINE = re.compile(
    r"^[^\w\n]*(\d+)[ \t]*\|[ \t]*(?:(?:not |un)supported\b[ \t|:—–-]*)?(.*?)[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
_SUPPORTED = re.compile(r"supported\b", re.IGNORECASE)
_CHECKED = re.compile(
    r"^[^\w\n]*checked\b[^\w\n]*(\d+)[^\w\n]*$", re.MULTILINE | re.IGNORECASE
)


def check_support(
    chat: ChatModel, claims: Sequence[SupportClaim], most_tokens: int = MOST_TOKENS
) -> list[Verdict]:
    """Return a verdict on each claim, in order. most_tokens: of a request's claims."""
    verdicts = {claim.number: judge_claim(claim) for claim in claims}
    for batch in batches(claims, most_tokens):
        said = _ask(chat, support_request(batch))
        verdicts.update({v.number: v for v in read_verdicts(said, batch)})
    return [verdicts[claim.number] for claim in claims]


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


def support_request(claims: Sequence[SupportClaim]) -> list[Message]:
    """Return what the model is asked; lines of a file are shown once."""
    whole = _wholes(dict.fromkeys(text for c in claims for text in c.excerpts))
    excerpts = dict.fromkeys(whole.values())
    keys = {text: f"P{number}" for number, text in enumerate(excerpts, 1)}
    lines = [
        f"{claim.number}| "
        f"({', '.join(dict.fromkeys(keys[whole[text]] for text in claim.excerpts))}) "
        f"{plain(claim.sentence)}"
        for claim in claims
    ]
    fence = Fence([*excerpts, *lines])
    content = fill(
        "support",
        fence=fence.word,
        excerpts=all_around(fence, ((keys[text], text) for text in excerpts)),
        claims=fence.around("claims", "\n".join(lines)),
    )
    return [Message("system", _ROLE), Message("user", content)]


def _wholes(excerpts: Iterable[str]) -> dict[str, str]:
    """Return excerpt → the longest of the same file that has all of its lines."""
    longest: dict[str, list[str]] = {}
    whole: dict[str, str] = {}
    for text in sorted(excerpts, key=len, reverse=True):
        head, _, lines = (
            text.split("\n", 2) if text.count("\n") > 1 else (text, "", text)
        )
        known = longest.setdefault(head, [])
        whole[text] = next((each for each in known if lines in each), text)
        if whole[text] == text:
            known.append(text)
    return {text: whole[text] for text in excerpts}


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
