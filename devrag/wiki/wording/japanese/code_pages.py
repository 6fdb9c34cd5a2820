"""Phrases of pages on code: returned values, public names, hooks, examples."""

from __future__ import annotations

from collections.abc import Mapping

CODE_PAGES: Mapping[str, str] = {
    "if {condition}, it returns {what}; otherwise {other}": (
        "{condition} の場合は {what} を、それ以外の場合は {other} を返します"
    ),
    "{link} shows how the topics depend on each other.": (
        "トピックどうしの依存関係は {link} に示します。"
    ),
    "{path} exports the object {name} with {functions}": (
        "{path} は、{functions}を持つオブジェクト {name} をエクスポートします"
    ),
    "{path} exports the object {name}, which inherits from {base} and has "
    "{functions}": (
        "{path} は、{base} を継承し{functions}を持つオブジェクト {name} を"
        "エクスポートします"
    ),
    "{told}; {user} puts them on the object that it makes.": (
        "{told}。{user} が、生成するオブジェクトにこれらの関数を加えます。"
    ),
    "{told}; {user} makes objects that inherit from it.": (
        "{told}。{user} が、これを継承するオブジェクトを生成します。"
    ),
    "{told}; {user} uses it.": "{told}。{user} が使います。",
    "{told}.": "{told}。",
    "Its main functions:": "主な関数：",
    "Its main types:": "主な型：",
    "Its main definitions:": "主な定義：",
    "one function for each name": "名前ごとに 1 つの関数",
    "property": "プロパティ",
    "re-exported": "再エクスポート",
    "Re-exports {value} of the package {package}.": (
        "パッケージ {package} の {value} を再エクスポートします。"
    ),
    "Re-exports the package {package}.": (
        "パッケージ {package} を再エクスポートします。"
    ),
    "Re-exports what {package} exports.": (
        "{package} のエクスポートを再エクスポートします。"
    ),
    "The names are those in {value}.": "名前は {value} に含まれるものです。",
    "Examples and tests call {names}.": (
        "サンプルとテストでは {names} が呼び出されています。"
    ),
    "The sources come with {programs} that show how it is used:": (
        "ソースには、使い方を示す{programs}が含まれています："
    ),
    "## Examples": "## サンプル",
    "{caller} calls {name} in {path}, which makes these calls; those below one are its "
    "own:": (
        "{caller} は {path} の {name} を呼び出し、{name} は次の関数を呼び出します"
        "（字下げした項目は、その上の関数の呼び出しです）："
    ),
    "The documents explain {titles}.": "文書では {titles} を説明しています。",
    "It covers {titles}.": "{titles} を扱います。",
    "The manifest also names {names}.": (
        "マニフェストには {names} も記載されています。"
    ),
    "## Package variables": "## パッケージ変数",
    "not set": "未設定",
    "no code here, by its name": "名前で読み取るコードはありません",
    "No test imports {parts} or names its definitions; tests may still reach it "
    "through other code.": (
        "{parts} をインポートするテストも、その定義を名前で参照するテストもありません。"
        "ただし、テストがほかのコードを経由して到達する可能性はあります。"
    ),
}
