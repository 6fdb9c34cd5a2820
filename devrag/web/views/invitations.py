"""Invitations: make and revoke links, and take one."""

from __future__ import annotations

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from devrag.accounts.api import (
    accept_for,
    accept_with_password,
    configured_provider,
    create_invitation,
    list_invitations,
    open_invitation,
    revoke_invitation,
)
from devrag.accounts.models import Invitation
from devrag.core.errors import DevragError, InvalidInput, PermissionDenied
from devrag.core.htmx import redirect_or_location, render_page
from devrag.core.principal import Principal
from devrag.products.models import Product
from devrag.web.invitation_forms import InvitationForm, NewAccountForm
from devrag.web.requests import WebRequest, is_signed_in, sign_in_required

_TEMPLATE = "settings/invitations.html"
_MOST_PRODUCTS = 200


@require_http_methods(["GET", "POST"])
@never_cache
@sign_in_required
def invitations(request: WebRequest) -> HttpResponse:
    """List the links and make one; its secret is in one answer only."""
    products = _products(request.principal)
    is_sent = request.method == "POST"
    form = InvitationForm(
        request.POST if is_sent else None,
        products=products,
        is_admin=request.principal.is_admin,
        initial={"product_name": request.GET.get("product", "")},
    )
    made = None
    if is_sent and form.is_valid():
        try:
            made, secret = create_invitation(
                principal=request.principal, **form.cleaned_data
            )
        except DevragError as error:
            form.add_error("role", error.message)
    context = {"form": form, "section": "invitations", "made": made}
    if made is not None:
        path = reverse("web:invitation", args=[secret])
        context["link"] = request.build_absolute_uri(path)
    context["invitations"] = list_invitations(request.principal)
    return render_page(request, _TEMPLATE, context, status=422 if form.errors else 200)


@require_POST
@sign_in_required
def revoke(request: WebRequest, invitation_id: int) -> HttpResponse:
    revoke_invitation(principal=request.principal, invitation_id=invitation_id)
    messages.success(request, gettext("Invitation revoked."))
    return redirect_or_location(request, reverse("web:settings_invitations"))


@require_http_methods(["GET", "POST"])
@sensitive_post_parameters()
@never_cache
def invitation(request: WebRequest, secret: str) -> HttpResponse:
    """Show what a link gives, and take it: as who is signed in, or as somebody new."""
    found = open_invitation(secret)
    if is_signed_in(request.principal):
        if request.method == "POST":
            accept_for(secret, User.objects.get(pk=request.principal.user_id or 0))
            return _onwards(found)
        return _page(request, found, secret)
    if request.method != "POST":
        return _page(request, found, secret)
    if settings.OIDC_ONLY:
        raise PermissionDenied(gettext("Accounts have no password here. Sign in."))
    form = NewAccountForm(request.POST)
    if form.is_valid():
        try:
            user = accept_with_password(
                secret,
                name=form.cleaned_data["name"],
                password=form.cleaned_data["new_password1"],
            )
        except InvalidInput as error:
            form.add_error("name", error.message)
        else:
            get_adapter(request).login(request, user)
            return _onwards(found)
    return _page(request, found, secret, form=form, status=422)


def _page(
    request: WebRequest,
    found: Invitation,
    secret: str,
    *,
    form: NewAccountForm | None = None,
    status: int = 200,
) -> HttpResponse:
    configuration = configured_provider()
    context = {
        "invitation": found,
        "form": form or NewAccountForm(),
        "here": reverse("web:invitation", args=[secret]),
        "oidc_name": configuration.name if configuration else "",
        "is_password_shown": not settings.OIDC_ONLY,
    }
    return render_page(request, "web/invitation.html", context, status=status)


def _products(principal: Principal) -> list[Product]:
    """Return where a caller may invite. Raises PermissionDenied for nowhere."""
    products = list(Product.objects.maintained_by(principal)[:_MOST_PRODUCTS])
    if not products and not principal.is_admin:
        raise PermissionDenied(
            gettext(
                "Only administrators and maintainers of a product can invite people."
            )
        )
    return products


def _onwards(found: Invitation) -> HttpResponse:
    if found.product is not None:
        return HttpResponseRedirect(reverse("web:product", args=[found.product.name]))
    return HttpResponseRedirect(reverse("web:dashboard"))
