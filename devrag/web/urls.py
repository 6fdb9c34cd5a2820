"""Addresses of the pages."""

from __future__ import annotations

from django.urls import include, path
from django.views.i18n import set_language

from devrag.web import ask_urls, code_urls, wiki_urls
from devrag.web.views import (
    add_source,
    auth,
    conflicts,
    dashboard,
    deletion,
    digest,
    files,
    frames,
    icon,
    job_watch,
    jobs,
    labels,
    outdated,
    palette,
    product_settings,
    products,
    search,
    source_token,
    sources,
    wiki,
)

app_name = "web"

urlpatterns = [
    path("", dashboard.dashboard, name="dashboard"),
    path("add/", dashboard.add, name="add"),
    path("add/folders/", dashboard.folders, name="folders"),
    path("add/source/", add_source.add_source, name="add_source"),
    path("add/source/test/", add_source.test_connection, name="connection_test"),
    path("palette", palette.palette, name="palette"),
    path("first/<uuid:job_id>/", dashboard.first, name="first"),
    path("search", search.search, name="search"),
    path("search/complete", search.complete, name="search_complete"),
    path("search/opened", search.opened, name="search_opened"),
    path("searches/", search.searches, name="searches"),
    path("p/<str:name>/", products.product, name="product"),
    path("p/<str:name>/vectors/", products.vectors, name="vectors"),
    path("p/<str:name>/vectors/pause/", products.pause_vectors, name="pause_vectors"),
    path(
        "p/<str:name>/vectors/resume/", products.resume_vectors, name="resume_vectors"
    ),
    path("p/<str:name>/wiki/", wiki.page, name="wiki_index"),
    path("p/<str:name>/wiki-regenerate/", wiki.regenerate, name="wiki_regenerate"),
    path("p/<str:name>/wiki/<path:page>", wiki.page, name="wiki"),
    *wiki_urls.urlpatterns,
    *ask_urls.urlpatterns,
    path("p/<str:name>/settings/", product_settings.settings, name="product_settings"),
    path("p/<str:name>/digest/", digest.digest, name="digest"),
    path("p/<str:name>/digest/change/", digest.change, name="digest_change"),
    path("p/<str:name>/digest/send/", digest.send, name="digest_send"),
    path("p/<str:name>/digest/retry/", digest.retry, name="digest_retry"),
    path("p/<str:name>/members/", product_settings.add, name="member_add"),
    path(
        "p/<str:name>/members/<int:member_id>/",
        product_settings.change,
        name="member_change",
    ),
    path(
        "p/<str:name>/members/<int:member_id>/remove/",
        product_settings.remove,
        name="member_remove",
    ),
    path("p/<str:name>/conflicts/", conflicts.conflicts, name="conflicts"),
    path(
        "p/<str:name>/conflicts/<int:conflict_id>/",
        conflicts.decide,
        name="conflict_decide",
    ),
    path("p/<str:name>/outdated/", outdated.outdated, name="outdated"),
    path(
        "p/<str:name>/outdated/<int:document_id>/",
        outdated.check,
        name="outdated_check",
    ),
    path("p/<str:name>/labels/", labels.labels, name="labels"),
    path("p/<str:name>/labels/add/", labels.add, name="label_add"),
    path("p/<str:name>/labels/<int:label_id>/", labels.change, name="label_change"),
    path(
        "p/<str:name>/labels/<int:label_id>/remove/",
        labels.remove,
        name="label_remove",
    ),
    path("p/<str:name>/delete/", deletion.product, name="product_delete"),
    path("p/<str:name>/s/<str:source>/", sources.source, name="source"),
    path("p/<str:name>/s/<str:source>/index/", sources.index, name="source_index"),
    path(
        "p/<str:name>/s/<str:source>/members/",
        sources.members,
        name="source_members",
    ),
    path(
        "p/<str:name>/s/<str:source>/test/",
        add_source.test_source,
        name="source_test",
    ),
    path(
        "p/<str:name>/s/<str:source>/token/",
        source_token.token,
        name="source_token",
    ),
    path("p/<str:name>/s/<str:source>/delete/", deletion.source, name="source_delete"),
    path(
        "p/<str:name>/s/<str:source>/schedule/",
        sources.schedule,
        name="source_schedule",
    ),
    path(
        "p/<str:name>/s/<str:source>/chunks/",
        sources.chunking,
        name="source_chunking",
    ),
    *code_urls.urlpatterns,
    path(
        "p/<str:name>/s/<str:source>/labels/<file_path:path>",
        labels.correct,
        name="file_labels",
    ),
    path(
        "p/<str:name>/s/<str:source>/mentions/<file_path:path>",
        files.mentions,
        name="mentions",
    ),
    path("jobs/", jobs.jobs, name="jobs"),
    path("jobs/ended/", job_watch.ended, name="jobs_ended"),
    path("jobs/<uuid:job_id>/", jobs.job, name="job"),
    path("jobs/<uuid:job_id>/progress/", jobs.progress, name="job_progress"),
    path("jobs/<uuid:job_id>/cancel/", jobs.cancel, name="job_cancel"),
    path("jobs/<uuid:job_id>/retry/", jobs.retry, name="job_retry"),
    path("settings/", include("devrag.web.settings_urls")),
    path("favicon.ico", icon.favicon),
    path("sign-in/", auth.SignIn.as_view(), name="sign_in"),
    path("sign-out/", auth.SignOut.as_view(), name="sign_out"),
    path("language/", set_language, name="language"),
    path("frames/mermaid", frames.mermaid, name="mermaid_frame"),
]
