"""What part each file of a product plays, by what people say of it and by what it has.

given_role() of each file → all_documents(), or with_tickets() and sample_data_among()
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache, partial

from devrag.wiki.analysis.documents import Section
from devrag.wiki.analysis.roles import role_of
from devrag.wiki.analysis.steering.files import STEERING_FILES
from devrag.wiki.analysis.survey import Survey, SurveyFile
from devrag.wiki.analysis.topics.documents import explaining_documents
from devrag.wiki.analysis.topics.mentions import MentionIndex
from devrag.wiki.analysis.topics.sample_data import is_sample_data

# What is none of the documents, whatever else there is.
_NEVER_DOCUMENTS = frozenset({"excluded", "steering", "vendored", "lock"})


def given_role(file: SurveyFile, excluded: Collection[int]) -> str:
    """Return a file's role by its path, its source and what people left out."""
    if file.id in excluded:
        return "excluded"
    if file.document_kind:
        return "doc"
    if file.path in STEERING_FILES:
        return "steering"
    return "vendored" if file.is_generated else role_of(file)


def all_documents(
    files: Iterable[SurveyFile], roles: Mapping[int, str]
) -> dict[int, str]:
    """Return the roles of documents alone, whatever their folders are called."""
    docs = (file.id for file in files if file.kind == "doc")
    return {**roles, **{f: "doc" for f in docs if roles[f] not in _NEVER_DOCUMENTS}}


def with_tickets(
    files: Iterable[SurveyFile], roles: Mapping[int, str]
) -> dict[int, str]:
    """Return the roles of several kinds: tickets are no documents."""
    tickets = (file.id for file in files if file.document_kind == "ticket")
    return {**roles, **dict.fromkeys(tickets, "ticket")}


def sample_data_among(
    survey: Survey,
    roles: Mapping[int, str],
    *,
    text: Callable[[int], str],
    sections: Callable[[SurveyFile], list[Section]],
    own_words: frozenset[str],
) -> dict[int, str]:
    """Return the documents that are sample data beside code, as data."""
    code = [file for file in survey.files if roles[file.id] == "code"]
    with_code = {file.source for file in code}
    documents = explaining_documents(
        file
        for file in survey.files
        if roles[file.id] == "doc" and file.source in with_code
    )

    @cache
    def names() -> MentionIndex:
        return MentionIndex(code, survey.symbols, survey.facts)

    return {
        file.id: "data"
        for file in documents
        if is_sample_data(
            file, text(file.id), partial(sections, file), own_words, names
        )
    }
