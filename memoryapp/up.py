"""Run the whole of 心记 on this machine, until Ctrl-C.

Nothing here imports Django: this process stays for as long as the site runs, and half as much memory does for it.
"""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memoryapp import embedded, launch, processes, supervision
from memoryapp.children import Child, bound
from memoryapp.supervision import say
from memoryapp.translations import compile_all

HEALTHY_SECONDS = 60
GRACE_SECONDS = 25  # for answers that are being written; a second Ctrl-C doesn't wait
PORT_SECONDS = 5  # how long the web process of a copy that was killed may still hold the port
HELP = "Start the servers that the environment does not provide, the web process, the workers and beat. Ctrl-C ends it."


class CantRun(Exception):
    """What the person who started it can do something about."""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--host", default="127.0.0.1", help="127.0.0.1 (default): this machine only")
    parser.add_argument("--data", help="directory of everything that is kept (default: var)")


def main(arguments: list[str]) -> int:
    """`manage.py up`. Returns the exit code."""
    parser = ArgumentParser(prog="manage.py up", description=HELP)
    add_arguments(parser)
    return run(parser.parse_args(arguments))


def run(options: Namespace) -> int:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:  # ignored: started with nohup
            signal.signal(number, signal.default_int_handler)
    if options.data:
        os.environ["XINJI_DATA"] = str(Path(options.data).resolve())
    data = launch.data_directory()
    try:
        _compile_translations()
        if not embedded.locked(data):
            _claim_port(options.host, options.port, patient=bool(embedded.announcement(data)))
        with embedded.run(data) as servers, embedded.announced(data):
            _run_site(options.host, options.port, data, [server.child for server in servers])
    except KeyboardInterrupt:
        say("已停止。Stopped.")
        return 0
    except embedded.InUse as error:
        say(f"{error} Stop that one, or choose another directory with --data.")
    except (embedded.DidNotStart, CantRun) as error:
        say(str(error))
    return 1


def _run_site(host: str, port: int, data: Path, servers: list[Child]) -> None:
    web, reply, *others = children = _children(host, port, data)
    address = f"http://{'127.0.0.1' if host in {'0.0.0.0', '::'} else host}:{port}"  # noqa: S104
    try:
        web.start()  # it takes seconds to import and asks nothing of the database before the first request
        with _preparation() as link:
            reply.start()
            _wait_until_healthy(address, web)
            for child in others:  # what can wait doesn't slow down what is waited for
                child.start()
            say(f"\n心记  {address}/\n登录链接（一次有效）Sign-in link (works once):\n{address}{link}\n")
            say("按 Ctrl-C 停止。Press Ctrl-C to stop.")
            supervision.watch([*servers, *children])
    finally:
        _stop(children)


def _stop(children: list[Child]) -> None:
    say("\n正在停止…… Stopping; once more to stop at once.")
    try:
        supervision.stop(children, GRACE_SECONDS)
    except KeyboardInterrupt:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        supervision.kill(children)


def _children(host: str, port: int, data: Path) -> list[Child]:
    environment = {"XINJI_DATA": str(data), **processes.ENVIRONMENT}
    commands = {
        "web": processes.web(host, port),
        "reply": processes.reply_worker(),
        "memory": processes.memory_worker(),
        "beat": processes.beat(str(data / "beat")),
    }
    logs = data / "logs"
    return [Child(name, argv, logs / f"{name}.log", environment, cwd=launch.BASE_DIR) for name, argv in commands.items()]


def _claim_port(host: str, port: int, patient: bool) -> None:
    until = time.monotonic() + (PORT_SECONDS if patient else 0)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    while True:
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
                return
            except OSError as error:
                if time.monotonic() > until:
                    raise CantRun(
                        f"端口 {port} 不能使用。Port {port} can't be used on {host} ({error.strerror}). Choose another one with --port."
                    ) from None
        time.sleep(0.2)


@contextmanager
def _preparation() -> Iterator[str]:
    """Run `manage.py prepare` until it prints the path of the sign-in link; what it does after that goes on beside."""
    arguments = [sys.executable, launch.BASE_DIR / "manage.py", "prepare"]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True, **bound()) as process:  # noqa: S603
        try:
            link = next((line.strip() for line in process.stdout if line.startswith("/sign-in/")), None)
            if link is None:
                raise CantRun("The database could not be prepared; the reason stands above.")
            yield link
        finally:
            process.terminate()


def _wait_until_healthy(address: str, web: Child) -> None:
    until = time.monotonic() + HEALTHY_SECONDS
    answer = ""
    while time.monotonic() < until:
        try:
            urllib.request.urlopen(address + "/api/health", timeout=10).close()  # noqa: S310
            return
        except urllib.error.HTTPError as error:
            answer = error.read(2000).decode(errors="replace")
        except OSError as error:
            answer = str(error)
        if not web.running:
            raise CantRun(f"The web process ended:\n{web.last_words()}")
        time.sleep(0.1)
    say(f"Not healthy after {HEALTHY_SECONDS} s: {answer}")


def _compile_translations() -> None:
    with contextlib.suppress(PermissionError):  # a tree of another user; whoever put it there compiled them
        compile_all(launch.BASE_DIR / "locale")
