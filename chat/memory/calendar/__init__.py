"""Dates by name: each rule reads one way of naming a stretch of days, against a day that counts as today."""

from chat.memory.calendar import chinese, english
from chat.memory.calendar.naming import Days, Rule, Today, add_months

__all__ = ["RULES", "Days", "Today", "add_months"]

RULES: list[Rule] = [*chinese.RULES, *english.RULES]
