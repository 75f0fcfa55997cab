"""Make the .mo files of the translations, without the tools of gettext."""

from django.conf import settings
from django.core.management.base import BaseCommand

from memoryapp.translations import compile_all


class Command(BaseCommand):
    help = "Compile the translations that changed (no gettext needed)."
    requires_system_checks: list = []

    def handle(self, **_options) -> None:
        for path in compile_all(settings.LOCALE_PATHS[0]):
            self.stdout.write(str(path.relative_to(settings.BASE_DIR)))
