"""What models were asked and what it cost, and which one the browser chose.

ModelCall is the ledger; LanguageModelSettings has one row at most.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from devrag.products.models import Product

EMBEDDING_PURPOSE, RERANK_PURPOSE, ASK_PURPOSE = "embedding", "rerank", "ask"
CONFLICTS_PURPOSE = "conflicts"


class ModelCall(models.Model):
    """One call of a model: reserved before if it has a cap, counted after.

    reserved_cost: the most that it can cost, in dollars. cost: what it did; None while
    it is at work (finished_at is None too), and where no price is known.
    input_tokens: all, the cached ones included. worker: who waits for the answer.
    """

    product = models.ForeignKey(Product, models.CASCADE, related_name="model_calls")
    purpose = models.CharField(max_length=40)
    provider = models.CharField(max_length=40)
    model = models.CharField(max_length=120)
    run = models.UUIDField(db_index=True)
    reserved_cost = models.DecimalField(max_digits=12, decimal_places=6, default=0)
    cost = models.DecimalField(max_digits=12, decimal_places=6, null=True)
    input_tokens = models.IntegerField(default=0)
    cached_input_tokens = models.IntegerField(default=0)
    output_tokens = models.IntegerField(default=0)
    worker = models.CharField(max_length=120, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "jobs_modelcall"
        indexes = [
            models.Index(fields=["product", "created_at"], name="model_spend"),
            models.Index(
                fields=["created_at"],
                condition=Q(finished_at=None),
                name="open_model_calls",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.provider}/{self.model} for {self.purpose}"


class LanguageModelSettings(models.Model):
    """The language model that administrators chose; the environment goes first.

    Empty texts and null numbers stand for what the server's settings say.
    provider: empty or `structural` without a model. base_url: another server than the
    provider's own. key: encrypted, for this provider and base_url alone. key_ending:
    its last characters, to tell keys apart. window: tokens of prompt and answer.
    price: dollars for a million tokens, as `input/cached input/output`.
    """

    id = models.SmallIntegerField(primary_key=True, default=1, editable=False)
    provider = models.CharField(max_length=20, blank=True)
    base_url = models.CharField(max_length=500, blank=True)
    key = models.BinaryField(null=True)
    key_ending = models.CharField(max_length=4, blank=True)
    key_set_at = models.DateTimeField(null=True)
    model = models.CharField(max_length=100, blank=True)
    check_model = models.CharField(max_length=100, blank=True)
    ask_model = models.CharField(max_length=100, blank=True)
    window = models.IntegerField(null=True)
    price = models.CharField(max_length=60, blank=True)
    cap_per_run = models.FloatField(null=True)
    cap_per_month = models.FloatField(null=True)
    ask_cap_per_day = models.FloatField(null=True)
    conflicts_cap_per_month = models.FloatField(null=True)
    changed_at = models.DateTimeField(auto_now=True)
    changed_by = models.CharField(max_length=150, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(id=1), name="one_row_of_language_model_settings"
            )
        ]

    def __str__(self) -> str:
        return f"{self.provider or 'structural'}/{self.model}"
