"""Job, Batch, JobEvent, JobCount: what runs, in which pieces, how it ended."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from devrag.products.models import Product


class JobState(models.TextChoices):
    PENDING = "pending"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    SKIPPED = "skipped"
    CANCELLED = "cancelled"


OPEN_STATES = (JobState.PENDING, JobState.RUNNING)


class Job(models.Model):
    """One request for long work. At most one runs per lane.

    lane: what must not run twice at a time, `index:<source>:<ref>`. params: ids and
    flags of the request. phase: position in the workflow's phases. report: the result.
    request_id: of the request that asked for it, for the logs.
    error: in English. error_text: what it is made of, to say it in other languages;
    empty where that is not known.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=16)
    lane = models.CharField(max_length=200)
    # A job outlives a product that it failed to fill, to say why.
    product = models.ForeignKey(
        Product, models.SET_NULL, null=True, related_name="jobs"
    )
    source_name = models.CharField(max_length=200, blank=True)
    params = models.JSONField(default=dict)
    state = models.CharField(max_length=16, choices=JobState, default=JobState.PENDING)
    phase = models.SmallIntegerField(default=-1)
    attempts = models.PositiveSmallIntegerField(default=0)
    requested_by = models.CharField(max_length=150, blank=True)
    # db_default: an older version may add rows while both run.
    request_id = models.CharField(max_length=64, blank=True, default="", db_default="")
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    error = models.TextField(blank=True)
    error_text = models.JSONField(default=dict)
    error_code = models.CharField(max_length=40, blank=True)
    report = models.JSONField(default=dict)
    superseded_by = models.ForeignKey("self", models.SET_NULL, null=True, blank=True)
    # False from its start until what only its run needed is deleted.
    is_tidy = models.BooleanField(default=True)

    class Meta:
        verbose_name = gettext_lazy("job")
        verbose_name_plural = gettext_lazy("jobs")
        ordering = ["-created_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["lane"],
                condition=Q(state=JobState.RUNNING),
                name="one_running_job_per_lane",
            )
        ]
        indexes = [
            models.Index(
                fields=["state", "created_at"],
                condition=Q(state__in=OPEN_STATES),
                name="open_jobs",
            ),
            models.Index(fields=["product", "-created_at"], name="jobs_of_product"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"

    @property
    def is_open(self) -> bool:
        return self.state in OPEN_STATES

    @property
    def trace_id(self) -> str:
        """What joins its log lines with those of the request and the jobs around it."""
        return self.request_id or str(self.pk)


class BatchState(models.TextChoices):
    OPEN = "open"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class Batch(models.Model):
    """A piece of a job that commits on its own.

    units: how much it is, for progress; done_units: how much is finished.
    lease_until: when running, after this moment another worker may take it.
    worker: identity of the holder, so that its own host notices its death at once.
    losses: how often its worker died on it; attempts count every claim.
    note: what it is about or at now; rate: units a second, where run tells progress.
    """

    NOTE_LENGTH = 300

    job = models.ForeignKey(Job, models.CASCADE, related_name="batches")
    phase = models.SmallIntegerField()
    queue = models.CharField(max_length=80)
    ordinal = models.IntegerField()
    state = models.CharField(max_length=8, choices=BatchState, default=BatchState.OPEN)
    attempts = models.PositiveSmallIntegerField(default=0)
    losses = models.PositiveSmallIntegerField(default=0)
    not_before = models.DateTimeField(null=True)
    lease_until = models.DateTimeField(null=True)
    worker = models.CharField(max_length=120, blank=True)
    payload = models.JSONField(default=dict)
    units = models.IntegerField(default=1)
    done_units = models.IntegerField(default=0)
    note = models.CharField(max_length=NOTE_LENGTH, blank=True)
    rate = models.FloatField(null=True)
    result = models.JSONField(default=dict)
    error = models.TextField(blank=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["phase", "ordinal"]
        constraints = [
            models.UniqueConstraint(
                fields=["job", "phase", "ordinal"], name="one_batch_per_ordinal"
            )
        ]
        indexes = [
            models.Index(
                fields=["job", "phase", "ordinal"],
                condition=Q(state__in=["open", "running"]),
                name="claimable_batches",
            )
        ]

    def __str__(self) -> str:
        return f"batch {self.phase}/{self.ordinal} of {self.job_id}"


class JobEvent(models.Model):
    """A log line of a job."""

    class Level(models.TextChoices):
        INFO = "info"
        WARNING = "warning"
        ERROR = "error"

    job = models.ForeignKey(Job, models.CASCADE, related_name="events")
    at = models.DateTimeField(auto_now_add=True)
    level = models.CharField(max_length=8, choices=Level, default=Level.INFO)
    message = models.TextField()
    data = models.JSONField(default=dict)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.message


class JobCount(models.Model):
    """How many jobs of a kind ended on a day, counted when they expire.

    source_id: of the source they were about; no foreign key, sources build upon jobs.
    error_code: '' of those that did not fail. seconds: from start to end, added up.
    units: files parsed or texts embedded; work_seconds: how long those took.
    """

    day = models.DateField()
    product = models.ForeignKey(
        Product, models.CASCADE, null=True, related_name="job_counts", db_index=False
    )
    source_id = models.BigIntegerField(null=True)
    kind = models.CharField(max_length=16)
    state = models.CharField(max_length=16, choices=JobState)
    error_code = models.CharField(max_length=40, blank=True)
    jobs = models.IntegerField(default=0)
    seconds = models.FloatField(default=0)
    units = models.BigIntegerField(default=0)
    work_seconds = models.FloatField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["product", "day", "source_id", "kind", "state", "error_code"],
                nulls_distinct=False,
                name="one_job_count",
            )
        ]
        indexes = [models.Index(fields=["day"], name="job_counts_by_day")]

    def __str__(self) -> str:
        return f"{self.jobs} {self.kind} on {self.day}: {self.state}"
