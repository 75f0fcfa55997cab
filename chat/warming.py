"""Load what the first answer would otherwise wait for."""

from datetime import UTC, datetime

from chat.llm import client, embeddings, tokens
from chat.memory import rules, text


def warm() -> None:
    """The embedder, the dictionary, the ontology with its rules, the token tables, the client. Seconds once, then nothing.

    For the start of a process; it asks neither the database nor a server, and may run in a thread of its own.
    """
    sample = "我昨天早上几点打坐？ What did I practise yesterday?"
    text.words(sample, index=True)
    rules.read_question(sample, datetime.now(UTC), "Asia/Shanghai")
    tokens.count(sample)
    embeddings.warm()
    client.warm()
