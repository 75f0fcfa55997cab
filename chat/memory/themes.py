"""主题: what comes up again and again, as rows of their own, renewed weekly; and small links between memories."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import QuerySet

from chat.db import lock_user
from chat.memory import indexing, patterns
from chat.memory.keywords import content_words
from chat.memory.text import language as language_of
from chat.memory.tombstones import buried_texts
from chat.models import Account, Measure, Memory, MemoryLink, Turn

LOOK_BACK = timedelta(days=180)
MOST_THEMES = 12
MOST_LINKS = 100
MARK = "themes"
COMMON = 6  # a word in more memories than this links nothing
Kind, State = Memory.Kind, Memory.State

_WRITTEN = ("text", "data", "labels", "state", "forgotten_at", "forgotten_by", "offered_at", "importance", "occurred_at", "recorded_at", "clock_at")
_TEXTS = {
    "zh": {
        "topic": "常常谈到{key}（{days}天，最近{last}）",
        "late": "常在深夜聊天（约{share}%）",
        "pros_and_cons": "习惯先问利弊",
        "short": "常要求回答简短",
        "steps": "常要求给出具体步骤",
    },
    "en": {
        "topic": "Often talks about {key} ({days} days, last {last})",
        "late": "Often chats late at night (about {share}%)",
        "pros_and_cons": "Tends to ask for pros and cons first",
        "short": "Often asks for short answers",
        "steps": "Often asks for concrete steps",
    },
}


def renew(account: Account, now: datetime) -> int:
    """Write the themes as they are now; those that have faded are forgotten. Same turns, same themes. Returns how many live."""
    wanted = {theme["key"]: theme for theme in [*_topics(account, now), *_habits(account, now)]}
    with transaction.atomic():
        lock_user(account.user_id)
        rows = Memory.objects.owned_by_id(account.user_id).filter(kind=Kind.THEME).listed()
        known = {row.data.get("key"): row for row in rows if row.data.get("key")}
        language = _language(account)
        drafts = [_draft(account, known.get(key), theme, language) for key, theme in wanted.items()]
        drafts = [memory for memory in drafts if memory is not None]
        erased = buried_texts(account.user_id, [memory.text for memory in drafts if not memory.pk])
        _save([memory for memory in drafts if memory.pk or memory.text not in erased])
        faded = [row.pk for key, row in known.items() if key not in wanted and row.state == State.LIVE and not row.pinned]
        Memory.objects.filter(pk__in=faded).update(state=State.FORGOTTEN, forgotten_at=now, forgotten_by="decay")
    return len(wanted)


def renewed(account: Account, now: datetime) -> QuerySet:
    """The measure that says that this week of the user's calendar has had its themes: of its Monday, none if it has not."""
    today = now.astimezone(ZoneInfo(account.zone_name)).date()
    return Measure.objects.filter(user_id=account.user_id, day=today - timedelta(days=today.weekday()), name=MARK)


def mark_renewed(account: Account, now: datetime) -> None:
    today = now.astimezone(ZoneInfo(account.zone_name)).date()
    Measure.objects.get_or_create(user_id=account.user_id, day=today - timedelta(days=today.weekday()), name=MARK, defaults={"value": 1})


def _topics(account: Account, now: datetime) -> list[dict]:
    """Words of fragments that came up on several days."""
    zone = ZoneInfo(account.zone_name)
    since = now - LOOK_BACK
    rows = Memory.objects.owned_by_id(account.user_id).filter(kind=Kind.FRAGMENT, recorded_at__gte=since, marked_wrong=False)
    rows = rows.filter(state__in=[State.LIVE, State.SUPERSEDED, State.MERGED])
    days: dict[str, set[int]] = {}
    last: dict[str, datetime] = {}
    for text, at in rows.order_by("recorded_at").values_list("text", "recorded_at"):
        for word in set(content_words(text)):
            days.setdefault(word, set()).add(at.astimezone(zone).toordinal())
            last[word] = at
    today = now.astimezone(zone).toordinal()
    found = [
        {"key": word, "kind": "topic", "strength": patterns.strength(list(on), today), "days": len(on), "last": last[word]}
        for word, on in days.items()
        if len(on) >= patterns.LEAST_DAYS
    ]
    strong = [theme for theme in found if theme["strength"] > patterns.GONE]
    return sorted(strong, key=lambda theme: (-theme["strength"], theme["key"]))[:MOST_THEMES]


