"""Score the engine on a suite: `manage.py evaluate conflicts --json result.json`."""

import json
from contextlib import nullcontext
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from django.core.management.base import BaseCommand, CommandError

from chat import evaluation
from chat.evaluation.kept import kept_vectors
from chat.knowledge.ranking import SHARES
from chat.memory.scoring import SIGNALS

NOT_SUITES = {"fitting", "frame", "kept", "matching", "retrieval", "synthetic"}


def suites() -> list[str]:
    names = {module.name for module in iter_modules(evaluation.__path__)}
    return sorted(name for name in names - NOT_SUITES if not name.startswith("bench_"))


class Command(BaseCommand):
    help = "Score the engine on a suite and print a table; --json writes the result to a file."

    def add_arguments(self, parser) -> None:
        parser.add_argument("suite", choices=suites())
        parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="where data sets lie")
        parser.add_argument("--cases", type=Path, help="another file of labelled cases, where the suite has cases")
        parser.add_argument(
            "--without", action="append", default=[], choices=sorted({*SIGNALS, *SHARES, "synonyms"}), help="switch a signal off (again for more)"
        )
        parser.add_argument("--every", type=int, default=1, metavar="N", help="ask every N-th question only")
        parser.add_argument("--days", type=int, help="so many days of the suite `year`, not all of them")
        parser.add_argument("--fit", type=Path, help="the suite `merges`: fit the weights of the comparison first, and write them here")
        parser.add_argument("--cache", type=Path, help="keep vectors in this folder from one run to the next")
        parser.add_argument("--json", type=Path, help="write the result here")
        parser.add_argument("--verbose", action="store_true", help="list each failing case and why")

    def handle(self, *, suite: str, data: Path, json: Path | None, cache: Path | None, verbose: bool, **options) -> None:
        try:
            with kept_vectors(cache) if cache else nullcontext():
                result = import_module(f"chat.evaluation.{suite}").run(data, options)
        except FileNotFoundError as error:
            raise CommandError(f"There is no {error.filename}.") from None
        self._print(result)
        if verbose:
            self.stdout.write("\n".join(result.failures))
        if json:
            write(json, result.as_json())

    def _print(self, result) -> None:
        names = list(dict.fromkeys(name for row in (result.metrics, *result.by.values()) for name in row))
        width = max([len(group) for group in result.by] + [len(result.suite)]) + 2
        self.stdout.write(" " * width + "".join(f"{name:>16}" for name in names))
        for group, row in [*result.by.items(), (result.suite, result.metrics)]:
            cells = (f"{row[name]:>16.4g}" if name in row else f"{'':>16}" for name in names)
            self.stdout.write(f"{group:<{width}}" + "".join(cells))
        self.stdout.write(f"{result.cases} cases in {result.seconds:.1f} s")


def write(path: Path, data: dict) -> None:
    path.write_text(json.dumps(data, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
