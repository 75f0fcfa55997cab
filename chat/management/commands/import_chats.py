"""Import a chat history: our own export, ChatGPT's conversations.json, or MemoryBank's Chinese file."""

import time
from argparse import ArgumentParser
from pathlib import Path

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from chat.errors import BadInput
from chat.models import Job
from chat.transfer.imports import Report, import_file


class Command(BaseCommand):
    help = "Import a chat history. Safe to run again: what is there already is left alone."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--user", default="", help="whose history it is; else one account per person of the file")
        parser.add_argument("--wait", action="store_true", help="wait until everything is remembered")

    def handle(self, *args, file: Path, user: str, wait: bool, **options) -> None:
        owner = User.objects.filter(username=user).first()
        if user and owner is None:
            raise CommandError(
                _("There is no user %(name)s. Make one with: manage.py token %(name)s --create") % {"name": user}
            )
        try:
            report = import_file(file, owner)
        except BadInput as error:
            raise CommandError(str(error.message)) from None
        self._tell(report)
        if wait:
            self._wait(report)

    def _tell(self, report: Report) -> None:
        for name, turns in report.users.items():
            self.stdout.write(f"{name}: {turns}")
        for place in report.broken:
            self.stderr.write(place)
        numbers = report.numbers()
        self.stdout.write(
            _("%(conversations)d conversations, %(turns)d new turns, %(known)d known, %(broken_count)d left out")
            % numbers
        )

    def _wait(self, report: Report) -> None:
        """Until none of the new turns waits to be remembered. Workers must be running."""
        jobs = Job.objects.filter(kind=Job.Kind.REMEMBER, turn__in=report.turn_ids)
        started, last = time.monotonic(), -1
        while left := jobs.filter(status__in=[Job.Status.WAITING, Job.Status.RUNNING]).count():
            if left != last:
                self.stdout.write(_("%(left)d turns to remember") % {"left": left})
                last = left
            time.sleep(1)
        dead = jobs.filter(status=Job.Status.DEAD).count()
        seconds = time.monotonic() - started
        self.stdout.write(_("Remembered in %(seconds).1f s, %(dead)d given up") % {"seconds": seconds, "dead": dead})
