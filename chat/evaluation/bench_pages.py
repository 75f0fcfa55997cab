"""Speed of the pages that grow with their user: the inspector's list over 50,000 memories, a conversation of 500 turns,
each with 8 memories in its answer.

Server times are of whole requests through all middleware, by the clock and by the processor. First paint is measured in
Chromium where one and Playwright are installed; else it is left out. All rows belong to one user, who is removed at the end.
"""

import shutil
import threading
import time
from contextlib import contextmanager
from datetime import timedelta
from importlib.util import find_spec
from pathlib import Path
from socketserver import ThreadingMixIn
from statistics import median
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import numpy as np
from django.conf import settings
from django.contrib.auth.models import User
from django.core.wsgi import get_wsgi_application
from django.db import connection
from django.test import Client
from django.utils import timezone

from chat.evaluation.synthetic import Shape, settle, stores
from chat.llm.embeddings import warm
from chat.models import Account, Conversation, Memory, Recall, RecallItem, Turn

ROWS, TURNS, USED = 50_000, 500, 8
LIST_LIMIT_MS, PAINT_LIMIT_MS = 300, 1000
PAGES = {
    "list": "/memory/list/",
    "list, page 900": "/memory/list/?page=900",
    "list, one word": "/memory/list/?q=站桩",
    "list, no such word": "/memory/list/?q=没有这个词",
    "list, a common character": "/memory/list/?q=坐",
    "list, most used": "/memory/list/?order=uses",
    "list, never used, dated": "/memory/list/?unused=on&since=2025-01-01",
    "list, about one thing": "/memory/list/?about=走神",
    "list, scored": "/memory/list/?ask=打坐时膝盖疼怎么办",
    "list, most certain": "/memory/list/?order=sure",
    "memory": "/memory/{memory}/",
    "state": "/memory/",
    "usage": "/memory/usage/",
    "conversation": "/c/{talk}/",
}
PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"


def run(data_dir: Path, options: dict) -> dict:
    """Fill, ask for every page `questions` times, clean up. Times are milliseconds."""
    warm()
    with stores(Shape(), [ROWS]) as [(user, _size)]:
        talk = _converse(user)
        newest = _recall(user)
        settle()
        client = Client(HTTP_HOST="localhost")
        client.force_login(user)
        Account.objects.of(user)
        addresses = {name: address.format(talk=talk.pk, memory=newest.pk) for name, address in PAGES.items()}
        measured = {name: _measure(client, address, options["questions"]) for name, address in addresses.items()}
        lists = [numbers["p95"] for name, numbers in measured.items() if name.startswith("list")]
        return {
            "name": "pages",
            "memories": Memory.objects.filter(user=user).count(),
            "turns": TURNS,
            "pages": measured,
            "list_p95_ms": max(lists),
            "list_within_limit": max(lists) <= LIST_LIMIT_MS,
            "first_paint": _first_paints(client, addresses, options["questions"]),
        }


def _converse(user: User) -> Conversation:
    talk = Conversation.objects.create(user=user, title="五百轮", last_turn_at=timezone.now())
    start, parent = timezone.now() - timedelta(days=1), None
    for number in range(TURNS):
        at = start + timedelta(minutes=number)
        parent = Turn.objects.create(
            conversation=talk, user=user, parent=parent, text=f"第{number}句：我昨天打坐时总走神。", at=at, status="done",
            answer="**慢慢来。** 先数呼吸，从一数到十。\n\n- 走神了，就回到一\n- 腿麻了，换个姿势\n" * 3,
            answered_by="builtin", started_at=at, finished_at=at, key=f"k{number}",
        )  # fmt: skip
    talk.leaf = parent
    talk.save(update_fields=["leaf"])
    return talk


def _recall(user: User) -> Memory:
    """Each of the turns used some of the memories on the first page of the list. The newest of these."""
    shown = list(Memory.objects.filter(user=user, state="live").order_by("-recorded_at", "-pk")[:50])
    turns = Turn.objects.filter(user=user)
    recalls = Recall.objects.bulk_create(Recall(user=user, turn=turn, query=turn.text, considered=50) for turn in turns)
    RecallItem.objects.bulk_create(
        RecallItem(recall=recall, memory=memory, rank=rank, text=memory.text, kind=memory.kind, decision="used", score=0.5)
        for place, recall in enumerate(recalls)
        for rank, memory in enumerate((shown[(place + step * 7) % len(shown)] for step in range(USED)), 1)
    )
    return shown[0]


def _measure(client: Client, address: str, times: int) -> dict:
    statements: list[str] = []
    with connection.execute_wrapper(lambda execute, sql, *rest: statements.append(sql) or execute(sql, *rest)):
        answer = client.get(address)
    assert answer.status_code == 200, (address, answer.status_code)
    clock, processor = [], []
    for _time in range(times):
        begun, worked = time.perf_counter(), time.process_time()
        client.get(address)
        clock.append((time.perf_counter() - begun) * 1000)
        processor.append((time.process_time() - worked) * 1000)
    return {
        "p50": round(median(clock), 1),
        "p95": round(float(np.percentile(clock, 95)), 1),
        "cpu_p50": round(median(processor), 1),
        "queries": len(statements),
        "kilobytes": round(len(answer.content) / 1024, 1),
    }


class _Threading(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Quiet(WSGIRequestHandler):
    def log_message(self, *_arguments) -> None:
        """A measurement needs no log of requests."""


@contextmanager
def _served():
    server = make_server("127.0.0.1", 0, get_wsgi_application(), _Threading, _Quiet)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()


def _first_paints(client: Client, addresses: dict[str, str], times: int) -> dict | str:
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None or find_spec("playwright") is None:
        return "no Chromium with Playwright here"
    from playwright.sync_api import sync_playwright

    cookie = {"name": settings.SESSION_COOKIE_NAME, "value": client.cookies[settings.SESSION_COOKIE_NAME].value}
    found = {}
    with _served() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        context = browser.new_context(base_url=url)
        context.add_cookies([cookie | {"url": url}])
        page = context.new_page()
        for name in ("conversation", "list"):
            page.goto(addresses[name])  # once, so that styles and scripts are in the browser's cache as for a reader
            paints = [_paint(page, addresses[name]) for _time in range(min(times, 20))]
            found[name] = {"p50": round(median(paints), 1), "p95": round(float(np.percentile(paints, 95)), 1)}
        browser.close()
    found["within_limit"] = found["conversation"]["p95"] <= PAINT_LIMIT_MS
    return found


def _paint(page, address: str) -> float:
    page.goto(address)
    page.wait_for_function(f"() => {PAINT} !== undefined")
    return page.evaluate(PAINT)
