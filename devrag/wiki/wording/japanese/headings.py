"""Headings of English documents in Japanese, where every word of them is known.

“Defining your own help” is ヘルプの定義, “Descriptions for completions” 補完の説明. A
heading with a word that is not known stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from devrag.wiki.wording.japanese.terms import is_name, term_at


def _table(text: str) -> Mapping[str, str]:
    entries = (
        entry for line in text.strip().split("\n") for entry in line.split(" / ")
    )
    return dict(entry.split(": ", 1) for entry in entries)


_WHOLE = _table("""
about: 概要 / acknowledgements: 謝辞 / advanced: 高度な使い方
advanced usage: 高度な使い方
background: 背景 / basic usage: 基本的な使い方 / basics: 基本 / benchmarks: ベンチマーク
breaking changes: 互換性のない変更 / bugs: 既知の不具合 / caveats: 注意点
changelog: 変更履歴 / changes: 変更点 / conclusion: まとめ / contents: 目次
cve: CVE / deprecation: 非推奨化 / details: 詳細 / faq: よくある質問 / features: 特長
first steps: 最初の手順 / frequently asked questions: よくある質問
further reading: 参考資料 / future work: 今後の予定 / getting help: 質問と相談
getting started: はじめに / goals: 目標 / gotchas: 注意点 / how it works: 仕組み
how to use: 使い方 / how to use it: 使い方 / implementation details: 実装の詳細
install: インストール / installing: インストール / introduction: はじめに
known issues: 既知の問題 / known limitations: 既知の制限 / limitations: 制限事項
motivation: 動機 / next steps: 次の手順 / non-goals: 対象としないこと / notes: 補足
options: オプション / other: その他 / parameters: パラメーター / people: 関係者
philosophy: 設計思想 / prerequisites: 前提条件 / principles: 原則 / purpose: 目的
quick reference: 早見表 / rationale: 理由 / recipes: レシピ / references: 参考資料
requirements: 要件 / running: 実行 / running the tests: テストの実行
running tests: テストの実行 / sample code: サンプルコード / scope: 対象範囲
see also: 関連項目 / stability: 安定性 / structure: 構成 / summary: 要約
supported platforms: 対応プラットフォーム / supported versions: 対応バージョン
terminology: 用語 / the problem: 課題 / the solution: 解決策 / tips: ヒント
todo: 未対応の事項 / trade-offs: トレードオフ / usage: 使い方 / use cases: 利用例
what's new: 新機能 / why: 理由 / communication: 連絡方法 / echoing: 出力
""")
_VERBS = _table("""
assign: 割り当て / bind: 結び付け / find: 検索 / group: グループ化 / implement: 実装
limit: 制限 / load: 読み込み / manage: 管理 / print: 出力 / read: 読み込み
register: 登録 / remove: 削除 / rename: 名前の変更 / run: 実行
send: 送信 / show: 表示 / specify: 指定
start: 起動 / store: 保存 / update: 更新 / upgrade: アップグレード / write: 作成
access: 利用 / accessing: 利用 / add: 追加 / adding: 追加 / adapting: 調整
assigning: 割り当て / binding: 結び付け / building: ビルド / calling: 呼び出し
capturing: 取得 / change: 変更 / changing: 変更 / checking: 確認 / choosing: 選択
combining: 組み合わせ / compiling: コンパイル / configure: 設定 / configuring: 設定
connecting: 接続 / converting: 変換 / copying: コピー / create: 作成 / creating: 作成
customize: カスタマイズ / customizing: カスタマイズ / debugging: デバッグ
declaring: 宣言 / define: 定義 / defining: 定義 / deleting: 削除 / deploying: デプロイ
deprecating: 非推奨化 / detecting: 検出 / disable: 無効化 / disabling: 無効化
documenting: 文書化 / enable: 有効化 / enabling: 有効化 / escaping: エスケープ
exporting: エクスポート / extending: 拡張 / fetching: 取得 / filtering: 絞り込み
finding: 検索 / formatting: 書式設定 / generate: 生成 / generating: 生成
grouping: グループ化 / handle: 処理 / handling: 処理 / implementing: 実装
importing: インポート / installing: インストール / launching: 起動 / limiting: 制限
listing: 一覧 / loading: 読み込み / managing: 管理 / merging: マージ / migrating: 移行
mocking: モック / nesting: 入れ子 / opening: オープン / overriding: 上書き
packaging: パッケージ化 / parsing: 解析 / passing: 受け渡し / printing: 出力
publishing: 公開 / reading: 読み込み / registering: 登録 / removing: 削除
renaming: 名前の変更 / rendering: レンダリング / replacing: 置き換え
reporting: 報告 / returning: 返却 / running: 実行 / saving: 保存 / selecting: 選択
sending: 送信 / set: 設定 / setting: 設定 / setting up: セットアップ
sharing: 共有 / showing: 表示 / sorting: 並べ替え / specifying: 指定 / starting: 起動
stopping: 停止 / storing: 保存 / supporting: 対応 / switching: 切り替え
testing: テスト / updating: 更新 / upgrading: アップグレード / use: 使用
using: 使用 / validating: 検証 / writing: 作成
""")
_ADJECTIVES = _table("""
additional: 追加の / advanced: 高度な / automatic: 自動 / available: 利用できる
backward: 後方 / backwards: 後方 / basic: 基本的な / behavioral: 動作の / common: 共通の
complex: 複雑な / conditional: 条件付き / custom: カスタム / default: 既定の
deprecated: 非推奨の / dynamic: 動的な / existing: 既存の / external: 外部の
global: グローバル / hidden: 非表示の / inherited: 継承された / interactive: 対話的な
internal: 内部の / lazy: 遅延 / local: ローカル / multiple: 複数の / mutable: 可変の
named: 名前付きの / nested: 入れ子の / new: 新しい / optional: 省略可能な
other: そのほかの / parallel: 並列 / persistent: 永続 / positional: 位置
private: 非公開の / public: 公開 / recursive: 再帰的な / related: 関連する
remote: リモートの / required: 必須 / reserved: 予約された / shared: 共有の
simple: 単純な / single: 単一の / special: 特殊な / static: 静的な / supported: 対応する
third-party: サードパーティーの / typical: 典型的な / unsupported: 対応していない
valid: 有効な / virtual: 仮想の
""")
_NOUNS = _table("""
behavior: 動作 / behaviour: 動作 / change: 変更 / choice: 選択肢 / code: コード
confirmation: 確認 / description: 説明 / filename: ファイル名 / instance: インスタンス
limitation: 制限事項 / man page: man ページ / meaning: 意味 / mode: モード
order: 順序 / organization: 構成 / pager: ページャー / part: 部分 / position: 位置
prefix: 接頭辞 / range: 範囲 / reason: 理由 / restriction: 制限 / size: サイズ
step: 手順 / suffix: 接尾辞 / usage: 使い方 / way: 方法 / standardization: 標準化
editor: エディター / stdout: 標準出力 / stderr: 標準エラー出力 / stdin: 標準入力
exit code: 終了コード / config: 設定 / single command: 単一のコマンド / color: 色
support: 対応 / restructured text: reStructuredText
child: 子 / parent: 親 / instruction: 説明 / app: アプリ
""")
_IGNORED = re.compile(
    r"\b(?:the|an?|your(?: own)?|its|our|their|some)\s+", re.IGNORECASE
)
_NUMBER = re.compile(r"^(\d+(?:\.\d+)*[.)]?)\s+")
_QUESTION = re.compile(r"^how to ", re.IGNORECASE)
_OF = re.compile(r"\s+(?:of|for|in|on)\s+", re.IGNORECASE)
_AND = re.compile(r",? (?:and|&) |, ", re.IGNORECASE)
_LONGEST = 3  # words of a term


def translate_heading(title: str) -> str:
    """Return a heading in Japanese, as it is where it has an unknown word."""
    if title.islower() and " " not in title:
        return title  # the key of a file, the name of a command
    number = _NUMBER.match(title)
    bare = _NUMBER.sub("", title).strip()
    said = _WHOLE.get(bare.casefold().rstrip("?:")) or _phrase(
        _IGNORED.sub("", _QUESTION.sub("", bare))
    )
    if not said or said.isascii():
        return title
    return f"{number[1]} {said}" if number else said


def _phrase(text: str) -> str:
    """Return what a heading says as a noun; '' where a word is unknown."""
    return _action(text) or _joined_by_of(text) or _listed(text) or _noun(text)


def _action(text: str) -> str:
    """Return `Xの作成` for `Creating X` and `Create X`."""
    words = text.split()
    for size in (2, 1):
        verb = _VERBS.get(" ".join(words[:size]).casefold())
        rest = " ".join(words[size:])
        if verb and rest and (said := _object(rest)):
            return _glued(said, f"の{verb}")
        if verb and rest and (said := _direction(rest)):
            return said + verb
    return ""


def _direction(text: str) -> str:
    """Return `Yへの` for `to Y`, `YへのXの` for `X to Y`."""
    before, _, after = f" {text}".partition(" to ")
    target = _noun(after) if after else ""
    if not target:
        return ""
    towards = _glued(target, "への")
    if not before.strip():
        return towards
    said = _noun(before.strip())
    return _glued(_glued(towards, said), "の") if said else ""


def _object(text: str) -> str:
    return _joined_by_of(text) or _listed(text) or _noun(text)


def _joined_by_of(text: str) -> str:
    pieces = _OF.split(text)
    if len(pieces) < 2:
        return ""
    told = [_listed(piece) or _noun(piece) for piece in pieces]
    if not all(told):
        return ""
    said = told[-1]
    for piece in reversed(told[:-1]):
        said = _glued(_glued(said, "への" if piece == "対応" else "の"), piece)
    return said


def _listed(text: str) -> str:
    pieces = _AND.split(text)
    if len(pieces) < 2:
        return ""
    told = [_action(p) or _noun(p) or _sharing_noun(p, pieces[-1]) for p in pieces]
    if not all(told):
        return ""
    said = told[0]
    for piece in told[1:]:
        said = _glued(_glued(said, "と"), piece)
    return said


def _sharing_noun(adjective: str, last: str) -> str:
    """Return 位置引数 for the first of `Positional and Custom Arguments`."""
    words = last.split()
    said = _ADJECTIVES.get(adjective.casefold(), "")
    is_alike = len(words) > 1 and words[0].casefold() in _ADJECTIVES
    noun = _noun(" ".join(words[1:])) if said and is_alike else ""
    return _glued(said, noun) if noun else ""


def _noun(text: str) -> str:
    """Return a noun with its adjectives; a name stays as it is written."""
    words = text.split()
    pieces: list[str] = []
    at = 0
    while at < len(words):
        said, size = _term(words, at)
        if not said:
            return ""
        pieces.append(said)
        at += size
    said = ""
    for piece in pieces:
        said = _glued(said, piece)
    return said


def _term(words: list[str], at: int) -> tuple[str, int]:
    is_last = at == len(words) - 1
    adjective = "" if is_last else _ADJECTIVES.get(words[at].casefold(), "")
    for size in range(min(_LONGEST, len(words) - at), 0, -1):
        term = " ".join(words[at : at + size]).casefold()
        own = _NOUNS.get(term) or _NOUNS.get(term.removesuffix("s"))
        if own:
            return own, size
        said, length = term_at(words[at : at + size], 0)
        if said and length == size and not (adjective and size == 1):
            return said, size
    if adjective:
        return adjective, 1
    return (words[at], 1) if is_name(words[at]) else ("", 1)


def _glued(one: str, other: str) -> str:
    """Put two pieces behind each other, a blank beside Latin letters."""
    is_close = not one or not (one[-1:].isascii() or other[:1].isascii())
    return one + other if is_close else f"{one} {other}"