def _habits(account: Account, now: datetime) -> list[dict]:
    turns = Turn.objects.filter(user_id=account.user_id, at__gte=now - LOOK_BACK, observed_at__isnull=False)
    said = list(turns.order_by("at").values_list("text", "at"))
    return [
        {"key": f"habit:{habit.key}", "kind": habit.key, "strength": round(habit.share, 3), "share": round(100 * habit.share), "last": said[-1][1]}
        for habit in patterns.habits(said, account.zone_name)
    ]


def _draft(account: Account, row: Memory | None, theme: dict, language: str) -> Memory | None:
    """The theme's row as it has to be; None where it must not be written. Its vector stays: a theme is found by what it is
    about, and that has not changed with its numbers."""
    if row is not None and row.state == State.FORGOTTEN and row.forgotten_by != "decay":
        return None  # forgotten by the user's hand: it stays so
    memory = row or Memory(user_id=account.user_id, kind=Kind.THEME, tier=Memory.Tier.LONG_TERM)
    if memory.number == 1:  # else the user's own wording stays
        memory.text = _text(theme, language, account.zone_name)
    memory.data = {**theme, "last": theme["last"].isoformat()}
    memory.labels = [theme["key"]] if theme["kind"] == "topic" else []
    memory.state, memory.forgotten_at, memory.forgotten_by, memory.offered_at = State.LIVE, None, "", None
    memory.importance = round(0.3 + 0.4 * theme["strength"], 2)
    memory.occurred_at = memory.recorded_at = memory.clock_at = theme["last"]
    return memory


def _text(theme: dict, language: str, zone: str) -> str:
    key = theme["key"]
    if theme["kind"] == "topic" and language_of(key) == "en":
        language = "en"
    last = theme["last"].astimezone(ZoneInfo(zone))
    day = f"{last:%b} {last.day}" if language == "en" else f"{last.month}月{last.day}日"
    return _TEXTS[language][theme["kind"]].format(**{**theme, "last": day})


def _save(memories: list[Memory]) -> None:
    old = [memory for memory in memories if memory.pk]
    Memory.objects.bulk_update(old, _WRITTEN)
    Memory.objects.bulk_create(memory for memory in memories if not memory.pk)
    indexing.index_words([memory.pk for memory in memories])


def _language(account: Account) -> str:
    latest = Turn.objects.filter(user_id=account.user_id).order_by("-at").values_list("language", flat=True)[:20]
    return "en" if sum(name == "en" for name in latest) > 10 else "zh"


def link(account: Account) -> int:
    """Join memories that share a word which few others have (has a cat ↔ buys this cat food). Returns how many links are new."""
    rows = Memory.objects.owned_by_id(account.user_id).live().filter(kind__in=[Kind.ENTITY, Kind.FRAGMENT])
    words: dict[str, list[tuple[int, str]]] = {}
    for pk, kind, text in rows.order_by("-importance", "pk").values_list("pk", "kind", "text")[:400]:
        for word in set(content_words(text)):
            words.setdefault(word, []).append((pk, kind))
    wanted = [pair for _word, found in sorted(words.items()) for pair in _joined(found)][:MOST_LINKS]
    links = [MemoryLink(first_id=one, second_id=other, kind="shares", strength=0.5) for one, other in dict.fromkeys(wanted)]
    with transaction.atomic():
        lock_user(account.user_id)
        alive = set(Memory.objects.filter(pk__in={pk for pair in wanted for pk in pair}).values_list("pk", flat=True))
        before = MemoryLink.objects.filter(first__user_id=account.user_id).count()
        MemoryLink.objects.bulk_create([link for link in links if {link.first_id, link.second_id} <= alive], ignore_conflicts=True)
        return MemoryLink.objects.filter(first__user_id=account.user_id).count() - before


def _joined(found: Iterable[tuple[int, str]]) -> list[tuple[int, int]]:
    """Beliefs with the fragments that speak of the same."""
    found = list(found)
    if not 2 <= len(found) <= COMMON:
        return []
    beliefs = [pk for pk, kind in found if kind == Kind.ENTITY]
    fragments = [pk for pk, kind in found if kind == Kind.FRAGMENT]
    return [(belief, fragment) for belief in beliefs for fragment in fragments]
