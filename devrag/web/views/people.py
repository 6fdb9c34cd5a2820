"""People: the accounts of the installation, for administrators."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from devrag.accounts.api import (
    INSTALLATION_ROLES,
    change_person,
    list_people,
    make_password_link,
    reset_second_step,
    role_of,
    set_active,
)
from devrag.core.errors import DevragError, InvalidInput
from devrag.core.htmx import render_page
from devrag.web.requests import WebRequest, admin_required

PAGE_SIZE = 50
_MOST_TEXT = 200


@require_GET
@never_cache
@admin_required
def people(request: WebRequest) -> HttpResponse:
    return _page(request)


@require_POST
@never_cache
@admin_required
def change(request: WebRequest, user_id: int) -> HttpResponse:
    """Do to an account what one of the buttons says."""
    action = request.POST.get("action", "")
    try:
        if action == "password":
            return _show_link(request, user_id)
        if action not in _ACTIONS:
            raise InvalidInput(gettext("Choose what to do."))
        messages.success(request, _ACTIONS[action](request, user_id))
    except DevragError as error:
        messages.error(request, error.message)
    return HttpResponseRedirect(reverse("web:settings_people"))


def _save(request: WebRequest, user_id: int) -> str:
    user = change_person(
        principal=request.principal,
        user_id=user_id,
        role=request.POST.get("role", ""),
        email=request.POST.get("email", ""),
    )
    return gettext("%(name)s is changed.") % {"name": user.get_username()}


def _deactivate(request: WebRequest, user_id: int) -> str:
    user = set_active(principal=request.principal, user_id=user_id, is_active=False)
    said = gettext("%(name)s is deactivated and signed out everywhere.")
    return said % {"name": user.get_username()}


def _activate(request: WebRequest, user_id: int) -> str:
    user = set_active(principal=request.principal, user_id=user_id, is_active=True)
    return gettext("%(name)s is active again.") % {"name": user.get_username()}


def _reset(request: WebRequest, user_id: int) -> str:
    user = reset_second_step(principal=request.principal, user_id=user_id)
    said = gettext("Two-step sign-in is now off for %(name)s.")
    return said % {"name": user.get_username()}


_ACTIONS: dict[str, Callable[[WebRequest, int], str]] = {
    "save": _save,
    "deactivate": _deactivate,
    "activate": _activate,
    "reset": _reset,
}


def _show_link(request: WebRequest, user_id: int) -> HttpResponse:
    user, uid, token = make_password_link(principal=request.principal, user_id=user_id)
    path = reverse("web:password_reset", args=[uid, token])
    link = request.build_absolute_uri(path)
    return _page(request, {"link": link, "link_of": user.get_username()})


def _page(request: WebRequest, more: dict[str, str] | None = None) -> HttpResponse:
    text = request.GET.get("q", "")[:_MOST_TEXT].replace("\0", "")
    rows = list_people(request.principal, text)
    cut = Paginator(rows, PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "section": "people",
        "text": text,
        "cut": cut,
        "people": [(user, role_of(user)) for user in cut.object_list],
        "roles": INSTALLATION_ROLES,
        "own_id": request.principal.user_id,
        **(more or {}),
    }
    return render_page(request, "settings/people.html", context)
