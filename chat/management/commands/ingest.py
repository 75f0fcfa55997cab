"""manage.py ingest PATH…: put .md, .txt and .pdf files, or folders of them, into the knowledge base."""

import sys
from pathlib import Path

from django.core.management.base import BaseCommand

from chat.errors import BadInput
from chat.knowledge.ingest import ingest
from chat.models import Document

TYPES = {".md", ".txt", ".pdf"}


class Command(BaseCommand):
    help = "Ingest texts (.md, .txt, .pdf; folders with all that is in them) into the knowledge base."

    def add_arguments(self, parser) -> None:
        parser.add_argument("paths", nargs="+", metavar="PATH", type=Path)

    def handle(self, *, paths: list[Path], **_options) -> None:
        files, failed = [], 0
        for path in paths:
            if path.is_dir():
                inside = sorted(p for p in path.rglob("*") if p.suffix.lower() in TYPES and p.is_file())
                files += [(p, str(p.relative_to(path))) for p in inside]
                if not inside:
                    failed += 1
                    self.stderr.write(f"{path}: no .md, .txt or .pdf file in this folder")
            else:
                files.append((path, path.name))
        for path, name in files:
            failed += not self._one(path, name)
        if failed:
            sys.exit(1)

    def _one(self, path: Path, name: str) -> bool:
        before = Document.objects.filter(source=name).values_list("file_hash", flat=True).first()
        try:
            document = ingest(path, name)
        except BadInput as error:
            self.stderr.write(f"{path}: {error.code}: {error.message}")
            return False
        state = "unchanged" if before == document.file_hash else "new" if before is None else "updated"
        self.stdout.write(f"{name}: {document.title}: {document.passages.count()} passages, {state}")
        return True
