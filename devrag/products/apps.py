"""Django's registration of this package."""

from __future__ import annotations

from django.apps import AppConfig


class ProductsConfig(AppConfig):
    name = "devrag.products"
