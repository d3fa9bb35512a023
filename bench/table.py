"""The rows of the printed table: each figure of ours beside a peer's, with what is asked of it."""
import dataclasses
import statistics

from comparison import BEST, Figure


@dataclasses.dataclass
class Row:
    comparison: str
    threads: int
    figure: Figure
    peer: str | None  # without one our figure stands against the figure's limit
    ours: list[float]  # of every round
    theirs: list[float]
    best: bool = False  # of the engines that are compared

    @property
    def times_better(self):
        """The median of the rounds' ratios: both programs of a round had the machine at nearly the same speed."""
        if self.figure.more_is_better:
            return statistics.median(ours / theirs for ours, theirs in zip(self.ours, self.theirs, strict=True))
        return statistics.median(theirs / ours for ours, theirs in zip(self.ours, self.theirs, strict=True))

    @property
    def floor(self):
        return self.figure.floors.get(self.peer) or (self.figure.floors.get(BEST) if self.best else None)

    @property
    def missed(self):
        if self.peer:
            return self.floor is not None and self.times_better < self.floor.at_least
        median = statistics.median(self.ours)
        return median < self.figure.limit if self.figure.more_is_better else median > self.figure.limit

    @property
    def asked(self):
        if not self.peer:
            return f"at {'least' if self.figure.more_is_better else 'most'} {self.figure.limit:g}"
        if not self.floor:
            return ""
        aim = f" (aim {self.floor.aim:g})" if self.floor.aim else ""
        of_best = ", best engine" if self.best and BEST in self.figure.floors else ""
        return f"{self.floor.at_least:.3g}{aim}{of_best}"

    def complaint(self):
        name = f"{self.comparison}, {self.figure.name}"
        if not self.peer:
            return f"{name}: {statistics.median(self.ours):.4g} measured, {self.asked} asked"
        return f"{name}, against {self.peer}: {self.times_better:.3g} times better measured, {self.asked} asked"

    def cells(self):
        return [
            self.comparison,
            self.peer or "–",
            str(self.threads),
            self.figure.name,
            median_and_range(self.ours),
            median_and_range(self.theirs) if self.peer else "–",
            f"{self.times_better:.2f}" if self.peer else "–",
            self.asked + (", missed" if self.missed else ""),
        ]

    def record(self):
        """What the JSON file says of it."""
        return {
            "comparison": self.comparison,
            "figure": self.figure.name,
            "peer": self.peer,
            "times_better": self.times_better if self.peer else None,
            "floor": dataclasses.asdict(self.floor) if self.floor else None,
            "limit": None if self.peer else self.figure.limit,
            "best engine": self.best,
            "missed": self.missed,
        }


def median_and_range(values):
    return f"{statistics.median(values):.4g} ({min(values):.4g}–{max(values):.4g})"


def table_rows(comparison, results):
    """`results`: {program: its figures, one dictionary for each round}, "ours" and every peer of the comparison. A peer
    that lacks a figure has no row of it."""

    def values(program, figure):
        return [figures[figure.name] for figures in results[program]]

    for figure in comparison.figures:
        ours = values("ours", figure)
        rows = {
            peer: Row(comparison.name, comparison.threads, figure, peer, ours, values(peer, figure))
            for peer in comparison.peers
            if figure.name in results[peer][0]
        }
        if engines := [rows[peer] for peer in comparison.engines if peer in rows]:
            min(engines, key=lambda row: row.times_better).best = True
        yield from rows.values()
        if figure.limit is not None:
            yield Row(comparison.name, comparison.threads, figure, None, ours, [])


HEADER = ["comparison", "peer", "threads", "figure", "ours", "peer's", "times better", "asked"]


def print_table(rows):
    lines = [HEADER, *(row.cells() for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines)]
    lines.insert(1, ["-" * width for width in widths])
    for cells in lines:
        print("| " + " | ".join(cell.ljust(width) for cell, width in zip(cells, widths)) + " |")
