"""Forms that came too late: signed out meanwhile, or with a token of another session.

What was typed comes back in a form of the same address, to be sent again.
"""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop

from devrag.core.htmx import HtmxHttpRequest, is_partial, render_page

_CSRF_FIELD = "csrfmiddlewaretoken"
# Name of a field → what it is called. Others go along unseen.
_LABELS = {
    "text": gettext_noop("Your text"),
    "remark": gettext_noop("Your text"),
    "question": gettext_noop("Your question"),
    "title": gettext_noop("Title"),
    "description": gettext_noop("Description"),
    "audience": gettext_noop("Audience"),
    "notes": gettext_noop("Writing instructions"),
    "glossary": gettext_noop("Glossary"),
    "name": gettext_noop("Name"),
    "user_name": gettext_noop("Username"),
    "minutes": gettext_noop("Schedule"),
    "location": gettext_noop("Git URL or path"),
}


# Never given back: they must stand in no page.
_SECRETS = frozenset({"password", "secret", "new_password1", "new_password2"})


def has_typed(request: HttpRequest) -> bool:
    """Return whether somebody typed into the form that came.

    Forms with a secret never count.
    """
    if not _SECRETS.isdisjoint(request.POST):
        return False
    return any(request.POST.get(name) for name in _LABELS)


def is_own_form(request: HttpRequest) -> bool:
    """Return whether the browser says that a page of ours sent it.

    Forms with a secret never count.
    """
    own = f"{request.scheme}://{request.get_host()}"
    return request.headers.get("Origin") == own and _SECRETS.isdisjoint(request.POST)


def give_back(request: HtmxHttpRequest, *, is_signed_in: bool) -> HttpResponse:
    """Return the form with what was typed, a new token, and the way to sign in."""
    here = request.get_full_path()
    given = [
        (name, value)
        for name, values in request.POST.lists()
        for value in values
        if name != _CSRF_FIELD
    ]
    context = {
        "action": here,
        "is_inline": is_partial(request),
        "is_signed_in": is_signed_in,
        "hidden": [each for each in given if each[0] not in _LABELS],
        "typed": [
            (name, gettext(_LABELS[name]), value)
            for name, value in given
            if name in _LABELS
        ],
        "sign_in": f"{reverse('web:sign_in')}?{urlencode({'next': '/'})}",
    }
    return render_page(
        request, "web/resubmit.html", context, partial="form", status=403
    )
