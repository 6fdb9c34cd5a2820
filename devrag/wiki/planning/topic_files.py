"""Which files the pages on a topic cover: one function for each kind of page."""

from __future__ import annotations

from collections.abc import Iterable

from devrag.wiki.analysis.analysis import CODE_ROLES, Analysis
from devrag.wiki.analysis.dated_entries import dated_entries
from devrag.wiki.analysis.decisions import decisions_of
from devrag.wiki.analysis.edition_series import series_of
from devrag.wiki.analysis.exports import exports_of
from devrag.wiki.analysis.glossary import terms_of
from devrag.wiki.analysis.open_questions import open_questions, open_tickets_by_date
from devrag.wiki.analysis.operations import operations_of
from devrag.wiki.analysis.product_form import form_of, started
from devrag.wiki.analysis.settings import settings_of
from devrag.wiki.analysis.survey import SurveyFact, SurveyFile

_FEWEST_TERMS = 3
_FEWEST_DECISIONS, _FEWEST_DAYS = 2, 3
_FORMALITIES = {"license", "licence", "copying", "notice", "changelog", "changes"}
_FORMALITIES |= {"pull_request_template", "issue_template", "bug-report", "authors"}
_FORMALITIES |= {"licenses", "licences", "eula", "code_of_conduct"}


def root_documents(analysis: Analysis) -> list[SurveyFile]:
    """Return the README files at the top of each source."""
    readmes = [
        f
        for f in analysis.survey.files
        if not f.directory
        and f.stem.lower() == "readme"
        and analysis.roles[f.id] != "excluded"
    ]
    preferred = {f.source: f for f in sorted(readmes, key=lambda f: -len(f.name))}
    return sorted(preferred.values(), key=lambda f: f.source)


def package_markers(analysis: Analysis) -> list[SurveyFile]:
    """Return files that only mark a package: their directory is all they say."""
    return [
        f
        for f in analysis.with_role(*CODE_ROLES)
        if f.name == "__init__.py" and f.lines <= 1
    ]


def api_files(analysis: Analysis) -> list[SurveyFile]:
    """Return the files that define what a library exports; none of an application."""
    if not form_of(analysis).is_library:
        return []
    files = (analysis.files[e.symbol.file] for e in exports_of(analysis))
    return list(dict.fromkeys(files))


def entry_point_files(analysis: Analysis) -> list[SurveyFile]:
    """Return the files with commands, routes, tasks and entry points."""
    return _files_of(analysis, started(analysis))


def model_files(analysis: Analysis) -> list[SurveyFile]:
    """Return the files that declare data."""
    return _files_of(analysis, analysis.facts("model"))


def setting_files(analysis: Analysis) -> list[SurveyFile]:
    """Return the files that declare or read settings, and explained configuration.

    Where settings are read, all configuration counts.
    """
    found = [s.place.file for group in settings_of(analysis) for s in group.settings]
    settings = [analysis.files[file] for file in dict.fromkeys(found)]
    config = analysis.with_role("config")
    return settings + [f for f in config if settings or analysis.purpose(f)]


def build_files(analysis: Analysis) -> list[SurveyFile]:
    """Return the files that build, install and check the product."""
    return analysis.with_role("build", "ci")


def testing_files(analysis: Analysis) -> list[SurveyFile]:
    """Return the tests."""
    return analysis.with_role("test")


def operations_files(analysis: Analysis) -> list[SurveyFile]:
    """Return the files on deployment, access control and secrets, if there is much."""
    found = operations_of(analysis)
    return found.files(analysis) if found.is_told else []


def documents(analysis: Analysis) -> list[SurveyFile]:
    """Return the documents beyond the README that have a title or text."""
    front = {file.id for file in root_documents(analysis)}
    docs = analysis.with_role("doc")
    return [
        f
        for f in docs
        if f.id not in front and f.lines > 2 and not _is_formal(analysis, f)
    ]


def _is_formal(analysis: Analysis, file: SurveyFile) -> bool:
    """Return whether a document is a licence, a form or a signature."""
    names = {file.stem.lower(), *file.directory.lower().split("/")}
    is_signature = file.name.endswith(".asc") and analysis.texts.text(
        file.id
    ).startswith("-----BEGIN PGP")
    return bool(names & _FORMALITIES) or is_signature


def decision_files(analysis: Analysis) -> list[SurveyFile]:
    """Return the documents that record decisions; one alone makes no page."""
    found = decisions_of(analysis)
    files = dict.fromkeys(analysis.files[each.file] for each in found)
    return list(files) if len(found) >= _FEWEST_DECISIONS else []


def dated_files(analysis: Analysis) -> list[SurveyFile]:
    """Return what is dated of documents alone, where it tells of several days."""
    found = dated_entries(analysis) if analysis.is_of_documents else ()
    days = {each.day for each in found}
    files = dict.fromkeys(analysis.files[each.file] for each in found)
    return list(files) if len(days) >= _FEWEST_DAYS else []


def edition_files(analysis: Analysis) -> list[SurveyFile]:
    """Return the editions of documents that are compared, of documents alone."""
    if not analysis.is_of_documents:
        return []
    topics = range(len(analysis.topics))
    series = (files for index in topics for files in series_of(analysis, index))
    return list(dict.fromkeys(file for files in series for file in files))


def open_files(analysis: Analysis) -> list[SurveyFile]:
    """Return what leaves something open, of documents alone."""
    if not analysis.is_of_documents:
        return []
    tickets = [ticket.file for ticket in open_tickets_by_date(analysis)]
    files = [analysis.files[each.file] for each in open_questions(analysis)]
    return list(dict.fromkeys([*tickets, *files]))


def glossary_files(analysis: Analysis) -> list[SurveyFile]:
    """Return the files that explain the product's words; few words make no page."""
    files = [term.file for term in terms_of(analysis) if term.file is not None]
    is_asked = any(said.glossary for said in analysis.steering.values())
    enough = is_asked or len(files) >= _FEWEST_TERMS
    return [analysis.files[file] for file in files] if enough else []


def _files_of(analysis: Analysis, facts: Iterable[SurveyFact]) -> list[SurveyFile]:
    return [analysis.files[fact.file] for fact in facts]
