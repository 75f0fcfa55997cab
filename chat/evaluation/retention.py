"""Suite `retention`: what compression keeps of real talk, held against every turn. No model is asked.

The 15 people of `memorybank/memory_bank_cn.json` (or of `--cases FILE`, such as our own in
`cases/retention/talks.json`) are replayed through import, remembering and the digests of the night. A
detail is a number with its unit, a date or a name of a turn, as chat.memory.details finds it; a value of a belief counts as
kept when the summary says it in any spelling. Compression is tokens of talk for one token of summary.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from time import monotonic

from django.conf import settings
from django.contrib.auth.models import User
from django.utils import timezone

from chat import remember
from chat.conversations import add_history
from chat.evaluation.frame import Result, passing_user
from chat.llm import tokens
from chat.maintenance import compress_idle
from chat.memory import details, pyramid, summaries
from chat.memory.inventions import invented
from chat.models import Account, Conversation, EntityVersion, Memory, Turn
from chat.transfer.formats import read
from chat.transfer.imports import load

FILE = Path("memorybank") / "memory_bank_cn.json"
ZONE = "Asia/Shanghai"
LEVELS = (1, 2)


def run(data_dir: Path, options: Mapping) -> Result:
    began = monotonic()
    counts: Counter[str] = Counter()
    by: dict[str, Mapping[str, float]] = {}
    failures: list[str] = []
    with no_model():
        for person, talks in list(people(options.get("cases") or data_dir / FILE).items())[: options.get("people") or None]:
            own: Counter[str] = Counter()
            with passing_user(ZONE) as user:
                replay(user, talks)
                failures += [f"{person}: {fault}" for fault in judge(user, own)]
            by[person] = metrics(own)
            counts.update(own)
    return Result("retention", counts["turns"], monotonic() - began, metrics(counts), by, failures=tuple(failures))


def people(path: Path) -> dict[str, list]:
    """The talks of each person, in the order of the file."""
    if not path.is_file():
        raise FileNotFoundError(2, "no such file", str(path))
    found: dict[str, list] = {}
    for talk in read(load(path), timezone.get_default_timezone()):
        found.setdefault(talk.person, []).append(talk)
    return found


@contextmanager
def no_model() -> Iterator[None]:
    """Whatever is configured: this measures what code alone does."""
    before, settings.OPENAI_BASE_URL = settings.OPENAI_BASE_URL, ""
    try:
        yield
    finally:
        settings.OPENAI_BASE_URL = before


def replay(user: User, talks: list) -> None:
    """Bring the talks in and remember every turn, then do what the night does for summaries."""
    account = Account.objects.of(user)
    for talk in talks:
        conversation = Conversation.objects.create(user=user, title=talk.title, imported_from=talk.key)
        for turn in add_history(conversation, talk.exchanges).turns:
            remember.read_closely(Turn.objects.select_related("conversation", "user").get(pk=turn.pk), account)
    last = Turn.objects.owned_by(user).latest("at").at
    compress_idle(account, last + timedelta(days=1))
    pyramid.build(account, last + timedelta(days=40))
    pyramid.rewrite_stale(account)


def judge(user: User, counts: Counter[str]) -> list[str]:
    """Count what the summaries of both levels keep; the faults in words."""
    faults = []
    for level in LEVELS:
        rows = Memory.objects.owned_by(user).filter(kind=Memory.Kind.SUMMARY, level=level).prefetch_related("turns")
        for memory in rows:
            faults += [f"level {level}: {fault}" for fault in _judge_one(memory, level, counts)]
    counts["turns"] += Turn.objects.owned_by(user).count()
    counts["unheld"] += Turn.objects.owned_by(user).placed(0).exclude(place="summary").count()
    return faults


def _judge_one(memory: Memory, level: int, counts: Counter[str]) -> list[str]:
    turns = list(memory.turns.all())
    counts[f"talk{level}"] += sum(tokens.count(turn.text) + tokens.count(turn.answer) for turn in turns)
    counts[f"summary{level}"] += tokens.count(memory.text)
    beliefs = _asserted(turns)
    lost = [b for b in beliefs if not summaries.says_value(memory.text, b.value)]
    counts[f"values{level}"] += len(beliefs)
    counts[f"values_kept{level}"] += len(beliefs) - len(lost)
    found = [d for turn in turns for side in (turn.text, turn.answer) for d in details.find(side, turn.at, ZONE)]
    gone = details.missing(found, memory.text)
    counts[f"details{level}"] += len(found)
    counts[f"details_kept{level}"] += len(found) - len(gone)
    own = [d for turn in turns for d in details.find(turn.text, turn.at, ZONE)]
    counts[f"own{level}"] += len(own)
    counts[f"own_kept{level}"] += len(own) - len(details.missing(own, memory.text))
    sources = [side for turn in turns for side in (turn.text, turn.answer)]
    labels = [f"{b.entity.attribute} {b.value}" for b in beliefs]
    current = EntityVersion.objects.current().filter(entity__in={b.entity_id for b in beliefs})
    made_up = invented(memory.text, [*sources, *labels, *(v.value for v in current)], [turn.at for turn in turns], ZONE)
    counts["invented"] += len(made_up)
    faults = [f"value {b.entity.slot} = {b.value} of memory {memory.pk}" for b in lost]
    return faults + [f"invented {words} in memory {memory.pk}" for words in made_up]


def _asserted(turns: list[Turn]) -> list[EntityVersion]:
    found = EntityVersion.objects.filter(turn__in=turns).exclude(entity__category="last_query")
    return list(found.exclude(status__in=["retracted", "rejected"]).select_related("entity"))


def metrics(counts: Counter[str]) -> dict[str, float]:
    """Shares and ratios of what was counted; a metric that had nothing to measure is left out."""
    shares = {
        "entity_retention": ("values_kept1", "values1"),
        "entity_retention_l2": ("values_kept2", "values2"),
        "detail_retention": ("details_kept1", "details1"),
        "detail_retention_l2": ("details_kept2", "details2"),
        "own_details_l2": ("own_kept2", "own2"),  # of them, those in the user's own words
        "compression_l1": ("talk1", "summary1"),
        "compression_l2": ("talk2", "summary2"),
    }
    found = {name: round(counts[part] / counts[whole], 4) for name, (part, whole) in shares.items() if counts[whole]}
    return {**found, "invented": counts["invented"], "unheld": counts["unheld"]}
