"""What maintainers set of a product, and who its members are."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
)

from devrag.core.errors import DevragError
from devrag.core.htmx import redirect_or_location, render_page
from devrag.products.members import (
    add_member,
    change_member,
    find_candidates,
    remove_member,
)
from devrag.products.models import Membership, Product
from devrag.products.services import get_maintained_product
from devrag.use_cases.api import change_product
from devrag.web.pages.product_settings import get_product_settings, list_member_rows
from devrag.web.requests import WebRequest, sign_in_required
from devrag.web.settings_forms import MemberForm, ProductForm

_TEMPLATE = "web/product_settings.html"
_MEMBERS = "web/product_members.html"
_CANDIDATES = "components/member_candidates.html"
_LONGEST_NAME = 150


@require_http_methods(["GET", "POST"])
@sign_in_required
def settings(request: WebRequest, name: str) -> HttpResponse:
    product = get_maintained_product(name, request.principal)
    if request.method == "GET":
        return _page(request, product)
    form = ProductForm(request.POST)
    if not form.is_valid():
        return _page(request, product, form=form, status=422)
    try:
        change_product(
            principal=request.principal,
            product=product,
            changes=form.changes_of(product, request.principal),
        )
    except DevragError as error:
        form.add_error(None, error.message)
        return _page(request, product, form=form, status=422)
    messages.success(request, gettext("Saved."))
    return redirect_or_location(request, reverse("web:product_settings", args=[name]))


@require_GET
@sign_in_required
def candidates(request: WebRequest, name: str) -> HttpResponse:
    """Answer while one types whom to add."""
    product = get_maintained_product(name, request.principal)
    text = request.GET.get("user_name", "")[:_LONGEST_NAME]
    found = find_candidates(request.principal, product, text)
    return render(request, _CANDIDATES, {"candidates": found})


@require_http_methods(["GET", "POST"])
@sign_in_required
def members(request: WebRequest, name: str) -> HttpResponse:
    """List the members; add one."""
    product = get_maintained_product(name, request.principal)
    if request.method == "GET":
        return _members_page(request, product, MemberForm())
    form = MemberForm(request.POST)
    if form.is_valid():
        try:
            member = add_member(
                principal=request.principal, product=product, **form.cleaned_data
            )
        except DevragError as error:
            form.add_error("user_name", error.message)
        else:
            return _done(request, member, gettext("%(name)s is now a member."))
    return _members_page(request, product, form, status=422)


@require_POST
@sign_in_required
def change(request: WebRequest, name: str, member_id: int) -> HttpResponse:
    member = change_member(
        principal=request.principal,
        product=get_maintained_product(name, request.principal),
        member_id=member_id,
        role=request.POST.get("role", ""),
    )
    return _done(request, member, gettext("Changed the role of %(name)s."))


@require_POST
@sign_in_required
def remove(request: WebRequest, name: str, member_id: int) -> HttpResponse:
    member = remove_member(
        principal=request.principal,
        product=get_maintained_product(name, request.principal),
        member_id=member_id,
    )
    return _done(request, member, gettext("%(name)s is no longer a member."))


def _done(request: WebRequest, member: Membership, said: str) -> HttpResponse:
    messages.success(request, said % {"name": member.user.get_username()})
    product = member.product
    is_still_ours = Product.objects.maintained_by(request.principal).filter(
        pk=product.pk
    )
    if is_still_ours.exists():
        back = reverse("web:members", args=[product.name])
        return redirect_or_location(request, back)
    return redirect_or_location(request, reverse("web:dashboard"))


def _page(
    request: WebRequest,
    product: Product,
    *,
    form: ProductForm | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        "product": product,
        "page": get_product_settings(request.principal, product),
        "form": form or ProductForm.of(product),
    }
    return render_page(request, _TEMPLATE, context, status=status)


def _members_page(
    request: WebRequest, product: Product, form: MemberForm, *, status: int = 200
) -> HttpResponse:
    context = {
        "product": product,
        "members": list_member_rows(request.principal, product),
        "member_form": form,
        "candidates": find_candidates(request.principal, product, ""),
    }
    return render_page(request, _MEMBERS, context, status=status)
