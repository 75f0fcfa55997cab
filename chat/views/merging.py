"""Two to five memories become one: each field chosen from one of them or written anew, seen before it is kept."""

from dataclasses import dataclass, replace

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from chat.errors import BadInput
from chat.llm import tokens
from chat.memory import merging
from chat.memory.actors import Actor
from chat.models import Memory
from chat.templatetags.page import distinct
from chat.views.memory import own_memories

MOST = 5


@dataclass(frozen=True)
class Draft:
    """What would become of the memories. `words_from`, `time_from`, `weight_from`: whose field it takes; None: one's own words."""

    memories: list[Memory]
    into: Memory
    words_from: Memory | None
    own_words: str
    time_from: Memory
    weight_from: Memory

    @property
    def text(self) -> str:
        return self.words_from.text if self.words_from else self.own_words

    @property
    def labels(self) -> list[str]:
        return distinct(label for memory in self.memories for label in memory.labels)

    @property
    def tokens_before(self) -> int:
        return sum(tokens.count(memory.text) for memory in self.memories)

    @property
    def tokens_after(self) -> int:
        return tokens.count(self.text)

    @property
    def saved(self) -> int:
        return max(0, self.tokens_before - self.tokens_after)


def draft_of(chosen: list[Memory], form: QueryDict) -> Draft:
    """What was chosen, by number; else the newest stays, with all texts joined, the earliest time and the greatest importance."""
    by_number = {str(memory.pk): memory for memory in chosen}
    earliest = min(chosen, key=lambda memory: memory.occurred_at)
    weightiest = max(chosen, key=lambda memory: memory.importance)
    joined = "\n".join(dict.fromkeys(memory.text for memory in reversed(chosen)))
    return Draft(
        chosen,
        into=by_number.get(form.get("into", ""), chosen[0]),
        words_from=by_number.get(form.get("words_from", "")),
        own_words=form.get("text", joined),
        time_from=by_number.get(form.get("time_from", ""), earliest),
        weight_from=by_number.get(form.get("weight_from", ""), weightiest),
    )


@require_http_methods(["GET", "POST"])
def merge(request: HttpRequest) -> HttpResponse:
    """GET proposes; POST with `preview` shows what was chosen, without it keeps that."""
    chosen = own_memories(request, request.POST.getlist("ids") or request.GET.get("ids", "").split(","))
    if not 2 <= len(chosen) <= MOST:
        raise BadInput("merge_two_to_five", _("Choose two to five memories to merge."))
    draft = draft_of(chosen, request.POST)
    if request.method == "GET" or "preview" in request.POST:
        return render(request, "memory/merge.html", {"draft": draft, "tab": "memories"})
    wish = merging.Merging([memory.pk for memory in chosen], draft.into.pk, draft.text)
    wish = replace(wish, occurred_at=draft.time_from.occurred_at, importance=draft.weight_from.importance)
    merged = merging.merge(request.user, wish, Actor.person(request.user))
    messages.success(request, _("Merged."), extra_tags=reverse("memory-act", args=[merged.pk, "unmerge"]))
    return redirect("memory", merged.pk)
