"""What other packages use of insights."""

from __future__ import annotations

from devrag.insights.costs import MonthCost, UseCost
from devrag.insights.instance import InstanceInsights, Storage, get_instance_insights
from devrag.insights.measuring import measure_what_changed
from devrag.insights.product import (
    PERIODS,
    ProductInsights,
    get_product_insights,
)
from devrag.insights.pruning import old_storage_sizes, old_wiki_measures
from devrag.insights.serializers import describe_insights
from devrag.insights.source_sizes import record_source_size, superfluous_sizes
from devrag.insights.storage import measure_storage

__all__ = [
    "PERIODS",
    "InstanceInsights",
    "MonthCost",
    "ProductInsights",
    "Storage",
    "UseCost",
    "describe_insights",
    "get_instance_insights",
    "get_product_insights",
    "measure_storage",
    "measure_what_changed",
    "old_storage_sizes",
    "old_wiki_measures",
    "record_source_size",
    "superfluous_sizes",
]
