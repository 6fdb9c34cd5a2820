"""Titles of sections, words in diagrams, and reasons of the coverage."""

from __future__ import annotations

from collections.abc import Mapping

TITLES: Mapping[str, str] = {
    # sections
    "## Background tasks": "## バックグラウンドタスク",
    "## Building and developing": "## ビルドと開発",
    "## Circular dependencies": "## 循環依存",
    "## Commands": "## コマンド",
    "## Configuration files": "## 設定ファイル",
    "## Continuous integration": "## 継続的インテグレーション",
    "## Deployment files": "## デプロイ用のファイル",
    "## Documents on it": "## 関連する文書",
    "## Getting started": "## はじめに",
    "## Health checks": "## ヘルスチェック",
    "## How a call travels": "## 呼び出しの流れ",
    "## How its files depend on each other": "## ファイル間の依存関係",
    "## How its pieces depend on each other": "## フォルダー間の依存関係",
    "## How the sources work together": "## ソース間の連携",
    "## How they relate": "## モデル間の関連",
    "## How to run them": "## テストの実行方法",
    "## In its own words": "## リポジトリ内の説明",
    "## Installed commands": "## インストールされるコマンド",
    "## Layers, from the ground up": "## レイヤー構成（下位から）",
    "## Logs and monitoring": "## ログと監視",
    "## Make targets": "## Make ターゲット",
    "## More pages": "## そのほかのページ",
    "## Reporting a weakness": "## 脆弱性の報告",
    "## Routes": "## ルート",
    "## Scripts": "## スクリプト",
    "## Secrets": "## シークレット",
    "## Tests": "## テスト",
    "## The models": "## モデル一覧",
    "## Topics": "## トピック",
    "## What each component does": "## 各コンポーネントの役割",
    "## Components and dependencies": "## コンポーネントと依存関係",
    "## Ties to other sources": "## ほかのソースとの連携",
    "## Values that code hands on": "## コードが受け渡す値",
    "## What has a page of its own": "## 個別のページがある部分",
    "## What is started": "## 起動されるもの",
    "## What no test uses": "## テストから使われないもの",
    "## Who inherits whom": "## クラスの継承関係",
    "## States and what leads where": "## 状態と遷移",
    "## What it needs": "## 依存パッケージ",
    "## External dependencies": "## 利用している外部パッケージ",
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
    # heads of tables
    "Answered by": "処理するもの",
    "By default": "既定値",
    "Classes": "クラス",
    "Part": "コンポーネント",
    "Route": "ルート",
    "Routes": "ルート",
    "Setting": "設定項目",
    "What it does": "処理の内容",
    "What it is": "説明",
    "What they exercise": "テストの対象",
    "Where": "場所",
    # words
    "Evidence": "根拠",
    "On this page": "このページの内容",
    "Wiki pages": "wiki のページ",
    "Outside the parts": "コンポーネント以外",
    "The top directory": "最上位のディレクトリ",
    "any state": "任意の状態",
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
