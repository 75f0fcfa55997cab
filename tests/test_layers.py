"""Three rings: pure (no Django) <- ORM <- edge (views, api, admin, tasks, commands). Imports only point inward."""

import ast
from collections.abc import Iterable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

PURE = {
    "chat.knowledge.asking",
    "chat.knowledge.ranking",
    "chat.knowledge.split",
    "chat.llm.builtin",
    "chat.llm.prompts",
    "chat.llm.tokens",
    "chat.stopwatch",
    *(
        f"chat.memory.{name}"
        for name in (
            "asked", "blocks", "bm25", "borders", "budget", "calendar", "candidates", "choosing", "clauses", "details", "differences", "diffs", "evidence", "facts",
            "digests",
            "emotions", "fingerprints", "glosses", "importance", "intents", "keywords", "lexemes", "lifelines", "material", "numerals", "ontology",
            "owed", "patterns", "polarity", "prompt", "quantities", "reactions", "retention", "rules", "sameness", "scoring", "spellings", "summaries", "tagging", "text", "times", "topics",
            "values", "voices", "windows", "wording",
        )
    ),
}  # fmt: skip
EDGE = {"chat.admin", "chat.api", "chat.forms", "chat.management", "chat.tasks", "chat.templatetags", "chat.urls",
        "chat.views", "memoryapp"}  # fmt: skip
FRAMEWORKS = {"django", "celery", "redis", "psycopg", "pgvector", "ninja", "openai", "django_htmx"}


def modules() -> dict[str, Path]:
    """Every module of the site by its dotted name."""
    found = {}
    for top in ("chat", "memoryapp"):
        for path in (ROOT / top).rglob("*.py"):
            if "migrations" not in path.parts:
                name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
                found[name.removesuffix(".__init__")] = path
    return found


def imports_of(source: str, name: str, known: Iterable[str]) -> set[str]:
    """What a module imports anywhere in it, functions included. `from package import module` is the module."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name} imports relatively"
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found.add(inner if inner in known else node.module)
    return found


def graph() -> dict[str, set[str]]:
    paths = modules()
    return {name: imports_of(path.read_text(), name, paths) for name, path in paths.items()}


def within(name: str, ring: set[str]) -> bool:
    return any(name == member or name.startswith(member + ".") for member in ring)


def impure(imports: dict[str, set[str]]) -> list[str]:
    """Imports of pure modules that are neither pure nor outside of frameworks."""
    return [
        f"{name} imports {target}"
        for name, targets in sorted(imports.items())
        if within(name, PURE)
        for target in sorted(targets)
        if within(target, FRAMEWORKS) or (within(target, {"chat", "memoryapp"}) and not within(target, PURE))
    ]


def outward(imports: dict[str, set[str]]) -> list[str]:
    """Imports of the edge by what lies inside of it."""
    return [
        f"{name} imports {target}"
        for name, targets in sorted(imports.items())
        if not within(name, EDGE)
        for target in sorted(targets)
        if within(target, EDGE)
    ]


def test_pure_modules_know_no_framework_and_nothing_that_does():
    assert impure(graph()) == []


def test_nothing_imports_outward():
    assert outward(graph()) == []


def test_every_pure_module_exists():
    assert PURE - set(modules()) == set()


def test_one_module_talks_to_models():
    assert [name for name, targets in graph().items() if within("openai", targets)] == ["chat.llm.client"]


def test_the_site_does_not_need_its_evaluation():
    users = [name for name, targets in graph().items() if any(within(target, {"chat.evaluation"}) for target in targets)]
    assert [name for name in users if not within(name, {"chat.evaluation", "chat.management.commands"})] == []


def test_views_and_api_do_not_know_each_other():
    imports = graph()
    for one, other in (("chat.views", "chat.api"), ("chat.api", "chat.views")):
        assert [n for n, targets in imports.items() if within(n, {one}) and any(within(t, {other}) for t in targets)] == []


@pytest.mark.parametrize(
    ("name", "source", "check"),
    [
        ("chat.memory.scoring", "from django.conf import settings", impure),
        ("chat.memory.scoring", "def f():\n    import django.db", impure),
        ("chat.memory.scoring", "from chat.models import Memory", impure),
        ("chat.memory.scoring", "from chat.memory import entities", impure),
        ("chat.memory.values.duration", "from chat import models", impure),
        ("chat.reply", "from chat import tasks", outward),
        ("chat.memory.entities", "def f():\n    from chat.api.schemas import EntityOut", outward),
        ("chat.models.memory", "from memoryapp import settings", outward),
    ],
)
def test_a_wrong_import_would_be_found(name, source, check):
    assert len(check({name: imports_of(source, name, modules())})) == 1


@pytest.mark.parametrize(
    ("name", "source", "check"),
    [
        ("chat.memory.scoring", "import math\nfrom chat.memory import text, times", impure),
        ("chat.memory.entities", "from django.db import models\nfrom chat.memory.text import fold", outward),
        ("chat.tasks", "from chat.reply import answer", outward),
    ],
)
def test_a_right_import_is_left_alone(name, source, check):
    assert check({name: imports_of(source, name, modules())}) == []
