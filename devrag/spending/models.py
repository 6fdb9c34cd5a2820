"""ModelCall: the ledger of what models were asked, and what it cost."""

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
