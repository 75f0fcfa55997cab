"""The Celery application: queue `reply` (threads, answers) and queue `memory` (processes, everything that can wait)."""

import os

from celery import Celery
from celery.signals import celeryd_after_setup

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")
app = Celery("memoryapp")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@celeryd_after_setup.connect
def warm(instance, **_more) -> None:
    """The first answer should not wait for libraries and the embedder, nor lose a route of recall to their loading.

    The memory worker doesn't hurry, and forks: its children load for themselves.
    """
    if "reply" in instance.app.amqp.queues.consume_from:
        from chat import warming

        warming.warm()
        warming.warm_rules()
