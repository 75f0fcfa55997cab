"""Care for the memory of one user or of all: `manage.py maintain --user U`."""

from argparse import ArgumentParser

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from chat import maintenance
from chat.models import Account


class Command(BaseCommand):
    help = "Summaries, merges, themes, fading and purging, now. Safe to run again and while users chat."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--user", default="", help="whose memory; else everyone's")

    def handle(self, *args, user: str, **options) -> None:
        owners = User.objects.filter(username=user) if user else User.objects.filter(is_active=True)
        if user and not owners.exists():
            raise CommandError(_("There is no user %(name)s.") % {"name": user})
        total = owners.count()
        for number, owner in enumerate(owners.order_by("pk").iterator(), 1):
            Account.objects.of(owner)
            prefix = f"[{number}/{total}] {owner.get_username()}"
            done = maintenance.maintain(owner.pk, report=lambda step, place, of, p=prefix: self._tell(f"{p}: {place}/{of} {step}"))
            counts = ", ".join(f"{name} {count}" for name, count in done.items() if count)
            self.stdout.write(f"{prefix}: {counts or '–'}")

    def _tell(self, line: str) -> None:
        """Progress that overwrites itself on a terminal, and is left out of files."""
        if self.stdout.isatty():
            self.stdout.write(f"\r\x1b[K{line}", ending="")
            self.stdout.flush()
