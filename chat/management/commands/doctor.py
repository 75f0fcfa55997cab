"""Look at everything that 心记 needs and say what to do about what is missing."""

import sys

from django.core.management.base import BaseCommand

from chat import health


class Command(BaseCommand):
    help = "Check Python, the servers, the embedder, the model, disk and tables. Exit code 1 when something fails."
    requires_system_checks: list = []

    def handle(self, **_options) -> None:
        styles = {health.OK: self.style.SUCCESS, health.WARN: self.style.WARNING, health.FAIL: self.style.ERROR}
        failed = False
        for check in health.ALL:
            finding = check()
            failed |= finding.level == health.FAIL
            self.stdout.write(f"{styles[finding.level](f'{finding.level:<4}')}  {finding.what}")
            if finding.advice:
                self.stdout.write(f"      {finding.advice}")
        if failed:
            sys.exit(1)
