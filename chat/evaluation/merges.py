"""Suite `merges`: which of our labelled pairs of memories the engine would make one, without a model's verdict.

`wrong`: share of all pairs that are merged and should not be; `missed`: share of the true repeats that stay apart.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from time import monotonic

from chat.evaluation.frame import Result
from chat.llm.embeddings import embed_passages
from chat.memory.sameness import BARELY, LIKE, SAME, SURELY, judge

PAIRS = Path(__file__).parent / "cases" / "pairs" / "merges.jsonl"


def run(data_dir: Path, options: Mapping) -> Result:
    """Judge every pair of our file, or of the file `options["cases"]`."""
    began = monotonic()
    lines = Path(options.get("cases") or PAIRS).read_text(encoding="utf-8").splitlines()
    pairs = [json.loads(line) for line in lines if line.strip()]
    first, second = (embed_passages([pair[side] for pair in pairs]) for side in ("first", "second"))
    near = [float(a @ b) for a, b in zip(first, second, strict=True)]
    verdicts = [likeness >= BARELY and judge(p["first"], p["second"], likeness) == SAME for p, likeness in zip(pairs, near, strict=True)]
    judged = list(zip(pairs, verdicts, strict=True))
    by = {kind: metrics([item for item in judged if item[0]["kind"] == kind]) for kind in sorted({p["kind"] for p in pairs})}
    failures = tuple(f"{p['id']}: {p['first']} | {p['second']}" for p, same in judged if same != p["same"])
    return Result("merges", len(pairs), monotonic() - began, metrics(judged), by, {"held_whole": BARELY, "reworded": LIKE, "one_word_apart": SURELY}, failures)


def metrics(judged: list[tuple[dict, bool]]) -> dict[str, float]:
    repeats = [same for pair, same in judged if pair["same"]]
    wrong = sum(same and not pair["same"] for pair, same in judged)
    found = {"wrong": round(wrong / len(judged), 4)}
    return {**found, "missed": round(1 - sum(repeats) / len(repeats), 4)} if repeats else found
