"""记忆提示: what the user is told in the chat about conflicts and new memories, in the language of their message.

At most three conflicts are spoken of at once. Of one entity, only the first conflict in 24 hours gets the full notice.
"""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.conf import settings

from chat.memory import offers, ontology, reminders
from chat.memory.consistency import Findings
from chat.memory.observing import Observation
from chat.models import Conflict, EntityVersion, Notice, Turn

AT_ONCE = 3
Kind = Notice.Kind
LEARNED = {"added": Kind.REMEMBERED, "refined": Kind.UPDATED, "replaced": Kind.UPDATED}
BESIDE = LEARNED | {"retracted": Kind.GONE, "ended": Kind.GONE}  # what a notice stands beside the answer for

ZH = {
    "head": "【记忆提示】",
    "entity": "我注意到你之前提到「{old}」（{old_day}），这次说「{new}」。\n我已按最新的说法（{value}）回答。"
    "如果这是口误或偏好已改变，请告诉我。",
    "standing": "你之前提到「{old}」（{old_day}），后来说「{new}」（{new_day}）。\n我已按最新的说法（{value}）回答。"
    "如果那是口误或偏好已改变，请告诉我。",
    "blocked": "我记着「{old}」（{old_day}），这次你说「{new}」。\n在你确认之前，我先按原来的（{old_value}）；要换成新的吗？",
    "history": "我记得「{old}」（{old_day}），这次你问「{new}」。\n我先按你这次的说法回答，原来的记录在你确认之前不变。现在是哪一种情况？",
    "light": "【记忆提示】关于{label}，你先后说过「{old}」和「{new}」，现在按「{value}」。",
    "decided": "【记忆提示】关于{label}，你之前说「{old}」（{old_day}），后来说「{new}」（{new_day}）。"
    "你没有提出异议，我就按「{value}」记下了。",
    "pending": "【记忆提示】我听到的是「{new}」，但不太确定。要我记下来吗？",
    "remembered": "记住了：{label}：{value}",
    "updated": "更新了：{label}：{value}",
    "gone": "不再有效：{label}：{value}",
    "timeline": "前后说法：{steps}",
    "now": "{when}「{value}」（当前）",
    "wait": "{when}「{value}」（待确认）",
    "then": "{when}「{value}」",
}
EN = {
    "head": "[Memory notice]",
    "entity": "Earlier you said “{old}” ({old_day}); this time “{new}”.\nI answered by the newer one ({value}). "
    "If that was a slip, or your preference has changed, please tell me.",
    "standing": "Earlier you said “{old}” ({old_day}), later “{new}” ({new_day}).\nI answered by the newer one ({value}). "
    "If that was a slip, or your preference has changed, please tell me.",
    "blocked": "I have on record “{old}” ({old_day}); now you say “{new}”.\nUntil you confirm, I keep the first "
    "({old_value}). Shall I change it?",
    "history": "I remember “{old}” ({old_day}); now you ask “{new}”.\nI answered by what you say now; the record "
    "stays as it is until you confirm. Which is it at present?",
    "light": "[Memory notice] About {label} you have said “{old}” and “{new}”; “{value}” holds now.",
    "decided": "[Memory notice] About {label}: you said “{old}” ({old_day}), later “{new}” ({new_day}). "
    "You didn't object, so I keep “{value}”.",
    "pending": "[Memory notice] I understood “{new}”, but I'm not sure. Shall I remember it?",
    "remembered": "Remembered: {label}: {value}",
    "updated": "Updated: {label}: {value}",
    "gone": "No longer holds: {label}: {value}",
    "timeline": "What was said: {steps}",
    "now": "{when} “{value}” (current)",
    "wait": "{when} “{value}” (waiting for you)",
    "then": "{when} “{value}”",
}


def write_notices(
    turn: Turn, findings: Findings, observations: list[Observation], slots: set[str], zone: ZoneInfo
) -> list[Notice]:
    """Make and save the notices of a turn, most important first, and note on each conflict that the user was told."""
    voice = _Voice(turn, zone)
    notices = [
        _about_conflict(voice, conflict, kind, slots)
        for conflict, kind in _chosen(findings)
    ]
    notices += [_about_doubt(voice, o.version) for o in observations if o.outcome == "pending" and o.conflict is None]
    notices += _all_beside(voice, observations)
    Notice.objects.bulk_create(notices)
    told = [notice.conflict_id for notice in notices if notice.conflict_id]
    Conflict.objects.filter(pk__in=told, told_at=None).update(told_at=turn.at)
    return notices


def write_learned(turn: Turn, observations: list[Observation], zone: ZoneInfo) -> None:
    """What the model found in the turn after its answer had ended: beside it from the next look at it on.

    A contradiction that it found is told by the next answer, as every one that the user hasn't heard of.
    """
    Notice.objects.bulk_create(_all_beside(_Voice(turn, zone), observations))


def write_offer(turn: Turn) -> list[Notice]:
    """The vague offer of something faded that the question comes near; [] where there is nothing. Offered once."""
    memory = offers.offer(turn.user, turn.text, turn.at)
    if memory is None:
        return []
    text = offers.in_words(memory, turn.text, "en" if turn.language == "en" else "zh")
    return [Notice.objects.create(turn=turn, kind=Kind.OFFER, text=text, memory=memory)]


