"""Types that several schemas share, and pages of a list."""

import re
from datetime import UTC, datetime
from typing import Annotated, Generic, TypeVar

from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpResponse
from django.utils.translation import gettext as _
from ninja import Schema
from pydantic import AfterValidator, AwareDatetime, ConfigDict, Field
from pydantic_core import PydanticCustomError

from chat.memory.text import is_blank

T = TypeVar("T")
EARLIEST, LATEST = datetime(1900, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
MAX_ID = 2**63 - 1


def _storable(text: str) -> str:
    if UNSTORABLE.search(text):
        raise PydanticCustomError(
            "xinji_bad_characters", _("The text holds characters that are not text (NUL or half a character).")
        )
    return text


def _says_something(text: str) -> str:
    if is_blank(text):
        raise PydanticCustomError("xinji_empty_text", _("The text is empty."))
    return text


def _in_our_time(moment: datetime) -> datetime:
    if not EARLIEST <= moment <= LATEST:
        raise PydanticCustomError("xinji_out_of_range", _("The time must lie between the years 1900 and 2200."))
    return moment


Text = Annotated[str, AfterValidator(_storable)]
Message = Annotated[Text, Field(max_length=settings.MESSAGE_MAX_CHARACTERS), AfterValidator(_says_something)]
Value = Annotated[Text, Field(max_length=2000), AfterValidator(_says_something)]
Reason = Annotated[Text, Field(max_length=400)]
At = Annotated[AwareDatetime, AfterValidator(_in_our_time)]
Id = Annotated[int, Field(ge=1, le=MAX_ID)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class Body(Schema):
    """A request body. Unknown fields are refused, so that a misspelt one is noticed."""

    model_config = ConfigDict(extra="forbid")


class Paging(Schema):
    page: int = Field(1, ge=1, le=100_000)
    size: int = Field(50, ge=1, le=200)


class Window(Schema):
    """Of a list that is usually asked for as a whole."""

    limit: int = Field(500, ge=1, le=2000)
    offset: int = Field(0, ge=0, le=1_000_000)


class Page(Schema, Generic[T]):
    items: list[T]
    count: int
    page: int
    size: int


def window_of(rows: QuerySet, window: Window, response: HttpResponse) -> QuerySet:
    """The asked-for rows of an ordered queryset; how many there are goes into the header X-Total-Count."""
    response["X-Total-Count"] = str(rows.count())
    return rows[window.offset : window.offset + window.limit]


def page_of(rows: QuerySet, paging: Paging) -> dict:
    """The asked-for page of an ordered queryset; a page after the last one is empty."""
    start = (paging.page - 1) * paging.size
    items = list(rows[start : start + paging.size])
    return {"items": items, "count": rows.count(), "page": paging.page, "size": paging.size}
