"""The question as a model would search for it (LLM_QUERY_REWRITING): what 那个 and 他 stand for, in other words. Off by default.

It may only add to what recall looks for. Off, late, failed or unusable, it is as if it had never been asked.
"""

import json
import logging

from django.conf import settings

from chat.db import release_connection
from chat.llm import client, prompts
from chat.llm.errors import LLMError
from chat.memory.text import fold, is_blank, strip_controls
from chat.models import Turn

log = logging.getLogger(__name__)

MOST = 2
LONGEST = 200  # characters of one rewritten question
READ = 2000  # characters of the question, and of the turns before it in all
TURNS = 3
TOKENS = 200
SCHEMA = {
    "type": "object",
    "properties": {"queries": {"type": "array", "items": {"type": "string"}}},
    "required": ["queries"],
    "additionalProperties": False,
}


def rewrite(turn: Turn, reads: bool = True) -> tuple[str, ...]:
    """At most two other wordings of the turn's question, the fullest first; () where there are none. Never raises.

    Holds no connection while it waits, and waits LLM_REWRITING_SECONDS at most. reads: earlier turns may be looked at.
    """
    if not (settings.LLM_QUERY_REWRITING and client.configured()):
        return ()
    messages = _messages(turn, _earlier(turn) if reads else [])
    release_connection()
    try:
        reply = client.complete(
            messages, schema=SCHEMA, max_tokens=TOKENS, deadline=settings.LLM_REWRITING_SECONDS
        )
        return usable(reply, turn.text)
    except (LLMError, ValueError) as error:
        log.warning("recall goes on without rewriting: %s", type(error).__name__)
        return ()


def usable(reply: str, question: str) -> tuple[str, ...]:
    """The wordings of a reply that say something new. Raises ValueError for what is no such JSON."""
    data = json.loads(reply[reply.find("{") : reply.rfind("}") + 1])
    queries = data.get("queries") if isinstance(data, dict) else None
    if not isinstance(queries, list):
        raise ValueError("no queries")
    lines = [" ".join(strip_controls(query).split()) for query in queries if isinstance(query, str)]
    lines = [line for line in lines if not is_blank(line) and len(line) <= LONGEST]
    unique = {fold(line): line for line in reversed(lines)}
    unique.pop(fold(question).strip(), None)
    return tuple(reversed(unique.values()))[:MOST]


def _earlier(turn: Turn) -> list[Turn]:
    return list(reversed(Turn.objects.before(turn).answered().only("text", "answer", "at")[:TURNS]))


def _messages(turn: Turn, earlier: list[Turn]) -> list[dict[str, str]]:
    template = prompts.load("rewrite", turn.language)
    talk = "\n".join(f"U: {one.text[:300]}\nA: {one.answer[:300]}" for one in earlier)[-READ:]
    asked = f"<talk>\n{_bare(talk)}\n</talk>\n<question>\n{_bare(turn.text[:READ])}\n</question>"
    return [{"role": "system", "content": template.text}, {"role": "user", "content": asked}]


def _bare(text: str) -> str:
    return text.replace("<", "＜")
