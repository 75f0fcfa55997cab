"""`manage.py up`, for `manage.py help` and for callers inside Django; manage.py itself goes to memoryapp.up at once."""

import sys
from argparse import Namespace

from django.core.management.base import BaseCommand

from memoryapp import up


class Command(BaseCommand):
    help = up.HELP
    requires_system_checks: list = []

    def add_arguments(self, parser) -> None:
        up.add_arguments(parser)

    def handle(self, **options) -> None:
        sys.exit(up.run(Namespace(**options)))
