"""Suite `conflicts`: is the user's state right after what was said, and were contradictions seen and told? No model needed.

Each case is played by a passing user through the steps of an answer that concern the state: the message is stored, its
statements are written, the check runs, the notices are made. Format of the cases: chat/evaluation/cases/README.md.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from time import monotonic
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User

from chat import reply
from chat.evaluation.frame import Result, passing_user
from chat.evaluation.matching import Belief, Reader
from chat.memory import consistency, entities, extraction, rules
from chat.memory.actors import Actor
from chat.memory.notices import write_notices
from chat.memory.observing import EXTRACTOR
from chat.models import Account, Conflict, Conversation, Entity, EntityVersion, Notice, Turn

CASES = Path(__file__).parent / "cases"
ASKED_ABOUT = [Conflict.Kind.ENTITY, Conflict.Kind.QUERY_VS_HISTORY]
METRICS = ("detection", "false_alarm", "wrong_retired", "told", "value_accuracy", "junk")
COUNTED = {"wrong_retired"}  # a number of times, not a share


@dataclass
class Played:
    """What a case left behind: what was current after each message, what waits, what was opened and told."""

    after: list[list[Belief]] = field(default_factory=list)
    waiting: list[Belief] = field(default_factory=list)
    stored: list[str] = field(default_factory=list)
    opened: list[tuple[str, str]] = field(default_factory=list)  # (kind, slot) of each conflict, in order
    told: list[bool] = field(default_factory=list)  # whether the answer that raised it spoke of it

    @property
    def current(self) -> list[Belief]:
        return self.after[-1]


@dataclass
class Score:
    """Hits and chances per metric, and what went wrong in words."""

    hits: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    chances: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    faults: list[str] = field(default_factory=list)

    def count(self, metric: str, happened: bool, fault: str = "") -> None:
        self.hits[metric] += happened
        self.chances[metric] += 1
        if fault:
            self.faults.append(fault)

    def add(self, other: "Score") -> None:
        for metric, chances in other.chances.items():
            self.hits[metric] += other.hits[metric]
            self.chances[metric] += chances

    def metrics(self) -> dict[str, float]:
        measured = [metric for metric in METRICS if self.chances[metric]]
        return {m: self.hits[m] if m in COUNTED else round(self.hits[m] / self.chances[m], 4) for m in measured}


def run(data_dir: Path, options: Mapping) -> Result:
    """Play every case, or those of the file `options["cases"]`, and score them."""
    began = monotonic()
    cases = read_cases(options.get("cases"))
    whole, by_class, failures = Score(), defaultdict(Score), []
    for case in cases:
        score = judge(case, play(case))
        whole.add(score)
        by_class[case["class"]].add(score)
        failures += [f"{case['id']}: {fault} · {_said(case)}" for fault in score.faults]
    return Result(
        suite="conflicts",
        cases=len(cases),
        seconds=monotonic() - began,
        metrics=whole.metrics(),
        by={name: score.metrics() for name, score in sorted(by_class.items())},
        settings={"extractor": EXTRACTOR, "cases": str(options.get("cases") or "")},
        failures=tuple(failures),
    )


def read_cases(path: str | Path | None = None) -> list[dict]:
    """Our own cases, or those of another file of the format. (Other suites keep files of other shapes beside ours.)"""
    files = [Path(path)] if path else sorted(CASES.glob("*.jsonl"))
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    cases = [json.loads(line) for line in lines if line.strip()]
    return cases if path else [case for case in cases if "messages" in case]


def _said(case: dict) -> str:
    return " / ".join(message["text"] for message in case["messages"])[:200]


# Playing.


def play(case: dict) -> Played:
    played = Played()
    with passing_user(case.get("zone", "Asia/Shanghai")) as user:
        conversations: dict[int, Conversation] = {}
        for number, message in enumerate(case["messages"]):
            name = message.get("conversation", 1)
            if name not in conversations:
                conversations[name] = Conversation.objects.create(user=user)
            turn = reply.post(user, conversations[name], message["text"], at=datetime.fromisoformat(message["at"]))
            hear(turn)
            for step in case.get("setup", ()):
                if step["after"] == number:
                    _set_up(user, step)
            played.after.append(_beliefs(user, EntityVersion.Status.CURRENT))
        _look(user, played)
    return played


def hear(turn: Turn) -> None:
    """The steps of an answer that concern the state: write what the turn states, check, say what disagrees."""
    account = Account.objects.of(turn.user)
    question = rules.read_question(turn.text, turn.at, account.zone_name)
    observations = extraction.observe_turn(turn, account)
    findings = consistency.check(turn, question, [o.conflict for o in observations if o.conflict is not None])
    write_notices(turn, findings, observations, set(question.concerns), ZoneInfo(account.zone_name))


def _set_up(user: User, step: dict) -> None:
    verb = {"pin": entities.set_pinned, "authoritative": entities.set_authoritative}[step["do"]]
    for entity in Entity.objects.owned_by(user).lasting().slot(step["slot"]):
        verb(entity, True, Actor.person(user))


def _beliefs(user: User, status: str) -> list[Belief]:
    found = EntityVersion.objects.owned_by(user).filter(status=status, entity__conversation=None)
    return [Belief.of(version) for version in found.select_related("entity")]


def _look(user: User, played: Played) -> None:
    played.waiting = _beliefs(user, EntityVersion.Status.PENDING)
    kept = EntityVersion.objects.owned_by(user).exclude(entity__category="last_query").select_related("entity")
    played.stored = [f"{version.entity.slot}={version.value} ({version.status})" for version in kept]
    conflicts = Conflict.objects.owned_by(user).filter(kind__in=ASKED_ABOUT).select_related("entity")
    told = set(Notice.objects.owned_by(user).values_list("turn_id", "conflict_id"))
    for conflict in conflicts.order_by("opened_at", "pk"):
        played.opened.append((conflict.kind, conflict.entity.slot))
        played.told.append((conflict.turn_id, conflict.pk) in told)


# Judging.


def judge(case: dict, played: Played) -> Score:
    """What the case expects against what it left. Parts that a case leaves out are not judged."""
    score, expected = Score(), case["expect"]
    reader = Reader(datetime.fromisoformat(case["messages"][-1]["at"]), case.get("zone", "Asia/Shanghai"))
    _judge_conflicts(score, expected, played)
    _judge_values(score, expected, played, reader)
    if case.get("nothing"):
        score.count("junk", bool(played.stored), f"stored {', '.join(played.stored)}" if played.stored else "")
    return score


def _judge_conflicts(score: Score, expected: dict, played: Played) -> None:
    opened = set(played.opened)
    if "conflicts" in expected:
        wanted = [(each["kind"], set(each["slot"].split("|"))) for each in expected["conflicts"]]
        for kind, slots in wanted:
            seen = any(kind == k and slot in slots for k, slot in opened)
            score.count("detection", seen, "" if seen else f"no {kind} about {'|'.join(slots)}")
        extra = sorted(f"{k} {s}" for k, s in opened if not any(k == kind and s in slots for kind, slots in wanted))
        if not wanted:
            score.count("false_alarm", bool(extra), f"false alarm {', '.join(extra)}" if extra else "")
        elif extra:
            score.faults.append(f"also opened {', '.join(extra)}")
    for (kind, slot), told in zip(played.opened, played.told, strict=True):
        score.count("told", told, "" if told else f"not told of {kind} {slot}")


def _judge_values(score: Score, expected: dict, played: Played, reader: Reader) -> None:
    for slots, spellings, shown in _wanted(expected.get("current", {})):
        right = _holds(played.current, slots, spellings, reader)
        there = [b.value for b in played.current if b.slot in slots] or "nothing"
        score.count("value_accuracy", right, "" if right else f"{shown}: {there} instead of {spellings[0]}")
        before = played.after[:-1] if not expected.get("conflicts") else played.after[-2:-1]
        retired = not right and any(_holds(moment, slots, spellings, reader) for moment in before)
        score.count("wrong_retired", retired, f"{shown}: {spellings[0]} was retired" if retired else "")
    for slots, spellings, shown in _wanted(expected.get("pending", {})):
        if not _holds(played.waiting, slots, spellings, reader) or _holds(played.current, slots, spellings, reader):
            score.faults.append(f"{shown}: {spellings[0]} should wait")
    for name in expected.get("absent", ()):
        slot, _equals, value = name.partition("=")
        held = [b for b in played.current if b.slot == slot and (not value or reader.meets(b, [value], exact=True))]
        if held:
            score.faults.append(f"{name} should not be current")


def _wanted(part: dict) -> Iterable[tuple[set[str], list[str], str]]:
    """(slots, spellings, name) of every single value that a part asks for."""
    for name, wanted in part.items():
        slots = set(name.split("|"))
        for spellings in wanted["all"] if isinstance(wanted, dict) else [wanted]:
            yield slots, spellings, name


def _holds(beliefs: list[Belief], slots: set[str], spellings: list[str], reader: Reader) -> bool:
    return any(belief.slot in slots and reader.meets(belief, spellings) for belief in beliefs)
