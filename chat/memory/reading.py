"""What a turn is like, told from its words and written on it: feeling, intents, topic."""

from chat.memory import emotions, intents, topics
from chat.models import Turn


def read(turn: Turn) -> None:
    """Write emotion, intents and topic on the turn. The same text gives the same, so it may run again."""
    turn.emotion = emotions.emotion(turn.text)
    turn.intents = intents.intents(turn.text[:4000])
    turn.topic = turn.topic or topics.topic(turn.text)
    turn.save(update_fields=["emotion", "intents", "topic"])
