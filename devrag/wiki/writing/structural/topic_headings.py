"""The headings of documents on a page: as its language has them, with their parent."""

from __future__ import annotations

import re
from collections.abc import Sequence

from devrag.parsing.tokens import count_cjk
from devrag.wiki.analysis.prose import clean
from devrag.wiki.analysis.topics.documents import is_formal
from devrag.wiki.analysis.topics.titles import stems_of
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext

_MOST = 4  # headings that tell what the documents explain
# Such a heading says something of what stands above it only.
_GENERIC = re.compile(
    r"^\W*((basic |simple |more |full |other )?(examples?|usage|notes?|options?"
    r"|details?|limitations?|caveats?|alias(es)?|parameters|arguments|returns?|errors?|tips?"
    r"|overview|introduction|summary|background|description|remarks|settings?"
    r"|configuration|see also|references?|installation|installing|faq|debugging"
    r"|user guide|guide|quick ?start|philosophy|features|why|how it works"
    r"|getting started|requirements)"
    r"|例|使い方|注意(点|事項)?|備考|補足|オプション|制限(事項)?|詳細|概要|はじめに|参照|参考)\W*$",
    re.IGNORECASE,
)


def heading_of(ctx: PageContext, title: str, above: Sequence[str] = ()) -> str:
    """Return a heading in the page's language; one that needs its parent has it.

    above: the headings around it, outermost first, that the page does not have.
    """
    said = _translated(ctx, title)
    if not above or not _GENERIC.match(title):
        return said
    return f"{_translated(ctx, above[-1])} › {said}"


def _translated(ctx: PageContext, title: str) -> str:
    return clean(ctx.wording.heading(title), ctx.analysis.names)


def explained(ctx: PageContext, index: int) -> str:
    """Return what the documents on a topic explain by their headings, cited.

    '' where none of them can be said in the page's language.
    """
    told: dict[str, str] = {}
    topic = ctx.analysis.topics[index]
    stems = stems_of(topic.title)
    # First what has the topic's own words, in a heading or in one above it.
    for section in sorted(
        topic.sections,
        key=lambda s: not stems & stems_of(" ".join((s.title, *s.above))),
    ):
        inside = ctx.analysis.sections(ctx.analysis.files[section.file])
        for each in inside[section.first : section.last + 1]:
            if not each.title or is_formal(each.title) or _GENERIC.match(each.title):
                continue
            said = _translated(ctx, each.title)
            is_known = count_cjk(said) or ctx.plan.language == "en"
            if is_known and said != ctx.page.title and said not in told:
                told[said] = ctx.book.cite(section.file, each.line, each.line)
            if len(told) == _MOST:
                break
        if len(told) == _MOST:
            break
    if not told:
        return ""
    shown = [said + marker for said, marker in told.items()]
    return ctx.say(phrase("The documents explain {titles}."), titles=ctx.listed(shown))
