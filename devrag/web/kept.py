"""Forms of the wiki's readers: who is not signed in any more loses no word of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec
from urllib.parse import urlencode

from django.http import HttpResponse
from django.urls import reverse

from devrag.core.htmx import is_partial, render_page
from devrag.core.principal import Role
from devrag.web.requests import WebRequest, ask_to_sign_in, is_signed_in

P = ParamSpec("P")
View = Callable[Concatenate[WebRequest, P], HttpResponse]
_TYPED = ("text", "remark")
_CSRF_FIELD = "csrfmiddlewaretoken"


def writer_required(view: View[P]) -> View[P]:
    """Pass who is signed in; give others their text back, and the way to sign in."""

    @wraps(view)
    def guarded(
        request: WebRequest, /, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponse:
        if is_signed_in(request.principal) and request.principal.role >= Role.VIEWER:
            return view(request, *args, **kwargs)
        if any(name in request.POST for name in _TYPED):
            return _give_back(request)
        return ask_to_sign_in(request, request.get_full_path())

    return guarded


def _give_back(request: WebRequest) -> HttpResponse:
    given = [
        (name, value) for name, value in request.POST.items() if name != _CSRF_FIELD
    ]
    here = request.get_full_path()
    context = {
        "action": here,
        "is_inline": is_partial(request),
        "hidden": [each for each in given if each[0] not in _TYPED],
        "typed": [each for each in given if each[0] in _TYPED],
        "sign_in": f"{reverse('web:sign_in')}?{urlencode({'next': here})}",
    }
    return render_page(request, "web/kept.html", context, partial="form", status=403)
