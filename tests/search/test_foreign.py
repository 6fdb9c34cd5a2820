"""In which language a question is."""

from __future__ import annotations

import pytest

from devrag.search.foreign import is_foreign


@pytest.mark.parametrize(
    "question",
    [
        "Wo wird das Zertifikat geprüft?",
        "Wie werden Flags geparst?",
        "Wie setze ich einen Timeout?",
        "Welche Transports gibt es?",
        "Quelles options existent ?",
        "如何设置超时?",
        "Comment les commandes inconnues sont-elles signalées ?",
        "¿Cómo se generan las páginas man?",
        "Onde é que o certificado é verificado?",
        "Dove viene verificato il certificato?",
        "Waar wordt het certificaat gecontroleerd?",
        "Gdzie jest sprawdzany certyfikat?",
        "Где обрабатываются перенаправления?",
        "리디렉션은 어디에서 처리되나요?",
        "Πού ελέγχεται το πιστοποιητικό;",
    ],
)
def test_other_languages_are_foreign(question: str) -> None:
    assert is_foreign(question)


@pytest.mark.parametrize(
    "question",
    [
        "Where is the token checked?",
        "How do I die gracefully on SIGTERM?",
        "Does the façade of Müller handle naïve input?",
        "What does `el.la` do in the DOM, and is it un-escaped?",
        "redirect handling",
        "Client.send",
        "トークンはどこで検証されますか",
        "静的解析の設定",
        "静的解析",
        "例外処理は如何に",
        "What is λ in the decay of σ?",
        "",
    ],
)
def test_english_and_japanese_are_not(question: str) -> None:
    assert not is_foreign(question)
