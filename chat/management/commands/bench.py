"""Measure the speed of a part on synthetic data: `manage.py bench recall --json result.json`."""

import json
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from django.core.management.base import BaseCommand

from chat import evaluation


def benches() -> list[str]:
    return sorted(m.name.removeprefix("bench_") for m in iter_modules(evaluation.__path__) if m.name.startswith("bench_"))


class Command(BaseCommand):
    help = "Measure the speed of a part on seeded synthetic data, which is removed afterwards."

    def add_arguments(self, parser) -> None:
        parser.add_argument("name", choices=benches())
        parser.add_argument("--rows", type=int, default=1_000_000, help="memories of all users together")
        parser.add_argument("--sizes", default="1000,10000,100000", help="live memories of the measured users")
        parser.add_argument("--questions", type=int, default=50, help="questions asked of each")
        parser.add_argument("--hnsw", type=int, default=200_000, help="vectors in the HNSW index to compare with; 0 builds none")
        parser.add_argument("--users", type=int, help="users of the bench `maintain`")
        parser.add_argument("--processes", type=int, default=1, help="that care for the users of the bench `maintain` side by side")
        parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="where data sets lie")
        parser.add_argument("--json", type=Path, help="write the result here")

    def handle(self, *, name: str, data: Path, json: Path | None, **options) -> None:
        reported = []

        def report(result) -> None:
            written = dumps(result if isinstance(result, dict) else result.as_json())
            reported.append(written)
            self.stdout.write(written)
            self.stdout.flush()
            if json:
                json.write_text(written + "\n", encoding="utf-8")

        # A bench that takes long to clear up reports by itself before it does.
        result = import_module(f"chat.evaluation.bench_{name}").run(data, {**options, "report": report})
        if not reported:
            report(result)


def dumps(result: dict) -> str:
    return json.dumps(result, ensure_ascii=False, indent=2)
