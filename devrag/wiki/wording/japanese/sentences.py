"""Sentences, and what stands inside of them."""

from __future__ import annotations

from collections.abc import Mapping

SENTENCES: Mapping[str, str] = {
    # where something is
    "`{path}` of {source}": "{source} の `{path}`",
    "{name} in {path}": "{name}（{path}）",
    "{name} in {path}.": "{name} は {path} にあります。",
    # front page
    "It is written in {languages}.": "{languages} で書かれています。",
    "It is licensed under {names}.": "ライセンスは {names} と記載されています。",
    "Its licences are {names}.": ("ライセンスとして {names} が記載されています。"),
    "More on this: {link}.": "詳しくは {link} を参照してください。",
    "The rest of the code uses these definitions most.": (
        "ほかのコードから特によく使われている定義です。"
    ),
    "Passed to {name} as {key}.": "{key} として {name} に渡されます。",
    "Special values: {values}.": ("特別な意味を持つ値：{values}。"),
    "On or off.": "オンまたはオフ。",
    "The main files of {topic} are {names}.": (
        "「{topic}」の主なファイルは {names} です。"
    ),
    "The main definitions of {topic} ({files}) are {names}.": (
        "「{topic}」（{files}）の主な定義は {names} です。"
    ),
    "{topic} ({files}) defines {names}.": (
        "「{topic}」（{files}）は {names} を定義しています。"
    ),
    "The definitions of {topic} ({files}) are internal: {names}.": (
        "「{topic}」（{files}）の定義は内部用です：{names}。"
    ),
    "The main functions of {topic} ({files}) are {names}.": (
        "「{topic}」（{files}）の主な関数は {names} です。"
    ),
    "The main types of {topic} ({files}) are {names}.": (
        "「{topic}」（{files}）の主な型は {names} です。"
    ),
    "From {path}:": "{path} から：",
    "From {path}, “{title}”:": "{path} の「{title}」から：",
    "{path} describes it as: {said}": "{path} では次のように説明されています：{said}",
    # architecture
    "{product} has no source code whose structure could be read: {files} in all.": (
        "{product} には構造を読み取れるソースコードがありません（全{files}）。"
    ),
    "{product} consists of {components} with {lines} of code.": (
        "{product} は{components}（コード{lines}）で構成されています。"
    ),
    "Arrows that a longer path implies are left out.": (
        "ほかの矢印をたどれば分かる矢印は省いています。"
    ),
    "Only the strongest arrows are drawn, and none that others imply.": (
        "結びつきの強い矢印だけを描き、ほかの矢印から分かるものは省いています。"
    ),
    "The {count} smallest components are not drawn.": (
        "小さい {count} 個のコンポーネントは図から省いています。"
    ),
    "**{name}**, imported by {files}.": (
        "**{name}** は {files} からインポートされています。"
    ),
    "The most used component is {component}, used by {users}.": (
        "最も多く使われているコンポーネントは {component} で、"
        "{users} が依存しています。"
    ),
    "Other scripts are {names}.": "そのほかのスクリプトは {names} です。",
    "An arrow from A to B means that A uses B.": (
        "A から B への矢印は、A が B を使うことを表します。"
    ),
    "Each component uses only components in lower layers.": (
        "各コンポーネントが使うのは、下位のレイヤーのコンポーネントだけです。"
    ),
    "Components that depend on each other share a layer. All others use only "
    "components in lower layers.": (
        "互いに依存するコンポーネントは同じレイヤーに含まれます。それ以外のコンポーネントが"
        "使うのは、下位のレイヤーのコンポーネントだけです。"
    ),
    "These {count} depend on each other, directly or through others: {components}.": (
        "次の {count} 個は、直接またはほかを介して互いに依存しています：{components}。"
    ),
    "For the exact lines, see “Related topics” on their pages.": (
        "それぞれのページの「関連トピック」に、結び付きの根拠となる行があります。"
    ),
    "**{component}** uses {components}.": (
        "**{component}** は {components} を使っています。"
    ),
    "{components} uses no other component.": (
        "{components}は、ほかのコンポーネントを使いません。"
    ),
    "{components} use no other component.": (
        "{components}は、ほかのコンポーネントを使いません。"
    ),
    "A component includes the topics that its page lists below it.": (
        "コンポーネントには、その下位のページで説明するトピックも含まれます。"
    ),
    "There are no circular dependencies between the components.": (
        "ほかを経由して自分自身を使うコンポーネントはなく、循環依存はありません。"
    ),
    "{component} uses {steps}.": "{component} → {steps} の順に使っています。",
    ", which uses ": " → ",
    "{one} and {other} use each other.": "{one}と{other}は互いに使い合っています。",
    "All {count} components depend on each other, directly or through others, so they "
    "do not form layers.": (
        "{count} 個のコンポーネントはすべて、直接または間接に依存し合っているため、"
        "レイヤーには分かれていません。"
    ),
    "{count} of the {all} components depend on each other, directly or through others, "
    "and so form one layer. Not among them: {others}.": (
        "{all} 個のコンポーネントのうち {count} 個は、直接または間接に"
        "依存し合っており、1 つのレイヤーを成します。それ以外は{others}です。"
    ),
    "{components} use each other: {names}.": (
        "{components}が互いを使っています：{names}。"
    ),
    "For example {told}": "例：{told}",
    # sources among each other
    "The code shows {ties} between the sources. An arrow points from the one "
    "that relies on the other; only what can mean nothing else is counted.": (
        "コードからソース間の{ties}が読み取れます。矢印は依存する側から依存される側へ"
        "向かいます。ほかの意味に取れないものだけを数えています。"
    ),
    "There are {ties} of this kind.": "同じ種類のものが{ties}あります。",
    "{user} calls {name}, a route of {provider}.": (
        "{user} は {provider} のルート {name} を呼び出します。"
    ),
    "{user} calls routes of {provider}: {names}.": (
        "{user} は {provider} のルートを呼び出します：{names}。"
    ),
    "{user} sends {name}, which {provider} receives.": (
        "{user} が送る {name} を {provider} が受け取ります。"
    ),
    "{user} asks for {name}, which {provider} publishes.": (
        "{user} は {provider} が公開する {name} を必要とします。"
    ),
    "{user} and {provider} declare the table {name} with like columns.": (
        "{user} と {provider} は、似た列を持つテーブル {name} を宣言しています。"
    ),
    # a part
    "### Used by": "### 利用元",
    "### Builds on": "### 利用先",
    "{user} uses {name} of {path}.": "{user} は {path} の {name} を使っています。",
    "{user} imports {name} of {path}.": (
        "{user} は {path} の {name} をインポートしています。"
    ),
    "{user} imports {path}.": "{user} は {path} をインポートしています。",
    "Also here: {names}.": "このほかに {names} があります。",
    "Its definitions are named in the tests {names}.": (
        "定義の名前は次のテストにあります：{names}。"
    ),
    "{imported}; by name also {named}": "{imported}、名前で参照されるもの：{named}",
    "It is used by the tests in {names}.": "次のテストで使われています：{names}。",
    "How to run them: {link}.": "実行方法は {link} を参照してください。",
    "It is a family of packages: {names}.": (
        "同種のパッケージ（{names}）からなります。"
    ),
    "It is a family of packages, many of them with {usual}: {names}.": (
        "同種のパッケージ（{names}）からなり、その多くは {usual} を持ちます。"
    ),
    "It keeps {names}.": "{names} のデータを保持します。",
    "It describes {names}.": "{names} のデータ形式を記述します。",
    "From outside it is reached by {entry_points}.": (
        "外部からは{entry_points}を通じて呼び出されます。"
    ),
    "Among its routes are {paths}.": "ルートには {paths} などがあります。",
    "It defines {names}.": "{names} を定義しています。",
    "It holds {names}.": "{names} を含みます。",
    "{file} defines {names}.": "{file} は {names} を定義しています。",
    "{file} is used by {users} of the files drawn here.": (
        "ここに描いたファイルのうち {users} 個が {file} を使っています。"
    ),
    "More: {link}.": "詳細：{link}。",
    "{path} also has {names}.": "{path} にはほかに {names} があります。",
    "Beside these {count} classes only hold values.": (
        "このほかに、値を保持するだけのクラスが {count} 個あります。"
    ),
    "There are also {names}.": "ほかに {names} があります。",
    "No test imports {parts} or names their definitions; tests may still reach "
    "them through other code.": (
        "{parts} をインポートするテストも、その定義の名前を含むテストもありません。"
        "ほかのコードを通じて使われる場合はあります。"
    ),
    # interfaces, data, settings
    "The code is started or called from outside through {entry_points}.": (
        "コードは外部から{entry_points}を通じて起動または呼び出されます。"
    ),
    "**`{name}`**, an installed command, calls {target}.": (
        "**`{name}`** はインストールされるコマンドで、{target} を呼び出します。"
    ),
    "**`{name}`**, an installed command.": (
        "**`{name}`** はインストールされるコマンドです。"
    ),
    "**{target}** is what importing the package of {path} loads.": (
        "**{target}** は、{path} のパッケージを読み込むと得られるものです。"
    ),
    "**`{name}`** is a service of {path}.": "**`{name}`** は {path} のサービスです。",
    "{command} is the process `{name}` of {path}.": (
        "{command} は {path} のプロセス `{name}` です。"
    ),
    "{command} is what the image of {path} starts.": (
        "{command} は {path} のイメージが起動するコマンドです。"
    ),
    "{command} is what the unit of {path} starts.": (
        "{command} は {path} のユニットが起動するコマンドです。"
    ),
    "**{path}** is what the web server calls.": (
        "**{path}** は Web サーバーから呼び出されます。"
    ),
    "{command} starts {path}.": "{command} で {path} が起動します。",
    "**{path}** can be run directly.": "**{path}** は直接実行できます。",
    "{name} runs at `{time}`, according to {path}.": (
        "{path} によると、{name} は `{time}` に実行されます。"
    ),
    "{name} is declared as {symbol} in {path}.": (
        "{name} は {path} の {symbol} として宣言されています。"
    ),
    "{name} is handled by {symbol} in {path}.": (
        "{name} は {path} の {symbol} が処理します。"
    ),
    "Field: {names}.": "フィールド：{names}。",
    "Fields: {names}.": "フィールド：{names}。",
    "Value: {names}.": "値：{names}。",
    "Values: {names}.": "値：{names}。",
    "The code declares {models}, listed by topic below.": (
        "コードは{models}を宣言しています。以下にトピックごとに示します。"
    ),
    "Tables of the same names are declared in {files}.": (
        "同じ名前のテーブルは {files} でも宣言されています。"
    ),
    "A line forks where there are many and has a circle where there may be none. "
    "Fields whose names tell more than the model they lead to stand on it.": (
        "線は複数になりうる側で枝分かれし、ないことがある側に丸が付きます。"
        "参照先のモデル名だけでは分からないフィールドは、その名前を線に添えています。"
    ),
    "The {count} models with the fewest ties are not drawn.": (
        "関連の少ない {count} 個のモデルは図に含めていません。"
    ),
    "{name} knows {states} and begins with `{initial}`; an arrow leads from a "
    "state to one that may follow it.": (
        "{name} には `{initial}` から始まる{states}があり、"
        "矢印はその状態から移ることのできる状態へ向かいます。"
    ),
    "{name} knows {states}; an arrow leads from a state to one that may follow it.": (
        "{name} には{states}があり、"
        "矢印はその状態から移ることのできる状態へ向かいます。"
    ),
    "An arrow leads from a class to what it inherits, a dashed one to the "
    "interface that it implements: {count} of those drawn build on {top}.": (
        "矢印はクラスから継承元へ、破線の矢印は実装するインターフェースへ向かい、"
        "図のうち {count} 個が {top} をもとにしています。"
    ),
    "Types that do not name an interface but have all of its methods are drawn as "
    "possible implementations.": (
        "インターフェースを明示せずにそのメソッドをすべて持つ型は、"
        "実装の候補として描いています。"
    ),
    "The {count} classes of lower rank are not drawn.": (
        "重要度の低い {count} 個のクラスは図に含めていません。"
    ),
    "An arrow points from the model that refers to the one it refers to.": (
        "矢印は、参照する側のモデルから参照される側のモデルへ向かいます。"
    ),
    # building, testing
    "There are also {targets}.": "このほかに {targets} があります。",
    "The targets are {targets}.": "ターゲットは {targets} です。",
    "**`{asked}`**: {command}": "**`{asked}`**：{command}",
    "**`{name}`** is installed as a command.": (
        "**`{name}`** はコマンドとしてインストールされます。"
    ),
    "**`{name}`** is installed as a command and calls {target}.": (
        "**`{name}`** はコマンドとしてインストールされ、{target} を呼び出します。"
    ),
    "Requires {names} ({path}).": "{names} が必要です（{path}）。",
    "{name} {version} or later": "{name} {version} 以降",
    "{path} runs them by:": "{path} では次のように実行します：",
    "Dependencies in {path}: {names}.": "{path} の依存関係：{names}。",
    "The tests are in {files} ({lines}).": "テストは{files}（{lines}）です。",
    "The tests comprise {cases} in {files} ({lines}).": (
        "テストは{cases}からなり、{files}（{lines}）に書かれています。"
    ),
    # operations
    "The service `{name}` of {path} runs {what}.": (
        "{path} のサービス `{name}` は {what} を実行します。"
    ),
    "The service `{name}` of {path} runs {what}, on the ports {ports}.": (
        "{path} のサービス `{name}` は {what} を実行し、ポート {ports} を使います。"
    ),
    "The service `{name}` of {path} is built here.": (
        "{path} のサービス `{name}` は、ここでビルドされます。"
    ),
    "The service `{name}` of {path} is built here, on the ports {ports}.": (
        "{path} のサービス `{name}` は、ここでビルドされ、ポート {ports} を使います。"
    ),
    "The service `{name}` of {path} has its own command.": (
        "{path} のサービス `{name}` には独自のコマンドがあります。"
    ),
    "The service `{name}` of {path} has its own command, on the ports {ports}.": (
        "{path} のサービス `{name}` には独自のコマンドがあり、ポート {ports} を"
        "使います。"
    ),
    "The process `{name}` of {path} is {command}.": (
        "{path} のプロセス `{name}` は {command} です。"
    ),
    "The image of {path} starts {command}.": (
        "{path} のイメージは {command} を起動します。"
    ),
    "The unit of {path} starts {command}.": (
        "{path} のユニットは {command} を起動します。"
    ),
    "a {kind}": "{kind}",
    "a {kind} `{name}`": "{kind} `{name}`",
    "**{path}** declares {objects}.": "**{path}** は {objects} を宣言しています。",
    "There are {files} of this kind.": "同じ種類のものが{files}あります。",
    "{route} is a route of {path}.": "{route} は {path} のルートです。",
    "{path} sets `{what}`.": "{path} は `{what}` を設定しています。",
    "{path} sets `{what}` {count} times.": (
        "{path} は `{what}` を {count} か所で設定しています。"
    ),
    "By their names these settings concern it: {names}.": (
        "名前から見て関係する設定項目は {names} です。"
    ),
    "{package} is imported by {files}.": (
        "{package} は {files} でインポートされています。"
    ),
    "`{name}` marks definitions in {files}.": (
        "`{name}` は {files} の定義に付いています。"
    ),
    "By their names these settings hold secrets: {names}.": (
        "名前から見てシークレットを保持する設定項目は {names} です。"
    ),
    "Where each is read: {link}.": "読み込まれる場所は {link} を参照してください。",
    # exports
    "Version {number}, written {time} UTC by {writer}.": (
        "バージョン {number}（{time} UTC、{writer} が作成）"
    ),
}