def write_reminders(turn: Turn, zone: ZoneInfo) -> list[Notice]:
    """The reminders that are due by now."""
    language = "en" if turn.language == "en" else "zh"
    due = [(memory, reminders.in_words(memory, turn.at, zone.key, language)) for memory in reminders.take_due(turn.user, turn.at)]
    return Notice.objects.bulk_create(Notice(turn=turn, kind=Kind.REMINDER, text=text, memory=memory) for memory, text in due)


def _all_beside(voice: "_Voice", observations: list[Observation]) -> list[Notice]:
    return [
        _beside(voice, o) for o in observations if o.outcome in BESIDE and o.conflict is None and _worth_saying(o)
    ]


def _chosen(findings: Findings) -> list[tuple[Conflict, str]]:
    spoken = [(c, Kind.CONFLICT) for c in (*findings.opened, *findings.standing)]
    spoken += [(c, Kind.DECIDED) for c in findings.decided]
    return [(c, kind) for c, kind in spoken if c.old is not None and c.new is not None][:AT_ONCE]


def _about_conflict(voice: "_Voice", conflict: Conflict, kind: str, slots: set[str]) -> Notice:
    if kind == Kind.DECIDED and conflict.entity.slot not in slots:
        text, full = voice.say("decided", conflict), False
    elif kind == Kind.CONFLICT and _is_hot(conflict):
        text, full = voice.say("light", conflict), False
    else:
        text, full = voice.full(conflict), True
    prominence = Notice.Prominence.FULL if full else Notice.Prominence.LIGHT
    return Notice(turn=voice.turn, kind=kind, prominence=prominence, text=text, conflict=conflict)


def _is_hot(conflict: Conflict) -> bool:
    """Has the user been told of another conflict about this entity within the last day?"""
    since = conflict.opened_at - timedelta(hours=settings.HEAT_HOURS)
    others = Conflict.objects.filter(entity_id=conflict.entity_id, told_at__gte=since, told_at__lte=conflict.opened_at)
    return others.exclude(pk=conflict.pk).exists()


def _about_doubt(voice: "_Voice", version: EntityVersion) -> Notice:
    text = voice.words["pending"].format(new=version.quote or version.value)
    return Notice(turn=voice.turn, kind=Kind.PENDING, text=text, version=version)


def _beside(voice: "_Voice", observation: Observation) -> Notice:
    kind = BESIDE[observation.outcome]
    if kind == Kind.GONE and _holds(observation):
        kind = Kind.UPDATED  # what the retracted one had replaced holds again
    text = voice.words[kind].format(label=voice.label(observation.entity), value=observation.version.value)
    return Notice(turn=voice.turn, kind=kind, text=text, version=observation.version)


def _worth_saying(observation: Observation) -> bool:
    return observation.entity.category != "last_query" and (_holds(observation) or BESIDE[observation.outcome] == Kind.GONE)


def _holds(observation: Observation) -> bool:
    return observation.version.status == EntityVersion.Status.CURRENT


class _Voice:
    """How a notice is worded for one turn: its language, and its user's days."""

    def __init__(self, turn: Turn, zone: ZoneInfo):
        self.turn, self.zone = turn, zone
        self.language = "en" if turn.language == "en" else "zh"
        self.words = EN if self.language == "en" else ZH

    def full(self, conflict: Conflict) -> str:
        if conflict.kind == Conflict.Kind.QUERY_VS_HISTORY:
            body = self.say("history", conflict)
        elif conflict.new.status == EntityVersion.Status.PENDING:
            body = self.say("blocked", conflict)
        else:
            body = self.say("entity" if conflict.new.turn_id == self.turn.pk else "standing", conflict)
        lines = [self.words["head"], body]
        if timeline := self.timeline(conflict):
            lines.append(timeline)
        return "\n".join(lines)

    def say(self, key: str, conflict: Conflict) -> str:
        old, new = conflict.old, conflict.new
        holds = old if conflict.decision == Conflict.Decision.KEEP_OLD or self._waits(new) else new
        return self.words[key].format(
            label=self.label(conflict.entity),
            old=old.quote or old.value,
            new=new.quote or new.value,
            old_value=old.value,
            value=holds.value,
            old_day=self.day(old.recorded_at),
            new_day=self.day(new.recorded_at),
        )

    def _waits(self, version: EntityVersion) -> bool:
        return version.status == EntityVersion.Status.PENDING

    def label(self, entity) -> str:
        attribute = ontology.load().attribute(entity.slot)
        return attribute.label(self.language) if attribute else entity.attribute.replace("_", " ")

    def day(self, moment: datetime, *, clock: bool = False) -> str:
        local, now = moment.astimezone(self.zone), self.turn.at.astimezone(self.zone)
        if self.language == "en":
            text = f"{local:%B} {local.day}" + ("" if local.year == now.year else f", {local.year}")
        else:
            text = ("" if local.year == now.year else f"{local.year}年") + f"{local.month}月{local.day}日"
        return f"{text} {local:%H:%M}" if clock or local.date() == now.date() else text

    def timeline(self, conflict: Conflict) -> str:
        """One line of all beliefs in play, when there are three or more."""
        status = EntityVersion.Status
        in_play = conflict.entity.versions.exclude(status__in=[status.REJECTED, status.RETRACTED])
        versions = list(in_play.order_by("recorded_at", "pk"))
        if len(versions) < 3:
            return ""
        shape = {status.CURRENT: "now", status.PENDING: "wait"}
        steps = [
            self.words[shape.get(v.status, "then")].format(when=self.day(v.recorded_at, clock=True), value=v.value)
            for v in versions[-5:]
        ]
        return self.words["timeline"].format(steps=" → ".join(steps))
