"""Every kind of page that a wiki can have, in reading order."""

from __future__ import annotations

from devrag.wiki.planning import topic_files
from devrag.wiki.planning.page_kind import ARCHITECTURE, INDEX, PageKind
from devrag.wiki.wording import phrase
from devrag.wiki.writing.document_kinds import (
    DECISIONS,
    EDITIONS,
    OPEN_QUESTIONS,
    TIMELINE,
)
from devrag.wiki.writing.example_kind import EXAMPLES
from devrag.wiki.writing.structural.api import count_exports, write_api
from devrag.wiki.writing.structural.architecture import write_architecture
from devrag.wiki.writing.structural.build import write_build
from devrag.wiki.writing.structural.configuration import (
    count_settings,
    write_configuration,
)
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.documentation import (
    count_documents,
    write_documentation,
)
from devrag.wiki.writing.structural.glossary import count_terms, write_glossary
from devrag.wiki.writing.structural.index_page import write_index
from devrag.wiki.writing.structural.interface_pages import (
    count_entry_points,
    count_models,
    write_data_model,
    write_interfaces,
)
from devrag.wiki.writing.structural.operations import write_operations
from devrag.wiki.writing.structural.testing import count_tests, write_testing
from devrag.wiki.writing.structural.topic_page.page import write_topic

# The front page has the summary of the page that it leads to first.
_PARTS = phrase(
    "The components, what each of them does and how they depend on each other."
)

