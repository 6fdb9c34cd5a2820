"""Pages of products that are documents alone."""

from __future__ import annotations

from collections.abc import Mapping

DOCUMENTS: Mapping[str, str] = {
    "Other documents": "そのほかの文書",
    "more": "ほか",
    "What the documents are about, their topics, where to start.": (
        "文書の内容、トピック、最初に読むとよいものを紹介します。"
    ),
    "The collection holds {documents}.": "{documents}があります。",
    "Dates are known of {documents}, from {first} to {last}.": (
        "日付のある{documents}は {first} から {last} までのものです。"
    ),
    "The other documents link to these most.": (
        "ほかの文書から特に多くリンクされている文書です。"
    ),
    "Most of its text is also in {document}.": (
        "内容の大部分は「{document}」と共通です。"
    ),
    "Documents: {names}.": "文書：{names}。",
    "Excerpts from the document:": "文書からの抜粋です。",
    "The same as in {document}: {names}.": "「{document}」と同じ内容の章：{names}。",
    "The same as in {document} except for letter case: {names}.": (
        "大文字・小文字の違いを除いて「{document}」と同じ内容の章：{names}。"
    ),
    # how editions differ
    "{one} and {other}": "「{one}」と「{other}」",
    "Chapter": "章",
    "Chapters: {counts}.": "章の数：{counts}。",
    "How the editions differ: {link}.": "版どうしの比較：{link}。",
    "the same in both: {number}": "同じ内容 {number}",
    "the same except for letter case: {number}": "大文字・小文字だけが違う {number}",
    "different: {number}": "内容が違う {number}",
    "in one only: {number}": "一方だけにある {number}",
    "Only in {document}:": "「{document}」だけにある章：",
    "{number} more": "ほか {number} 件",
    "Also different: {names}.": "ほかに内容が違う章：{names}。",
    "The same except for letter case: {names}.": (
        "大文字・小文字の違いを除いて同じ章：{names}。"
    ),
    "Left out here: {what}.": "ここでは省略：{what}。",
    "Further chapters: {names}.": "そのほかの章：{names}。",
    "Chapters that are not quoted here, each by its first rule or sentence:": (
        "ここに引用していない章（それぞれ最初の規則または文）："
    ),
    "Further documents: {names}.": "そのほかの文書：{names}。",
    "Their documents link to each other: {names}.": (
        "文書が互いにリンクしているトピック：{names}。"
    ),
    "All decisions: {link}.": "すべての決定：{link}。",
    "## Open questions": "## 未解決の事項",
    "## Main rules": "## 主な規則",
    "## Documents": "## 文書",
    "## Most linked": "## よく参照されている文書",
    "## Newest documents": "## 最近の文書",
    "## What the documents say": "## 文書の内容",
}
