"""Splitting a text into passages that can be quoted on their own: by headings, then whole sentences and whole lists."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from chat.memory.text import strip_controls

# Sizes count a Chinese character as one and three Latin letters as one.
GOAL = 150  # a passage is closed once it has so much
LARGEST = 320
BLANK_LINES = 20  # so many may stand between a heading and its text
SMALLEST = 80  # a rest below this joins the passage before it
HEADING_CHARACTERS = 60  # without a mark of its own
LONGEST_HEADING = 400

_NUMBER = "[一二三四五六七八九十百千零〇两\\d]+"
_UNIT = (
    "[分秒时時刻天日周週月年岁歲次遍口息步里寸尺丈斤两兩钱錢个個章卷品度克米杯碗瓶支根页頁句轮輪下圈组組%％℃°点點]"
    "|小时|毫升|公[斤里分]|[a-z]"
)
_MARKDOWN = re.compile(r"(#{1,6})\s+(.+?)\s*#*$")
_STARRED = re.compile(r"\s*[*＊]\s+(.{1,60})$")
_NAMED = re.compile(
    rf"第{_NUMBER}[章品篇回節节卷部講讲課课分](?:\s|[　:：·]|$).{{0,40}}"
    rf"|[^，。；：？！,.;:?!]{{1,24}}第{_NUMBER}(?:[(（].{{0,60}})?"
    rf"|[^，。；：？！,.;:?!]{{0,16}}卷[上中下]"
    r"|(?:chapter|part|section|book)\s+[\divxlc]+\b.{0,60}",
    re.IGNORECASE,
)
_ENDS_SENTENCE = "。！？；：!?;:…」』”）)》】"
_STEP = re.compile(rf"\s*(?:\d{{1,3}}[.、)）]|[-*•·＊]\s|[（(]?{_NUMBER}[)）、])\s*\S")
_RULE = re.compile(r"\s*(?:[-*_=]\s*){3,}$")
_TAG = re.compile(r"\s*</?[a-z][a-z0-9]*(?:\s[^<>]*)?>\s*$", re.IGNORECASE)
_KEYWORDS = re.compile(r">\s*(?:关键词|關鍵詞|关键字|keywords?)\s*[:：]\s*(.+)", re.IGNORECASE)
_CJK = re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003134f]")
_SENTENCE = re.compile(r"[^。！？!?；;\n]*?(?:[。！？!?；;]+[”’」』\"')）》]*|\.(?=\s)|\n|$)", re.DOTALL)
_NUMBER_AT_END = re.compile(rf"(?:{_NUMBER}|\d[.,])$")
_HALF_A_UNIT_AT_END = re.compile(f"{_NUMBER}个?[分小秒]$")
_REST_OF_QUANTITY = re.compile(rf"{_NUMBER}|[.,]\d|{_UNIT}", re.IGNORECASE)
_WEAK_BREAK = re.compile(r"[，,、：:　 ]")


@dataclass(frozen=True)
class Piece:
    """One passage: its nearest heading, the document's keywords and the text itself."""

    heading: str
    text: str


@dataclass(frozen=True)
class Split:
    """`title` is "" where the text names none; `keywords` are those of its `> 关键词：` line."""

    title: str
    keywords: str
    pieces: tuple[Piece, ...]


def split(text: str) -> Split:
    """The passages of a text in order. Nothing is lost but headings of headings, rules, lone HTML tags and blank lines."""
    title, keywords, pieces = "", "", []
    heading, body = "", []
    for kind, line in _read(strip_controls(text)):
        if kind == "title" and not title:
            title = line
        elif kind == "keywords":
            keywords = f"{keywords} {line}".strip()
        elif kind in ("heading", "title"):
            pieces += [Piece(heading, passage) for passage in _pack(body)]
            heading, body = line[:200], []
        else:
            body.append(line)
    pieces += [Piece(heading, passage) for passage in _pack(body) or filter(None, [heading])]  # a last line is no heading
    return Split(title[:200], keywords, tuple(pieces))


def size(text: str) -> int:
    chinese = len(_CJK.findall(text))
    return chinese + (len(text) - chinese) // 3


def _read(text: str) -> Iterator[tuple[str, str]]:
    """Each line with what it is: title, heading, keywords or text. Blank lines come as empty text."""
    lines = text.split("\n")
    for place, line in enumerate(lines):
        if len(line) > LONGEST_HEADING:
            yield "text", line.rstrip()
        elif _RULE.match(line) or _TAG.match(line):
            yield "text", ""
        elif match := _KEYWORDS.match(line):
            yield "keywords", match[1].strip()
        elif match := _MARKDOWN.match(line):
            yield ("title" if len(match[1]) == 1 else "heading"), match[2]
        elif _is_starred_heading(lines, place):
            yield "heading", line.strip(" *＊\t　")
        elif len(line.strip()) <= HEADING_CHARACTERS and _NAMED.fullmatch(line.strip()):
            yield "heading", line.strip()
        else:
            yield "text", line.rstrip()


