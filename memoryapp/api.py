"""The JSON API under /api/: its routers, who may call, and how errors look. Docs at /api/docs."""

from ninja.renderers import JSONRenderer

from chat.api import account, conflicts, conversations, entities, memories, recall, system, turns
from chat.api.auth import PageAuth, TokenAuth
from chat.api.problems import ProblemAPI, install
from chat.api.throttling import PerMinute


class Plain(JSONRenderer):
    """Chinese as Chinese, not as escapes: a third of the bytes, and readable on the wire."""

    json_dumps_params = {"ensure_ascii": False}


api = ProblemAPI(
    title="心记 Xinji",
    version=system.VERSION,
    description="A chat for meditation practice with a memory that its user can see and correct. "
    "Times are ISO 8601 with a zone. Errors are problem details (RFC 9457): type, title, status, detail, code, "
    "and `errors` where fields are at fault.",
    urls_namespace="api",
    renderer=Plain(),
    auth=[TokenAuth(), PageAuth()],
    throttle=[PerMinute()],
)
install(api)
api.add_router("", system.router)
api.add_router("/conversations", conversations.router)
api.add_router("/turns", turns.router)
api.add_router("/recall", recall.router)
api.add_router("/memories", memories.router)
api.add_router("/entities", entities.router)
api.add_router("/conflicts", conflicts.router)
api.add_router("", account.router)
