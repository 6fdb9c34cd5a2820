"""Addresses around wiki pages: citations, drafts, notes, versions, `llms.txt`."""

from __future__ import annotations

from django.urls import path

from devrag.web.views import (
    feedback,
    llms,
    notes,
    saved_answers,
    wiki,
    wiki_export,
    wiki_versions,
)

_WIKI = "p/<str:name>/wiki-{}/"
_VERSION = _WIKI.format("versions") + "<int:number>/"
_ANSWER = _WIKI.format("answers") + "<int:page_id>/"
_NOTE = _WIKI.format("notes") + "<int:note_id>/"

urlpatterns = [
    path("llms.txt", llms.products, name="llms"),
    path("p/<str:name>/llms.txt", llms.product, name="llms_product"),
    path(_WIKI.format("claims") + "<int:claim>/", wiki.claim, name="wiki_claim"),
    path(
        _WIKI.format("drafts") + "<str:language>/<path:page>",
        wiki.draft,
        name="wiki_draft",
    ),
    path(
        _WIKI.format("draft-claims") + "<str:language>/<int:ordinal>/<path:page>",
        wiki.draft_claim,
        name="wiki_draft_claim",
    ),
    path(_WIKI.format("versions"), wiki_versions.versions, name="wiki_versions"),
    path(
        _WIKI.format("versions") + "compare/",
        wiki_versions.compare,
        name="wiki_compare",
    ),
    path(_VERSION + "export/<str:kind>", wiki_export.export, name="wiki_export"),
    path(_WIKI.format("freshness"), wiki.freshness, name="wiki_freshness"),
    path(_VERSION, wiki_versions.version, name="wiki_version"),
    path(
        _VERSION + "pages/<path:page>", wiki_versions.old_page, name="wiki_version_page"
    ),
    path(_VERSION + "show/", wiki_versions.show, name="wiki_version_show"),
    path(_VERSION + "pin/", wiki_versions.pin, name="wiki_version_pin"),
    path(_WIKI.format("notes") + "add/", notes.add, name="wiki_note_add"),
    path(_NOTE, notes.note, name="wiki_note"),
    path(_NOTE + "edit/", notes.edit, name="wiki_note_edit"),
    path(_NOTE + "delete/", notes.delete, name="wiki_note_delete"),
    path(_ANSWER + "rename/", saved_answers.rename, name="saved_answer_rename"),
    path(_ANSWER + "delete/", saved_answers.delete, name="saved_answer_delete"),
    path(_WIKI.format("feedback"), feedback.feedback, name="wiki_feedback"),
    path(
        _WIKI.format("feedback") + "<int:page_id>/<int:block>/",
        feedback.wrong,
        name="wiki_wrong",
    ),
    path(
        _WIKI.format("feedback") + "<int:feedback_id>/settle/",
        feedback.resolve,
        name="wiki_feedback_settle",
    ),
]
