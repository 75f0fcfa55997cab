"""What the container files and .env.example promise exists in the project. There is no engine here that could run them."""

import ast
import re
import shlex
from pathlib import Path

import pytest
import yaml
from django.core.management import get_commands

from memoryapp import processes

ROOT = Path(__file__).resolve().parent.parent
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
DOCKERFILE = (ROOT / "Dockerfile").read_text()
EXAMPLE = (ROOT / ".env.example").read_text()
FOR_OTHERS = {"POSTGRES_USER", "POSTGRES_PASSWORD", "POSTGRES_DB", "PORT"}  # the images' and compose's own
FOR_PYTHON = {"PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "CELERY_SKIP_CHECKS"}


def variables_read() -> set[str]:
    """Names that `read_…("NAME")` and `os.environ…["NAME"]` ask for in the code of the site."""
    names = set()
    for path in [*(ROOT / "memoryapp").glob("*.py"), *(ROOT / "chat").rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "").startswith("read_") and node.args:
                name = node.args[0]
                if isinstance(name, ast.Constant) and isinstance(name.value, str) and name.value.isupper():
                    names.add(name.value)
    return names


def variables_of_example() -> set[str]:
    return set(re.findall(r"^#?([A-Z][A-Z_]+)=", EXAMPLE, re.M))


def test_every_variable_of_the_settings_is_in_the_example():
    assert len(variables_read()) > 15
    assert variables_read() - variables_of_example() == set()


def test_every_variable_of_the_example_is_read():
    assert variables_of_example() - variables_read() - FOR_OTHERS == set()


def test_every_variable_of_the_containers_is_read():
    named = set(re.findall(r"\$\{([A-Z_]+)", (ROOT / "docker-compose.yml").read_text()))
    for service in COMPOSE["services"].values():
        named |= set(service.get("environment", {}))
    named |= set(re.findall(r"\b([A-Z][A-Z_]+)=", DOCKERFILE))
    assert named - variables_read() - FOR_OTHERS - FOR_PYTHON == set()
    assert set(re.findall(r"\$\{([A-Z_]+)", (ROOT / "docker-compose.yml").read_text())) <= variables_of_example()


@pytest.mark.parametrize(
    ("service", "argv"),
    [
        ("worker", processes.reply_worker()),
        ("memory-worker", processes.memory_worker()),
        ("beat", processes.beat("/tmp/beat")),
    ],
)
def test_workers_are_started_as_by_up(service, argv):
    assert shlex.split(COMPOSE["services"][service]["command"])[1:] == argv[1:]


def test_the_site_is_prepared_and_started_as_by_up():
    shell = shlex.split(COMPOSE["services"]["web"]["command"])
    prepare, serve = shell[2].split(" && ")
    expected = processes.web("0.0.0.0", 8000)[1:]
    assert serve.removeprefix("exec python ").split() == [*expected, "--proxy-headers"]
    assert re.search(r'^CMD \["python", (.*)\]$', DOCKERFILE, re.M).group(1).replace('"', "").split(", ") == [
        *expected,
        "--proxy-headers",
    ]
    assert prepare == "python manage.py prepare"


def test_every_manage_command_exists():
    text = "\n".join([DOCKERFILE, (ROOT / "docker-compose.yml").read_text(), EXAMPLE, (ROOT / "Makefile").read_text()])
    used = set(re.findall(r"manage\.py (\w+)", text))
    for readme in ("README.md", "README.zh.md"):
        rows = [row.split("|")[1] for row in (ROOT / readme).read_text().splitlines() if row.startswith("| `")]
        listed = {word for row in rows for word in re.findall(r"`([a-z_]+)", row)} - {"python"}
        assert len(listed) > 7
        used |= listed
    assert {"up", "prepare", "compile_translations", "reembed"} <= used
    assert used - set(get_commands()) == set()


def test_every_queue_has_a_worker(settings):
    served = re.findall(r"--queues (\w+)", (ROOT / "docker-compose.yml").read_text())
    asked = {settings.CELERY_TASK_DEFAULT_QUEUE, *(route["queue"] for route in settings.CELERY_TASK_ROUTES.values())}
    assert asked == set(served)


def test_files_that_the_image_copies_exist():
    assert (ROOT / "requirements.txt").exists()
    assert set(COMPOSE["services"]) == {"db", "redis", "web", "worker", "memory-worker", "beat"}
    ignored = (ROOT / ".dockerignore").read_text().split()
    assert {".env", "var", ".git"} <= set(ignored)
