"""From when to when one sits: 六点坐到六点半, on the cushion 5:30 to 6:15. It says when, and how long."""

import re

DAY = 1440
LONGEST = 180  # minutes; a longer stretch is not one sitting
_SITS_TO = re.compile(" ?(?:打坐|静坐|冥想|坐|开始|起床?|练|后|,|然后|就)*(?:到|至|-|~) ?| ?(?:to|till|until|-) ?")
_WITHIN = re.compile("之间|左右|那会|其中|中间|(?<![a-z])(?:between|sometime|somewhere)(?![a-z])")


def sat(text: str, times: list[tuple[int, int, dict]]) -> tuple[dict, int] | None:
    """(the time of day it begins at, minutes) where the times of a clause are the ends of one sitting."""
    exact = [time for time in times if "part" not in time[2]]
    if _WITHIN.search(text) or not exact or len(exact) != len(times):
        return None
    if len(exact) == 1:
        first, last = exact[0][2]["from"], exact[0][2]["to"]
    elif len(exact) == 2 and _SITS_TO.fullmatch(text[exact[0][1] : exact[1][0]]):
        first, last = exact[0][2]["from"], exact[1][2]["from"]
    else:
        return None
    if last < first and first >= DAY // 2:
        last += DAY // 2  # 晚上九点坐到十点
    minutes = last - first
    if not 0 < minutes <= LONGEST:
        return None
    return {"type": "time_of_day", "spans": [{"from": first, "to": first}]}, minutes
