"""English: short months, and hours as the values of the state have them (21:00)."""

MONTH_DAY_FORMAT = "M j"
DATE_FORMAT = "M j, Y"
DATETIME_FORMAT = "M j, Y, H:i"
TIME_FORMAT = "H:i"
