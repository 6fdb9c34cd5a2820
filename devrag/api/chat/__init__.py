"""The API of OpenAI's chat completions at /v1, for chat clients, IDEs and bots.

A product is a model, and `all` is every product that the token may see. The last
message of the user is the question, those before it are the conversation.
"""

from __future__ import annotations

from typing import Any

from asgiref.sync import async_to_sync
from django.http import HttpRequest, JsonResponse, StreamingHttpResponse
from django.views.decorators.csrf import csrf_exempt
from ninja import NinjaAPI

from devrag import __version__
from devrag.api.chat.completions import Completion
from devrag.api.chat.errors import ModelNotFound, add_error_handlers, error_fields
from devrag.api.chat.messages import ALL_PRODUCTS, ChatRequest, to_request
from devrag.api.links import page_links
from devrag.api.operations import ASK, caller
from devrag.api.parser import JsonParser
from devrag.ask.api import (
    answer_question,
    check_request,
    finish_answer,
)
from devrag.core.connection_pool import release_connections
from devrag.core.event_stream import CONTENT_TYPE, HEADERS
from devrag.core.principal import Principal
from devrag.products.models import Product

chat_api = NinjaAPI(
    title="devrag",
    version=__version__,
    auth=ASK,
    docs_url=None,
    openapi_url=None,
    parser=JsonParser(),
    urls_namespace="chat",
)
add_error_handlers(chat_api)
_NOT_KEPT = {"Cache-Control": "no-store"}


@chat_api.get("/models")
def list_models(request: HttpRequest) -> JsonResponse:
    """List all accessible products as models, and a model for all of them."""
    models = [_to_model(each) for each in _products(caller(request))]
    if all(model["id"] != ALL_PRODUCTS for model in models):
        models.append(_model(ALL_PRODUCTS, 0))
    return JsonResponse({"object": "list", "data": models}, headers=_NOT_KEPT)


@chat_api.get("/models/{path:name}")
def get_model(request: HttpRequest, name: str) -> JsonResponse:
    """Show one model."""
    product = _find_product(caller(request), name)
    model = _to_model(product) if product else _model(name, 0)
    return JsonResponse(model, headers=_NOT_KEPT)


@chat_api.post("/chat/completions")
def complete(request: HttpRequest, body: ChatRequest) -> Any:
    """Answer the last user message, as a whole or as a stream."""
    product = _find_product(caller(request), body.model)
    asked = to_request(body, caller(request), product.name if product else "")
    check_request(asked)
    completion = Completion(body.model, page_links(request))
    events = answer_question(asked)
    release_connections()
    if body.stream:
        return StreamingHttpResponse(
            completion.write_chunks(events, has_usage=body.has_usage),
            content_type=CONTENT_TYPE,
            headers=HEADERS,
        )
    answer = async_to_sync(finish_answer)(events)
    return JsonResponse(completion.whole(answer), headers=_NOT_KEPT)


@csrf_exempt
def unknown_endpoint(request: HttpRequest, **_path: Any) -> JsonResponse:
    """Answer addresses below /v1/ that do not exist."""
    message = (
        f"{request.method} {request.path} does not exist. This server supports "
        "/v1/models and /v1/chat/completions."
    )
    return JsonResponse(error_fields(404, "not_found", message), status=404)


def _products(principal: Principal) -> list[Product]:
    return list(Product.objects.visible_to(principal).order_by("name"))


def _find_product(principal: Principal, name: str) -> Product | None:
    """Return the product of that name, None for all. A product `all` goes first."""
    found = Product.objects.visible_to(principal).filter(name=name).first()
    if found is None and name != ALL_PRODUCTS:
        raise ModelNotFound(
            f"There is no model '{name[:80]}'. Use the name of a product, or "
            f"'{ALL_PRODUCTS}'; /v1/models lists them."
        )
    return found


def _to_model(product: Product) -> dict[str, Any]:
    return _model(product.name, int(product.created_at.timestamp()))


def _model(name: str, created: int) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": created, "owned_by": "devrag"}
