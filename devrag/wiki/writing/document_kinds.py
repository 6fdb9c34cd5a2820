"""The kinds of pages on what documents record: decisions, open questions, days."""

from __future__ import annotations

from devrag.wiki.planning import topic_files
from devrag.wiki.planning.page_kind import PageKind
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.decisions import count_decisions, write_decisions
from devrag.wiki.writing.structural.documents.editions_page import (
    TITLE as EDITIONS_TITLE,
)
from devrag.wiki.writing.structural.documents.editions_page import (
    count_pairs,
    write_editions,
)
from devrag.wiki.writing.structural.documents.open_questions import (
    count_questions,
    write_open_questions,
)
from devrag.wiki.writing.structural.documents.timeline import (
    count_entries,
    write_timeline,
)

DECISIONS: PageKind[PageContext] = PageKind(
    name="decisions",
    path="decisions.md",
    title=phrase("Decisions"),
    files=topic_files.decision_files,
    write=write_decisions,
    summary=phrase("What was decided, when and whether it still holds: {count}."),
    summary_places=count_decisions,
    queries=("decisions and their reasons", "architecture decision records"),
    wording={
        "ja": {
            "Decisions": "決定事項",
            "What was decided, when and whether it still holds: {count}.": (
                "決まったことと、その日付、現在も有効かどうか（{count}）をまとめます。"
            ),
            "The sources record {decisions}; none has a date.": (
                "ソースに{decisions}が記録されています。日付はありません。"
            ),
            "The sources record {decisions}, the newest first.": (
                "ソースに記録されている{decisions}を、新しい順に示します。"
            ),
            "One of them has been superseded or withdrawn.": (
                "そのうち1件は置き換えまたは廃止されています。"
            ),
            "{count} of them have been superseded or withdrawn.": (
                "そのうち {count} 件は置き換えまたは廃止されています。"
            ),
            "## Without a date": "## 日付のないもの",
            "in {path}": "{path}",
            "superseded by {decision}": "{decision} により置き換え",
            "{n} decision": "{n} 件の決定",
        }
    },
)
EDITIONS: PageKind[PageContext] = PageKind(
    name="editions",
    path="editions.md",
    title=EDITIONS_TITLE,
    files=topic_files.edition_files,
    write=write_editions,
    summary=phrase("What each edition says otherwise: {count}."),
    summary_places=count_pairs,
    queries=("differences between versions of a document",),
    wording={
        "ja": {
            "Differences between the editions": "版による違い",
            "What each edition says otherwise: {count}.": (
                "版どうしの違い（{count}）を、並べて示します。"
            ),
            "Each row of a table is one change.": (
                "表の各行は、一つの違いです。"
                "「—」は、その版に該当する記述がないことを表します。"
            ),
            "All changes, beside each other: {link}.": ("違いの一覧：{link}。"),
            "{chapter}, {label}": "{chapter}（{label}）",
            "{chapter}, {label} for “{rule}”": "{chapter}（「{rule}」の{label}）",
            "sample": "コード例",
            "{number} sentences": "{number} 件の記述",
            "{n} comparison": "{n} 組の比較",
        }
    },
)
OPEN_QUESTIONS: PageKind[PageContext] = PageKind(
    name="open-questions",
    path="open-questions.md",
    title=phrase("Open questions"),
    files=topic_files.open_files,
    write=write_open_questions,
    summary=phrase("What the documents leave open: {found}."),
    summary_places=count_questions,
    queries=("open questions, TODO and undecided points",),
    wording={
        "ja": {
            "Open questions": "未解決の事項",
            "What the documents leave open: {found}.": (
                "文書で未解決のままになっていること（{found}）をまとめます。"
            ),
            "The documents leave {found} open.": (
                "文書では{found}が未解決のままです。"
            ),
            "## Open tickets": "## 未完了のチケット",
            "## Left open in documents": "## 文書で未解決の事項",
            "{n} point": "{n} 件の事項",
        }
    },
)
TIMELINE: PageKind[PageContext] = PageKind(
    name="timeline",
    path="timeline.md",
    title=phrase("Timeline"),
    files=topic_files.dated_files,
    write=write_timeline,
    summary=phrase("What the documents date: {count}."),
    summary_places=count_entries,
    queries=("history, releases and minutes",),
    wording={
        "ja": {
            "Timeline": "年表",
            "What the documents date: {count}.": (
                "日付のある記述（{count}）を新しい順にまとめます。"
            ),
            "The documents date {events}, the newest first.": (
                "日付のある{events}を、新しい順に示します。"
            ),
            "{n} event": "{n} 件の記述",
        }
    },
)
