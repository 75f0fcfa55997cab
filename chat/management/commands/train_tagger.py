"""Train the learned reader anew: `manage.py train_tagger`; or only measure it: `manage.py train_tagger --measure`."""

from pathlib import Path
from shutil import copy
from tempfile import TemporaryDirectory

from django.core.management.base import BaseCommand, CommandError

from chat.memory.tagging import corpus, training
from chat.memory.tagging.measuring import score
from chat.memory.tagging.tagger import ENCODER, MODELS

HELD = 8  # every so-manieth message is kept from the training of the encoder, and with --measure from all; those are read
CHANCES = (0.0, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


class Command(BaseCommand):
    help = "Train the learned reader on the labelled messages of chat/memory/tagging/corpus."

    def add_arguments(self, parser) -> None:
        parser.add_argument("--encoder", action="store_true", help="train the encoder too (some twenty minutes; needs torch)")
        parser.add_argument("--measure", action="store_true", help=f"keep every {HELD}th message out and read those; writes nothing")
        parser.add_argument("--verbose", action="store_true", help="with --measure: list what is read wrongly")

    def handle(self, *, encoder: bool, measure: bool, verbose: bool, **options) -> None:
        try:
            messages = list(corpus.read())
        except ValueError as error:
            raise CommandError(str(error)) from None
        shown = [message for number, message in enumerate(messages) if number % HELD]
        if encoder:
            try:
                from chat.memory.tagging import fitting
            except ImportError as error:
                raise CommandError(f"The training of the encoder needs {error.name}: pip install --group train") from None
            fitting.fit(shown, MODELS / ENCODER, self._say)
        elif measure:
            with TemporaryDirectory() as folder:
                training.train(shown, Path(folder), self._say)
                copy(MODELS / ENCODER, folder)
                self._measure(messages[::HELD], Path(folder), verbose)
        else:
            training.train(messages, MODELS, self._say)
            (MODELS / "source.sha256").write_text(training.source_print() + "\n", encoding="utf-8")

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()

    def _measure(self, held: list, folder: Path, verbose: bool) -> None:
        for least in CHANCES:
            read = score(held, folder, least)
            self.stdout.write(
                f"chance ≥ {least:<4}: precision {read.share('right', 'found'):.3f}, recall {read.share('right', 'wanted'):.3f}, "
                f"exact {read.share('exact', 'right'):.3f}, mark {read.share('mark', 'right'):.3f}, key {read.share('key', 'keyed'):.3f}, "
                f"found in {read.share('junk', 'empty'):.3f} of {read.n['empty']} that state nothing"
            )
            if verbose and least == 0.5:
                self.stdout.write("\n".join(read.wrong))
