"""Words of a question that ask or fill it, and say nothing of what it is about."""

from __future__ import annotations

from functools import cache, lru_cache

from devrag.search.api import read_question

# Words that ask or fill a sentence, whatever the question is about.
_ASKING = (
    "accomplish achieve actually allow answer basically behave behaviour behavior care "
    "choose compare comparison concern correctly deal decide describe detail determine "
    "differ difference different do ensure exactly explain figure find get give "
    "guarantee handle happen idea internally know look make manage matter may mean "
    "meant might must need please possible possibly precisely prefer properly purpose "
    "question really reason recommend regarding should show simply step suggest "
    "suppose tell thing try typically understand use usually want way whether work "
    "would could able about currently define exist support provide include contain "
    "違い 違う 異なる 差 教える 知る 分かる わかる 使う 使い方 書き方 やり方 仕方 "
    "付け方 作り方 決め方 選び方 読み方 扱い方 呼び方 直し方 分け方 並べ方 渡し方 "
    "方法 手順 説明 比較 比べる 理由 目的 意味 場合 必要 具体 どれ どちら どんな 例 "
    "質問 答える 決める 判断 行う 起きる 起こる 動く 動作 うまく 正しい 詳しい 詳細 "
    "良い よい 可能 べき 定義 存在 対応 サポート 提供 含む"
)


@lru_cache(maxsize=1 << 14)
def asks_only(word: str) -> bool:
    """Return whether a word of a question says nothing of what it is about."""
    return bool(_asking() & {word, *read_question(word).stems})


@cache
def _asking() -> frozenset[str]:
    """Return the words as the index has them, and their stems."""
    asking = read_question(_ASKING)
    return asking.words | asking.stems
