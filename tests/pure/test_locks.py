"""The locks hold every dependency of pyproject.toml, with hashes and without any address."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def names(requirements: list[str]) -> set[str]:
    return {re.match(r"[\w.-]+", line).group().lower().replace("_", "-") for line in requirements}


def locked(file: str) -> dict[str, set[str]]:
    """The versions of each package: more than one where newer Pythons get a newer one."""
    found: dict[str, set[str]] = {}
    for name, version in re.findall(r"^([\w.-]+)==(\S+)", (ROOT / file).read_text(), re.M):
        found.setdefault(name, set()).add(version)
    return found


def test_every_dependency_is_locked():
    assert names(PROJECT["project"]["dependencies"]) - set(locked("requirements.txt")) == set()
    assert names(PROJECT["dependency-groups"]["dev"]) - set(locked("requirements-dev.txt")) == set()


def test_tests_run_on_the_versions_that_are_shipped():
    shipped, tested = locked("requirements.txt"), locked("requirements-dev.txt")
    assert {name: tested.get(name) for name in shipped} == shipped


@pytest.mark.parametrize("file", ["requirements.txt", "requirements-dev.txt"])
def test_every_package_has_hashes_and_none_an_address(file):
    text = (ROOT / file).read_text()
    blocks = re.split(r"^(?=\S)", text, flags=re.M)[1:]
    assert {block.partition("==")[0] for block in blocks} == set(locked(file))
    assert [block.split()[0] for block in blocks if "--hash=sha256:" not in block] == []
    assert "://" not in text and "--index" not in text and "--find-links" not in text
