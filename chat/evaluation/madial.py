"""MADial-Bench: in a talk, memories should come back although nobody asked for them.

The store is one person's memories, each with its scene and mood; the question is what that person has said so far.
"""

import json
import re
import time
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from chat.evaluation.frame import Result, passing_user
from chat.evaluation.retrieval import Entry, Query, Tally, ask_all, every, fill, seconds_since

MEMORIES = Path("madial") / "MADial-Bench-zh-memory.json"
TALKS = Path("madial") / "MADial-Bench-zh-dialogue.json"
ZONE = ZoneInfo("Asia/Shanghai")


def run(data: Path, options: dict) -> Result:
    start, tally = time.monotonic(), Tally()
    for stored, asked in people(data):
        with passing_user(ZONE.key) as user:
            ask_all(user, every(asked, options), fill(user, stored), tally, options["without"])
    metrics = tally.over_questions()
    return Result("madial", tally.cases, seconds_since(start), metrics, tally.by_group(), {"without": options["without"]})


def people(data: Path) -> list[tuple[list[Entry], list[Query]]]:
    memories: dict[int, list[Entry]] = {}
    for line in _lines(data / MEMORIES):
        for key, row in line.items():
            at = datetime.fromisoformat(row["time"]).replace(tzinfo=ZONE)
            context = f"{row['event']}\n{row['scene']} {row['emotion']}"
            memories.setdefault(row["user-id"], []).append(Entry(key, row["event"], at, context=context))
    return [(stored, _queries(data, person, stored)) for person, stored in sorted(memories.items())]


def _queries(data: Path, person: int, stored: list[Entry]) -> list[Query]:
    known, at = {entry.key for entry in stored}, max(entry.at for entry in stored) + timedelta(days=30)
    found = []
    for talk in _lines(data / TALKS):
        gold = frozenset(map(str, talk["relevant-id"])) & known
        if talk["user-id"] == person and gold:
            found.append(Query(_said(talk["dialogue"][1 : talk["test-turn"][0]]), gold, at, f"person {person}"))
    return found


def _said(lines: list[str]) -> str:
    own = [line for line in lines if not line.startswith("<Assistant>")]
    return "\n".join(re.sub(r"^<[^>]*>:", "", line).strip().strip('"') for line in own)


def _lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
