"""Compile translations without the tools of gettext, which a fresh machine does not have."""

import os
from pathlib import Path

import polib


def compile_all(locale: Path) -> list[Path]:
    """Make the .mo file of every .po file below `locale` that is newer than it. Returns those that were made."""
    made = []
    for source in sorted(locale.glob("*/LC_MESSAGES/*.po")):
        target = source.with_suffix(".mo")
        if target.exists() and target.stat().st_mtime >= source.stat().st_mtime:
            continue
        draft = target.with_name(f"{target.name}.{os.getpid()}")
        polib.pofile(str(source)).save_as_mofile(str(draft))
        draft.replace(target)
        made.append(target)
    return made
