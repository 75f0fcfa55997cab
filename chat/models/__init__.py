"""The nouns of 心记. Read the files in this order: conversation, turn, notice, entity, memory, conflict, recall, knowledge, audit."""

from chat.models.account import Account, ApiToken, SignInLink
from chat.models.audit import AuditEvent, Job, Measure, Tombstone
from chat.models.conflict import Conflict
from chat.models.conversation import Conversation
from chat.models.embedding import DIMENSIONS, EmbeddingSpace, Findable
from chat.models.entity import Entity, EntityVersion
from chat.models.knowledge import Document, Passage
from chat.models.memory import Memory, MemoryLink, MemoryRevision, MemorySource
from chat.models.notice import Notice
from chat.models.recall import Recall, RecallItem
from chat.models.turn import EarlierAnswer, Turn

__all__ = [
    "DIMENSIONS",
    "Account",
    "ApiToken",
    "AuditEvent",
    "Conflict",
    "Conversation",
    "Document",
    "EarlierAnswer",
    "EmbeddingSpace",
    "Entity",
    "EntityVersion",
    "Findable",
    "Job",
    "Measure",
    "Memory",
    "MemoryLink",
    "MemoryRevision",
    "MemorySource",
    "Notice",
    "Passage",
    "Recall",
    "RecallItem",
    "SignInLink",
    "Tombstone",
    "Turn",
]
