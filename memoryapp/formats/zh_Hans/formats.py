"""Chinese: no zero before a month of one digit."""

MONTH_DAY_FORMAT = "n月j日"
