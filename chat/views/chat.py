"""The chat: conversations, and sending into them."""

import uuid

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from chat import conversations, reply, sample
from chat.errors import BadInput
from chat.forms import NewConversationForm
from chat.memory import erase
from chat.memory.actors import Actor
from chat.models import Conversation, Memory, Turn
from chat.templatetags.page import short_language
from chat.transfer.download import as_file
from chat.transfer.exports import talk_as_markdown
from chat.views import reading


def own_conversation(request: HttpRequest, pk: int) -> Conversation:
    return get_object_or_404(Conversation.objects.owned_by(request.user), pk=pk)


def new_key() -> str:
    """One per composer shown: however often it is sent, it is one turn."""
    return uuid.uuid4().hex


def sent_key(request: HttpRequest) -> str:
    key = request.POST.get("key", "")
    return key if key.isalnum() and len(key) <= 64 else ""


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """A new conversation. It comes into being with its first message."""
    form = NewConversationForm(request.GET)
    form.is_valid()
    empty = not Conversation.objects.owned_by(request.user).listed().exists()
    context = {"key": new_key(), "temporary": form.cleaned_data.get("temporary", False), "modes": Conversation.MemoryMode}
    context |= {"empty": empty, "openers": openers(empty), "sample": not empty and sample.loaded(request.user)}
    return render(request, "chat/home.html", context)


def openers(empty: bool) -> list[str]:
    """What one could begin with. The first ones tell something worth remembering, so that the memory shows itself at once."""
    if empty:
        return [
            _("I'd like to sit for fifteen minutes every morning, but my legs go numb. How do I begin?"),
            _("I'm on day 3 of quitting smoking. What helps when the craving comes?"),
            _("I can't calm down before sleep. Is there something simple?"),
        ]
    return [
        _("What did we talk about last time?"),
        _("I always get distracted while meditating. What can I do?"),
        _("What do you remember about me?"),
    ]


@require_POST
def load_sample(request: HttpRequest) -> HttpResponse:
    newest = sample.load(request.user, short_language())[0]
    return redirect("conversation", newest.pk)


@require_POST
def remove_sample(request: HttpRequest) -> HttpResponse:
    sample.remove(request.user)
    messages.success(request, _("The sample is gone, with all that was remembered from it."))
    return redirect("chat")


@require_GET
def keys(request: HttpRequest) -> HttpResponse:
    return render(request, "chat/keys.html")


@require_POST
def start(request: HttpRequest) -> HttpResponse:
    key = sent_key(request)
    turn = Turn.objects.owned_by(request.user).filter(key=key).first() if key else None
    if turn is None:
        form = NewConversationForm(request.POST)
        form.is_valid()
        chosen = {name: form.cleaned_data[name] for name in ("temporary", "memory")}
        with transaction.atomic():
            conversation = conversations.begin(request.user, **chosen)
            turn = reply.post(request.user, conversation, request.POST.get("text", ""), key=key)
    return redirect("conversation", turn.conversation_id)


@require_GET
def conversation(request: HttpRequest, pk: int) -> HttpResponse:
    """The newest turns of the branch on screen, or with `?turn=` those around one; `?before=` asks for the page before a turn."""
    talk = own_conversation(request, pk)
    view = reading.view_of(talk, before=request.GET.get("before", ""), around=request.GET.get("turn", ""))
    context = {"conversation": talk, "view": view, "key": new_key(), "modes": Conversation.MemoryMode}
    template = "chat/conversation.html"
    if request.htmx and "before" in request.GET:
        template += "#turns"
    return render(request, template, context)


@require_POST
def send(request: HttpRequest, pk: int) -> HttpResponse:
    talk = own_conversation(request, pk)
    turn = reply.post(request.user, talk, request.POST.get("text", ""), key=sent_key(request))
    if not request.htmx:
        return redirect(reverse("conversation", args=[talk.pk]) + f"#turn-{turn.pk}")
    return render(request, "chat/sent.html", {"turn": reading.turn_of(request.user, turn.pk), "key": new_key(), "fresh": True})


@require_http_methods(["GET", "POST"])
def rename(request: HttpRequest, pk: int) -> HttpResponse:
    talk = own_conversation(request, pk)
    if request.method == "GET":
        return render(request, "chat/rename.html", {"conversation": talk})
    conversations.change(talk, title=request.POST.get("title", ""))
    return redirect("conversation", pk)


@require_http_methods(["GET", "POST"])
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    talk = own_conversation(request, pk)
    if request.method == "GET":
        kept = Memory.objects.owned_by(request.user).live().filter(turns__conversation=talk).distinct().count()
        return render(request, "chat/delete.html", {"conversation": talk, "kept": kept})
    erase.erase_conversation(talk, Actor.person(request.user), with_memories="with_memories" in request.POST)
    messages.success(request, _("The conversation is deleted."))
    return redirect("chat")


@require_GET
def export(request: HttpRequest, pk: int) -> HttpResponse:
    """The conversation as a Markdown file."""
    return as_file(talk_as_markdown(own_conversation(request, pk)), "markdown", name=f"xinji-{pk}")


@require_POST
def set_mode(request: HttpRequest, pk: int) -> HttpResponse:
    talk = own_conversation(request, pk)
    mode = request.POST.get("memory", "")
    if mode not in Conversation.MemoryMode.values:
        raise BadInput("unknown_mode", _("Please choose how this conversation uses the memory."))
    conversations.change(talk, memory=mode)
    return redirect("conversation", pk)
