"""Chinese is complete, and is a translation of what the code says today."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import polib
import pytest

ROOT = Path(__file__).resolve().parent.parent
CATALOGUE = ROOT / "locale/zh_Hans/LC_MESSAGES/django.po"


def test_nothing_is_left_untranslated():
    entries = polib.pofile(str(CATALOGUE))
    assert not [entry.msgid for entry in entries if entry.fuzzy or not (entry.msgstr or entry.msgstr_plural.get(0))]


def test_placeholders_are_the_same_in_both_languages():
    import re

    holes = re.compile(r"%\(\w+\)(?:\.\d)?[sdf]|</?code>")
    wrong = []
    for entry in polib.pofile(str(CATALOGUE)):
        source = entry.msgid_plural or entry.msgid
        text = entry.msgstr_plural.get(0) if entry.msgid_plural else entry.msgstr
        if sorted(holes.findall(source)) != sorted(holes.findall(text)):
            wrong.append(entry.msgid)
    assert not wrong


@pytest.mark.skipif(shutil.which("xgettext") is None, reason="needs gettext: apt-get install gettext")
def test_the_catalogue_knows_every_text_of_the_code(tmp_path):
    for part in ("chat", "memoryapp", "templates", "locale"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__", "*.mo"))
    command = [sys.executable, "-m", "django", "makemessages", "-l", "zh_Hans", "--no-obsolete", "--no-location"]
    alone = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    made = subprocess.run(command, cwd=tmp_path, env=alone, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    fresh = polib.pofile(str(tmp_path / CATALOGUE.relative_to(ROOT)))
    known = {entry.msgid for entry in polib.pofile(str(CATALOGUE))}
    assert {entry.msgid for entry in fresh} - known == set()