def _is_starred_heading(lines: list[str], place: int) -> bool:
    """`* 具緣第一` on its own, with text to follow, is a heading; several are a list, and so is the last line."""
    if not _STARRED.match(lines[place]):
        return False
    before = lines[place - 1] if place else ""
    after = next((line for line in lines[place + 1 : place + 1 + BLANK_LINES] if line.strip()), "")
    return bool(after) and not _STEP.match(before) and not _STEP.match(after)


def _pack(lines: list[str]) -> list[str]:
    """Passages of one section: blocks (sentences and lists) put together until there is enough."""
    passages: list[str] = []
    current = ""
    for block in _blocks(lines):
        joined = current + block
        if current.strip() and (size(joined) > LARGEST or size(current) >= GOAL):
            passages.append(current.strip())
            current = block
        else:
            current = joined
    rest = current.strip()
    if rest and passages and size(rest) < SMALLEST and size(passages[-1]) + size(rest) <= LARGEST + SMALLEST:
        passages[-1] = f"{passages[-1]}\n{rest}"
    elif rest:
        passages.append(rest)
    return passages


def _blocks(lines: list[str]) -> Iterator[str]:
    """What is not to be split further, each with the line break that follows it."""
    steps: list[str] = []
    for paragraph in _paragraphs(lines):
        if _STEP.match(paragraph):
            steps.append(paragraph)
            continue
        yield from _list_blocks(steps)
        steps = []
        pieces = [piece for sentence in _SENTENCE.findall(paragraph) if sentence.strip() for piece in _small(sentence)]
        yield from pieces[:-1]
        yield from (f"{piece}\n" for piece in pieces[-1:])
    yield from _list_blocks(steps)


def _list_blocks(steps: list[str]) -> Iterator[str]:
    """A list in one block when it fits into a passage, else item by item."""
    whole = "\n".join(steps)
    if steps and size(whole) <= LARGEST:
        yield f"{whole}\n"
        return
    for step in steps:
        pieces = _small(step)
        yield from pieces[:-1]
        yield f"{pieces[-1]}\n"


def _paragraphs(lines: list[str]) -> list[str]:
    """Lines with the wrapped ones put together again."""
    paragraphs: list[list[str]] = []
    open_line = False
    for line in lines:
        bare = line.strip()
        if not bare:
            open_line = False
            continue
        if open_line and not _STEP.match(line):
            _continue(paragraphs[-1], bare)
        else:
            paragraphs.append([bare])
        open_line = not bare.endswith(tuple(_ENDS_SENTENCE)) and not (bare.endswith(".") and not _CJK.search(bare))
    return ["".join(parts) for parts in paragraphs]


def _continue(parts: list[str], line: str) -> None:
    """Add a wrapped line: a hyphen at its break goes, Latin words get their space back."""
    last = parts[-1]
    if last.endswith("-") and last[-2:-1].isalpha() and line[:1].islower():
        parts[-1] = last[:-1]
    elif last[-1].isascii() and line[0].isascii():
        parts.append(" ")
    parts.append(line)


def _small(sentence: str) -> list[str]:
    """The sentence, or where it is larger than a passage, parts of it: cut at commas and spaces, never in a quantity."""
    parts, start, window = [], 0, 3 * LARGEST + 3
    while size(head := sentence[start : start + window]) > LARGEST:
        end = _cut(head)
        parts.append(head[:end])
        start += end
    return [*parts, sentence[start:]] if start < len(sentence) else parts


def _cut(head: str) -> int:
    """Where to cut: after the last weak break that leaves a fair piece, else at the largest size, not inside a quantity."""
    end = _largest_end(head)
    breaks = [match.end() for match in _WEAK_BREAK.finditer(head, 0, end)]
    for place in reversed(breaks):
        if place >= end // 3 and not _splits_quantity(head, place):
            return place
    whole = end
    while end > 1 and _splits_quantity(head, end):
        end -= 1
    return end if end > 1 else whole


def _largest_end(head: str) -> int:
    """The place up to which the text has the largest size."""
    thirds = 0
    for place, character in enumerate(head):
        thirds += 3 if _CJK.match(character) else 1
        if thirds > 3 * LARGEST:
            return place
    return len(head)


def _splits_quantity(text: str, place: int) -> bool:
    """True where a number would stand before the cut and the rest of it, or its unit, after."""
    before, after = text[max(place - 12, 0) : place].rstrip(), text[place : place + 12].lstrip()
    if _HALF_A_UNIT_AT_END.search(before) and after.startswith(tuple("钟鐘时時")):
        return True
    return bool(_NUMBER_AT_END.search(before) and _REST_OF_QUANTITY.match(after))
