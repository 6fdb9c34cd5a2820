"""The table of events, and the triggers that keep them."""

from __future__ import annotations

import django.utils.timezone
from django.db import migrations, models

_KEEP = """
CREATE FUNCTION audit_keep_events() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE days integer;
BEGIN
    IF TG_OP = 'DELETE' THEN
        days := nullif(current_setting('devrag.audit_retention_days', true), '');
        IF days >= 1 AND OLD.at < now() - make_interval(days => days) THEN
            RETURN OLD;
        END IF;
    END IF;
    RAISE EXCEPTION 'Audit events are append-only: % is refused.', TG_OP
        USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER audit_keep_rows BEFORE UPDATE OR DELETE ON audit_auditevent
    FOR EACH ROW EXECUTE FUNCTION audit_keep_events();
CREATE TRIGGER audit_keep_table BEFORE TRUNCATE ON audit_auditevent
    FOR EACH STATEMENT EXECUTE FUNCTION audit_keep_events();
"""
_FORGET = """
DROP TRIGGER audit_keep_table ON audit_auditevent;
DROP TRIGGER audit_keep_rows ON audit_auditevent;
DROP FUNCTION audit_keep_events();
"""


class Migration(migrations.Migration):
    initial = True
    dependencies = []

    operations = [
        migrations.CreateModel(
            name="AuditEvent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True,
                        primary_key=True,
                        serialize=False,
                        verbose_name="ID",
                    ),
                ),
                (
                    "at",
                    models.DateTimeField(
                        db_index=True, default=django.utils.timezone.now
                    ),
                ),
                ("action", models.CharField(max_length=40)),
                ("actor", models.CharField(max_length=200)),
                (
                    "actor_kind",
                    models.CharField(
                        choices=[
                            ("user", "User"),
                            ("token", "Token"),
                            ("os_user", "Os User"),
                            ("system", "System"),
                            ("anonymous", "Anonymous"),
                        ],
                        max_length=10,
                    ),
                ),
                ("user_name", models.CharField(blank=True, max_length=150)),
                (
                    "entry",
                    models.CharField(
                        choices=[
                            ("web", "Web"),
                            ("api", "Api"),
                            ("mcp", "Mcp"),
                            ("command", "Command"),
                            ("job", "Job"),
                        ],
                        max_length=8,
                    ),
                ),
                ("address", models.CharField(blank=True, max_length=45)),
                ("request_id", models.CharField(blank=True, max_length=64)),
                ("product_id", models.BigIntegerField(null=True)),
                ("product_name", models.CharField(blank=True, max_length=64)),
                ("source_id", models.BigIntegerField(null=True)),
                ("target", models.CharField(blank=True, max_length=300)),
                ("details", models.JSONField(default=dict)),
            ],
            options={
                "ordering": ["-id"],
                "indexes": [
                    models.Index(fields=["product_id", "-id"], name="audit_of_product"),
                    models.Index(fields=["user_name", "-id"], name="audit_of_user"),
                    models.Index(fields=["action", "-id"], name="audit_of_action"),
                ],
            },
        ),
        migrations.RunSQL(_KEEP, _FORGET),
    ]
