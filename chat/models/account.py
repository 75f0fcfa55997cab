"""Who uses 心记 and how: settings of one person, their API tokens, one-time sign-in links."""

import hashlib
import secrets
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


def digest(secret: str) -> str:
    """What is stored of a secret: its SHA-256 in hex. Secrets are 256 random bits, so no salt is needed."""
    return hashlib.sha256(secret.encode()).hexdigest()


class AccountQuerySet(models.QuerySet):
    def of(self, user: User) -> "Account":
        return self.get_or_create(user=user)[0]

    def zone_of(self, user: User) -> str:
        """`zone_name` without the rest of the account, for where milliseconds count."""
        return self.filter(user=user).values_list("time_zone", flat=True).first() or settings.TIME_ZONE


class Account(models.Model):
    """Settings of one user. Two switches rule the memory: `use_memory` (read) and `auto_memory` (write)."""

    class Confirm(models.TextChoices):
        NEVER = "never", _("never")
        SENSITIVE = "sensitive", _("sensitive ones")
        ALWAYS = "always", _("always")

    class Theme(models.TextChoices):
        SYSTEM = "system", _("as the system")
        LIGHT = "light", _("light")
        DARK = "dark", _("dark")

    class SendKey(models.TextChoices):
        ENTER = "enter", _("Enter sends")
        CTRL_ENTER = "ctrl_enter", _("Ctrl/⌘ + Enter sends")

    class Announce(models.TextChoices):
        FULL = "full", _("read the whole answer")
        BRIEF = "brief", _("read how it begins")
        OFF = "off", _("only say that it is there")

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="account")
    language = models.CharField(max_length=8, blank=True, default="", choices=settings.LANGUAGES)  # "" = the browser's
    answer_language = models.CharField(max_length=8, blank=True, default="", choices=settings.LANGUAGES)  # "" = the question's
    time_zone = models.CharField(max_length=64, blank=True, default="")  # IANA name; "" = the browser's
    theme = models.CharField(max_length=8, choices=Theme, default=Theme.SYSTEM)
    send_key = models.CharField(max_length=12, choices=SendKey, default=SendKey.ENTER)
    announce = models.CharField(max_length=6, choices=Announce, default=Announce.FULL)  # what a screen reader hears of an answer
    use_memory = models.BooleanField(default=True)
    auto_memory = models.BooleanField(default=True)
    memory_paused_until = models.DateTimeField(null=True, blank=True)
    confirm_new = models.CharField(max_length=12, choices=Confirm, default=Confirm.NEVER)
    weights = models.JSONField(default=dict, blank=True)  # own recall weights {"semantic": 0.6, …}; {} = the defaults
    welcomed_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(db_default=Now())

    objects = AccountQuerySet.as_manager()

    class Meta:
        verbose_name = _("account")
        verbose_name_plural = _("accounts")

    def __str__(self) -> str:
        return f"account {self.user_id}"

    @property
    def zone_name(self) -> str:
        return self.time_zone or settings.TIME_ZONE


class ApiTokenQuerySet(models.QuerySet):
    def issue(self, user: User, name: str = "") -> tuple["ApiToken", str]:
        """A new token and its secret, which is shown this once and never stored."""
        secret = "xj_" + secrets.token_urlsafe(32)
        return self.create(user=user, name=name, digest=digest(secret)), secret

    def matching(self, secret: str) -> "ApiToken | None":
        return self.filter(digest=digest(secret), user__is_active=True).select_related("user").first()


class ApiToken(models.Model):
    """A bearer token of the JSON API. Only its digest is kept."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=80, blank=True, default="")
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(db_default=Now())
    last_used_at = models.DateTimeField(null=True, blank=True)

    objects = ApiTokenQuerySet.as_manager()

    class Meta:
        verbose_name = _("API token")
        verbose_name_plural = _("API tokens")

    def __str__(self) -> str:
        return self.name or f"token {self.pk}"

    def touch(self) -> None:
        """Note the use, at most once a minute, so that a busy program doesn't cost a write per call."""
        now = timezone.now()
        if self.last_used_at is None or self.last_used_at < now - timedelta(minutes=1):
            ApiToken.objects.filter(pk=self.pk).update(last_used_at=now)


class SignInLinkQuerySet(models.QuerySet):
    def issue(self, user: User) -> str:
        """The secret of a new link, good once and for SIGN_IN_LINK_MINUTES."""
        secret = secrets.token_urlsafe(32)
        expires = timezone.now() + timedelta(minutes=settings.SIGN_IN_LINK_MINUTES)
        self.create(user=user, digest=digest(secret), expires_at=expires)
        return secret

    def redeem(self, secret: str) -> User | None:
        """The link's user, once: the conditional UPDATE is the lock. None when unknown, used or too old."""
        now = timezone.now()
        link = self.filter(digest=digest(secret), user__is_active=True).select_related("user").first()
        if link is None:
            return None
        won = self.filter(pk=link.pk, used_at=None, expires_at__gt=now).update(used_at=now)
        return link.user if won else None


class SignInLink(models.Model):
    """A link that signs its user in, once."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="sign_in_links")
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(db_default=Now())
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    objects = SignInLinkQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(expires_at__gt=models.F("created_at")), name="sign_in_link_expires_after_creation"
            )
        ]

    def __str__(self) -> str:
        return f"sign-in link {self.pk}"
