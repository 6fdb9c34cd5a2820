"""Who is signed in, read with their preferences in one query."""

from __future__ import annotations

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User


class Backend(ModelBackend):
    """Django's own, which fetches preferences together with the user."""

    def get_user(self, user_id: int) -> User | None:
        users = User.objects.select_related("preferences")
        user = users.filter(pk=user_id).first()
        return user if user and self.user_can_authenticate(user) else None
