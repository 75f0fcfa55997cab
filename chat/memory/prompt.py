"""The prompt of one answer: sections in their order, each under its ceiling, everything remembered inside fences as data."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass, field, replace
from datetime import datetime

from chat.llm import prompts
from chat.memory.budget import BASE, Count, QuestionTooLong, Section, ceilings, spend
from chat.memory.material import ConflictNote, Fact, LastTopic, Material, Opening, PassageText, WorkingTurn
from chat.memory.text import sentences

__all__ = [
    "ConflictNote",
    "Fact",
    "LastTopic",
    "Material",
    "Opening",
    "PassageText",
    "Prompt",
    "QuestionTooLong",
    "WorkingTurn",
    "assemble",
    "show_date",
    "with_pack",
]

_NAMES = {
    "zh": {
        "entities": "用户状态",
        "knowledge": "知识",
        "memories": "记忆",
        "pack": "背景",
        "working": "最近的对话",
        "conflicts": "说法不一致",
        "question": "用户的问题（{now}）：\n{question}",
    },
    "en": {
        "entities": "user state",
        "knowledge": "knowledge",
        "memories": "memories",
        "pack": "background",
        "working": "recent turns",
        "conflicts": "statements that disagree",
        "question": "The user's question ({now}):\n{question}",
    },
}


@dataclass(frozen=True)
class Prompt:
    """What is sent, and the account of it. `sections`: {name: {"tokens", "ceiling", "dropped"}} in the order of the prompt."""

    messages: list[dict[str, str]]
    sections: dict[str, dict[str, int]]
    used_memory_ids: tuple[int, ...]
    dropped_memory_ids: tuple[int, ...]
    used_passage_ids: tuple[int, ...]
    dropped_passage_ids: tuple[int, ...]
    used_version_ids: tuple[int, ...]
    answer_tokens: int  # the most that the answer may have
    version: str  # of the template
    fence: str = ""  # the mark of its data blocks
    blocks: dict[str, str] = field(default_factory=dict)  # the texts that make the user's message, in their order


def assemble(material: Material, window: int, count: Count) -> Prompt:
    """The prompt for a context window of so many tokens, as `count` counts them. Raises QuestionTooLong.

    No section is ever over its ceiling. The result depends on nothing but the arguments.
    """
    limits, fence = ceilings(window), _fence(material)
    template = prompts.load("answer", material.language)
    rules = template.filled(fence=fence).split("\n\n")
    sections = {"system": Section("system", limits["system"], rules, range(len(rules)), "\n\n".join)}
    sections |= _data_sections(material, limits, fence, count)
    question = _NAMES[material.language]["question"].format(
        now=_show_moment(material.now, material), question=material.question
    )
    tokens = {"question": count(question)}
    limits["question"] = spend(list(sections.values()), tokens["question"], limits["question"], count)
    tokens |= {name: count(section.text) for name, section in sections.items()}
    dropped = {name: section.dropped for name, section in sections.items()}
    blocks = {name: section.text for name, section in sections.items() if name != "system"} | {"question": question}
    return Prompt(
        messages=_messages(sections["system"].text, blocks),
        sections={
            name: {"tokens": tokens.get(name, 0), "ceiling": limits[name], "dropped": dropped.get(name, 0)}
            for name in BASE
        },
        used_memory_ids=sections["memories"].kept_ids,
        dropped_memory_ids=sections["memories"].dropped_ids,
        used_passage_ids=sections["knowledge"].kept_ids,
        dropped_passage_ids=sections["knowledge"].dropped_ids,
        used_version_ids=sections["entities"].kept_ids,
        answer_tokens=limits["reserve"] * 9 // 10,  # the rest is for what servers add around messages
        version=template.version,
        fence=fence,
        blocks=blocks,
    )


def with_pack(prompt: Prompt, pack: str, material: Material, count: Count) -> Prompt:
    """The prompt with one text in place of its knowledge and memories, or as it is where the text has no room there."""
    text = _fenced(_NAMES[material.language]["pack"], prompt.fence)([pack])
    sections = {name: dict(section) for name, section in prompt.sections.items()}
    sections["memories"]["tokens"], sections["knowledge"]["tokens"] = count(text), 0
    if prompt.fence in pack or sections["memories"]["tokens"] > sections["memories"]["ceiling"]:
        return prompt
    blocks = prompt.blocks | {"knowledge": "", "memories": text}
    return replace(
        prompt, blocks=blocks, sections=sections, messages=_messages(prompt.messages[0]["content"], blocks)
    )


def _messages(rules: str, blocks: dict[str, str]) -> list[dict[str, str]]:
    """Remembered text never has the system's role."""
    return [{"role": "system", "content": rules}, {"role": "user", "content": "".join(blocks.values())}]


