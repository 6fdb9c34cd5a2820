"""What maintainers set of a source."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from devrag.core.errors import InvalidInput, NotFound
from devrag.core.htmx import redirect_or_location
from devrag.sources.schedule import MAX_MINUTES, set_schedule
from devrag.sources.selectors import get_visible_source
from devrag.web.forms import ScheduleForm
from devrag.web.links import product_url
from devrag.web.requests import (
    WebRequest,
    ask_to_sign_in,
    is_signed_in,
    reader_required,
)


@require_POST
@reader_required
def schedule(request: WebRequest, name: str, source: str) -> HttpResponse:
    if not is_signed_in(request.principal):
        return ask_to_sign_in(request, product_url(name))
    found = get_visible_source(request.principal, name=source)
    if found.product.name != name:
        raise NotFound(
            gettext("'%(product)s' has no source '%(source)s'.")
            % {"product": name, "source": source}
        )
    form = ScheduleForm(request.POST)
    if not form.is_valid():
        raise InvalidInput(
            gettext(
                "Give the minutes as a whole number from 1 to %(most)s, or leave "
                "the field empty to index the source only when asked."
            )
            % {"most": f"{MAX_MINUTES:,}"}
        )
    set_schedule(
        principal=request.principal,
        source=found,
        every_minutes=form.cleaned_data["minutes"],
        is_wiki_wanted=form.cleaned_data["wiki"],
    )
    return redirect_or_location(request, product_url(name))
