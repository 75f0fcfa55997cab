"""Knowledge and memories as one short background, written by the model (LLM_CONTEXT_FUSION). Off by default.

The state stays as it is, exact and uncut. Off, late, failed, or with a number, date or name in the background that no
source has: the prompt is sent as it was assembled.
"""

import logging

from django.conf import settings

from chat.db import release_connection
from chat.llm import client, prompts, tokens
from chat.llm.errors import LLMError
from chat.memory.inventions import invented
from chat.memory.material import Material
from chat.memory.prompt import Prompt, with_pack
from chat.memory.text import is_blank, strip_controls

log = logging.getLogger(__name__)

PACK_TOKENS = 500
WORTH = 600  # tokens of knowledge and memories; what is shorter than this needs no joining


def fuse(prompt: Prompt, material: Material) -> Prompt:
    """The prompt with its knowledge and memories fused. Never raises.

    Holds no connection while it waits, and waits LLM_FUSION_SECONDS at most.
    """
    if not (settings.LLM_CONTEXT_FUSION and client.configured()):
        return prompt
    if sum(prompt.sections[name]["tokens"] for name in ("knowledge", "memories")) < WORTH:
        return prompt
    messages = _messages(prompt, material)
    release_connection()
    try:
        reply = client.complete(messages, max_tokens=PACK_TOKENS, deadline=settings.LLM_FUSION_SECONDS)
    except LLMError as error:
        log.warning("the prompt goes on without fusion: %s", error.code)
        return prompt
    pack = grounded(reply, prompt, material)
    return with_pack(prompt, pack, material, tokens.count) if pack else prompt


def grounded(reply: str, prompt: Prompt, material: Material) -> str:
    """The background, "" where it says what no source says."""
    pack = strip_controls(reply).strip()
    sources = [material.question, *prompt.blocks.values()]
    if is_blank(pack) or invented(pack, sources, [material.now], str(material.zone)):
        return ""
    return pack


def _messages(prompt: Prompt, material: Material) -> list[dict[str, str]]:
    template = prompts.load("fuse", material.language)
    data = [prompt.blocks[name] for name in ("entities", "memories", "knowledge")]
    return [
        {"role": "system", "content": template.filled(fence=prompt.fence, tokens=str(PACK_TOKENS))},
        {"role": "user", "content": "".join([*data, prompt.blocks["question"]])},
    ]
