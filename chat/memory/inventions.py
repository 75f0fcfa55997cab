"""What a written summary says that its sources don't: numbers, dates, names, and values of the user's state."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime

from chat.memory import details, ontology
from chat.memory.text import fold


def invented(text: str, sources: Iterable[str], at: Sequence[datetime], zone: str) -> list[str]:
    """Numbers, dates and names of `text` that none of the sources says and none of the moments `at` explains."""
    known = "".join("".join(fold(source).split()) for source in sources)
    days = {shown for moment in at for shown in _day_names(moment, zone)}
    given = {d.shown for source in sources for moment in at for d in details.find(source, moment, zone) if d.shown}
    result = []
    for detail in details.find(text, at[-1], zone) if at else ():
        if detail.key in known or detail.shown in days or detail.words in days | given or detail.shown in given:
            continue
        if detail.kind == "date" and all(part in known or any(part in day for day in days) for part in re.findall(r"\d+", detail.words)):
            continue
        result.append(detail.words)
    return result


def invented_values(text: str, sources: Iterable[str]) -> list[str]:
    """Listed values (雨声, 双盘, quit) that the text says and no source does, in no spelling and as no broader word for one."""
    said, known = fold(text), fold("\n".join(sources))
    result = []
    for attribute in ontology.load().attributes.values():
        if not attribute.choices or not attribute.trigger.search(said):
            continue
        given = {choice.key: choice for choice in _chosen(attribute, known)}
        broader = {key for choice in given.values() for key in attribute.ancestors(choice)}
        for match in attribute.spelling.finditer(said):
            choice = attribute.choice_of(match[0])
            if choice and choice.key not in given.keys() | broader and match[0] not in known:
                result.append(match[0])
    return list(dict.fromkeys(result))


def _chosen(attribute: ontology.Attribute, folded: str) -> list[ontology.Choice]:
    found = (attribute.choice_of(match[0]) for match in attribute.spelling.finditer(folded))
    return [choice for choice in found if choice is not None]


def _day_names(moment: datetime, zone: str) -> set[str]:
    names = {details.show_day(moment, moment, zone, language) for language in ("zh", "en")}
    return names | {name.rpartition("月")[2] for name in names}
