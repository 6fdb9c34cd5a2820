"""One or two sentences on a page, which its writer gives beside the sections."""

from __future__ import annotations

from devrag.core.text import clean_text
from devrag.wiki.analysis.prose import sentences
from devrag.wiki.checking.shown_names import CODE
from devrag.wiki.evidence.blocks import plain, unlink
from devrag.wiki.writing.model.language import is_in_language
from devrag.wiki.writing.model.validators import Rules, check_section

_LONGEST = 400


def checked_summary(said: str, page: str, rules: Rules, language: str) -> str:
    """Return a summary as plain text, '' where it breaks a rule.

    page: the page's text, which has the names that the summary may have.
    """
    answer = " ".join(plain(unlink(clean_text(said), lambda _: False)).split())
    if not answer or len(answer) > 2 * _LONGEST:
        return ""
    if not is_in_language(answer, language) or answer.startswith(("#", "-", "```")):
        return ""
    if any(span not in page for _, span in CODE.findall(answer)):
        return ""
    # No evidence is asked of a summary, all else is.
    _, findings = check_section(answer, rules)
    if any(finding.gate != "uncited" for finding in findings):
        return ""
    whole = sentences(answer)
    while whole and len(" ".join(whole)) > _LONGEST:
        whole.pop()
    return " ".join(whole)