def _data_sections(m: Material, limits: dict[str, int], fence: str, count: Count) -> dict[str, Section]:
    before = _before_memories(m)
    pieces = {
        "entities": [_fact(fact, m) for fact in m.facts],
        "knowledge": [_passage(passage, m) for passage in m.passages],
        "memories": before + [_dated(memory.text, memory.occurred_at, m) for memory in m.memories],
        "working": _turns(m, limits["working"] * 9 // 10, count),
        "conflicts": [_conflict(note, m) for note in m.conflicts],
    }
    ids = {
        "entities": [fact.version_id for fact in m.facts],
        "knowledge": [passage.id for passage in m.passages],
        "memories": [None] * len(before) + [memory.memory_id for memory in m.memories],
    }
    rank = {"entities": _most_certain(m.facts), "working": range(len(m.working))[::-1]}
    firm = {"entities": frozenset(place for place, fact in enumerate(m.facts) if fact.pinned)}
    return {
        name: Section(
            name,
            limits[name],
            texts,
            rank.get(name, range(len(texts))),
            _fenced(_NAMES[m.language][name], fence),
            ids.get(name, ()),
            firm.get(name, frozenset()),
        )
        for name, texts in pieces.items()
    }


def _fence(material: Material) -> str:
    """A mark that no text of the material contains, and that nobody who wrote one of them could foresee."""
    everything = repr(astuple(material))
    mark = ""
    while not mark or mark in everything:
        mark = hashlib.blake2b((mark + everything).encode("utf-8", "replace"), digest_size=4).hexdigest()
    return mark


def _fenced(name: str, fence: str) -> Callable[[Sequence[str]], str]:
    def wrap(texts: Sequence[str]) -> str:
        return "\n".join([f"<data {fence} {name}>", *texts, f"</data {fence}>\n\n"])

    return wrap


def _most_certain(facts: Sequence[Fact]) -> list[int]:
    """Places of the facts: pinned first, then confirmed, then by confidence, then as they came."""
    return sorted(
        range(len(facts)),
        key=lambda place: (not facts[place].pinned, facts[place].unconfirmed, -facts[place].confidence),
    )


def _before_memories(m: Material) -> list[str]:
    """The last topic and, in a first answer, the last week: they lead the memories."""
    zh, lines = m.language == "zh", []
    if m.last:
        parts = [part for part in (m.last.topic, m.last.content) if part]
        lines.append(
            _dated(("上次谈到：" if zh else "last talked of: ") + ("：" if zh else ": ").join(parts), m.last.at, m)
        )
        if m.last.advice:
            lines.append(f"- {'上次的建议：' if zh else 'advice then: '}{_one_line(m.last.advice)}")
    if m.opening:
        lines += [f"- {'近七天：' if zh else 'these seven days: '}{_one_line(event)}" for event in m.opening.events]
        if m.opening.mood:
            lines.append(f"- {'近来心情：' if zh else 'mood lately: '}{_one_line(m.opening.mood)}")
    return lines


def _fact(fact: Fact, m: Material) -> str:
    zh, notes = m.language == "zh", []
    if fact.learned_at:
        date = show_date(fact.learned_at, m)
        notes.append(f"{date}得知" if zh else f"learned {date}")
    if fact.pinned:
        notes.append("置顶" if zh else "pinned")
    if fact.unconfirmed:
        notes.append("待确认" if zh else "not confirmed yet")
    line = f"- {fact.label}{'：' if zh else ': '}{_one_line(fact.value)}"
    return line + (f"（{'，'.join(notes)}）" if zh else f" ({', '.join(notes)})") if notes else line


def _passage(passage: PassageText, m: Material) -> str:
    place = f"《{passage.title}》" if m.language == "zh" else f"“{passage.title}”"
    return f"[{place}{' · ' + passage.heading if passage.heading else ''}]\n{passage.text}"


def _dated(text: str, at: datetime | None, m: Material) -> str:
    if at is None:
        return f"- {_one_line(text)}"
    return f"- {show_date(at, m)}{'：' if m.language == 'zh' else ': '}{_one_line(text)}"


def _turns(m: Material, room: int, count: Count) -> list[str]:
    """The turns as text. Of the last one, whose answer may be longer than all the room, as many sentences as fit."""
    pieces = [_turn(turn.text, turn.answer, turn.at, m) for turn in m.working]
    if not pieces or count(pieces[-1]) <= room:
        return pieces
    last, kept = m.working[-1], []
    for sentence in sentences(last.answer):
        if count(_turn(last.text, "".join([*kept, sentence, "…"]), last.at, m)) > room:
            break
        kept.append(sentence)
    return [*pieces[:-1], _turn(last.text, "".join([*kept, "…"]), last.at, m)]


def _turn(text: str, answer: str, at: datetime, m: Material) -> str:
    moment = _show_moment(at, m)
    if m.language == "zh":
        return f"用户（{moment}）：{text}\n心记：{answer}"
    return f"User ({moment}): {text}\nXinji: {answer}"


def _conflict(note: ConflictNote, m: Material) -> str:
    if note.text:
        return f"- {_one_line(note.text)}"
    old, new = _one_line(note.old), _one_line(note.new)
    old_at, new_at = (show_date(at, m) if at else "" for at in (note.old_at, note.new_at))
    if m.language == "zh":
        return f"- 之前{old_at and f'（{old_at}）'}：{old}；现在{new_at and f'（{new_at}）'}：{new}"
    return f"- before{old_at and f' ({old_at})'}: {old}; now{new_at and f' ({new_at})'}: {new}"


def show_date(at: datetime, m: Material) -> str:
    """8月26日 or 26 August, in the user's zone; with the year where it is another one than now's."""
    day, today = at.astimezone(m.zone), m.now.astimezone(m.zone)
    year = day.year != today.year
    if m.language == "zh":
        return f"{f'{day.year}年' if year else ''}{day.month}月{day.day}日"
    return f"{day.day} {day:%B}{f' {day.year}' if year else ''}"


def _show_moment(at: datetime, m: Material) -> str:
    return f"{show_date(at, m)} {at.astimezone(m.zone):%H:%M}"


def _one_line(text: str) -> str:
    return " ".join(text.split())
