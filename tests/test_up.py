"""`manage.py up`: the whole installation, as its owner starts and stops it."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import psutil
import pytest

from memoryapp import embedded
from tests.running import free_port, wait_until

ROOT = Path(__file__).resolve().parent.parent
MANAGE = [sys.executable, str(ROOT / "manage.py")]
PROCESSES = {"web", "reply", "memory", "beat"}
START_SECONDS = 150  # on a machine that does other things too
LINK = re.compile(r"http://127\.0\.0\.1:\d+/sign-in/\S+")

pytestmark = pytest.mark.workers


def clean_environment(**more: str) -> dict[str, str]:
    named = {*embedded.VARIABLES, "XINJI_DATA", "DJANGO_SETTINGS_MODULE", "SECRET_KEY"}
    return {name: value for name, value in os.environ.items() if name not in named} | more


class Installation:
    """One copy of 心记 in a directory of its own."""

    def __init__(self, data: Path, port: int):
        self.data, self.port = data, port
        self.address = f"http://127.0.0.1:{port}"
        self.console = data.with_name(data.name + ".console")

    def start(self) -> None:
        argv = [*MANAGE, "up", "--port", str(self.port), "--data", str(self.data)]
        with self.console.open("w") as console:
            self.process = subprocess.Popen(argv, stdout=console, stderr=console, env=clean_environment(), cwd="/")
        wait_until(lambda: "Ctrl-C" in self.said() or self.process.poll() is not None, START_SECONDS, "up")
        assert self.process.poll() is None, self.said()

    def said(self) -> str:
        return self.console.read_text()

    def health(self) -> dict:
        with urllib.request.urlopen(self.address + "/api/health", timeout=20) as answer:
            return json.load(answer)

    def processes(self) -> list[psutil.Process]:
        """All that run for this copy: its own session's children know the directory by name or by environment."""
        found = []
        for process in psutil.process_iter():
            try:
                known = [*process.cmdline(), process.environ().get("XINJI_DATA", "")]
            except psutil.Error:
                continue
            if any(str(self.data) in part for part in known) and process.pid != os.getpid():
                found.append(process)
        return found

    def child(self, name: str) -> psutil.Process | None:
        words = {"web": "uvicorn", "reply": "--queues reply", "memory": "--queues memory", "beat": "memoryapp --quiet beat"}
        for process in psutil.Process(self.process.pid).children():
            with contextlib.suppress(psutil.Error):  # it may be ending just now
                if words[name] in " ".join(process.cmdline()):
                    return process
        return None

    def stop(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(90)


@pytest.fixture(scope="module")
def installation(tmp_path_factory):
    copy = Installation(tmp_path_factory.mktemp("up") / "data", free_port())
    copy.start()
    yield copy
    if copy.process.poll() is None:
        copy.stop()


@pytest.fixture(scope="module")
def token(installation):
    """What `manage.py token` prints, to the last character but the line's end."""
    made = run_manage("token", "reader", "--create", XINJI_DATA=str(installation.data))
    assert made.returncode == 0, made.stderr
    return made.stdout.removesuffix("\n")


def ask(installation: Installation, token: str) -> int:
    request = urllib.request.Request(installation.address + "/api/conversations", headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request, timeout=20) as answer:
        return answer.status


def run_manage(*arguments: str, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [*MANAGE, *arguments], capture_output=True, text=True, env=clean_environment(**environment), cwd="/", timeout=120
    )


def test_it_is_healthy_and_all_its_processes_run(installation):
    assert installation.health()["status"] == "ok"
    assert {name for name in PROCESSES if installation.child(name)} == PROCESSES


def test_the_link_it_prints_signs_the_owner_in_once(installation):
    link = LINK.search(installation.said()).group()
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    with opener.open(link, timeout=30) as answer:
        page = answer.read().decode()
    form = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
    if form:  # some mail programs open links by themselves, so the page may ask for one more click
        body = f"csrfmiddlewaretoken={form.group(1)}".encode()
        request = urllib.request.Request(link, body, {"Referer": link, "Origin": installation.address})
        opener.open(request, timeout=30).close()
    with opener.open(installation.address + "/memory/", timeout=30) as answer:
        assert answer.url.endswith("/memory/")


def test_a_token_made_by_hand_meanwhile_is_printed_alone_and_works(installation, token):
    assert re.fullmatch(r"xj_[\w-]{40,}", token)
    assert ask(installation, token) == 200


def test_its_data_cannot_be_used_by_a_second_copy(installation):
    second = run_manage("up", "--port", str(free_port()), "--data", str(installation.data))
    assert second.returncode == 1
    assert str(installation.data) in second.stderr
    assert "Traceback" not in second.stderr
    assert installation.health()["status"] == "ok"


def test_a_port_that_is_taken_is_named(tmp_path):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        refused = run_manage("up", "--port", str(port), "--data", str(tmp_path / "data"))
    assert refused.returncode == 1
    assert str(port) in refused.stderr and "--port" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_a_child_that_dies_is_started_again(installation):
    before = installation.child("beat").pid
    os.kill(before, signal.SIGKILL)
    wait_until(lambda: (beat := installation.child("beat")) and beat.pid != before, 30, "beat again")
    assert "beat ended" in installation.said()


def test_stopping_leaves_no_process_and_starting_again_finds_everything(installation, token):
    assert installation.stop() == 0
    wait_until(lambda: not installation.processes(), 10, "no process is left")
    assert not (installation.data / "servers.json").exists()

    installation.start()
    assert ask(installation, token) == 200


def test_killing_it_leaves_no_process_either(installation):
    assert len(installation.processes()) > len(PROCESSES)
    installation.stop(signal.SIGKILL)
    wait_until(lambda: not installation.processes(), 60, "everything ends with it")
