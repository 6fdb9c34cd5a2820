"""Addresses below /settings/."""

from __future__ import annotations

from django.urls import path, reverse_lazy
from django.views.generic import RedirectView

from devrag.web.views import (
    account,
    audit,
    invitations,
    language_model,
    monitoring,
    oidc,
    passkeys,
    people,
    preferences,
    second_factor,
    settings,
    tokens,
)

urlpatterns = [
    path(
        "",
        RedirectView.as_view(url=reverse_lazy("web:settings_account")),
        name="settings",
    ),
    path("tokens/", tokens.tokens, name="settings_tokens"),
    path("tokens/<int:token_id>/revoke/", tokens.revoke, name="token_revoke"),
    path("connect/", settings.connect, name="settings_connect"),
    path("models/", settings.models, name="settings_models"),
    path("models/<str:kind>/<str:name>/test/", settings.test, name="model_test"),
    path("models/language/", language_model.change, name="model_change"),
    path("models/language/test/", language_model.test, name="model_try"),
    path(
        "models/language/estimate/<str:name>/",
        language_model.estimate,
        name="wiki_estimate",
    ),
    path("account/", account.account, name="settings_account"),
    path("account/preferences/", preferences.store, name="settings_preferences"),
    path("account/sessions/end/", account.end_others, name="sessions_end"),
    path(
        "account/sessions/<int:session_id>/end/",
        account.end,
        name="session_end",
    ),
    path("account/two-step/", second_factor.second_factor, name="second_factor"),
    path("account/passkeys/", passkeys.passkeys, name="passkeys"),
    path("account/identity/unlink/", oidc.unlink, name="identity_unlink"),
    path("invitations/", invitations.invitations, name="settings_invitations"),
    path(
        "invitations/<int:invitation_id>/revoke/",
        invitations.revoke,
        name="invitation_revoke",
    ),
    path("people/", people.people, name="settings_people"),
    path("people/<int:user_id>/", people.change, name="person_change"),
    path("monitoring/", monitoring.monitoring, name="settings_monitoring"),
    path("monitoring/measure/", monitoring.measure, name="settings_measure"),
    path("audit/", audit.audit, name="settings_audit"),
    path("audit/export/<str:kind>", audit.export, name="settings_audit_export"),
    path("health/", settings.health, name="settings_health"),
]
