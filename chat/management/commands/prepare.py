"""Bring the database to where the site can start: tables, the owner, the built-in knowledge."""

from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse

from chat.knowledge.ingest import embed_missing, load_guides
from chat.llm import embeddings
from chat.llm.errors import LLMError
from chat.models import SignInLink


class Command(BaseCommand):
    help = "Migrate, make the owner on the first start, load the built-in knowledge; prints the path of a sign-in link."
    requires_system_checks: list = []

    def handle(self, **_options) -> None:
        call_command("migrate", interactive=False, verbosity=0)
        try:
            embeddings.ready()
        except embeddings.SpaceMismatch as error:
            raise CommandError(str(error)) from None
        load_guides(embed=False)
        self.stdout.write(reverse("sign-in-link", args=[SignInLink.objects.issue(_owner())]))
        self.stdout.flush()
        self._embed_guides()

    def _embed_guides(self) -> None:
        """The slow part, after the link: until it is done the guides are found by their words alone."""
        try:
            while embed_missing():
                pass
        except LLMError as error:
            self.stderr.write(f"The knowledge base waits for its vectors: {error.message}")


def _owner() -> User:
    """The first superuser; on the first start `owner`, who has no password and comes in by the link."""
    owner = User.objects.filter(is_superuser=True, is_active=True).order_by("pk").first()
    return owner or User.objects.create_superuser("owner")
