"""Load what the first answer would otherwise wait for."""

from datetime import UTC, datetime

from chat.llm import client, embeddings, tokens
from chat.memory import ontology, rules, text

_SAMPLE = "我昨天早上几点打坐？ What did I practise yesterday?"


def warm() -> None:
    """The embedder, the dictionary, the ontology with its rules, the token tables, the client. Seconds once, then nothing.

    For the start of a process; it asks neither the database nor a server, and may run in a thread of its own.
    """
    text.words(_SAMPLE, index=True)
    rules.read_question(_SAMPLE, datetime.now(UTC), "Asia/Shanghai")
    tokens.count(_SAMPLE)
    embeddings.warm()
    client.warm()


def warm_rules() -> None:
    """What reads a message for what it states: some thousand patterns, each a few milliseconds of somebody's answer else."""
    for attribute in ontology.load().attributes.values():
        attribute.patterns()
    rules.propose(_SAMPLE, datetime.now(UTC), "Asia/Shanghai")
