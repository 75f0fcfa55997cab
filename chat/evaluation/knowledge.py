"""Suite `knowledge`: is the passage that answers a question among the first three? No model needed.

The texts of `kb_zh` and the built-in guides are ingested for the length of the measurement; what this database already has
of them, vectors and all, is taken as it is, so after one `manage.py ingest …/kb_zh` the suite embeds questions only. A case
names the document and a few characters that only the right passage holds; it may name several passages that answer it as
well. `set`: search was tuned on `tuned`; `held` is the other half of the same questions, `fresh` was written later,
`held_later` last of all, before anything was tried on it.
"""

import json
import re
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from time import monotonic

from django.db import transaction

from chat.evaluation.frame import Result
from chat.knowledge.ingest import GUIDES, ingest
from chat.knowledge.search import SHARES, Found, search
from chat.models import Document, Passage

CASES = Path(__file__).parent / "cases" / "knowledge" / "questions.jsonl"
FIRST = 3
LOOKED_AT = 10


def run(data: Path, options: Mapping[str, object]) -> Result:
    """Raises FileNotFoundError where `data` has no kb_zh."""
    folder = data / "kb_zh"
    texts = sorted(folder.glob("*.txt"))
    if not texts:
        raise FileNotFoundError(2, "No such folder", str(folder))
    cases = _read(Path(options.get("cases") or CASES))[:: int(options.get("every") or 1)]
    without = tuple(options.get("without") or ())
    started = monotonic()
    with transaction.atomic():
        paths = {path.name: path for path in texts}
        paths |= {f"guides/{path.name}": path for path in sorted(GUIDES.glob("*.md"))}
        Document.objects.exclude(source__in=paths).delete()  # what else is here is no part of the measurement
        for name, path in paths.items():
            ingest(path, name, builtin=path.parent == GUIDES)
        passages = Passage.objects.count()
        ranks = {
            case["question"]: _rank(case, search(case["question"], limit=LOOKED_AT, without=without)) for case in cases
        }
        transaction.set_rollback(True)
    return _scored(
        cases, ranks, monotonic() - started, {"passages": passages, "shares": SHARES, "without": list(without)}
    )


def _read(path: Path) -> list[dict]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def _rank(case: dict, found: list[Found]) -> int | None:
    """The place of the first passage that answers the case, from 1."""
    answers = [case, *case.get("also", [])]
    for place, one in enumerate(found, 1):
        if any(one.source == a["document"] and _bare(a["locator"]) in _bare(one.text) for a in answers):
            return place
    return None


def _bare(text: str) -> str:
    return re.sub(r"\s", "", text)


def _scored(cases: list[dict], ranks: dict[str, int | None], seconds: float, settings: dict) -> Result:
    groups = defaultdict(list)
    for case in cases:
        rank = ranks[case["question"]]
        groups["guides" if case["document"].startswith("guides/") else "classics"].append(rank)
        if "set" in case:
            groups[case["set"]].append(rank)
    missed = [f"{rank or '-'}  {question}" for question, rank in ranks.items() if not rank or rank > FIRST]
    return Result(
        suite="knowledge",
        cases=len(cases),
        seconds=seconds,
        metrics=_metrics(list(ranks.values())),
        by={name: _metrics(found) for name, found in groups.items()},
        settings=settings,
        failures=tuple(missed),
    )


def _metrics(ranks: list[int | None]) -> dict[str, float]:
    if not ranks:
        return {}
    return {
        f"top{first}": sum(1 for rank in ranks if rank and rank <= first) / len(ranks)
        for first in (FIRST, 1, LOOKED_AT)
    }
