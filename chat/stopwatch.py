"""How long each step took."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter


class Stopwatch:
    """`milliseconds` {step: ms}, and `total` since it was made."""

    def __init__(self) -> None:
        self._begun = perf_counter()
        self.milliseconds: dict[str, float] = {}

    @contextmanager
    def time(self, step: str) -> Iterator[None]:
        begun = perf_counter()
        try:
            yield
        finally:
            self.milliseconds[step] = round((perf_counter() - begun) * 1000, 2)
            self.milliseconds["total"] = round((perf_counter() - self._begun) * 1000, 2)

    def note(self, step: str, milliseconds: float | None) -> None:
        if milliseconds is not None:
            self.milliseconds[step] = round(milliseconds, 2)
