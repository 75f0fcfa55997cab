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
        parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="where data sets lie")
        parser.add_argument("--json", type=Path, help="write the result here")

    def handle(self, *, name: str, data: Path, json: Path | None, **options) -> None:
        result = import_module(f"chat.evaluation.bench_{name}").run(data, options)
        result = result if isinstance(result, dict) else result.as_json()
        self.stdout.write(dumps(result))
        if json:
            json.write_text(dumps(result) + "\n", encoding="utf-8")


def dumps(result: dict) -> str:
    return json.dumps(result, ensure_ascii=False, indent=2)
