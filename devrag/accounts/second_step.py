"""The step of allauth's sign-in that asks for a code after the right password."""

from __future__ import annotations

import allauth.account.internal  # noqa: F401  # first: stages imports it and it stages
from allauth.account.stages import LoginStage, LoginStageController
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from devrag.accounts.second_factor import has_second_factor


class SecondStep(LoginStage):  # type: ignore[misc]  # allauth has no types
    """Waits at its own page while the user has codes."""

    key = "second_step"
    urlname = "web:second_step"

    def handle(self) -> tuple[HttpResponse | None, bool]:
        """Return where to go on, if the sign-in waits, and that it does go on."""
        if not has_second_factor(self.login.user.pk):
            return None, True
        return HttpResponseRedirect(reverse(self.urlname)), True


def pending_second_step(request: HttpRequest) -> SecondStep | None:
    """Return the step at which this browser's sign-in waits, if it does."""
    stage: SecondStep | None = LoginStageController.enter(request, SecondStep.key)
    return stage
