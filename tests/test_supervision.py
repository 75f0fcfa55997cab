"""Children are kept running, their errors are heard, their logs stay short; translations are compiled without gettext."""

import gettext
import os
import signal
import time

import psutil
import pytest

from memoryapp import supervision
from memoryapp.children import LOG_BYTES, Child
from memoryapp.translations import compile_all
from tests.running import wait_until


@pytest.fixture
def child(tmp_path):
    """Make a child that runs a line of shell."""
    made = []

    def make(script: str) -> Child:
        made.append(Child("child", ["sh", "-c", script], tmp_path / f"{len(made)}.log"))
        made[-1].start()
        return made[-1]

    yield make
    for one in made:
        one.kill()


@pytest.fixture
def watch(monkeypatch):
    """Watch children until a condition holds."""

    def run(children, until, seconds=20):
        end = time.monotonic() + seconds

        def look(_pause):
            assert time.monotonic() < end, "the condition did not come"
            if until():
                raise KeyboardInterrupt
            os.sched_yield()

        monkeypatch.setattr(supervision.time, "sleep", look)
        with pytest.raises(KeyboardInterrupt):
            supervision.watch(children)
        monkeypatch.undo()

    return run


def test_a_child_that_ends_is_started_again_and_again_later_each_time(child, watch, monkeypatch, capsys):
    monkeypatch.setattr(supervision, "LONGEST_PAUSE", 0.2)
    failing = child("echo begun; exit 3")
    watch([failing], lambda: failing.log.read_text().count("begun") >= 3)
    said = capsys.readouterr().err
    assert said.count("child ended (code 3)") >= 2


def test_pauses_grow_and_a_steady_child_is_forgiven(child):
    one = supervision._Watch(child("exit 1"), started=0.0)
    one.child.process.wait()
    pauses = []
    for now in (100.0, 200.0, 300.0):
        one.due = None
        supervision._see_to(one, now)
        pauses.append(one.due - now)
    assert pauses == [0.5, 1.0, 2.0]
    one.failures, one.due = 50, None
    supervision._see_to(one, 400.0)
    assert one.due == 400.0 + supervision.LONGEST_PAUSE
    one.child, one.started = child("sleep 60"), 500.0
    supervision._see_to(one, 500.0 + supervision.STEADY_SECONDS + 1)
    assert one.failures == 0


def test_errors_in_a_log_are_said_once_and_nothing_else_is(child, watch, capsys):
    talking = child("sleep 60")
    lines = "INFO all is well\n2026-08-20 ERROR the sky falls\nTERRORS of the night\n"
    done = iter([False, True])

    def until():
        with talking.log.open("a") as log:
            log.write(lines)
        return next(done)

    watch([talking], until)
    assert capsys.readouterr().err == "child: 2026-08-20 ERROR the sky falls\n"


def test_a_long_log_is_set_aside_and_the_child_goes_on_writing(child):
    writer = child("while :; do echo line; sleep 0.01; done")
    with writer.log.open("ab") as log:
        log.write(b"x" * (LOG_BYTES + 1))
    writer.cap_log()
    assert writer.log.with_suffix(".log.1").stat().st_size > LOG_BYTES
    wait_until(lambda: writer.log.read_text().startswith("line\n"), 10, "the log begins anew")
    assert writer.log.stat().st_size < LOG_BYTES


def test_a_child_that_does_not_want_to_end_is_killed_with_all_its_children(child):
    stubborn = child("trap '' TERM; sleep 300 & echo $!; wait; sleep 300")
    grandchild = int(wait_until(lambda: stubborn.log.read_text().strip(), 10))
    started = time.monotonic()
    stubborn.stop(0.3)
    assert time.monotonic() - started < 10
    assert not stubborn.running
    wait_until(lambda: not psutil.pid_exists(grandchild) or psutil.Process(grandchild).status() == "zombie", 10)


def test_a_child_that_ends_when_asked_is_not_waited_for_longer(child):
    willing = child("exec sleep 300")
    started = time.monotonic()
    supervision.stop([willing], 60)
    assert time.monotonic() - started < 30
    assert willing.process.returncode == -signal.SIGTERM


def test_translations_are_compiled_when_they_changed(tmp_path):
    folder = tmp_path / "zh_Hans" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    source = folder / "django.po"
    header = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
    source.write_text(header + 'msgid "silence"\nmsgstr "静音"\n\n#, fuzzy\nmsgid "tea"\nmsgstr "茶？"\n')
    assert compile_all(tmp_path) == [folder / "django.mo"]
    with (folder / "django.mo").open("rb") as file:
        known = gettext.GNUTranslations(file)
    assert (known.gettext("silence"), known.gettext("tea")) == ("静音", "tea")
    assert compile_all(tmp_path) == []
    os.utime(source, (time.time() + 5, time.time() + 5))
    assert compile_all(tmp_path) == [folder / "django.mo"]
