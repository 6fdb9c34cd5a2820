"""Celery, its queues' periodic tasks, and how long jobs are kept."""

from __future__ import annotations

import os
import socket

from environs import validate

from devrag.settings.environment import at_least_one, env, not_negative
from devrag.settings.services import BROKER_URL

INDEX_WORKERS = env.int(
    "INDEX_WORKERS", min(4, os.cpu_count() or 1), validate=validate.Range(1, 64)
)
JOB_RETENTION_HOURS = env.int("JOB_RETENTION_HOURS", 24, validate=at_least_one)
# Events of the audit log; 0 keeps them for good.
AUDIT_RETENTION_DAYS = env.int("AUDIT_RETENTION_DAYS", 400, validate=not_negative)
# Leases and path sources carry it: two machines must not share one.
HOST_NAME = env.str("HOST_NAME", "") or socket.gethostname()
CELERY_APP = "devrag.celery.app"
CELERY = {
    "broker_url": BROKER_URL,
    "broker_connection_retry_on_startup": True,
    "broker_transport_options": {"visibility_timeout": 600},
    "task_ignore_result": True,
    "task_acks_late": True,
    "task_reject_on_worker_lost": True,
    "task_default_queue": "tick",
    "task_default_delivery_mode": "transient",
    "worker_prefetch_multiplier": 1,
    "worker_hijack_root_logger": False,
    "worker_cancel_long_running_tasks_on_connection_loss": False,
    # Plain seconds: celery.schedules would cost each command a tenth of a second.
    "beat_schedule": {
        "tick": {
            "task": "jobs.tick",
            "schedule": 5.0,
            "options": {"queue": "tick", "expires": 10},
        },
        "schedules": {
            "task": "use_cases.run_schedules",
            "schedule": 60.0,
            "options": {"queue": "tick", "expires": 60},
        },
        "digests": {
            "task": "use_cases.send_digests",
            "schedule": 300.0,
            # A server that does not answer keeps it for a while.
            "options": {"queue": "plan", "expires": 300},
        },
        "missing-keys": {
            "task": "operations.report_missing_keys",
            "schedule": 15.0,
            "options": {"queue": "tick", "expires": 15},
        },
        "measures": {
            "task": "insights.measure",
            "schedule": 120.0,
            "options": {"queue": "plan", "expires": 120},
        },
        "housekeeping": {
            "task": "operations.housekeeping",
            "schedule": 3600.0,
            # A pass may take two minutes: not where batches wait to be parsed.
            "options": {"queue": "plan", "expires": 3600},
        },
        "expire": {
            "task": "jobs.expire_jobs",
            "schedule": 600.0,
            "options": {"queue": "tick", "expires": 600},
        },
    },
}
# The registry of job kinds is in the package that knows all others.
JOB_WORKFLOWS = "devrag.use_cases.workflows.WORKFLOWS"
