"""Hashes of what was erased. They hold no text, and stop an import or a second run from bringing it back."""

import hashlib
from collections.abc import Iterable
from datetime import datetime

from chat.memory.rules import Proposal
from chat.memory.text import fold
from chat.models import EntityVersion, Memory, Tombstone


def fingerprint_of_belief(category: str, attribute: str, item: str, key: str) -> str:
    return _hash("belief", category, attribute, item, key)


def fingerprint_of_text(text: str) -> str:
    """Equal for texts that differ only in spelling variants, case, width or white space."""
    return _hash("text", "".join(fold(text).split()))


def fingerprint_of_version(version: EntityVersion) -> str:
    entity = version.entity
    return fingerprint_of_belief(entity.category, entity.attribute, entity.item, version.key)


def fingerprint_of_memory(memory: Memory) -> str:
    """Of the belief that it shows, else of its text."""
    return fingerprint_of_text(memory.text) if memory.version is None else fingerprint_of_version(memory.version)


def _hash(*parts: str) -> str:
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()


def bury_belief(user_id: int, version: EntityVersion) -> None:
    _bury(user_id, "entity", fingerprint_of_version(version))


def bury_text(user_id: int, kind: str, text: str) -> None:
    _bury(user_id, kind, fingerprint_of_text(text))


def _bury(user_id: int, kind: str, fingerprint: str) -> None:
    Tombstone.objects.get_or_create(user_id=user_id, fingerprint=fingerprint, defaults={"kind": kind})


def graves_of(user_id: int, proposals: Iterable[Proposal]) -> set[str]:
    """The fingerprints of those of these proposals that were erased."""
    prints = [fingerprint_of(proposal) for proposal in proposals]
    return set(Tombstone.objects.filter(user_id=user_id, fingerprint__in=prints).values_list("fingerprint", flat=True))


def buried(user_id: int, proposal: Proposal, since: datetime | None = None) -> bool:
    """Was it erased (after this moment)?"""
    graves = Tombstone.objects.filter(user_id=user_id, fingerprint=fingerprint_of(proposal))
    return (graves.filter(created_at__gt=since) if since else graves).exists()


def buried_texts(user_id: int, texts: Iterable[str]) -> set[str]:
    """Those of these texts that were erased."""
    prints = {text: fingerprint_of_text(text) for text in texts}
    graves = set(Tombstone.objects.filter(user_id=user_id, fingerprint__in=prints.values()).values_list("fingerprint", flat=True))
    return {text for text, fingerprint in prints.items() if fingerprint in graves}


def is_buried(user_id: int, category: str, attribute: str, item: str, key: str) -> bool:
    """Was this value of this slot erased?"""
    print_ = fingerprint_of_belief(category, attribute, item, key)
    return Tombstone.objects.filter(user_id=user_id, fingerprint=print_).exists()


def buried_text(user_id: int, text: str) -> bool:
    return Tombstone.objects.filter(user_id=user_id, fingerprint=fingerprint_of_text(text)).exists()


def lift(user_id: int, proposal: Proposal) -> None:
    """The user says it anew: it may be remembered again."""
    Tombstone.objects.filter(user_id=user_id, fingerprint=fingerprint_of(proposal)).delete()


def fingerprint_of(proposal: Proposal) -> str:
    return fingerprint_of_belief(
        proposal.category, proposal.attribute, proposal.item[:120], proposal.key[:200]
    )
