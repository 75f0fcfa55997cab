"""LoCoMo: long chats of two people in English; a question should bring back the messages that answer it.

One user per chat. A message is stored as "speaker: text" plus the caption of its photo, with the date of its session.
"""

import json
import re
import time
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from chat.evaluation.frame import Result, passing_user
from chat.evaluation.retrieval import Entry, Query, Tally, ask_all, every, fill, seconds_since

FILE = Path("locomo") / "locomo5.json"
GROUPS = {1: "multi_hop", 2: "temporal", 3: "open_domain", 4: "single_hop"}
ZONE = "UTC"


def run(data: Path, options: dict) -> Result:
    start, tally = time.monotonic(), Tally()
    for chat in chats(data):
        with passing_user(ZONE) as user:
            stored = entries(chat)
            keys = fill(user, stored)
            ask_all(user, every(queries(chat, stored), options), keys, tally, options["without"])
    return Result(
        "locomo", tally.cases, seconds_since(start), tally.over_questions(), tally.by_group(), {"without": options["without"]}
    )


def chats(data: Path) -> list[dict]:
    return json.loads((data / FILE).read_text(encoding="utf-8"))


def entries(chat: dict) -> list[Entry]:
    talk, found = chat["conversation"], []
    sessions = sorted((int(m[1]) for key in talk if (m := re.fullmatch(r"session_(\d+)", key))), key=int)
    for number in sessions:
        at = _moment(talk[f"session_{number}_date_time"])
        for turn in talk[f"session_{number}"]:
            caption = f" [photo: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            text = f"{turn['speaker']}: {turn['text']}{caption}"
            found.append(Entry(turn["dia_id"], text, at, f"session {number}", (turn["speaker"],)))
    return found


def queries(chat: dict, stored: list[Entry]) -> list[Query]:
    """Questions of categories 1–4 with at least one valid evidence id, asked the day after the last session."""
    known, at = {entry.key for entry in stored}, max(entry.at for entry in stored) + timedelta(days=1)
    found = []
    for question in chat["qa"]:
        gold = frozenset(re.findall(r"D\d+:\d+", " ".join(question["evidence"]))) & known
        if question["category"] in GROUPS and gold:
            found.append(Query(question["question"], gold, at, GROUPS[question["category"]]))
    return found


def _moment(text: str) -> datetime:
    return datetime.strptime(text, "%I:%M %p on %d %B, %Y").replace(tzinfo=ZoneInfo(ZONE))
