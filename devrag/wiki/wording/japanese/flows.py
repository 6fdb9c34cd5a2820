"""How calls and messages travel, and what surrounds a product."""

from __future__ import annotations

from collections.abc import Mapping

FLOWS: Mapping[str, str] = {
    "A request to {entry}": "{entry} へのリクエスト",
    "The command {entry}": "コマンド {entry}",
    "The task {entry}": "タスク {entry}",
    "The program {entry}": "プログラム {entry}",
    "A call of {entry}": "{entry} の呼び出し",
    "From {first} to {last}, as {page} tells step by step:": (
        "{first} から {last} までの流れ（手順の詳細は {page}）："
    ),
    "{name} in {path} makes these calls; those below one are its own:": (
        "{path} の {name} は次の関数を呼び出します"
        "（字下げした項目は、その上の関数からの呼び出しです）："
    ),
    "{name}, from a function inside of it": "{name}（内側の関数から）",
    "{name}, when {other} is read": "{name}（{other} が読み取られたとき）",
    "{name}, in a function that {other} gets": "{name}（{other} に渡される関数から）",
    "{name}, which gets {what}": "{name}（{what} を渡す）",
    "{name}, which overrides it, calls:": (
        "{name}（オーバーライド）は次の関数を呼び出します："
    ),
    "{name}, if {condition}": "{name}（{condition} の場合）",
    "{name}, if {condition} is raised": "{name}（{condition} が発生した場合）",
    "{names} or {last}": "{names} または {last}",
    # at the start, and on each call
    "### At the start": "### 起動時",
    "### On each call": "### 呼び出しごと",
    "The function {name} that {maker} returns makes these calls; those below one are "
    "its own:": (
        "{maker} が返す関数 {name} は次の関数を呼び出します"
        "（字下げした項目は、その上の関数からの呼び出しです）："
    ),
    "{name} returns the function {function}.": "{name} は関数 {function} を返します。",
    "{name} passes its own object (`{passed}`) to `{called}()` of `{package}`.": (
        "{name} は自身のオブジェクト（`{passed}`）を `{package}` の `{called}()` に"
        "渡します。"
    ),
    "Users of {type} supply these functions: {names}.": (
        "次の関数は {type} の利用者が設定します：{names}。"
    ),
    "For functions that programs register, see {link}.": (
        "プログラムが登録する関数の例は、{link}を参照してください。"
    ),
    "There the call leaves the product: `{name}` is made by `{made}()` of the package "
    "`{package}`.": (
        "ここで処理はパッケージ `{package}` に移ります。`{name}` はその `{made}()` で"
        "作成されます。"
    ),
    "`{called}()` gets {names}.": "`{called}()` には {names} が渡されます。",
    "{name} is {value}.": "{name} は {value} です。",
    "Other public functions that call methods of `{name}`: {functions}.": (
        "`{name}` のメソッドを呼び出すほかの公開関数：{functions}。"
    ),
    "{maker} gives `{name}` its methods{marker}, which the functions that get it can "
    "call: {names}.": (
        "{maker} は `{name}` にメソッドを持たせます{marker}。`{name}` を受け取る"
        "関数から呼び出せます：{names}。"
    ),
    # of programs
    "The program begins with {name} in {path}, which makes these calls; those below "
    "one are its own:": (
        "プログラムは {path} の {name} から始まり、次の関数を呼び出します"
        "（字下げした項目は、その上の関数からの呼び出しです）："
    ),
    "The command {entry} runs {name} in {path}, with these calls:": (
        "コマンド {entry} は {path} の {name} を実行し、次の関数を呼び出します："
    ),
    "A request to {entry} runs {name} in {path}, with these calls:": (
        "{entry} へのリクエストは {path} の {name} を実行し、次の関数を呼び出します："
    ),
    "The task {entry} runs {name} in {path}, with these calls:": (
        "タスク {entry} は {path} の {name} を実行し、次の関数を呼び出します："
    ),
    "HTTP client": "HTTPクライアント",
    "Command line": "コマンドライン",
    "Task queue": "タスクキュー",
    "Calling code": "呼び出し元のコード",
    "{begin} reaches the network this way:": (
        "{begin}は、次のようにネットワークに到達します："
    ),
    "{begin} reaches the database this way:": (
        "{begin}は、次のようにデータベースに到達します："
    ),
    "{begin} reaches the queue this way:": (
        "{begin}は、次のようにキューに到達します："
    ),
    "{begin} starts another process this way:": (
        "{begin}は、次のように別のプロセスを起動します："
    ),
    "{begin} reaches the file system this way:": (
        "{begin}は、次のようにファイルシステムに到達します："
    ),
    "{begin} reaches {last} this way:": "{begin}は、次のように {last} に到達します：",
    "There `{call}` hands it to the network.": (
        "そこで `{call}` がネットワークに渡します。"
    ),
    "There `{call}` asks the database.": (
        "そこで `{call}` がデータベースに問い合わせます。"
    ),
    "There `{call}` hands it to the queue.": "そこで `{call}` がキューに渡します。",
    "There `{call}` starts the other process.": (
        "そこで `{call}` が別のプロセスを起動します。"
    ),
    "There `{call}` accesses the file system.": (
        "そこで `{call}` がファイルシステムにアクセスします。"
    ),
    "Network": "ネットワーク",
    "Database": "データベース",
    "Queue": "キュー",
    "Other process": "別のプロセス",
    "File system": "ファイルシステム",
    "Caller's stream": "呼び出し元のストリーム",
    "{begin} reaches the caller's stream this way:": (
        "{begin}は、次のように呼び出し元のストリームに到達します："
    ),
    "There `{call}` reads or writes the caller's stream.": (
        "そこで `{call}` が呼び出し元のストリームを読み書きします。"
    ),
    "{caller} calls {name}.": "{caller} は {name} を呼び出します。",
    "{caller} calls {name} in {path}.": (
        "{caller} は {name}（{path}）を呼び出します。"
    ),
    "{caller} may call {name} in {path}.": (
        "{caller} は {name}（{path}）を呼び出す可能性があります。"
    ),
    "{name} in {path} is a possible implementation.": (
        "{name}（{path}）はその実装の候補です。"
    ),
    # messages between sources
    "### Messages between the sources": "### ソース間のメッセージ",
    "Who sends what to whom: a request over HTTP waits for its answer, a message in a "
    "queue does not.": (
        "誰が誰に何を送るかを示します。HTTPのリクエストは応答を待ち、キューのメッセージは"
        "待ちません。"
    ),
    # what is started and run
    "## How it is started": "## 起動方法",
    "Command": "コマンド",
    "Options of the commands: {link}.": "コマンドのオプション：{link}。",
    "Workflow": "ワークフロー",
    "What it runs": "実行するコマンド",
    "{name}, at {times}": "{name}、{times} に実行",
    "Run the tests with {command}.": "テストは {command} で実行します。",
    "Continuous integration runs:": "継続的インテグレーションでの実行：",
    "## What CI publishes": "## CIによる公開",
    "## Scripts and other build files": "## スクリプトとその他のビルドファイル",
    # surroundings
    "## What surrounds it": "## 周囲のシステム",
    "Code that imports it": "インポートするコード",
    "HTTP clients": "HTTPクライアント群",
    "People at a command line": "コマンドラインの利用者",
    "Scheduler or task queue": "スケジューラーまたはタスクキュー",
    "Other processes": "ほかのプロセス",
    "requests": "リクエスト",
    "commands": "コマンド",
    "tasks": "タスク",
    "calls": "呼び出し",
    "sends and receives": "送受信",
    "stores and reads": "保存と読み込み",
    "starts": "起動",
    "reads and writes": "読み書き",
    "**{name}** calls its {names}: {link}.": "**{name}** が{names}を使います：{link}。",
    "**{name}**: {names}. More: {link}.": (
        "**{name}**：{names}。詳しくは {link} を参照してください。"
    ),
    "**{name}**: reached from {callers}.": "**{name}**：{callers} から使われます。",
}
