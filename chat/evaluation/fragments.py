"""Suite `fragments`: of our labelled messages, which are kept as fragments and which are only talk.

`precision`: share of what is kept that should be; `recall`: share of what should be kept that is; `clean`: share of the
mixed messages whose courtesy is left out. The rules were written with the half `dev` in sight, the half `held` is for judging.
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic

from chat.evaluation.frame import Result
from chat.memory.blocks import blocks

LINES = Path(__file__).parent / "cases" / "fragments" / "lines.jsonl"
AT, ZONE = datetime(2026, 8, 20, 1, tzinfo=UTC), "Asia/Shanghai"


def run(data_dir: Path, options: Mapping) -> Result:
    """Judge every message of our file, or of the file `options["cases"]`."""
    began = monotonic()
    lines = [json.loads(line) for line in Path(options.get("cases") or LINES).read_text(encoding="utf-8").splitlines()]
    judged = [(line, [block.text for block in blocks(line["text"], AT, ZONE, heard=line.get("heard", ""))]) for line in lines]
    halves = sorted({line["half"] for line in lines})
    by = {half: metrics([item for item in judged if item[0]["half"] == half]) for half in halves}
    failures = tuple(f"{line['id']}: {line['text']} -> {kept}" for line, kept in judged if bool(kept) != line["keep"])
    return Result("fragments", len(lines), monotonic() - began, metrics(judged), by, failures=failures)


def metrics(judged: list[tuple[dict, list[str]]]) -> dict[str, float]:
    kept = [line["keep"] for line, found in judged if found]
    wanted = [bool(found) for line, found in judged if line["keep"]]
    mixed = [not any(line["without"] in text for text in found) for line, found in judged if line.get("without")]
    shares = {"precision": kept, "recall": wanted, "clean": mixed}
    return {name: round(sum(each) / len(each), 4) for name, each in shares.items() if each}
