"""The servers that come with the package: they keep what they were given, whoever is killed, and never get in each other's way."""

import json
import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import psutil
import psycopg
import pytest
import redis

from memoryapp import embedded, launch
from tests.running import wait_until

ROOT = Path(__file__).resolve().parent.parent
HOLD = """
import json, os, sys, time
from pathlib import Path
from memoryapp import embedded
with embedded.run(Path(sys.argv[1])):
    print(json.dumps({name: os.environ[name] for name in embedded.VARIABLES}), flush=True)
    time.sleep(600)
"""


@pytest.fixture(autouse=True)
def no_servers_named(monkeypatch):
    for name in embedded.VARIABLES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return tmp_path_factory.mktemp("embedded")


@contextmanager
def holder(data):
    """Another process that holds `data`, and the addresses of its servers."""
    process = subprocess.Popen([sys.executable, "-c", HOLD, data], stdout=subprocess.PIPE, text=True, cwd=ROOT)
    try:
        yield process, json.loads(process.stdout.readline())
    finally:
        process.kill()
        process.wait()
        wait_until(lambda: not processes_on(data), 60, "nothing is left of the servers")


def processes_on(data) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter(["cmdline"]):
        if any(str(data) in part for part in process.info["cmdline"] or ()) and process.pid != os.getpid():
            found.append(process)
    return found


def write_down(urls, word: str) -> None:
    with psycopg.connect(urls["DATABASE_URL"]) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS words (word text)")
        connection.execute("INSERT INTO words VALUES (%s)", [word])
    redis.Redis.from_url(urls["REDIS_URL"]).set("word", word)


def written(urls) -> tuple[str, str]:
    with psycopg.connect(urls["DATABASE_URL"]) as connection:
        word = connection.execute("SELECT word FROM words ORDER BY ctid DESC LIMIT 1").fetchone()[0]
    return word, redis.Redis.from_url(urls["REDIS_URL"], decode_responses=True).get("word")


def test_they_run_for_as_long_as_they_are_asked_to(data):
    with embedded.run(data):
        urls = {name: os.environ[name] for name in embedded.VARIABLES}
        with psycopg.connect(urls["DATABASE_URL"]) as connection:
            connection.execute("CREATE EXTENSION vector")
            assert connection.execute("SELECT '[1,2]'::halfvec <=> '[1,2]'").fetchone() == (0.0,)
        write_down(urls, "静坐")
    assert not processes_on(data)
    assert not set(embedded.VARIABLES) & set(os.environ)
    with embedded.run(data):
        assert written(os.environ) == ("静坐", "静坐")


def test_when_their_parent_is_killed_they_end_and_lose_nothing(data):
    with holder(data) as (process, urls):
        write_down(urls, "数息")
        process.kill()
        process.wait()
        wait_until(lambda: not processes_on(data), 60, "the servers end")
    with embedded.run(data):
        assert written(os.environ) == ("数息", "数息")


def test_when_everything_is_killed_at_once_the_next_start_mends_it(data):
    with holder(data) as (process, urls):
        write_down(urls, "行禅")
        redis.Redis.from_url(urls["REDIS_URL"]).execute_command("BGREWRITEAOF")
        for one in [process, *processes_on(data)]:
            one.send_signal(signal.SIGKILL)
    assert (data / "postgres" / "postmaster.pid").exists()
    with embedded.run(data):
        assert written(os.environ)[0] == "行禅"


def test_two_copies_do_not_meet(data, tmp_path):
    with holder(data) as (_process, theirs), embedded.run(tmp_path):
        assert theirs["DATABASE_URL"] != os.environ["DATABASE_URL"]
        assert theirs["REDIS_URL"] != os.environ["REDIS_URL"]
        write_down(os.environ, "茶")
        write_down(theirs, "雨")
        assert written(os.environ) == ("茶", "茶")


def test_a_directory_in_use_is_refused_and_left_alone(data):
    with holder(data) as (_process, urls):
        assert embedded.locked(data)
        with pytest.raises(embedded.InUse, match=str(data)), embedded.run(data):
            pass
        assert redis.Redis.from_url(urls["REDIS_URL"]).ping()
    assert not embedded.locked(data)


def test_a_path_that_is_too_long_for_a_socket_is_no_obstacle(tmp_path):
    deep = tmp_path / ("很深的目录" * 12) / "数据 with 'quotes'"
    with embedded.run(deep):
        write_down(os.environ, "深")
        assert written(os.environ) == ("深", "深")


def test_what_the_environment_names_is_not_started(tmp_path, monkeypatch):
    for name in embedded.VARIABLES:
        monkeypatch.setenv(name, "elsewhere")
    with embedded.run(tmp_path) as servers:
        assert servers == []
    assert os.environ["DATABASE_URL"] == "elsewhere"


def test_a_directory_that_cannot_be_made_is_a_clear_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(embedded.DidNotStart, match="data directory"), embedded.run(tmp_path / "file" / "data"):
        pass


def test_secrets_are_readable_by_their_owner_only(data):
    with embedded.run(data), embedded.announced(data):
        assert embedded.announcement(data) == {name: os.environ[name] for name in embedded.VARIABLES}
        for path in (data / "servers.json", data / "valkey" / "valkey.conf"):
            assert path.stat().st_mode & 0o077 == 0
    assert embedded.announcement(data) == {}


def test_a_command_uses_the_servers_that_run(data, monkeypatch):
    monkeypatch.setenv("XINJI_DATA", str(data))
    with holder(data) as (_process, urls):
        (data / "servers.json").write_text(json.dumps(urls))
        with launch.prepared(["token", "alice"]):
            assert os.environ["DATABASE_URL"] == urls["DATABASE_URL"]
        (data / "servers.json").unlink()
