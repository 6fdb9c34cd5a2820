"""Asks a model whether the cited lines say what sentences say, many in one call.

It is given claims and their excerpts and nothing else. What it does not answer stays as
words alone tell.
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

MOST_CLAIMS, MOST_TOKENS = 60, 20_000
_LONGEST_REASON = 160
_ROLE = "You check whether cited lines show what is said of them."
_LINE = re.compile(
    r"^[^\w\n]*(\d+)[ \t]*\|[ \t]*(supported|unsupported)\b[ \t|:—–-]*(.*?)[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)


def check_support(chat: ChatModel, claims: Sequence[SupportClaim]) -> list[Verdict]:
    """Return a verdict on each claim, in order."""
    verdicts = {claim.number: judge_claim(claim) for claim in claims}
    for batch in batches(claims):
        said = _ask(chat, support_request(batch))
        verdicts.update({v.number: v for v in read_verdicts(said, batch)})
    return [verdicts[claim.number] for claim in claims]


def batches(claims: Iterable[SupportClaim]) -> Iterator[list[SupportClaim]]:
    """Yield the claims in portions that one call has room for; mostly all of a page."""
    batch: list[SupportClaim] = []
    shown: set[str] = set()
    size = 0
    for claim in claims:
        new = set(claim.excerpts) - shown
        more = estimate_tokens(claim.sentence) + sum(map(estimate_tokens, new))
        if batch and (len(batch) >= MOST_CLAIMS or size + more > MOST_TOKENS):
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
    """Return what the model is asked; each excerpt is shown once."""
    excerpts = dict.fromkeys(text for claim in claims for text in claim.excerpts)
    keys = {text: f"P{number}" for number, text in enumerate(excerpts, 1)}
    lines = [
        f"{claim.number}| ({', '.join(keys[text] for text in claim.excerpts)}) "
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


def read_verdicts(text: str, claims: Iterable[SupportClaim]) -> list[Verdict]:
    """Return the verdicts of an answer on these claims, the last one on each."""
    known = {claim.number for claim in claims}
    found: dict[int, Verdict] = {}
    for number, word, reason in _LINE.findall(text):
        if int(number) not in known:
            continue
        is_supported = word.lower() == "supported"
        found[int(number)] = (
            Verdict(int(number), "supported")
            if is_supported
            else Verdict(int(number), "unsupported", shorten(reason, _LONGEST_REASON))
        )
    return list(found.values())


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
