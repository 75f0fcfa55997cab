"""What is known while one turn is answered: filled step by step by chat.reply, read by the steps that come later."""

from dataclasses import dataclass, field
from zoneinfo import ZoneInfo

from chat.memory.consistency import Findings
from chat.memory.extraction import may_write
from chat.memory.material import Material
from chat.memory.observing import Observation
from chat.memory.prompt import Prompt
from chat.memory.recall import Recalled
from chat.memory.rules import Question
from chat.models import Account, Notice, Turn
from chat.stopwatch import Stopwatch


@dataclass
class Scene:
    turn: Turn
    account: Account
    zone: ZoneInfo
    question: Question
    clock: Stopwatch = field(default_factory=Stopwatch)
    observations: list[Observation] = field(default_factory=list)
    rewritten: tuple[str, ...] = ()  # what the model would search for, where it is asked
    recalled: Recalled | None = None
    findings: Findings = Findings()
    material: Material | None = None
    prompt: Prompt | None = None
    notices: list[Notice] = field(default_factory=list)

    @property
    def reads(self) -> bool:
        """Whether this answer may look at what is remembered."""
        return self.turn.conversation.reads_memory and self.account.use_memory

    @property
    def writes(self) -> bool:
        """Whether this turn may leave anything behind in memory."""
        return may_write(self.turn, self.account)
