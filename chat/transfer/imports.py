"""Bring histories in: every conversation once, however often the file is read; every turn remembered like one that was said here."""

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.models import User
from django.core.serializers.json import DjangoJSONEncoder
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.conversations import MAX_TITLE, History, add_history
from chat.errors import BadInput
from chat.memory.text import strip_controls
from chat.models import Account, Conversation, Job
from chat.transfer.formats import UNKNOWN_FORMAT, Talk, is_own, read
from chat.transfer.restoring import bury_forgotten, restore_by_hand

MAX_BYTES = 500 * 1024 * 1024
UNREADABLE = {
    "no_file": _("There is no such file."),
    "too_large": _("The file is larger than 500 MB."),
    "not_json": _("The file isn't JSON in UTF-8."),
    "unknown_format": UNKNOWN_FORMAT,
}
REPORTED = 50  # broken items named in the report; the others are counted


@dataclass
class Report:
    """What an import did. `broken` names places in the file, never its text."""

    conversations: int = 0
    turns: int = 0
    known: int = 0
    erased: int = 0
    by_hand: int = 0  # values, pins and typed memories that an export of ours brought back
    broken: list[str] = field(default_factory=list)
    broken_count: int = 0
    users: dict[str, int] = field(default_factory=dict)  # user name → new turns
    turn_ids: list[int] = field(default_factory=list)

    def note(self, broken: list[str]) -> None:
        self.broken_count += len(broken)
        self.broken += broken[: max(0, REPORTED - len(self.broken))]

    def count(self, user: User, history: History) -> None:
        self.conversations += 1
        self.turns += len(history.turns)
        self.known += history.known
        self.erased += history.erased
        self.users[user.get_username()] = self.users.get(user.get_username(), 0) + len(history.turns)
        self.turn_ids += [turn.pk for turn in history.turns]

    def numbers(self) -> dict:
        names = ("conversations", "turns", "known", "erased", "by_hand", "broken_count")
        return {name: getattr(self, name) for name in names}


def name_of(path: Path) -> str:
    """A hash of the content. BadInput: no_file, too_large."""
    if not path.is_file():
        raise BadInput("no_file", UNREADABLE["no_file"])
    if path.stat().st_size > MAX_BYTES:
        raise BadInput("too_large", UNREADABLE["too_large"])
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def load(path: Path) -> object:
    """The parsed file. BadInput: not_json."""
    try:
        return json.loads(path.read_bytes().decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise BadInput("not_json", UNREADABLE["not_json"]) from None


def import_file(path: Path, user: User | None, progress: Callable[[Report], None] = lambda report: None) -> Report:
    """Everything that can be read from `path`. Without `user`, each person of the file gets an account of their own.

    Safe to run again, also after a crash: conversations and turns that are there are left alone. A file without persons
    needs `user`. BadInput: no_file, too_large, not_json, unknown_format, whose_history, name_taken.
    """
    job = _begin_job(name_of(path), user)
    report = Report()
    try:
        data = load(path)
        if user and is_own(data):
            bury_forgotten(data, user)
        for talk in read(data, _zone(user)):
            report.note(talk.broken)
            if talk.exchanges:
                owner = user or _person(talk.person)
                report.count(owner, _bring_in(owner, talk))
            _progress(job, report)
            progress(report)
        if user and is_own(data):
            report.by_hand = restore_by_hand(data, user)
            _progress(job, report)
    except Exception as error:
        code = getattr(error, "code", type(error).__name__)
        Job.objects.filter(pk=job.pk).update(status=Job.Status.DEAD, error=code)
        raise
    Job.objects.filter(pk=job.pk).update(status=Job.Status.DONE, finished_at=timezone.now(), heartbeat_at=None)
    return report


def _begin_job(digest: str, user: User | None) -> Job:
    now = timezone.now()
    fields = {
        "status": Job.Status.RUNNING,
        "heartbeat_at": now,
        "due_at": now,
        "finished_at": None,
        "error": "",
        "user": user,
    }
    key = f"{digest[:32]}:{user.pk if user else 'persons'}"
    return Job.objects.update_or_create(kind=Job.Kind.IMPORT, key=key, defaults=fields)[0]


def _progress(job: Job, report: Report) -> None:
    Job.objects.filter(pk=job.pk).update(progress=report.numbers(), heartbeat_at=timezone.now())


def _zone(user: User | None) -> ZoneInfo:
    return ZoneInfo(Account.objects.of(user).zone_name if user else settings.TIME_ZONE)


def _bring_in(owner: User, talk: Talk) -> History:
    """Into the conversation that an earlier run made of it, into a new one, or nowhere if it is one that was never gone."""
    if talk.original and _still_here(owner, talk.original):
        return History(known=len(talk.exchanges))
    first = min(exchange.at for exchange in talk.exchanges)
    title = " ".join(strip_controls(talk.title).split())[:MAX_TITLE]
    fields = {"title": title, "memory": talk.memory, "created_at": first, "last_turn_at": first}
    conversation, _made = Conversation.objects.get_or_create(user=owner, imported_from=talk.key, defaults=fields)
    return add_history(conversation, talk.exchanges)


def _still_here(owner: User, original: tuple[int, str]) -> bool:
    """Our own export read into the account that it came from, where the conversation still lives."""
    number, created = original
    here = Conversation.objects.owned_by(owner).filter(pk=number).first()
    return here is not None and created == DjangoJSONEncoder().default(here.created_at)


def _person(name: str) -> User:
    """The account of a person of the file; made without a password, so that nobody can sign in to it with one."""
    if not name:
        raise BadInput("whose_history", _("Say whose history this is: --user NAME."))
    username = re.sub(r"[^\w.@+-]+", "_", name)[:150]
    user, made = User.objects.get_or_create(username=username)
    if made:
        user.set_unusable_password()
        user.save(update_fields=["password"])
    elif user.has_usable_password():
        raise BadInput(
            "name_taken", _("Someone with the name %(name)s signs in here. Use --user.") % {"name": username}
        )
    return user
