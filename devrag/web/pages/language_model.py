"""The language model as its page shows it: what is in force, a test, an estimate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.translation import gettext, gettext_noop

from devrag.core.errors import DevragError, ProviderError
from devrag.core.principal import Principal
from devrag.core.text import dollars
from devrag.products.models import Product
from devrag.products.services import get_maintained_product
from devrag.spending.chat_providers import ChatAnswer
from devrag.spending.language_model import (
    is_model_set,
    model_name,
    model_price,
    model_provider,
)
from devrag.wiki.api import Estimate, estimate_wiki

MOST_PRODUCTS = 50
TITLES = {"openai": "OpenAI", "anthropic": "Anthropic"}
_PROBLEMS = {
    "key": gettext_noop(
        "The API key is missing or refused. Copy it again, and check that it is valid."
    ),
    "model": gettext_noop(
        "This model does not exist at this address. Check the model name "
        "and the address."
    ),
    "quota": gettext_noop(
        "The account has no credit left. Add credit at the provider or raise its limit."
    ),
    "rate": gettext_noop("Too many requests at once. Wait a moment, then test again."),
    "connection": gettext_noop(
        "The address cannot be reached. Check it, and that the server is running."
    ),
    "timeout": gettext_noop(
        "The server did not answer in time. Check the address, or try again."
    ),
    "redirect": gettext_noop("The address redirects. Enter the final address."),
    "server": gettext_noop("The provider returned an error. Try again in a moment."),
    "prompt": gettext_noop(
        "The provider refused the request. Check the name of the model."
    ),
}
_OTHER = gettext_noop("The model did not answer as expected.")


@dataclass(frozen=True, slots=True)
class ModelInUse:
    """What everybody may know. title: of the provider, empty without a model."""

    title: str
    model: str
    has_price: bool


@dataclass(frozen=True, slots=True)
class ModelTrial:
    """What a test brought. problem: in our words; detail: in the provider's.

    cost: empty where no price is known.
    """

    is_ok: bool
    model: str = ""
    milliseconds: int = 0
    cost: str = ""
    tokens: int = 0
    said: str = ""
    problem: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class WikiEstimate:
    """What a product's wiki takes. price: dollars, empty where it is not known.

    is_allowed: whether the product's texts may leave for a model.
    """

    product: Product
    estimate: Estimate
    price: str
    is_model: bool
    is_allowed: bool


def get_model_in_use() -> ModelInUse:
    """Return the model in force."""
    if not is_model_set():
        return ModelInUse("", "", has_price=False)
    has_price = model_price() is not None
    return ModelInUse(TITLES[model_provider()], model_name(), has_price)


def list_products(principal: Principal) -> list[Product]:
    """Return the first products, with whether their texts may leave. Queries: 1."""
    found = Product.objects.visible_to(principal).order_by("name")
    return list(found[:MOST_PRODUCTS])


def run_trial(ask: Callable[[], ChatAnswer]) -> ModelTrial:
    """Ask, and return what came of it; what is wrong with the settings too."""
    try:
        answer = ask()
    except ProviderError as error:
        problem = gettext(_PROBLEMS.get(error.reason, _OTHER))
        return ModelTrial(is_ok=False, problem=problem, detail=error.message)
    except DevragError as error:
        return ModelTrial(is_ok=False, problem=error.message)
    return ModelTrial(
        is_ok=True,
        model=answer.model,
        milliseconds=answer.milliseconds,
        cost="" if answer.cost is None else dollars(answer.cost),
        tokens=answer.usage.input_tokens + answer.usage.output_tokens,
        said=answer.said,
    )


def get_wiki_estimate(principal: Principal, name: str) -> WikiEstimate:
    """Plan a product's wiki and count what the model in force would take.

    Nothing is sent, so what the product keeps from models is counted too.
    """
    product = get_maintained_product(name, principal)
    is_allowed = product.is_external_models_allowed
    product.is_external_models_allowed = True  # in memory only
    found = estimate_wiki(product)
    price = "" if found.price is None else dollars(found.price)
    return WikiEstimate(product, found, price, is_model_set(), is_allowed)
