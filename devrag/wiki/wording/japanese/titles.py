"""Titles of pages and sections, words in diagrams, and reasons of the coverage."""

from __future__ import annotations

from collections.abc import Mapping

TITLES: Mapping[str, str] = {
    # pages
    "Architecture": "アーキテクチャ",
    "Build and run": "ビルドと実行",
    "Configuration": "設定",
    "Data model": "データモデル",
    "Documentation": "ドキュメント",
    "Glossary": "用語集",
    "Interfaces": "インターフェース",
    "Operations and security": "運用とセキュリティ",
    "Testing": "テスト",
    # sections
    "## A way into it": "## 呼び出しの経路",
    "## Background tasks": "## バックグラウンドタスク",
    "## Building and developing": "## ビルドと開発",
    "## Circles": "## 循環依存",
    "## Commands": "## コマンド",
    "## Configuration files": "## 設定ファイル",
    "## Continuous integration": "## 継続的インテグレーション",
    "## Deployment files": "## デプロイ用のファイル",
    "## Documents on it": "## 関連する文書",
    "## Entry points": "## エントリポイント",
    "## Getting started": "## はじめに",
    "## Health checks": "## ヘルスチェック",
    "## How a call travels": "## 呼び出しの流れ",
    "## How its files depend on each other": "## ファイル間の依存関係",
    "## How its pieces depend on each other": "## フォルダー間の依存関係",
    "## How the rest uses it": "## ほかのコードからの利用",
    "## How the sources work together": "## ソース間の連携",
    "## How they relate": "## モデル間の関連",
    "## How to run them": "## テストの実行方法",
    "## In its own words": "## リポジトリ内の説明",
    "## Installed commands": "## インストールされるコマンド",
    "## Its data": "## 扱うデータ",
    "## Layers, from the ground up": "## レイヤー構成（下位から）",
    "## Logs and monitoring": "## ログと監視",
    "## Make targets": "## Make ターゲット",
    "## More pages": "## そのほかのページ",
    "## Other build files": "## そのほかのビルド用ファイル",
    "## Reporting a weakness": "## 脆弱性の報告",
    "## Routes": "## ルート",
    "## Routes, commands and tasks": "## ルート、コマンド、タスク",
    "## Scripts": "## スクリプト",
    "## Secrets": "## シークレット",
    "## Settings": "## 設定項目",
    "## Settings it reads": "## 読み込む設定項目",
    "## Tests": "## テスト",
    "## The models": "## モデル一覧",
    "## The parts": "## コンポーネント",
    "## The parts and who imports whom": "## コンポーネントと依存関係",
    "## Ties to other sources": "## ほかのソースとの連携",
    "## What CI brings out": "## CI による公開とデプロイ",
    "## What has a page of its own": "## 個別のページがある部分",
    "## What is in it": "## 構成",
    "## What is started": "## 起動されるもの",
    "## What it needs": "## 依存パッケージ",
    "## What it stands on": "## 利用している外部パッケージ",
    "## What no test imports": "## テストからインポートされないもの",
    "## What they exercise": "## テストの対象",
    "## What they share": "## 共通の準備処理",
    "## Where to start reading": "## 最初に読むとよいコード",
    "## Who may do what": "## 権限とアクセス制御",
    "## Pages": "## ページ",
    "### Calls over HTTP": "### HTTP による呼び出し",
    "### Layer {number}": "### レイヤー {number}",
    "### Shared packages": "### 共有パッケージ",
    "### Shared tables": "### 共有テーブル",
    "### Tasks and queues": "### タスクとキュー",
    # words
    "At the top": "最上位のフォルダー",
    "Outside the parts": "コンポーネント以外",
    "The top directory": "最上位のディレクトリ",
    "top level": "最上位",
    "package": "パッケージ",
    "queue": "キュー",
    "table": "テーブル",
    # why no page covers a file
    "configuration without comments or settings to describe": (
        "説明すべきコメントも設定項目もない設定ファイル"
    ),
    "data or text without structure to describe": (
        "説明すべき構造のないデータまたはテキスト"
    ),
    "database migration": "データベースのマイグレーション",
    "example or fixture": "サンプルまたはテスト用データ",
    "left out by the steering file of its source": (
        "ソースの wiki 設定ファイルで除外されたもの"
    ),
    "licence, change log or form": "ライセンス、変更履歴、またはひな形",
    "lock file, written by a tool": "ツールが生成したロックファイル",
    "neither definitions nor documentation": "定義も説明もないコード",
    "nothing in it explains itself": "内容の説明がないもの",
    "shapes this wiki": "この wiki の構成を決めるファイル",
    "too short to describe": "説明するには短すぎるもの",
    "vendored or generated, not written here": (
        "外部から取り込まれたもの、または生成されたもの"
    ),
}
