"""What a comparison is, and what is asked of it."""
import dataclasses
import functools
import os
from collections.abc import Callable
from pathlib import Path

from measure import run

BENCH = Path(__file__).resolve().parent
BUILD = BENCH.parent / "build"
MODEL = BENCH.parent / ".deps" / "minilm"
CORES = len(os.sched_getaffinity(0))

# Figures that more than one file names. Those of a program that also gives the rate of its products (MODEL_RATE) get
# their share of the machine's.
MEMORY = "peak memory, MB"
MODEL_RATE = "model GFLOP/s"
SHARE = "of the matrix rate, %"
BEST = "best engine"  # in a figure's floors: the one of the comparison's engines that ours is the least ahead of


@dataclasses.dataclass
class Floor:
    """How many times better than a peer a figure must be, and is hoped to be."""

    at_least: float
    aim: float | None = None


@dataclasses.dataclass
class Figure:
    name: str
    more_is_better: bool = True
    floors: dict[str, Floor] = dataclasses.field(default_factory=dict)  # by peer, or of the BEST engine
    limit: float | None = None  # of our figure itself: the least, or the most where less is better


@dataclasses.dataclass
class Comparison:
    name: str
    threads: int
    figures: list[Figure]
    # Each program is a function from the round's number to its figures.
    ours: Callable[[int], dict]
    peers: dict[str, Callable[[int], dict]]
    # The largest difference between our values and those of a peer, after a round, and their correlation; nothing where
    # the peer computes something else.
    agreement: Callable[[str], dict] | None = None
    # How alike the values of a peer and ours must be, so that both compute the same: their correlation, or the share of
    # texts that are the same.
    alike: dict[str, float] = dataclasses.field(default_factory=dict)
    engines: tuple[str, ...] = ()  # the peers that are inference engines
    device: str = "cpu"  # whose matrix products are the limit
    neural: bool = False  # limited by matrix products: these are timed beside it, and --profile runs it once more
    missing: str = ""  # what this machine lacks for it

    def __post_init__(self):
        asked = {peer for figure in self.figures for peer in figure.floors}
        known = {*self.peers, BEST} if self.engines else set(self.peers)
        if unknown := (asked | set(self.engines) | set(self.alike)) - known:
            raise ValueError(f"{self.name}: floors of peers that are not compared: {sorted(unknown)}")
        if twice := {p for figure in self.figures if BEST in figure.floors for p in figure.floors if p in self.engines}:
            raise ValueError(f"{self.name}: engines with a floor beside that of the best: {sorted(twice)}")

    def unlike(self, agreements):
        """A complaint about each peer whose values differ more from ours than rounding explains, or were not compared."""
        for peer, at_least in self.alike.items():
            if peer not in self.peers:  # left out by --only
                continue
            found = agreements.get(peer)
            if not found:
                yield f"{self.name}: the values of {peer} were not compared with ours"
                continue
            likeness = found["same"] if "same" in found else found["correlation"]
            if not likeness >= at_least:  # nor where it is no number
                alike = f"alike to ours by {likeness:.4f}, {at_least:g} asked"
                yield f"{self.name}: {peer} computes something else: its values are {alike}"


def memory(peers=()):
    """Every program's peak; 0.35 of these peers' is asked for, but not of our own programs'."""
    floors = {peer: Floor(1 / 0.35) for peer in peers if not peer.startswith("ours")}
    return Figure(MEMORY, more_is_better=False, floors=floors)


@dataclasses.dataclass
class Place:
    python: str  # of the reference environment
    folder: Path  # temporary; rows/ in it is what rows.py wrote
    settings: dict[str, str] = dataclasses.field(default_factory=dict)  # that were the fastest of those tried, by program

    @property
    def rows(self):
        return self.folder / "rows"

    @functools.cached_property
    def lerc(self):
        """A model directory to score with."""
        self.peer("make_lerc.py", MODEL, self.rows / "answers.jsonl", self.folder / "lerc", threads=1)
        return self.folder / "lerc"

    @functools.cached_property
    def bert_base(self):
        """A model directory of BERT-base's shape."""
        self.peer("make_bert.py", MODEL, self.folder / "bert_base", threads=CORES)
        return self.folder / "bert_base"

    @functools.cached_property
    def byte_bpe(self):
        """A folder with a byte-level BPE as large as those that are published."""
        texts = (self.rows / name for name in ("english.txt", "world.txt"))
        self.peer("make_byte_bpe.py", self.folder / "byte_bpe", *texts, threads=CORES)
        return self.folder / "byte_bpe"

    @functools.cached_property
    def t5(self):
        """A model directory of T5-small's shape."""
        texts = (self.rows / name for name in ("seq2seq.jsonl", "english.txt"))
        self.peer("make_t5.py", self.folder / "t5", *texts, threads=1)
        return self.folder / "t5"

    @functools.cached_property
    def gpt2(self):
        """A model directory of GPT-2's smallest shape."""
        texts = (self.rows / name for name in ("english.txt", "world.txt"))
        self.peer("make_gpt2.py", self.folder / "gpt2", *texts, threads=CORES)
        return self.folder / "gpt2"

    @functools.cached_property
    def llama(self):
        """A model directory of SmolLM2-135M's shape."""
        texts = (self.rows / name for name in ("english.txt", "world.txt"))
        self.peer("make_llama.py", self.folder / "llama", *texts, threads=CORES)
        return self.folder / "llama"

    def converted(self, kind, precision):
        """The model of that name as CTranslate2 reads it."""
        folder = self.folder / f"{kind}-ctranslate2-{precision}"
        if not folder.exists():
            self.peer("texts_ctranslate2.py", "--export", precision, getattr(self, kind), folder, threads=CORES)
        return folder

    @functools.cached_property
    def evaluator(self):
        """The same as REV's evaluator, made as the published code makes one."""
        self.peer("make_evaluator.py", self.t5, self.folder / "evaluator", threads=1)
        return self.folder / "evaluator"

    def row_lengths(self, model, rows, *max_length):
        """Tokens of every row of answers, as LERC reads them; without max_length of every source and its target."""
        return self.peer("row_lengths.py", model, rows, *max_length, threads=1).report["lengths"]

    def matrix_rate(self, device):
        """GFLOP/s"""
        return self.peer("matrix_rate.py", device, threads=CORES).report["gflops"]

    def peer(self, script, *arguments, threads):
        return run([self.python, BENCH / "peers" / script, *arguments], threads)


def count_lines(file):
    with open(file) as lines:
        return sum(1 for _ in lines)
