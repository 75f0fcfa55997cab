"""MemDaily: short histories of dated messages among 2,000 unrelated sentences; and whether relative dates are resolved right."""

import json
import re
import time
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from chat.evaluation.frame import Result, passing_user
from chat.evaluation.retrieval import Entry, Query, Tally, ask, every, fill, seconds_since
from chat.memory.times import find_times
from chat.models import Memory

HISTORIES = Path("memdaily") / "memdaily_dev.jsonl"
DISTRACTORS = Path("memdaily") / "distractors_zh.txt"
ZONE = ZoneInfo("Asia/Shanghai")
_DATE = re.compile(r"(\d{4})年(\d{2})月(\d{2})日 周. (\d{2}):(\d{2})")


def run(data: Path, options: dict) -> Result:
    """One user holds the distractors; each history joins them for its question and leaves again."""
    start, tally = time.monotonic(), Tally()
    histories = every(load(data), options)
    with passing_user(ZONE.key) as user:
        around = fill(user, distractors(data))
        for history in histories:
            stored, query = entries(history), question(history)
            keys = fill(user, stored)
            tally.add(query, ask(user, query, keys | around, options["without"]))
            Memory.objects.filter(pk__in=list(keys)).delete()
    right = [resolved(history) for history in histories if history["type"] == "post_processing" and _DATE.fullmatch(history["answer"])]
    metrics = dict(tally.over_groups())
    if right:
        metrics["date_accuracy"] = sum(right) / len(right)
    return Result("memdaily", tally.cases, seconds_since(start), metrics, tally.by_group(), {"without": options["without"]})


def load(data: Path) -> list[dict]:
    lines = (data / HISTORIES).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def distractors(data: Path) -> list[Entry]:
    """The unrelated sentences, an hour apart, over the months before the histories."""
    lines = [line.strip() for line in (data / DISTRACTORS).read_text(encoding="utf-8").splitlines() if line.strip()]
    first = datetime(2024, 1, 1, tzinfo=ZONE)
    return [Entry(f"x{n}", line, first + timedelta(hours=n)) for n, line in enumerate(lines)]


def entries(history: dict) -> list[Entry]:
    return [Entry(str(m["mid"]), m["message"], moment(m["time"]), history["id"]) for m in history["messages"]]


def question(history: dict) -> Query:
    gold = frozenset(map(str, history["target_step_id"]))
    return Query(history["question"], gold, moment(history["question_time"]), history["type"])


def resolved(history: dict) -> bool:
    """Whether one of the messages that hold the answer names exactly the moment of the answer."""
    year, month, day, hour, minute = map(int, _DATE.fullmatch(history["answer"]).groups())
    wanted = datetime(year, month, day, hour, minute, tzinfo=ZONE)
    messages = {m["mid"]: m for m in history["messages"]}
    for mid in history["target_step_id"]:
        message = messages[mid]
        spans = find_times(message["message"], moment(message["time"]), ZONE.key, lean="future")
        if any(span.start == wanted for span in spans):
            return True
    return False


def moment(text: str) -> datetime:
    year, month, day, hour, minute = map(int, _DATE.fullmatch(text).groups())
    return datetime(year, month, day, hour, minute, tzinfo=ZONE)
