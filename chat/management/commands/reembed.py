"""Embed everything again with the configured embedder. Can be stopped and started again; answers go on meanwhile."""

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from chat.llm import embeddings
from chat.llm.errors import LLMError
from chat.memory import indexing
from chat.models import EmbeddingSpace, Memory, Passage

AT_ONCE = 256


class Command(BaseCommand):
    help = "Embed all memories and passages with the configured embedder; rows that are done already are left alone."

    def handle(self, **options) -> None:
        try:
            space = embeddings.measured_space()
            done = self._all(Memory.objects.live(), indexing.embed, space.row)
            done += self._all(Passage.objects.all(), indexing.embed_passages_of, space.row)
        except LLMError as error:
            raise CommandError(f"{error.message} Run it again to go on.") from None
        with transaction.atomic():
            EmbeddingSpace.objects.exclude(pk=space.row).update(active=False)
            EmbeddingSpace.objects.filter(pk=space.row).update(active=True)
        self.stdout.write(f"{done} rows embedded with {space.name}/{space.version}")

    def _all(self, rows, embed, space_id: int) -> int:
        """Newest first, since those are asked for most."""
        done, last = 0, None
        while True:
            waiting = rows.exclude(space_id=space_id) if last is None else rows.exclude(space_id=space_id).filter(pk__lt=last)
            ids = list(waiting.order_by("-pk").values_list("pk", flat=True)[:AT_ONCE])
            if not ids:
                return done
            done += embed(ids)
            last = ids[-1]
            self.stdout.write(f"{done} …", ending="\r")
