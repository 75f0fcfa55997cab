"""What changed from one text to the next: in characters where it is Chinese, in words elsewhere."""

import re
from dataclasses import dataclass
from difflib import SequenceMatcher

_TOKEN = re.compile(r"[^\W\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+|\s+|.", re.DOTALL)
MOST = 250_000  # pairs of tokens that are compared; above it the middle counts as changed altogether
ALIKE = 0.35  # texts that share less have nothing in common worth marking


@dataclass(frozen=True)
class Piece:
    """A stretch of text that is in both ("same"), only in the old ("gone") or only in the new one ("come")."""

    kind: str
    text: str


def diff(old: str, new: str) -> list[Piece]:
    """Joined without the "come" pieces they are `old`, without the "gone" pieces `new`."""
    before, after = _TOKEN.findall(old), _TOKEN.findall(new)
    head = _common(before, after)
    tail = _common(before[head:][::-1], after[head:][::-1])
    middle_old, middle_new = before[head : len(before) - tail], after[head : len(after) - tail]
    end = before[len(before) - tail :] if tail else []
    pieces = [Piece("same", "".join(before[:head])), *_middle(middle_old, middle_new), Piece("same", "".join(end))]
    pieces = [piece for piece in pieces if piece.text]
    same = sum(len(piece.text) for piece in pieces if piece.kind == "same")
    if same < ALIKE * min(len(old), len(new)):
        return [piece for piece in (Piece("gone", old), Piece("come", new)) if piece.text]
    return pieces


def _common(first: list[str], second: list[str]) -> int:
    """How many tokens both begin with."""
    for place, (one, other) in enumerate(zip(first, second, strict=False)):
        if one != other:
            return place
    return min(len(first), len(second))


def _middle(old: list[str], new: list[str]) -> list[Piece]:
    if len(old) * len(new) > MOST:
        return [Piece("gone", "".join(old)), Piece("come", "".join(new))]
    pieces = []
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            pieces.append(Piece("same", "".join(old[a:b])))
        else:
            pieces += [Piece("gone", "".join(old[a:b])), Piece("come", "".join(new[c:d]))]
    return pieces
