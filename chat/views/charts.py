"""Charts as drawings: what goes into an SVG that stretches, with its labels beside it, a table and a CSV of the same numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log10

WIDTH, HEIGHT = 1000.0, 100.0  # of the drawing; the page stretches it
BAR_SHARE = 0.72  # of a step's width

Numbers = Sequence[float | None]


@dataclass(frozen=True)
class Series:
    """One row of numbers, a number (or none) for each step. `css` names its colour, `dashed` what is only expected."""

    label: str
    numbers: Numbers
    css: str = ""
    dashed: bool = False


@dataclass(frozen=True)
class Chart:
    """`steps`: the label of every number. `marks`: steps that get a dot. `top`: the highest number that fits, 0 for any."""

    name: str
    title: str
    steps: Sequence[str]
    series: Sequence[Series]
    stacked: bool = False
    digits: int = 0
    top: float = 0.0
    marks: Sequence[int] = ()
    note: str = ""

    @property
    def highest(self) -> float:
        """The end of the scale."""
        if self.top:
            return self.top
        columns = zip(*(series.numbers for series in self.series), strict=True)
        tops = [sum(n or 0 for n in column) if self.stacked else max((n or 0 for n in column), default=0) for column in columns]
        return max(round_up(max(tops, default=0)), 1.0 if self.digits else 2.0)

    @property
    def scale(self) -> list[str]:
        """What stands beside the drawing, from top to bottom."""
        return [f"{number:.2f}".rstrip("0").rstrip(".") for number in (self.highest, self.highest / 2, 0)]

    @property
    def first(self) -> str:
        return self.steps[0] if self.steps else ""

    @property
    def last(self) -> str:
        return self.steps[-1] if self.steps else ""

    @property
    def halfway(self) -> str:
        return self.steps[len(self.steps) // 2] if len(self.steps) > 2 else ""

    @property
    def empty(self) -> bool:
        return not any(number for series in self.series for number in series.numbers)

    @property
    def rows(self) -> list[tuple[str, list[str]]]:
        """The table: steps where there is something to tell, newest first."""
        columns = list(zip(self.steps, zip(*(series.numbers for series in self.series), strict=True), strict=True))
        told = [(step, [self.show(n) for n in numbers]) for step, numbers in columns if any(n is not None for n in numbers)]
        return told[::-1]

    def show(self, number: float | None) -> str:
        return "" if number is None else f"{number:.{self.digits}f}"

    @property
    def bars(self) -> list[dict]:
        """Of a stacked chart: rectangles from the ground up."""
        if not self.stacked:
            return []
        step, drawn = WIDTH / max(1, len(self.steps)), []
        for place, label in enumerate(self.steps):
            ground = HEIGHT
            for series in self.series:
                number = series.numbers[place]
                if not number:
                    continue
                height = number / self.highest * HEIGHT
                ground -= height
                x, width = step * (place + (1 - BAR_SHARE) / 2), step * BAR_SHARE
                drawn.append(_rectangle(series.css, x, ground, width, height) | {"tip": f"{label} · {series.label} {self.show(number)}"})
        return drawn

    @property
    def lines(self) -> list[dict]:
        if self.stacked:
            return []
        return [{"css": series.css, "dashed": series.dashed, "path": self._path(series.numbers)} for series in self.series]

    @property
    def strips(self) -> list[dict]:
        """Invisible columns of a line chart that tell their numbers under the pointer."""
        if self.stacked:
            return []
        step, told = WIDTH / max(1, len(self.steps)), []
        for place, label in enumerate(self.steps):
            numbers = [self.show(series.numbers[place]) for series in self.series if series.numbers[place] is not None]
            if numbers:
                told.append(_rectangle("strip", step * place, 0, step, HEIGHT) | {"tip": f"{label} · {' / '.join(numbers)}"})
        return told

    @property
    def dots(self) -> list[str]:
        """As paths of no length, whose round ends stay round however the drawing is stretched."""
        at = [(place, next((s.numbers[place] for s in self.series if s.numbers[place] is not None), None)) for place in self.marks]
        return [f"M{self._x(place):.1f} {self._y(number):.1f}h0.01" for place, number in at if number is not None]

    def _path(self, numbers: Numbers) -> str:
        path, drawing = [], False
        for place, number in enumerate(numbers):
            if number is not None:
                path.append(f"{'L' if drawing else 'M'}{self._x(place):.1f} {self._y(number):.1f}")
            drawing = number is not None
        return "".join(path)

    def _x(self, place: int) -> float:
        return WIDTH * (place + 0.5) / max(1, len(self.steps))

    def _y(self, number: float) -> float:
        return HEIGHT * (1 - min(1.0, number / (self.highest or 1)))


def _rectangle(css: str, x: float, y: float, width: float, height: float) -> dict:
    return {"css": css, "x": f"{x:.1f}", "y": f"{y:.2f}", "width": f"{width:.1f}", "height": f"{height:.2f}"}


def round_up(number: float) -> float:
    """To the next of 1, 2, 5, 10, 20, 50 …, so that the scale ends on a number one can read."""
    if number <= 0:
        return 1.0
    power = 10.0 ** (ceil(log10(number)) - 1)
    return next(step * power for step in (1, 2, 5, 10) if step * power >= number - 1e-9)
