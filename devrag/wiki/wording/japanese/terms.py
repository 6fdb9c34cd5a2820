"""Terms that titles of topics are made of, in Japanese; what is no term stays English.

Words stand in lower case and in the singular. Two terms side by side make a compound,
as they do in English: “flag groups” is フラググループ.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

_TERMS = """
access: アクセス / access control: アクセス制御 / account: アカウント
action: アクション / active help: アクティブヘルプ / adapter: アダプター
address: アドレス / admin: 管理 / administration: 管理 / agent: エージェント
alert: アラート / algorithm: アルゴリズム / alias: エイリアス / allocation: 割り当て
analysis: 解析 / analytics: アナリティクス / animation: アニメーション
annotation: アノテーション / answer: 回答 / application: アプリケーション
architecture: アーキテクチャ / archive: アーカイブ / argument: 引数 / array: 配列
article: 記事 / assertion: アサーション / asset: アセット / attachment: 添付ファイル
attribute: 属性 / audit: 監査 / audit log: 監査ログ / authentication: 認証
authorization: 認可 / background: バックグラウンド
background task: バックグラウンドタスク / backup: バックアップ / batch: バッチ
benchmark: ベンチマーク / billing: 請求 / binding: バインディング / block: ブロック
board: ボード / boundary: 境界 / branch: ブランチ / browser: ブラウザー
buffer: バッファー / build: ビルド / built-in: 組み込み / button: ボタン
cache: キャッシュ / caching: キャッシュ / calendar: カレンダー
callback: コールバック / cart: カート / catalog: カタログ / category: カテゴリー
certificate: 証明書 / channel: チャネル / chart: チャート / chat: チャット
check: チェック / checkout: 購入手続き / class: クラス / client: クライアント
clipboard: クリップボード / cluster: クラスター / code: コード
code generation: コード生成 / coding: コーディング / coding standard: コーディング規約
collection: コレクション / color: 色 / command: コマンド
command line: コマンドライン / comment: コメント / community: コミュニティ
comparison: 比較 / compatibility: 互換性 / compilation: コンパイル
compiler: コンパイラー / completion: 補完 / component: コンポーネント
compression: 圧縮 / concept: 概念 / concurrency: 並行処理 / condition: 条件
configuration: 設定 / connection: 接続 / connector: コネクター / console: コンソール
constant: 定数 / constraint: 制約 / contact: 連絡先 / container: コンテナー
content: コンテンツ / context: コンテキスト / contract: 契約
contributing: コントリビュート / contribution: コントリビュート / control: 制御
controller: コントローラー / convention: 規約 / conversion: 変換
converter: コンバーター / cookie: Cookie / core: 中核 / coverage: カバレッジ
credential: 認証情報 / currency: 通貨 / custom: カスタム / customer: 顧客
dashboard: ダッシュボード / data: データ / data model: データモデル
data source: データソース / data type: データ型 / database: データベース / date: 日付
debugging: デバッグ / declaration: 宣言 / decoder: デコーダー / decoding: デコード
decorator: デコレーター / default: 既定値 / default value: 既定値
definition: 定義 / deletion: 削除
dependency: 依存関係 / dependency injection: 依存性の注入 / deployment: デプロイ
design: 設計 / device: デバイス / diagnostic: 診断 / diagram: 図 / dialog: ダイアログ
dictionary: 辞書 / difference: 差分 / directive: ディレクティブ
directory: ディレクトリ / discount: 割引 / dispatcher: ディスパッチャー
document: 文書 / documentation: ドキュメント
docs: ドキュメント / documentation generation: ドキュメント生成
domain: ドメイン / download: ダウンロード
driver: ドライバー / editor: エディター / element: 要素 / email: メール
embedding: 埋め込み / encoder: エンコーダー / encoding: エンコード
encryption: 暗号化 / engine: エンジン / entity: エンティティ
entry point: エントリポイント / environment: 環境 / environment variable: 環境変数
error: エラー / error handling: エラー処理 / evaluation: 評価 / event: イベント
example: サンプル / exception: 例外 / exception handling: 例外処理 / execution: 実行
experiment: 実験 / export: エクスポート / exporter: エクスポーター / expression: 式
extension: 拡張機能 / extraction: 抽出 / factory: ファクトリー / feature: 機能
feed: フィード / feedback: フィードバック / field: フィールド / file: ファイル
file system: ファイルシステム / filter: フィルター / flag: フラグ / folder: フォルダー
font: フォント / form: フォーム / format: 書式 / formatter: フォーマッター
formatting: 書式設定 / framework: フレームワーク / front matter: フロントマター
function: 関数 / generation: 生成 / generator: ジェネレーター / global: グローバル
glossary: 用語集 / graph: グラフ / grammar: 文法 / group: グループ / guide: ガイド
handler: ハンドラー / handling: 処理 / hash: ハッシュ / health: ヘルス
health check: ヘルスチェック / header: ヘッダー / heading: 見出し / helper: ヘルパー
help: ヘルプ / hint: ヒント / history: 履歴 / home: ホーム / hook: フック
icon: アイコン / identifier: 識別子 / image: 画像 / import: インポート
index: インデックス / indexing: インデックス作成
infrastructure: インフラストラクチャ / ingestion: 取り込み / inheritance: 継承
injection: 注入 / input: 入力 / inspection: 検査 / installation: インストール
integration: 連携 / interaction: 操作 / interceptor: インターセプター
interface: インターフェース / internationalization: 国際化
interpreter: インタープリター / inventory: 在庫 / invoice: 請求書 / issue: 課題
item: 項目 / iterator: イテレーター / job: ジョブ / key: キー / keyboard: キーボード
keyword: キーワード / label: ラベル / language: 言語 / language model: 言語モデル
layer: レイヤー / layout: レイアウト / ledger: 台帳 / lexer: 字句解析器
library: ライブラリ / licence: ライセンス / license: ライセンス / line: 行
link: リンク / linker: リンカー / linking: リンク / linter: リンター / list: リスト
listener: リスナー / loader: ローダー / loading: 読み込み / localization: ローカライズ
lock: ロック / log: ログ / logger: ロガー / logging: ログ / login: ログイン
machine learning: 機械学習 / mail: メール / manager: マネージャー / management: 管理
map: マップ / mapping: マッピング / matching: 照合 / media: メディア
member: メンバー / membership: メンバー / memory: メモリ / menu: メニュー
merging: マージ / message: メッセージ / messaging: メッセージング
metadata: メタデータ / method: メソッド / metric: メトリクス
middleware: ミドルウェア / migration: 移行 / mock: モック / model: モデル
module: モジュール / monitor: モニター / monitoring: 監視 / name: 名前 / naming: 命名
naming convention: 命名規約 / navigation: ナビゲーション / network: ネットワーク
node: ノード / notation: 記法 / note: ノート / notification: 通知 / number: 数値
object: オブジェクト / operation: 操作 / operator: 演算子 / optimization: 最適化
optimizer: オプティマイザー / option: オプション / organization: 組織 / output: 出力
overview: 概要 / owner: 所有者 / package: パッケージ / page: ページ
pagination: ページネーション / panel: パネル / parameter: パラメーター
parser: パーサー / parsing: 構文解析 / password: パスワード / path: パス
pattern: パターン / payment: 支払い / performance: パフォーマンス / permission: 権限
persistence: 永続化 / pipeline: パイプライン / placeholder: プレースホルダー
planner: プランナー / planning: 計画 / plugin: プラグイン / policy: ポリシー
pool: プール / preference: 設定 / preview: プレビュー / pricing: 価格設定
printing: 印刷 / privacy: プライバシー / process: プロセス / processing: 処理
product: プロダクト / profile: プロフィール / program: プログラム
programming: プログラミング / progress: 進捗 / project: プロジェクト
prompt: プロンプト / property: プロパティ / protocol: プロトコル
provider: プロバイダー / proxy: プロキシ / publishing: 公開 / query: クエリ
question: 質問 / queue: キュー / quick start: クイックスタート
quickstart: クイックスタート / rate limit: レート制限 / reader: リーダー
reading: 読み込み / reconciliation: 照合 / record: レコード / recovery: 復旧
redirect: リダイレクト / reference: リファレンス / registry: レジストリ
regular expression: 正規表現 / release: リリース / release note: リリースノート
renderer: レンダラー / rendering: レンダリング / replication: レプリケーション
report: レポート / reporting: レポート / repository: リポジトリ / request: リクエスト
resolver: リゾルバー / resource: リソース / response: レスポンス / result: 結果
retrieval: 検索 / retry: 再試行 / review: レビュー / role: ロール / route: ルート
router: ルーター / routing: ルーティング / rule: ルール / runner: ランナー
runtime: ランタイム / sample: サンプル / sandbox: サンドボックス
schedule: スケジュール / scheduler: スケジューラー / scheduling: スケジューリング
schema: スキーマ / scope: スコープ / screen: 画面 / script: スクリプト / search: 検索
section: セクション / secret: シークレット / security: セキュリティ / selection: 選択
selector: セレクター / serialization: シリアライズ / serializer: シリアライザー
server: サーバー / service: サービス / session: セッション / setting: 設定
setup: セットアップ / shell: シェル / shell completion: シェル補完 / shipping: 配送
shop: ショップ / signal: シグナル / snapshot: スナップショット / sorting: 並べ替え
source: ソース / source code: ソースコード / specification: 仕様 / standard: 標準
state: 状態 / statement: 文 / statistic: 統計 / status: ステータス
storage: ストレージ / store: ストア / stream: ストリーム / streaming: ストリーミング
string: 文字列 / structure: 構造 / style: スタイル / style guide: スタイルガイド
subscription: サブスクリプション / suggestion: 候補 / support: サポート
symbol: シンボル / synchronization: 同期 / syntax: 構文 / system: システム
table: テーブル / tag: タグ / task: タスク / task queue: タスクキュー / team: チーム
template: テンプレート / terminal: ターミナル / test: テスト / testing: テスト
text: テキスト / theme: テーマ / thread: スレッド / throttling: スロットリング
ticket: チケット / time: 時刻 / timeout: タイムアウト / timer: タイマー
token: トークン / tokenizer: トークナイザー / tool: ツール / tooltip: ツールチップ
tracing: トレース / tracking: 追跡 / transaction: トランザクション
transformation: 変換 / translation: 翻訳 / transport: トランスポート / tree: ツリー
troubleshooting: トラブルシューティング / tutorial: チュートリアル / type: 型
type conversion: 型変換 / update: 更新 / upgrade: アップグレード
upload: アップロード / usage: 使い方 / user: ユーザー / user contract: 利用者への約束
user guide: ユーザーガイド / user name: ユーザー名
user interface: ユーザーインターフェース
utility: ユーティリティ / validation: 検証 / validator: バリデーター / value: 値
variable: 変数 / vector: ベクトル / vector store: ベクトルストア / version: バージョン
versioning: バージョン管理 / video: 動画 / view: ビュー
virtual environment: 仮想環境 / warning: 警告 / watcher: 監視 / webhook: Webhook
widget: ウィジェット / window: ウィンドウ / worker: ワーカー / workflow: ワークフロー
workspace: ワークスペース / writer: ライター / writing: 書き込み
"""
TERMS: Mapping[str, str] = dict(
    term.split(": ", 1)
    for line in _TERMS.strip().split("\n")
    for term in line.split(" / ")
)
# As their makers write them, whatever a file is called.
_PRODUCTS = {
    name.lower(): name
    for name in (
        *(
            "Bash",
            "PowerShell",
            "Zsh",
            "Fish",
            "Docker",
            "Kubernetes",
            "Terraform",
            "Git",
        ),
        *(
            "GitHub",
            "GitLab",
            "PostgreSQL",
            "MySQL",
            "SQLite",
            "MongoDB",
            "Redis",
            "Kafka",
        ),
        *(
            "JavaScript",
            "TypeScript",
            "Python",
            "Java",
            "Ruby",
            "Rust",
            "Kotlin",
            "Swift",
        ),
        *(
            "GraphQL",
            "OpenAPI",
            "Markdown",
            "Jupyter",
            "Linux",
            "Windows",
            "macOS",
            "YAML",
        ),
        *(
            "Django",
            "Flask",
            "React",
            "Angular",
            "Node.js",
            "OAuth",
            "Web",
            "iOS",
            "Android",
        ),
    )
}
_PRODUCTS |= {"md": "Markdown", "markdown": "Markdown", "rest": "ReST"}
_LONGEST = 3  # words
_ALONE = frozenset({"default"})  # before another noun it is an adjective
_INNER_CAPITAL = re.compile(r".[A-Z0-9]")
_VERB = re.compile(r"(ing|ed|ly)$")
_SINGULARS = (
    ("ies", "y"),
    ("sses", "ss"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("xes", "x"),
    ("uses", "us"),
    ("ases", "as"),
)


def translate_title(term: str) -> str:
    """Return a term of a title in Japanese, as it is where it has an unknown word.

    Names of products and words in capitals stay within it.
    """
    words = term.split()
    pieces: list[str] = []
    at = 0
    while at < len(words):
        said, size = term_at(words, at)
        said = said or _name(words, at)
        if not said:
            return term
        pieces.append(said)
        at += size
    is_told = any(p in _PRODUCTS.values() or not p.isascii() for p in pieces)
    return _joined(pieces) if is_told else term


def term_at(words: Sequence[str], at: int) -> tuple[str, int]:
    """Return the longest term at a place, and how many words it has; '', 1 for none.

    A verb before its object, as in “reading files”, is none; nor is an adjective.
    """
    for size in range(min(_LONGEST, len(words) - at), 0, -1):
        term = " ".join(words[at : at + size]).lower()
        is_verb = size == 1 and at + 1 < len(words) and term.endswith("ing")
        is_adjective = size < len(words) and term in _ALONE
        known = next(filter(None, map(TERMS.get, _singulars(term))), "")
        known = known or _PRODUCTS.get(term, "")
        if known and not is_verb and not is_adjective:
            return known, size
    return "", 1


def _singulars(term: str) -> Iterator[str]:
    """Yield a term and what it may be the plural of."""
    yield from (term, term.removesuffix("s"))
    for ending, other in _SINGULARS:
        if term.endswith(ending):
            yield term.removesuffix(ending) + other


def is_name(word: str) -> bool:
    """Return whether a word is written as a name: in capitals, with one inside."""
    return word.isupper() or bool(_INNER_CAPITAL.search(word))


def _name(words: Sequence[str], at: int) -> str:
    """Return a word that is a name: in capitals, or first of capitalised words."""
    word = words[at]
    if word.lower() in _ALONE:
        return ""
    is_shouted = is_name(word)
    is_first = at == 0 and len(words) > 1 and all(w[:1].isupper() for w in words)
    return word if is_shouted or (is_first and not _VERB.search(word)) else ""


def _joined(pieces: Sequence[str]) -> str:
    text = ""
    for piece in pieces:
        is_close = not (text[-1:].isascii() or piece[:1].isascii())
        text += piece if not text or is_close else f" {piece}"
    return text