PAGE_KINDS: tuple[PageKind[PageContext], ...] = (
    PageKind(
        name="index",
        path=INDEX,
        files=topic_files.root_documents,
        is_required=True,
        write=write_index,
        summary=_PARTS,
        queries=(
            "overview: what the product does and for whom",
            "getting started, install and first steps",
            "main concepts and components",
        ),
    ),
    PageKind(
        name="architecture",
        is_on_code=True,
        path=ARCHITECTURE,
        title=phrase("Architecture"),
        files=topic_files.package_markers,
        is_required=True,
        write=write_architecture,
        summary=_PARTS,
        queries=(
            "architecture and design of the system",
            "message flow between components, queues and events",
            "design decisions and their reasons",
        ),
        wording={
            "ja": {
                "Architecture": "アーキテクチャ",
                _PARTS: "コンポーネントの役割と依存関係を説明します。",
            }
        },
    ),
    EXAMPLES,
    PageKind(name="feature", write=write_topic),
    PageKind(
        name="api",
        is_on_code=True,
        path="api.md",
        title=phrase("API"),
        files=topic_files.api_files,
        write=write_api,
        summary=phrase("What the library exports: {found}."),
        summary_places=count_exports,
        queries=(
            "public classes and functions and how to use them",
            "parameters, return values and errors of the public functions",
        ),
        wording={
            "ja": {
                "API": "API",
                "What the library exports: {found}.": (
                    "ライブラリを使うコードから利用できるもの（{found}）を説明します。"
                ),
                "Code that uses {product} can import {names}, grouped by topic below "
                "with the most used first.": (
                    "{product} を使うコードは、{names}をインポートできます。以下では"
                    "トピックごとに、よく使われるものから順に示します。"
                ),
                "They are exported by {path}.": "{path} から公開されています。",
                "{topic} has {count} more.": "{topic} にはほかに {count} 件あります。",
                "Parameter": "引数",
                "Method": "メソッド",
                "{n} exported name": "公開されている名前 {n} 件",
            }
        },
    ),
    PageKind(
        name="interfaces",
        is_on_code=True,
        path="interfaces.md",
        title=phrase("Interfaces"),
        files=topic_files.entry_point_files,
        host="build",
        write=write_interfaces,
        summary=phrase("What can be called from outside: {found}."),
        summary_places=count_entry_points,
        queries=(
            "routes, endpoints and request handling",
            "command line commands and their options",
            "background tasks and schedules",
        ),
        wording={
            "ja": {
                "Interfaces": "インターフェース",
                "What can be called from outside: {found}.": (
                    "外部から呼び出せるもの（{found}）を説明します。"
                ),
            }
        },
    ),
    PageKind(
        name="data-model",
        is_on_code=True,
        path="data-model.md",
        title=phrase("Data model"),
        files=topic_files.model_files,
        write=write_data_model,
        summary=phrase("The data it stores or exchanges: {found}."),
        summary_places=count_models,
        queries=("data model, tables and relations", "migrations and constraints"),
        wording={
            "ja": {
                "Data model": "データモデル",
                "The data it stores or exchanges: {found}.": (
                    "保存またはやり取りするデータ（{found}）を説明します。"
                ),
            }
        },
    ),
    PageKind(
        name="configuration",
        is_on_code=True,
        path="configuration.md",
        title=phrase("Configuration"),
        files=topic_files.setting_files,
        host="build",
        write=write_configuration,
        summary=phrase("What can be set, and where it is read: {found}."),
        summary_places=count_settings,
        queries=("settings and environment variables", "default configuration"),
        wording={
            "ja": {
                "Configuration": "設定",
                "What can be set, and where it is read: {found}.": (
                    "設定できるものと、それが読み込まれる場所（{found}）を説明します。"
                ),
                "The code and the documentation name {settings}.": (
                    "コードとドキュメントには {settings} があります。"
                ),
                "## Environment variables": "## 環境変数",
                "## Command-line options": "## コマンドラインオプション",
                "## Settings in the documents": "## ドキュメントにある設定",
                "## Settings by name": "## 名前で設定する項目",
                "They are set and read by {names}.": (
                    "{names} で設定し、読み込みます。"
                ),
                "Read by": "読み込む関数",
                "{value} if `{condition}`": "{value}（`{condition}` の場合）",
                "{n} package variable": "パッケージ変数 {n} 件",
                "{n} named setting": "名前で設定する項目 {n} 件",
                "## Variables that no code reads": "## コードが読み込まない環境変数",
                "The documentation names these environment variables; no code here "
                "reads them.": (
                    "ドキュメントに記載されていますが、読み込むコードはありません。"
                ),
                "## Types that hold settings": "## 設定を保持する型",
                "There are {count} more of this kind.": (
                    "同じ種類のものがほかに {count} 件あります。"
                ),
                "Variable": "変数",
                "set in {path}": "{path} で設定",
                "Field": "フィールド",
                "{n} environment variable": "環境変数 {n} 件",
                "{n} command-line option": "コマンドラインオプション {n} 件",
                "{n} field": "フィールド {n} 件",
                "{n} documented setting": "ドキュメントにある設定 {n} 件",
            }
        },
    ),
    PageKind(
        name="build",
        is_on_code=True,
        path="build-and-run.md",
        title=phrase("Build and run"),
        files=topic_files.build_files,
        write=write_build,
        summary=phrase("How it is built, started and checked."),
        queries=("build, install, run and deploy", "continuous integration"),
        wording={
            "ja": {
                "Build and run": "ビルドと実行",
                "How it is built, started and checked.": (
                    "ビルド、起動、検査の方法を説明します。"
                ),
            }
        },
    ),
    PageKind(
        name="testing",
        is_on_code=True,
        path="testing.md",
        title=phrase("Testing"),
        files=topic_files.testing_files,
        write=write_testing,
        summary=phrase(
            "How it is tested: {tests}, what they exercise and what they do not."
        ),
        summary_places=count_tests,
        queries=("how to run the tests", "test fixtures and test strategy"),
        wording={
            "ja": {
                "Testing": "テスト",
                "## Test files": "## テストファイル",
                "Cases": "件数",
                "Among them": "例",
                "How it is tested: {tests}, what they exercise and what they do not.": (
                    "テスト（{tests}）の対象と、テストされていないものを説明します。"
                ),
            }
        },
    ),
    PageKind(
        name="operations",
        is_on_code=True,
        path="operations-and-security.md",
        title=phrase("Operations and security"),
        files=topic_files.operations_files,
        host="build",
        write=write_operations,
        summary=phrase("What is started, who may do what, and where secrets come in."),
        wording={
            "ja": {
                "Operations and security": "運用とセキュリティ",
                "What is started, who may do what, and where secrets come in.": (
                    "起動されるもの、権限、シークレットの扱いを説明します。"
                ),
            }
        },
    ),
    PageKind(
        name="documentation",
        is_on_code=True,
        path="documentation.md",
        title=phrase("Documentation"),
        files=topic_files.documents,
        host="index",
        write=write_documentation,
        summary=phrase("The documentation in the sources: {count}."),
        summary_places=count_documents,
        queries=("guides and documentation overview",),
        wording={
            "ja": {
                "Documentation": "ドキュメント",
                "The documentation in the sources: {count}.": (
                    "そのほかの資料（{count}）を紹介します。"
                ),
                "This page lists {documents}; licences and forms are left out.": (
                    "{documents}を示します。ライセンスとテンプレートは含みません。"
                ),
                "**{path}**: the introduction to the sources.": "**{path}**：概要。",
                "**{path}**: the list of changes.": "**{path}**：変更履歴。",
                "**{path}**: the list of changes; its first entry is “{title}”.": (
                    "**{path}**：変更履歴（最初の項目は「{title}」）。"
                ),
                "This folder has {documents}.": (
                    "このフォルダーには{documents}があります。"
                ),
                "At the top": "最上位のフォルダー",
                "**{path}**, “{title}”.": "**{path}**「{title}」。",
                "{n} document": "{n} 件の文書",
                "{n} more document": "ほかに {n} 件の文書",
            }
        },
    ),
    EDITIONS,
    DECISIONS,
    OPEN_QUESTIONS,
    TIMELINE,
    PageKind(
        name="glossary",
        path="glossary.md",
        title=phrase("Glossary"),
        files=topic_files.glossary_files,
        write=write_glossary,
        summary=phrase("The terms that the sources define: {count}."),
        summary_places=count_terms,
        wording={
            "ja": {
                "Glossary": "用語集",
                "The terms that the sources define: {count}.": (
                    "用語の意味（{count}）を説明します。"
                ),
                "The sources define {words} of their own, listed alphabetically.": (
                    "ソースで説明されている独自の{words}を、名前の順に示します。"
                ),
                "{n} term": "{n} 件の用語",
                "{n} word": "{n} 件の用語",
            }
        },
    ),
)
