"""What stops being believed: taken back ("刚才说错了"), no longer so ("我不再站桩了"), or ruled out by its opposite.

The caller holds the user's lock and a transaction.
"""

from collections.abc import Callable
from dataclasses import replace

from django.db.models import QuerySet

from chat.memory import ontology, projection, values
from chat.memory.actors import Actor, record
from chat.memory.rules import Proposal
from chat.memory.rules.plausible import plausible
from chat.memory.rules.sayings import item_of
from chat.memory.text import fold, language, words
from chat.memory.values import Relation, Value
from chat.memory.versions import (
    EXTRACTOR,
    Observation,
    Status,
    after,
    close_conflicts_of,
    draft,
    install,
    open_conflict,
    withdraw,
)
from chat.models import Account, Conflict, Entity, EntityVersion, Turn

MOST_PLANS = 50
MOST_NAMED = 200  # of the newest beliefs, among which words that are taken back look for theirs
_OF_CANCELLING = frozenset(words(
    "取消 不去 算了 泡汤 作罢 推掉 上午 下午 早上 晚上 今天 明天 后天 周末 计划 提醒 cancel cancelled "
    "off not going anymore after all plan plans"
))


def take_back(turn: Turn, proposal: Proposal, actor: Actor) -> Observation:
    """The user takes a statement back: it is retracted, and what it replaced holds again. A protected one waits for a person.

    A proposal of no slot with a value says what should have been said: that value takes the place of the mistaken one,
    and nothing is asked, since the user corrects a slip and has not changed.
    """
    version, right = _meant(turn, proposal)
    if version is None:
        return Observation("nothing")
    if version.entity.protected and proposal.attribute and proposal.value:
        return Observation("nothing")  # what the message says instead will wait, and be asked about
    if version.entity.protected:
        return _ask_about_end(turn, version, proposal)
    if right is None or (right.key[:200] == version.key and right.normalized.get("since") == version.normalized.get("since")):
        restored = withdraw(version, actor, at=turn.at)
        return Observation("retracted", version.entity, restored or version)
    return _correct(version, right, turn, proposal, actor)


def unsay(turn: Turn, proposal: Proposal, actor: Actor) -> Observation:
    """Take back all that was stated by the last message of this conversation that stated anything."""
    live = _live(turn).filter(turn__conversation_id=turn.conversation_id).exclude(turn=turn).exclude(entity__category="last_query")
    newest = live.first()
    stated = list(live.filter(turn_id=newest.turn_id)) if newest else []
    for version in stated:
        if version.entity.protected:
            _ask_about_end(turn, version, proposal)
        else:
            withdraw(version, actor, at=turn.at)
    return Observation("retracted", stated[0].entity, stated[0]) if stated else Observation("nothing")


def _meant(turn: Turn, proposal: Proposal) -> tuple[EntityVersion | None, Value | None]:
    """The belief that a retraction means, and the value it should have had.

    Of the named slot (and item or value), else the one whose value is named, else the newest of this conversation, and one
    that the value fits.
    """
    live = _live(turn)
    if proposal.attribute:
        named = live.filter(entity__category=proposal.category, entity__attribute=proposal.attribute)
        if proposal.key:
            named = named.filter(key=proposal.key[:200])
        elif proposal.item:
            named = named.filter(entity__item=proposal.item[:120])
        return named.first(), None
    zone = Account.objects.of(turn.user).zone_name
    stated = live.exclude(turn=turn).exclude(entity__category="last_query")
    if proposal.item and not proposal.value:
        return _first(stated, lambda version: _says(version, proposal.item, turn, zone)), None
    if not proposal.value and (told := _first(stated, lambda version: _is_told(version, fold(proposal.quote)))):
        return told, None
    newest = list(stated.filter(turn__conversation_id=turn.conversation_id)[:12])
    if proposal.value:
        for version in newest:
            if proposal.item and not _says(version, proposal.item, turn, zone):
                if (words := _patched(version, proposal)) and (right := _fitting(version, words, turn, zone)):
                    return version, right
                continue
            if right := _fitting(version, proposal.value, turn, zone):
                return version, right
    sure = not proposal.item and proposal.source != "implied"
    return (newest[0] if newest and sure else None), None


