"""What the pages of topics say."""

from __future__ import annotations

from collections.abc import Mapping

TOPIC_PAGES: Mapping[str, str] = {
    "## How it works": "## 仕組み",
    "## Public surface": "## 公開インターフェース",
    "## Files": "## ファイル",
    "## Related topics": "## 関連トピック",
    # facts before what the sources say in English
    "The code in {files} defines {counts}.": "{files} に{counts}が定義されています。",
    "The type with the most methods is {name} ({number}).": (
        "メソッドが最も多い型は {name}（{number} 個）です。"
    ),
    "The names of {functions} begin with “{word}”: {names}.": (
        "名前が「{word}」で始まる{functions}があります（{names}）。"
    ),
    "{functions} return `{word}`: {names}.": (
        "`{word}` を返す{functions}があります（{names}）。"
    ),
    "It is used by {topics}.": "{topics} から使われています。",
    "It uses {topics}.": "{topics} を使っています。",
    "In the words of the sources: {said}": "ソースの説明：{said}",
    "Name": "名前",
    "Call": "呼び出し",
    "Read in": "読み込む場所",
    "task": "タスク",
    # the code beside the documentation
    "In the code": "コード内の定義",
    "Fields of {name}:": "{name} のフィールド：",
    "Methods of {name}:": "{name} のメソッド：",
    "Other fields of {name} are {names}.": "{name} のそのほかのフィールド：{names}。",
    "Other members of {name} are {names}.": "{name} のそのほかのメンバー：{names}。",
    "Members of {name}:": "{name} のメンバー：",
    "It has the methods {names}.": "メソッドとして {names} があります。",
    "Among its methods are {names}.": "メソッドには {names} などがあります。",
    "{name} (abstract)": "{name}（抽象）",
    "Values of {name}:": "{name} の値：",
    "Its values are {names}.": "値は {names} です。",
    "{name} (by default `{default}`)": "{name}（デフォルト：`{default}`）",
    "Implementations of {name}:": "{name} の実装：",
    "Implementations of {name} are {names}.": "{name} の実装は {names} です。",
    "Possible implementations of {name}:": "{name} の実装の候補：",
    "Possible implementations of {name} are {names}.": (
        "{name} の実装の候補は {names} です。"
    ),
    "Classes that inherit from {name}:": "{name} を継承するクラス：",
    "Classes that inherit from {name} are {names}.": (
        "{name} を継承するクラスは {names} です。"
    ),
    "Interfaces that extend {name}:": "{name} を拡張するインターフェース：",
    "Interfaces that extend {name} are {names}.": (
        "{name} を拡張するインターフェースは {names} です。"
    ),
    "What extends or implements {name}:": "{name} を拡張または実装するもの：",
    "{name} is extended or implemented by {names}.": (
        "{name} は {names} によって拡張または実装されています。"
    ),
    "{names} build on {name}, too.": "{names} も {name} をもとにしています。",
    "What its longest methods call:": "長いメソッドからの呼び出し：",
    "Parameters of {name}:": "{name} の引数：",
    "It takes {names}.": "引数：{names}。",
    "It raises {errors}.": "送出するエラー：{errors}。",
    "Error": "エラー",
    "File": "ファイル",
    "Message": "メッセージ",
    "Raised by": "送出元",
    "{names} have the same descriptions as those of {other}.": (
        "{names} の説明は {other} のものと同じです。"
    ),
    "Comments in {name}:": "{name} 内のコメント：",
    # what a function does, step by step
    "### {name}, step by step": "### {name} の処理の流れ",
    "It is called by {names}.": "{names} から呼び出されます。",
    "it calls {names}": "{names} を呼び出します",
    "at the end it calls {names}": "最後に {names} を呼び出します",
    "it may call {names}": "{names} を呼び出すことがあります",
    "it creates {names}": "{names} のオブジェクトを作成します",
    "the given function {name}": "引数で渡された関数 {name}",
    "the function that it passes to {other} calls {names}": (
        "{other} に渡す関数が {names} を呼び出します"
    ),
    "when {other} is read, it calls {names}": (
        "{other} が読み取られると {names} を呼び出します"
    ),
    "the function that it returns calls {names}": ("返す関数が {names} を呼び出します"),
    "it can raise {error}": "{error} を送出することがあります",
    "it can throw {error}": "{error} を送出することがあります",
    "it calls {names} and returns {what}": ("{names} を呼び出し、{what} を返します"),
    "a function inside of it calls {names}": "内側の関数が {names} を呼び出します",
    "If {condition}:": "{condition} の場合：",
    "{said}: {what}": "{said}：{what}",
    "It ends early: {said}": "次の場合は、ここで処理を終えます：{said}",
    "{said}, if {condition}: {what}": "{said}（{condition} の場合）：{what}",
    "it returns {what}": "{what} を返します",
    "it raises {error}": "{error} を送出します",
    "it throws {error}": "{error} を送出します",
    "it fails with the message {message}": "メッセージ {message} で失敗します",
    "{error} with the message {message}": "{error}（メッセージ：{message}）",
    "If {condition}, {what}": "{condition} の場合は、{what}",
    "If {condition} is raised, {what}": "{condition} が送出された場合は、{what}",
    "On {condition}, {what}": "{condition} が送出された場合に、{what}",
    "If an error is raised, {what}": "エラーが発生した場合は、{what}",
    "The value derived from it is stored as {key}.": (
        "設定時に変換した値を {key} として保持します。"
    ),
    "Otherwise, {what}": "それ以外の場合は、{what}",
    "Otherwise, if {condition}, {what}": "それ以外で {condition} の場合は、{what}",
    "For each {item} of {whole}, {what}": "{whole} の各 {item} について、{what}",
    "In the loop {condition}, {what}": "ループ {condition} の中で、{what}",
    "For each {item} of {whole}:": "{whole} の各 {item} について：",
    "In the loop {condition}:": "ループ {condition} の中で：",
    "In a loop:": "ループの中で：",
    "In a loop, {what}": "ループの中で、{what}",
    "{conditions} and {last}": "{conditions}、かつ {last}",
    "{what} is {value}": "{what} が {value}",
    "{what} is not {value}": "{what} が {value} 以外",
    "{what} is at least {value}": "{what} が {value} 以上",
    "{what} is at most {value}": "{what} が {value} 以下",
    "{what} is greater than {value}": "{what} が {value} 超",
    "{what} is less than {value}": "{what} が {value} 未満",
    "{what} is true": "{what} が真",
    "{what} is truthy": "{what} が真",
    "{what} is false": "{what} が偽",
    "{what} is falsy": "{what} が偽",
    "{names} (deferred with {other})": "{names}（{other} で遅延実行）",
    "{name}, passed to {other}": "{name}（{other} に渡す）",
    "{name} of the package `{package}`": "パッケージ `{package}` の {name}",
    "### State kept by {name}": "### {name} が保持する値",
    "Its functions share state through these values.": (
        "各関数は次の値を通じて状態を共有します。"
    ),
    "Value": "値",
    "Set in": "設定する場所",
    "Used in": "使う場所",
    "The steps after these are left out here.": "これ以降の手順は省略しています。",
    "{name} calls {names}.": "{name} は {names} を呼び出します。",
    "The names of the cases:": "テストケースの名前：",
    # what is not code
    "What the documents say": "ドキュメントの記述",
    "More in the documents": "ドキュメントのその他の記述",
    "From {path}.": "出典：{path}。",
    "From {path}, last changed on {day}.": "出典：{path}（最終更新日 {day}）。",
    "Open tickets": "未完了のチケット",
    "Ticket": "チケット",
    "Status": "ステータス",
    "Open since": "作成日",
    "Topic": "トピック",
    "The newest": "最も新しいもの",
    "About none of these topics:": "どのトピックにも当てはまらないもの：",
    "{tickets} are open, too.": "ほかに{tickets}が未完了です。",
    "It holds {documents}.": "{documents}があります。",
    "It holds {documents}; {count} of the tickets are open.": (
        "{documents}があります。未完了のチケットは {count} 件です。"
    ),
    # documentation
    "**{path}**: see {pages}.": "**{path}**：{pages} を参照してください。",
    "See {pages}.": "{pages} を参照してください。",
}
