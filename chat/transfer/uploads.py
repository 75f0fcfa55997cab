"""A history that someone uploads: kept as a file until a worker has brought it in, then gone.

The Job row is the truth. A worker that dies leaves row and file, and the sweeper hands them to the next one.
"""

import hashlib
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import User
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat import jobs
from chat.errors import BadInput
from chat.models import Job
from chat.transfer.imports import import_file

MOST_BYTES = 100 * 1024 * 1024


def receive(user: User, file: UploadedFile | None) -> Job:
    """Keep the file and have it brought in. The same file again is the same job. BadInput: no_file, too_large."""
    if file is None:
        raise BadInput("no_file", _("Please choose a file."))
    if file.size > MOST_BYTES:
        raise BadInput("too_large", _("The file is larger than 100 MB."))
    digest = hashlib.sha256()
    for chunk in file.chunks():
        digest.update(chunk)
    key = f"{digest.hexdigest()[:32]}:{user.pk}"
    fresh = {"user": user, "status": Job.Status.WAITING, "due_at": timezone.now(), "attempts": 0, "error": "", "progress": {}}
    with transaction.atomic():
        job, _made = Job.objects.update_or_create(kind=Job.Kind.IMPORT, key=key, defaults=fresh | {"finished_at": None})
        _keep(job.pk, file)
        transaction.on_commit(lambda: jobs.knock(Job.Kind.IMPORT, job.pk))
    return job


def _keep(job_id: int, file: UploadedFile) -> None:
    path = place_of(job_id)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    part = path.with_suffix(".part")
    with part.open("wb") as kept:
        for chunk in file.chunks():
            kept.write(chunk)
    part.replace(path)


def place_of(job_id: int) -> Path:
    return settings.MEDIA_ROOT / "imports" / f"{job_id}.json"


def bring_in(job_id: int) -> None:
    """The worker's part. A job of the command line has no file here, and is left to it."""
    row = Job.objects.filter(pk=job_id, kind=Job.Kind.IMPORT).select_related("user").first()
    path = place_of(job_id)
    if row is None or not path.exists():
        return
    stale = timezone.now() - timedelta(seconds=jobs.STALE_SECONDS)
    if row.user is None or Job.objects.claim(Job.Kind.IMPORT, row.key, stale) is None:
        return
    with suppress(BadInput):  # the row tells why
        import_file(path, row.user)
    path.unlink(missing_ok=True)


def latest(user: User) -> Job | None:
    """The import that the user's settings tell of."""
    return Job.objects.filter(kind=Job.Kind.IMPORT, user=user).order_by("-due_at", "-pk").first()


def still_to_remember(user: User) -> int:
    waiting = Job.objects.filter(kind=Job.Kind.REMEMBER, user=user, status__in=[Job.Status.WAITING, Job.Status.RUNNING])
    return waiting.count()