def _live(turn: Turn) -> QuerySet[EntityVersion]:
    """The user's beliefs that hold or wait, newest first."""
    live = EntityVersion.objects.filter(entity__user_id=turn.user_id, status__in=[Status.CURRENT, Status.PENDING])
    return live.select_related("entity", "supersedes").order_by("-recorded_at", "-pk")


def _first(stated: QuerySet[EntityVersion], fits: Callable[[EntityVersion], bool]) -> EntityVersion | None:
    return next(filter(fits, stated[:MOST_NAMED]), None)


def _is_told(version: EntityVersion, told: str) -> bool:
    """Whether the words hold this version's value, which is more than a syllable: what I told you about my epilepsy."""
    value = fold(version.value)
    return len(value) >= (2 if not value.isascii() else 4) and value in told


def _says(version: EntityVersion, words: str, turn: Turn, zone: str) -> bool:
    """Whether the words are this version's value, however written."""
    value = _fitting(version, words, turn, zone)
    return value is not None and value.key == version.key


def _patched(version: EntityVersion, proposal: Proposal) -> str:
    """是gmail不是gmial, 姓程不是陈: a name or address with the wrong part put right; "" where it has no such part."""
    wrong, said = fold(proposal.item), fold(version.value)
    spelled = version.normalized.get("type") in ("name", "contact") and wrong in said
    return said.replace(wrong, fold(proposal.value), 1) if spelled else ""


def _fitting(version: EntityVersion, words: str, turn: Turn, zone: str) -> Value | None:
    """The words as a value of the same kind as the version's, if they can be one."""
    attribute = ontology.load().attribute(version.entity.slot)
    setting = values.Setting(turn.at, zone)
    if "since" in version.normalized and (counted := values.days.parse_counter(fold(words), setting)):
        since = {**version.normalized, "since": counted["start"]}  # 戒烟三年了 … 说错了，三个月: the same state, begun later
        return values.valued(attribute, since, words, language(turn.text), setting.today)
    value = values.normalise(attribute, words, turn.at, zone)
    if value and value.normalized["type"] == "time_of_day" == version.normalized.get("type"):
        beside = values.clock.beside(version.normalized, value.normalized)
        value = values.valued(attribute, beside, words, language(words), setting.today)
    if value and value.normalized["type"] in ("text", "name") and not plausible(attribute, fold(words)):
        return None  # 湛江 is no trade
    return value if value and value.normalized["type"] == version.normalized.get("type") else None


def _correct(version: EntityVersion, right: Value, turn: Turn, proposal: Proposal, actor: Actor) -> Observation:
    attribute, entity = ontology.load().attribute(version.entity.slot), version.entity
    was_current = version.status == Status.CURRENT
    version.status = Status.RETRACTED if was_current else Status.REJECTED
    version.save(update_fields=["status"])
    close_conflicts_of(version, Conflict.Decision.KEEP_OLD, actor, turn.at)
    projection.withdraw(version)
    record(turn.user_id, actor, "entity.retracted", version, at=turn.at)
    item = item_of(attribute, right.normalized)[:120]
    if item != entity.item:
        entity, _created = Entity.objects.get_or_create(
            user_id=turn.user_id, category=entity.category, attribute=entity.attribute, item=item,
            conversation_id=entity.conversation_id,
        )  # fmt: skip
    said = replace(proposal, value=right.shown, normalized=right.normalized, key=right.key)
    corrected = draft(entity, turn, said, EXTRACTOR)
    return Observation("refined", entity, install(corrected, entity.versions.current().first(), actor))


