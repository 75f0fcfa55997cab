"""Settings, erasure, health, measures."""

from datetime import datetime
from typing import Annotated, Any, Literal
from zoneinfo import available_timezones

from django.utils.translation import gettext as _
from ninja import Field, Schema
from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

from chat.api.schemas.common import At, Body, Share, Text


def _known_zone(name: str) -> str:
    if name and name not in available_timezones():
        raise PydanticCustomError("xinji_unknown_zone", _("There is no such time zone. Names look like Asia/Shanghai."))
    return name


Language = Literal["", "zh-hans", "en"]
ZoneName = Annotated[Text, AfterValidator(_known_zone)]


class WeightsIn(Body):
    semantic: Share = 0.60
    entity: Share = 0.25
    time: Share = 0.15


class SettingsOut(Schema):
    language: str
    answer_language: str
    time_zone: str
    theme: str
    send_key: str
    announce: str
    use_memory: bool
    auto_memory: bool
    memory_paused_until: datetime | None
    confirm_new: str
    weights: dict[str, float]


class SettingsPatch(Body):
    language: Language = ""
    answer_language: Language = ""
    time_zone: ZoneName = Field("", description="IANA name, such as Asia/Shanghai; empty: the browser's.")
    theme: Literal["system", "light", "dark"] = "system"
    send_key: Literal["enter", "ctrl_enter"] = "enter"
    announce: Literal["full", "brief", "off"] = Field("full", description="What screen readers read of a complete answer.")
    use_memory: bool = True
    auto_memory: bool = True
    memory_paused_until: At | None = None
    confirm_new: Literal["never", "sensitive", "always"] = "never"
    weights: WeightsIn | None = Field(None, description="Own recall weights; null: the defaults.")


class EraseAllIn(Body):
    confirm: bool | str = Field(description="true, or your user name.")


class HealthOut(Schema):
    status: str
    version: str
    checks: dict[str, str]
    model: str = Field(description="Name of the model that answers, or builtin.")


class DailyOut(Schema):
    """Counts add up over the days; shares, tokens and milliseconds are means."""

    days: dict[str, dict[str, float]] = Field(description="ISO day: name: value. Days on which nothing was measured are left out.")
    total: dict[str, float]


class SummaryOut(Schema):
    """Numbers of the caller's own memory."""

    turns: dict[str, int]
    memories: dict[str, Any]
    entities: dict[str, int]
    conflicts: dict[str, Any]
    recall: dict[str, float | None]
    answers: dict[str, float | None]
    tokens: dict[str, float]
    daily: DailyOut
