"""How well the models read messages that they were not trained on."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from chat.memory.tagging.corpus import Labelled
from chat.memory.tagging.tagger import Tagged, tag
from chat.memory.tagging.training import Span, prepare, read


@dataclass
class Score:
    """Counts over the messages: values wanted, found, right (slot, and some of the words), of those exact, with the right
    mark and key (of `keyed` that have one); messages that state nothing (`empty`), and those of them that something was found in."""

    n: Counter = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)  # the messages that were not read right

    def share(self, part: str, whole: str) -> float:
        return self.n[part] / max(1, self.n[whole])


def score(messages: Iterable[Labelled], folder: Path, least: float) -> Score:
    """Read the messages, and believe what has at least this chance."""
    result = Score()
    for message in messages:
        folded, clauses = read(message.text)
        found = [tagged for tagged in tag(folded.text, clauses, folder) if tagged.chance >= least]
        seen, wanted = prepare(message)
        result.n.update(wanted=len(wanted), found=len(found), empty=not wanted, junk=bool(found) and not wanted)
        for span in wanted:
            begins, ends = seen.tokens[span.first].start, seen.tokens[span.last - 1].end
            match = next((t for t in found if t.slot == span.slot and t.start < ends and begins < t.end), None)
            if match:
                result.n.update(right=1, exact=(match.start, match.end) == (begins, ends), **_told(match, span))
        if {tagged.slot for tagged in found} != {span.slot for span in wanted}:
            told = [f"{t.slot} {folded.text[t.start:t.end]} {t.chance:.2f}" for t in found]
            result.wrong.append(f"{message.text[:100]} | {sorted({span.slot for span in wanted})} | {told}")
    return result


def _told(match: Tagged, span: Span) -> dict[str, bool]:
    return {"mark": match.mark == span.mark, "keyed": bool(span.key), "key": bool(span.key) and match.key == span.key}
