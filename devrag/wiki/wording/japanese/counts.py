"""Numbers with their counters."""

from __future__ import annotations

from collections.abc import Mapping

COUNTS: Mapping[str, str] = {
    "more": "ほか {n} 件",
    "attachment": "添付ファイル {n} 件",
    "page": "ページ {n} 件",
    "ticket": "チケット {n} 件",
    "background task": "{n} 件のバックグラウンドタスク",
    "command": "{n} 件のコマンド",
    "configuration file": "{n} 個の設定ファイル",
    "entry point": "{n} 件のエントリポイント",
    "file": "{n} 個のファイル",
    "line": "{n} 行",
    "model": "{n} 個のモデル",
    "state": "{n} 個の状態",
    "more file": "ほかに {n} 個のファイル",
    "more tie": "ほかに {n} 件の連携",
    "older ticket": "それより古いチケット {n} 件",
    "type": "{n} 個の型",
    "method": "{n} 個のメソッド",
    "function": "{n} 個の関数",
    "example program": "{n} 個のサンプルプログラム",
    "other file": "ほか {n} 個のファイル",
    "other test file": "ほか {n} 個のテストファイル",
    "component": "{n} 個のコンポーネント",
    "route": "{n} 件のルート",
    "paragraph": "{n} 個の段落",
    "list item": "箇条書き {n} 項目",
    "table": "{n} 個の表",
    "code sample": "コード例 {n} 件",
    "section": "{n} 個の節",
    "test case": "{n} 件のテストケース",
    "test file": "{n} 個のテストファイル",
    "tie": "{n} 件の連携",
}
