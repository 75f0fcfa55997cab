"""Prompts are files: `<job>.<language>.txt`, a version in the first line, then the text."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

_HERE = Path(__file__).parent
_MARK = "version: "


@dataclass(frozen=True)
class Template:
    version: str  # such as answer/1, to be stored with what came of it
    text: str

    def filled(self, **values: str) -> str:
        """The text with each `{name}` replaced. Values go in as they are: nothing inside them is looked at again."""
        parts = self.text.split("{")
        filled = [parts[0]]
        for part in parts[1:]:
            name, brace, rest = part.partition("}")
            filled.append(values[name] + rest if brace and name in values else "{" + part)
        return "".join(filled)


@cache
def load(job: str, language: str) -> Template:
    """The prompt of a job in "zh" or "en". Raises FileNotFoundError where there is none."""
    first, _newline, text = (_HERE / f"{job}.{language}.txt").read_text(encoding="utf-8").partition("\n")
    if not first.startswith(_MARK):
        raise ValueError(f"the first line of {job}.{language}.txt must be `{_MARK}…`")
    return Template(first.removeprefix(_MARK).strip(), text.strip())
