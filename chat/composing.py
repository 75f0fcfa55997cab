"""Step 5 of an answer: what it is made from, and the prompt that holds it."""

from collections.abc import Collection

from django.conf import settings

from chat.llm import client, tokens
from chat.llm.builtin import listening, signals
from chat.llm.builtin.fit import hints
from chat.memory import consistency, fusing, gathering, last_query, notices
from chat.memory.material import Fact, LastTopic, Material, PassageText, WorkingTurn
from chat.memory.prompt import Prompt, assemble
from chat.scene import Scene

LEANT_ON = 200  # characters
TOLD = (*notices.LEARNED, "settled")
SITS = "habit.meditation_duration"


def material_of(scene: Scene) -> Material:
    """Everything that this answer may use. Where memory is off, what remains is the question, the talk and the knowledge."""
    turn, reads = scene.turn, scene.reads
    working = gathering.working_turns(turn)
    last = last_query.last_topic(turn) if reads else None
    facts = gathering.facts_for(turn, scene.question, scene.zone) if reads else ()
    return Material(
        question=turn.text,
        language=scene.account.answer_language[:2] or turn.language,
        now=turn.at,
        zone=scene.zone,
        facts=facts,
        passages=_passages(scene, facts, _leaning(scene, working, last)),
        memories=scene.recalled.items,
        working=working,
        conflicts=gathering.conflict_notes(scene.findings) if reads else (),
        last=last,
        opening=gathering.opening_for(turn, working) if reads else None,
        just_learned=_observed(scene, TOLD),
        said_again=_observed(scene, ["repeated"]),
        former=gathering.former_for(turn, _subjects(scene), scene.zone) if reads and client.configured() else (),
    )


def prompt_of(scene: Scene) -> Prompt:
    """The prompt within the window. Raises QuestionTooLong."""
    prompt = assemble(scene.material, settings.CONTEXT_WINDOW, tokens.count)
    return fusing.fuse(prompt, scene.material)


def _leaning(scene: Scene, working: tuple[WorkingTurn, ...], last: LastTopic | None) -> str:
    """What the question leans on: the topic of 上次, or in a talk that goes on (还有别的办法吗) the question before."""
    if last and scene.question.refers_back:
        return last.topic
    goes_on = working and signals.has("form", "follow_up", scene.turn.text)
    return working[-1].text[:LEANT_ON] if goes_on else ""


def _passages(scene: Scene, facts: tuple[Fact, ...], leaning: str) -> tuple[PassageText, ...]:
    """Passages on the question, together with what it leans on, or as the model rewrote it.

    A passage that asks for far more than the user can do is set against the user's own length.
    """
    turn = scene.turn
    understood = [o.version.quote for o in scene.observations if o.version is not None]
    matter = turn.text if listening.asks(turn.text, scene.question) else listening.sought(turn.text, turn.language, understood)
    asked = " ".join(filter(None, [leaning, matter, *scene.rewritten[:1], hints(turn.text, facts)]))
    passages = gathering.passages_for(asked)
    if scene.reads and scene.writes:
        sits = consistency.current_of(turn.user, SITS)
        consistency.against_reality(turn, [(p.id, p.text) for p in passages], sits)
    return passages


def _subjects(scene: Scene) -> set[str]:
    """The slots that the answer has to do with: asked about, taken for granted, or what the advice is to fit."""
    return {*scene.question.concerns, *signals.all_of("subject", scene.turn.text)}


def _observed(scene: Scene, outcomes: Collection[str]) -> tuple[Fact, ...]:
    """What the message said of the user, by what came of it."""
    versions = [o.version for o in scene.observations if o.version is not None and o.outcome in outcomes]
    return tuple(gathering.fact_of(version, scene.turn, scene.zone) for version in versions)
