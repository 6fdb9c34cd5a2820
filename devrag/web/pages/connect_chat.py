"""What chat clients, IDEs and bots need to ask this server as OpenAI's API."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest

from devrag.core.principal import Principal
from devrag.products.models import Product
from devrag.web.pages.connect import PLACEHOLDER

ALL_PRODUCTS = "all"
_LISTED = 20
_QUESTION = "How do I run the tests?"


@dataclass(frozen=True, slots=True)
class ChatSnippet:
    """What a program wants. file: where it belongs; empty for a terminal."""

    key: str
    program: str
    file: str
    text: str


@dataclass(frozen=True, slots=True)
class ChatAccess:
    """The three fields of an OpenAI-compatible provider, and programs that have them.

    models: names of products; more: how many are not listed. token: a placeholder
    where none was just made.
    """

    base_url: str
    token: str
    models: tuple[str, ...]
    more: int
    snippets: tuple[ChatSnippet, ...]


def get_chat_access(
    request: HttpRequest, principal: Principal, secret: str = ""
) -> ChatAccess:
    """Return what chat clients need, with a token's secret if given. Queries: 1."""
    visible = Product.objects.visible_to(principal).order_by("name")
    names = list(visible.values_list("name", flat=True))
    base_url = request.build_absolute_uri("/v1")
    token = secret or PLACEHOLDER
    model = names[0] if names else ALL_PRODUCTS
    return ChatAccess(
        base_url=base_url,
        token=token,
        models=(
            *names[:_LISTED],
            *([ALL_PRODUCTS] if ALL_PRODUCTS not in names else []),
        ),
        more=max(0, len(names) - _LISTED),
        snippets=(
            ChatSnippet(
                "openai", "openai (Python)", "", _python(base_url, token, model)
            ),
            ChatSnippet(
                "llm", "llm", "extra-openai-models.yaml", _llm_models(base_url, model)
            ),
            ChatSnippet("llm-run", "llm", "", _llm_commands(token, model)),
        ),
    )


def _python(base_url: str, token: str, model: str) -> str:
    return f"""from openai import OpenAI

client = OpenAI(base_url="{base_url}", api_key="{token}")
stream = client.chat.completions.create(
    model="{model}",
    messages=[{{"role": "user", "content": "{_QUESTION}"}}],
    stream=True,
)
for chunk in stream:
    print(chunk.choices[0].delta.content or "", end="")"""


def _llm_models(base_url: str, model: str) -> str:
    return f"""- model_id: {model}
  model_name: {model}
  api_base: {base_url}
  api_key_name: devrag"""


def _llm_commands(token: str, model: str) -> str:
    return f'llm keys set devrag --value {token}\nllm -m {model} "{_QUESTION}"'
