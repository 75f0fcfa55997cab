"""Fixtures: three people (Alice owns things, Bob is another user, Charlie a stranger), a scripted model, workers, a browser."""

import json
import os
import shutil
from pathlib import Path

import hypothesis
import pytest
import redis

from memoryapp.translations import compile_all
from tests.factories import make_user
from tests.llm_server import ScriptedLLM
from tests.running import Site, Workers, wait_until_quiet

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

# Properties are about results; how long a busy machine takes for one is none.
hypothesis.settings.register_profile("unhurried", deadline=None)
hypothesis.settings.load_profile("unhurried")


def pytest_configure(config):
    if not hasattr(config, "workerinput"):  # once, not in every worker of pytest-xdist
        compile_all(Path(__file__).resolve().parent.parent / "locale")


def pytest_collection_modifyitems(items):
    """What starts processes or a browser takes longest: first, so that at the end no worker of pytest-xdist is left with it."""
    slow_files = {item.path for item in items for mark in ("workers", "browser") if item.get_closest_marker(mark)}
    items.sort(key=lambda item: (not item.get_closest_marker("workers"), item.path not in slow_files))


@pytest.fixture
def alice(db):
    return make_user("alice")


@pytest.fixture
def bob(db):
    return make_user("bob")


@pytest.fixture
def charlie(db):
    return make_user("charlie")


@pytest.fixture(autouse=True)
def _clean_redis(request):
    """Streams and rate limits of one test are nothing to the next. Tests without a database use no Redis either."""
    yield
    if {"db", "transactional_db"} & set(request.fixturenames) or request.node.get_closest_marker("django_db"):
        from django.conf import settings

        with redis.Redis.from_url(settings.REDIS_URL) as client:
            client.flushdb()


@pytest.fixture
def llm(settings):
    """A scripted model; the client of this test and of workers started after it talks to it."""
    with ScriptedLLM() as server:
        settings.OPENAI_BASE_URL = server.base_url
        settings.OPENAI_API_KEY = "test-key"
        settings.CHAT_MODEL = "scripted"
        yield server


@pytest.fixture
def workers(transactional_db, tmp_path):
    """Real Celery workers: `workers.start()`, `workers.kill("reply")`. Ask for `llm` before it to give them a model."""
    running = Workers(tmp_path)
    yield running
    running.stop()


@pytest.fixture
def worker_thread(transactional_db):
    """A Celery worker for both queues inside this process: lighter than `workers`, and the test's settings hold in it."""
    from celery.contrib.testing.worker import start_worker

    from memoryapp.celery import app

    app.loader.import_default_modules()
    with start_worker(app, pool="threads", concurrency=4, queues=["reply", "memory"], perform_ping_check=False) as worker:
        yield worker


@pytest.fixture(scope="session")
def _site(django_db_setup, django_db_blocker, tmp_path_factory):
    with django_db_blocker.unblock():
        site = Site(tmp_path_factory.mktemp("site"))
    site.start()
    yield site
    site.stop()


@pytest.fixture
def live_site(transactional_db, _site):
    """The site as a browser meets it, on the test database: `live_site.url`. Start `workers` too if it has to answer."""
    yield _site
    wait_until_quiet()


@pytest.fixture(scope="module")
def _chromium():
    """One browser a module: Playwright keeps an event loop in this thread while it runs, and other tests need their own."""
    if CHROMIUM is None:
        pytest.skip("no Chromium found: `apt-get install chromium` makes the browser tests run")
    from playwright.sync_api import sync_playwright

    # Django takes that loop for a mistake of ours.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_FLAGS)
        yield chromium
        chromium.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def browser(_chromium, live_site):
    """A browser profile of its own (`browser.new_page()` is one more tab). Its Chinese; paths are relative to the site."""
    context = _chromium.new_context(base_url=live_site.url, locale="zh-CN", timezone_id="Asia/Shanghai")
    context.set_default_timeout(15_000)
    yield context
    context.close()


@pytest.fixture
def page(browser):
    """A tab. The test fails if its scripts raise or its Content-Security-Policy is broken."""
    tab = browser.new_page()
    faults: list[str] = []
    tab.on("pageerror", lambda error: faults.append(str(error)))
    tab.on("console", lambda line: faults.append(line.text) if "Content Security Policy" in line.text else None)
    yield tab
    assert not faults, faults


@pytest.fixture
def write(tmp_path):
    """Writes bytes, or data as JSON, into a file and returns its path."""

    def write(content, name: str = "history.json") -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content, ensure_ascii=False).encode())
        return path

    return write


@pytest.fixture
def account(alice):
    """Alice's settings, in Shanghai's time."""
    from chat.models import Account

    account = Account.objects.of(alice)
    account.time_zone = "Asia/Shanghai"
    account.save()
    return account