def end(turn: Turn, proposal: Proposal, actor: Actor) -> Observation:
    """No longer so: the belief is closed with its end date; nothing replaces it. A protected one waits for a person."""
    found = EntityVersion.objects.current().filter(
        entity__user_id=turn.user_id,
        entity__category=proposal.category,
        entity__attribute=proposal.attribute,
        entity__conversation=None,
        last_observed_at__lte=turn.at,
    )
    if proposal.item:
        found = found.filter(entity__item=proposal.item[:120])
    version = found.select_related("entity").order_by("-recorded_at").first()
    if version is None or not _names(version, proposal):
        return Observation("nothing")
    if version.entity.protected:
        return _ask_about_end(turn, version, proposal)
    close(version, turn, proposal, actor)
    return Observation("ended", version.entity, version)


def cancel(turn: Turn, proposal: Proposal, actor: Actor) -> Observation:
    """A plan is off, or an animal is gone: the one on record that the user's words name, if they name one more than the others."""
    plans = EntityVersion.objects.current().filter(entity__user_id=turn.user_id, entity__conversation=None)
    if proposal.attribute:
        plans = plans.filter(entity__category=proposal.category, entity__attribute=proposal.attribute)
    else:
        plans = plans.filter(entity__category__in=["goal", "schedule"])
    plans = plans.filter(last_observed_at__lt=turn.at).select_related("entity").order_by("-recorded_at")[:MOST_PLANS]
    named = [(score, version) for version in plans if (score := _named_by(version, proposal.value)) > 0]
    best = max((score for score, _ in named), default=0)
    meant = [version for score, version in named if score == best]
    if len(meant) != 1:
        return Observation("nothing")
    if meant[0].entity.protected:
        return _ask_about_end(turn, meant[0], proposal)
    close(meant[0], turn, proposal, actor)
    return Observation("ended", meant[0].entity, meant[0])


def _named_by(version: EntityVersion, text: str) -> int:
    """How many words of the text are those of the plan; its slot's own name counts as one."""
    said = set(words(text)) - _OF_CANCELLING
    of_plan = set(words(f"{version.value} {version.quote}"))
    attribute = ontology.load().attribute(version.entity.slot)  # None for a slot of the user's own making
    return len(said & of_plan) + bool(attribute and attribute.calling.search(fold(text)))


def _names(version: EntityVersion, proposal: Proposal) -> bool:
    """Is the version what ends? A value that is named must be the one that holds, or a broader word for it."""
    attribute = ontology.load().attribute(version.entity.slot)
    one_of_many = proposal.item and (attribute is None or attribute.multi)
    if one_of_many or not proposal.key or not proposal.normalized:
        return True
    return values.compare(attribute, version.normalized, proposal.normalized) is Relation.SAME


def close(version: EntityVersion, turn: Turn, proposal: Proposal, actor: Actor) -> None:
    """Current → superseded, with its end date and without a successor."""
    version.status = Status.SUPERSEDED
    version.valid_to = after(version.valid_from, proposal.valid_from or turn.at)
    version.save(update_fields=["status", "valid_to"])
    projection.withdraw(version)
    record(turn.user_id, actor, "entity.ended", version, at=turn.at)


def _ask_about_end(turn: Turn, version: EntityVersion, proposal: Proposal) -> Observation:
    ended = replace(proposal, item=version.entity.item, value=proposal.quote, key=f"ended:{version.key}"[:200])
    pending = draft(version.entity, turn, replace(ended, normalized={"type": "end"}), EXTRACTOR)
    pending.status = Status.PENDING
    pending.supersedes = version
    if version.entity.versions.pending().filter(key=pending.key).exists():
        return Observation("pending", version.entity, version)
    pending.save()
    conflict = open_conflict(Conflict.Kind.ENTITY, turn, old=version, new=pending, suggested="keep_old")
    return Observation("pending", version.entity, pending, conflict)


def opposite_of(entity: Entity) -> EntityVersion | None:
    """What is believed of the same item in the slot that this slot opposes (practised, and disliked)."""
    if not entity.item or entity.conversation_id is not None:
        return None
    for slot in ontology.load().opposites(entity.slot):
        there = Entity.objects.filter(user_id=entity.user_id, item=entity.item).lasting().slot(slot)
        version = EntityVersion.objects.current().filter(entity__in=there).select_related("entity").first()
        if version is not None:
            return version
    return None
