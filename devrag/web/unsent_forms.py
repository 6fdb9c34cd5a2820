"""Forms of the wiki's readers: who is not signed in any more loses no word of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import HttpResponse

from devrag.core.principal import Role
from devrag.web.requests import WebRequest, ask_to_sign_in, is_signed_in

P = ParamSpec("P")
View = Callable[Concatenate[WebRequest, P], HttpResponse]


def writer_required(view: View[P]) -> View[P]:
    """Pass who is signed in; give others their text back, and the way to sign in."""

    @wraps(view)
    def guarded(
        request: WebRequest, /, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponse:
        if is_signed_in(request.principal) and request.principal.role >= Role.VIEWER:
            return view(request, *args, **kwargs)
        return ask_to_sign_in(request, request.get_full_path())

    return guarded
