"""What the pages of topics say."""

from __future__ import annotations

from collections.abc import Mapping

TOPIC_PAGES: Mapping[str, str] = {
    "## How it works": "## 仕組み",
    "## Public surface": "## 公開インターフェース",
    "## Files": "## ファイル",
    "## Related topics": "## 関連トピック",
    "Name": "名前",
    "Call": "呼び出し",
    "Read in": "読み込む場所",
    "task": "タスク",
    # the code beside the documentation
    "In the code:": "コードでは次のように定義されています：",
    "Its fields:": "フィールド：",
    "Its methods:": "メソッド：",
    "Its methods are {names}.": "メソッドは {names} です。",
    "Its values:": "値：",
    "Its values are {names}.": "値は {names} です。",
    "{name} (by default `{default}`)": "{name}（デフォルト：`{default}`）",
    "Implementations of {name}:": "{name} の実装：",
    "Implementations of {name} are {names}.": "{name} の実装は {names} です。",
    "What its longest methods call:": "長いメソッドからの呼び出し：",
    "And {count} more.": "ほかに{count}件あります。",
    "Parameters of {name}:": "{name} の引数：",
    "It takes {names}.": "引数は {names} です。",
    "It raises {errors}.": "{errors} を送出します。",
    "Errors that it raises:": "送出するエラー：",
    "Comments in {name}:": "{name} 内のコメント：",
    "{name} calls {names}.": "{name} は {names} を呼び出します。",
    "What cases check, by their names:": "テストケースの名前が示す確認内容：",
    # documentation
    "**{path}** is covered in {pages}.": (
        "**{path}** の内容は {pages} で説明しています。"
    ),
    "**{path}**, “{title}”, is covered in {pages}.": (
        "**{path}**「{title}」の内容は {pages} で説明しています。"
    ),
}
