"""The actions of the audit log: `<thing>.<what happened to it>` and its words.

A service that changes something records one of these (`audit.api.record_event`);
tests/audit/test_actions.py compares this table with the services.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext, gettext_noop

# In the order in which people choose from them.
ACTIONS: Mapping[str, str] = {
    "sign_in.succeeded": gettext_noop("Signed in"),
    "sign_in.failed": gettext_noop("Sign-in failed"),
    "sign_in.locked": gettext_noop("Sign-in locked"),
    "sign_in.ended": gettext_noop("Signed out"),
    "session.ended": gettext_noop("Session ended"),
    "user.created": gettext_noop("User created"),
    "user.changed": gettext_noop("User changed"),
    "user.password_changed": gettext_noop("Password changed"),
    "user.second_step_reset": gettext_noop("Two-step sign-in turned off"),
    "user.password_link_made": gettext_noop("Password link created"),
    "user.deleted": gettext_noop("User deleted"),
    "passkey.added": gettext_noop("Passkey added"),
    "passkey.renamed": gettext_noop("Passkey renamed"),
    "passkey.removed": gettext_noop("Passkey removed"),
    "token.created": gettext_noop("Token created"),
    "token.revoked": gettext_noop("Token revoked"),
    "member.added": gettext_noop("Member added"),
    "member.changed": gettext_noop("Member role changed"),
    "member.removed": gettext_noop("Member removed"),
    "invitation.created": gettext_noop("Invitation created"),
    "invitation.revoked": gettext_noop("Invitation revoked"),
    "invitation.used": gettext_noop("Invitation used"),
    "product.created": gettext_noop("Product created"),
    "product.changed": gettext_noop("Product settings changed"),
    "product.deleted": gettext_noop("Product deleted"),
    "digest.changed": gettext_noop("Weekly digest changed"),
    "digest.sent": gettext_noop("Weekly digest sent on request"),
    "source.added": gettext_noop("Source added"),
    "source.changed": gettext_noop("Source changed"),
    "source.files_replaced": gettext_noop("Uploaded files replaced"),
    "source.credentials_changed": gettext_noop("Source credentials changed"),
    "source.hook_secret_renewed": gettext_noop("Webhook secret renewed"),
    "source.scheduled": gettext_noop("Source schedule changed"),
    "source.limited": gettext_noop("Source access changed"),
    "source.index_requested": gettext_noop("Indexing started"),
    "source.deleted": gettext_noop("Source deleted"),
    "label.added": gettext_noop("Label added"),
    "label.changed": gettext_noop("Label changed"),
    "label.removed": gettext_noop("Label removed"),
    "label.corrected": gettext_noop("Label of a file corrected"),
    "wiki.requested": gettext_noop("Wiki generation started"),
    "wiki.published": gettext_noop("Wiki published"),
    "wiki.version_shown": gettext_noop("Wiki version changed"),
    "wiki.version_pinned": gettext_noop("Wiki version pinned"),
    "wiki.note_added": gettext_noop("Wiki note added"),
    "wiki.note_changed": gettext_noop("Wiki note changed"),
    "wiki.note_removed": gettext_noop("Wiki note removed"),
    "wiki.answer_saved": gettext_noop("Answer saved as a page"),
    "wiki.answer_renamed": gettext_noop("Saved answer renamed"),
    "wiki.answer_removed": gettext_noop("Saved answer removed"),
    "feedback.added": gettext_noop("Problem reported"),
    "feedback.resolved": gettext_noop("Reported problem resolved"),
    "conflict.decided": gettext_noop("Conflict marked"),
    "document.checked": gettext_noop("Outdated document checked"),
    "secret.dismissed": gettext_noop("Masked secret dismissed"),
    "secret.reopened": gettext_noop("Masked secret listed again"),
    "job.cancelled": gettext_noop("Job cancelled"),
    "job.retried": gettext_noop("Job retried"),
    "embedding.paused": gettext_noop("Embedding paused"),
    "embedding.resumed": gettext_noop("Embedding resumed"),
    "embedding.model_changed": gettext_noop("Embedding model changed"),
    "embedding.model_dropped": gettext_noop("Embedding model deleted"),
    "model.changed": gettext_noop("Language model changed"),
    "credentials.rotated": gettext_noop("Encryption key rotated"),
    "credentials.retired": gettext_noop("Old encryption keys deleted"),
    "backup.written": gettext_noop("Backup written"),
    "backup.restored": gettext_noop("Backup restored"),
    "audit.exported": gettext_noop("Audit log exported"),
    "admin.added": gettext_noop("Added in the administration"),
    "admin.changed": gettext_noop("Changed in the administration"),
    "admin.deleted": gettext_noop("Deleted in the administration"),
}


def name_action(action: str) -> str:
    """Return what an action is called; its own name where it is no longer known."""
    return gettext(ACTIONS[action]) if action in ACTIONS else action


def list_actions() -> list[tuple[str, str]]:
    """Return every action with what it is called."""
    return [(action, name_action(action)) for action in ACTIONS]
