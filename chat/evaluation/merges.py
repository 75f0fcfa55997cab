"""Suite `merges`: which of our labelled pairs of memories the engine would make one, without a model's verdict.

`wrong`: share of all pairs that are merged and should not be; `missed`: share of the true repeats that stay apart. The weights
of the comparison are fitted on the pairs of `merges.jsonl`; those of `kept.jsonl` were written for it, and never looked at.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from time import monotonic

from chat.evaluation import fitting
from chat.evaluation.frame import Result
from chat.llm.embeddings import embed_passages, near
from chat.memory.sameness import BARELY, SAME, judge

CASES = Path(__file__).parent / "cases" / "pairs"


def run(data_dir: Path, options: Mapping) -> Result:
    """Judge every pair of our files, or of the file `options["cases"]`. `options["fit"]`: fit the weights first, and write them there."""
    began = monotonic()
    files = [Path(options["cases"])] if options.get("cases") else sorted(CASES.glob("*.jsonl"))
    if options.get("fit"):
        fitting.fit(load(CASES / "merges.jsonl"), data_dir, options["fit"])
    judged, by = [], {}
    for file in files:
        pairs = load(file)
        own = list(zip(pairs, verdicts(pairs), strict=True))
        kinds = sorted({pair["kind"] for pair in pairs})
        by |= {f"{file.stem} {kind}": metrics([item for item in own if item[0]["kind"] == kind]) for kind in kinds} | {file.stem: metrics(own)}
        judged += own
    failures = tuple(f"{p['id']}: {p['first']} | {p['second']}" for p, same in judged if same != p["same"])
    return Result("merges", len(judged), monotonic() - began, metrics(judged), by, {"least_likeness": BARELY}, failures)


def load(file: Path) -> list[dict]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


def verdicts(pairs: list[dict]) -> list[bool]:
    first, second = (embed_passages([pair[side] for pair in pairs]) for side in ("first", "second"))
    likeness = [float(a @ b) for a, b in zip(first, second, strict=True)]
    return [judge(p["first"], p["second"], like, near) == SAME for p, like in zip(pairs, likeness, strict=True)]


def metrics(judged: list[tuple[dict, bool]]) -> dict[str, float]:
    repeats = [same for pair, same in judged if pair["same"]]
    wrong = sum(same and not pair["same"] for pair, same in judged)
    found = {"wrong": round(wrong / len(judged), 4)}
    return {**found, "missed": round(1 - sum(repeats) / len(repeats), 4)} if repeats else found
