"""Suite `budget`: how many prompts have a section over its ceiling, over all questions of our cases and every window size.

The stores are the cases themselves: their messages as memories, facts, turns and passages, few or many, short or joined
into long ones. Nothing is written.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import monotonic
from zoneinfo import ZoneInfo

from chat.evaluation.frame import Result
from chat.llm.tokens import count
from chat.memory.candidates import Candidate
from chat.memory.material import ConflictNote, Fact, LastTopic, Material, Opening, PassageText, WorkingTurn
from chat.memory.prompt import Prompt, QuestionTooLong, assemble
from chat.memory.text import language

CASES = Path(__file__).parent / "cases"
WINDOWS = (4096, 8192, 16384, 32768, 65536, 131072)
SIZES = (1, 12)  # texts of the store that are joined into one memory
EVERY = 3  # texts of the cases to a question; all of them are in the stores
NOW = datetime(2025, 8, 26, tzinfo=UTC)
ZONE = ZoneInfo("Asia/Shanghai")


def run(_data: Path, options: Mapping[str, object]) -> Result:
    """`over_ceiling`: prompts with a section over its ceiling or, in all, over the window. Refused questions count apart."""
    started = monotonic()
    everything = list(dict.fromkeys(_texts()))
    texts = everything[:: EVERY * int(options.get("every") or 1)]
    counts: dict[int, Counter] = {window: Counter() for window in WINDOWS}
    failures = []
    for number, question in enumerate(texts):
        window, size = WINDOWS[number % len(WINDOWS)], SIZES[number // len(WINDOWS) % len(SIZES)]
        store = everything[number:] + everything[:number]
        long = question if number % 25 else question * 200
        try:
            prompt = assemble(_material(long, store, size), window, count)
        except QuestionTooLong:
            counts[window]["too_long"] += 1
            continue
        counts[window]["prompts"] += 1
        if _over(prompt, window):
            counts[window]["over_ceiling"] += 1
            failures.append(f"{window}: {question[:40]}")
    return Result(
        suite="budget",
        cases=len(texts),
        seconds=monotonic() - started,
        metrics=_metrics(sum(counts.values(), Counter())),
        by={str(window): _metrics(found) for window, found in counts.items()},
        settings={"windows": list(WINDOWS), "joined": list(SIZES)},
        failures=tuple(failures),
    )


def _metrics(found: Counter) -> dict[str, float]:
    return {name: found[name] for name in ("over_ceiling", "prompts", "too_long")}


def _over(prompt: Prompt, window: int) -> bool:
    sent = sum(count(message["content"]) for message in prompt.messages)
    sections = prompt.sections.values()
    return sent + prompt.answer_tokens > window or any(section["tokens"] > section["ceiling"] for section in sections)


def _material(question: str, store: list[str], size: int) -> Material:
    joined = ["\n".join(store[start : start + size]) for start in range(0, min(len(store), 40 * size), size)]
    days = [NOW - timedelta(days=n) for n in range(len(joined))]
    return Material(
        question=question,
        language=language(question),
        now=NOW,
        zone=ZONE,
        facts=tuple(
            Fact("profile.family", "家人", t, n % 10 / 10, n % 9 == 0, version_id=n) for n, t in enumerate(joined)
        ),
        passages=tuple(PassageText(n, t[:20], t[:12], t) for n, t in enumerate(joined[:12])),
        memories=tuple(
            Candidate(n, "long_term", "fragment", t, 0.5, occurred_at=day)
            for n, (t, day) in enumerate(zip(joined, days, strict=True))
        ),
        working=tuple(WorkingTurn(t, t * 3, NOW) for t in joined[:5]),
        conflicts=tuple(ConflictNote(n, "entity", t, question[:200], NOW, NOW) for n, t in enumerate(joined[:3])),
        last=LastTopic(store[0], store[-1], joined[0], NOW),
        opening=Opening(tuple(joined[:5]), "calm"),
    )


def _texts() -> Iterator[str]:
    """Everything that our cases say or ask."""
    for path in sorted(CASES.glob("*.jsonl")):
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                if line.strip():
                    yield from _strings(json.loads(line))


def _strings(value: object) -> Iterator[str]:
    """The longer texts anywhere in a case."""
    if isinstance(value, str):
        if len(value) > 6:
            yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)
