"""Addresses of Ask: boxes, threads and what is done with them."""

from __future__ import annotations

from django.urls import path

from devrag.web.views import ask, ask_stream, feedback, saved_answers

_THREAD = "ask/<uuid:uuid>/"
_TURN = _THREAD + "<int:ordinal>/"

urlpatterns = [
    path("ask/", ask.ask, name="ask_all"),
    path("p/<str:name>/ask/", ask.ask, name="ask"),
    path(
        "p/<str:name>/ask-feedback/<int:turn_id>/settle/",
        feedback.resolve_answer,
        name="ask_feedback_settle",
    ),
    path(_THREAD, ask.conversation, name="conversation"),
    path(_THREAD + "rename/", ask.rename, name="conversation_rename"),
    path(_THREAD + "share/", ask.share, name="conversation_share"),
    path(_THREAD + "delete/", ask.delete, name="conversation_delete"),
    path(_THREAD + "markdown", ask.markdown, name="conversation_markdown"),
    path(_THREAD + "lines/<int:citation_id>/", ask.citation, name="ask_citation"),
    path(_THREAD + "turns/", ask.later_turns, name="later_turns"),
    path(_TURN, ask.turn, name="turn"),
    path(_TURN + "stream/", ask_stream.stream, name="turn_stream"),
    path(_TURN + "stop/", ask.stop, name="turn_stop"),
    path(_TURN + "markdown", ask.markdown, name="turn_markdown"),
    path(_TURN + "still-true/", ask.still_true, name="turn_still_true"),
    path(_TURN + "page/", saved_answers.save_page, name="turn_page"),
    path(_TURN + "rating/", ask.rate, name="turn_rate"),
]
